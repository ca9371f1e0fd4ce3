/* The results of a run while they come in: the first divergence of each group is on disk, with its input, as soon as it
 * is proven. The others are run natively without a file. */
#ifndef PENUMBRA_CAMPAIGN_RESULTS_H
#define PENUMBRA_CAMPAIGN_RESULTS_H

#include "campaign/subject.h"
#include "report/report.h"

/* Proving takes longer than exploring: so many divergences are run natively even when the time is over. */
enum { RESULTS_ENOUGH = 100 };

/* A fresh directory: `wanted`, or `wanted`-1, -2, ... when that is taken, so that nothing is overwritten. The name
 * comes from the arena; NULL on an error. */
const char *results_make_directory(struct arena *arena, const char *wanted, struct error *error);

/* Adds what the explorer found: replays it natively, keeps it in the report. */
bool results_add(struct report *report, struct subject *subject, struct checker *checker, const struct finding *finding,
                 unsigned number, struct error *error);

/* The same for one of many: where it shows what is known, its outputs are not asked for once more. */
bool results_add_another(struct report *report, struct subject *subject, struct checker *checker,
                         const struct finding *finding, unsigned number, struct error *error);

/* The parts of that: the input, replayed, with the entry as its place; where a finding says the versions
 * part; keeping it in the report, on disk only (a folder, a line of the journal), or forgetting it. */
bool results_prove(const struct report *report, const struct subject *subject, struct checker *checker,
                   const struct finding *finding, unsigned number, struct report_divergence *divergence,
                   struct error *error);
void results_place(const struct report *report, const struct subject *subject, const struct finding *finding,
                   struct report_divergence *divergence);
bool results_write(const struct report *report, const struct subject *subject, struct report_divergence *divergence,
                   struct error *error);
/* The witness of a group and the small input that is shown for it, in one folder. */
bool results_write_small(const struct report *report, const struct subject *subject,
                         struct report_divergence *divergence, struct error *error);
bool results_keep(struct report *report, const struct subject *subject, struct report_divergence *divergence,
                  struct error *error);
void results_drop(const struct report *report, struct report_divergence *divergence);
void results_remove_folder(const struct report *report, struct report_divergence *divergence);

/* Where the versions part; where that is only seen when the entry has returned, the change that matters. */
uint32_t results_site(const struct subject *subject, const struct finding *finding);
/* Findings of that kind at that site which are not run; none so far. */
struct report_unproven results_unproven_at(const struct subject *subject, enum finding_kind kind, uint32_t site);

/* The inputs on which the versions differ, with those of one more condition, where inputs of `before` can differ: "0"
 * for none, "" where that is not told, or would be too long. */
const char *results_join(struct arena *arena, const char *before, bool can_differ, const char *condition);

/* Adds what the complete mode says about a finding, and shows it by an input on which the versions differ, if one is
 * there. */
bool results_add_difference(struct report *report, struct subject *subject, struct checker *checker,
                            const struct finding_difference *difference, struct error *error);

/* Adds an input on which the versions, explored apart, behave differently. Another one is forgotten, unless our own
 * checks may still see what the native runs did not: results_drop_quiet() forgets it when results_finish() is done. */
bool results_add_if_loud(struct report *report, struct subject *subject, struct checker *checker,
                         const struct finding *finding, struct error *error);
/* Adds an input on which the versions do the same in the trace, and not natively. */
bool results_add_if_contradicted(struct report *report, struct subject *subject, struct checker *checker,
                                 const struct finding *finding, struct error *error);
void results_drop_quiet(struct report *report);

/* What need not be known while exploring: undefined behaviour on the way, and failures that AddressSanitizer misses.
 * Of each group's witness, and of others as there is time (settle.c, as is results_group()). */
struct campaign;
bool results_finish(struct report *report, struct campaign *campaign, struct error *error);

/* Makes the groups: each witness has a folder then, and of the others only --all has one. */
bool results_group(struct report *report, const struct subject *subject, struct error *error);

/* Runs may have made more inputs known since a divergence was found: these are zero in its input. */
void results_fit_inputs(struct report *report);

void results_free(struct report *report);

#endif

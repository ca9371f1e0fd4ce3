/* Going on where a campaign was stopped, whatever stopped it: `penumbra resume`. The versions are read again, and must
 * be what they were (sources.h). What came of entries that were finished is taken from the journal. One that was under
 * way is explored again from its beginning; what it had proven keeps its number and its folder meanwhile, and is in the
 * result, too, where the second exploration does not come to the same. */
#ifndef PENUMBRA_CAMPAIGN_RESUME_H
#define PENUMBRA_CAMPAIGN_RESUME_H

#include "campaign/state.h"

/* The directory becomes that of the report, and nobody else's as long as this process lives; false where somebody is
 * at work there. */
bool resume_lock(struct campaign *campaign, struct error *error);

/* What is in the journal when the campaign goes on. */
bool resume_read(struct campaign *campaign, struct error *error);
/* Whether nothing is left to be done for the entry. */
bool resume_is_finished(const struct campaign *campaign, const char *entry);
/* Whether the queue of entries is there already; false with an error where it is another one. */
bool resume_has_queue(const struct campaign *campaign, bool *has, struct error *error);

/* Before an entry is explored: new divergences have numbers that none has. */
void resume_begin_entry(struct campaign *campaign);
/* When it was explored: adds what was proven before and has not been found again. */
bool resume_add_kept(struct campaign *campaign, struct error *error);
/* When its results are on disk: folders of divergences that are not among them go. */
void resume_remove_folders(struct campaign *campaign);

/* Whether one of its group was on disk when the campaign went on. */
bool resume_is_kept(const struct report *report, const struct report_divergence *divergence);
/* What resume_add_kept() needs of a divergence, its group's key, and its input for people; a new reference. */
json_t *resume_describe(const struct report *report, const struct report_divergence *divergence);

/* Says that nothing is left to be done for the entry, or with NULL for the campaign. */
bool resume_finish(const struct campaign *campaign, const char *entry, struct error *error);

#endif

/* One group for each change of behaviour. Divergences are in one group when the versions part at the same place in the
 * same way, and each then does the same: it fails in the same way at the same place, or ends with the same status and
 * what it puts out differs in the same channels. Silent divergences, which nobody outside can see, are one group, and
 * so are inputs on which both versions fail alike. Groups
 * whose witnesses' difference one change makes without any other (cause_line) are one, wherever the versions part.
 *
 * Of a group one divergence is the witness: it is shown, has a folder in the results directory, and stands for all. */
#ifndef PENUMBRA_REPORT_GROUPS_H
#define PENUMBRA_REPORT_GROUPS_H

#include "base/text.h"
#include "report/report.h"

/* What tells its group from others. */
void groups_add_key(const struct report_divergence *divergence, struct text *key);

/* Makes the groups of all divergences, which are sorted (report_sort()). */
void groups_make(struct report *report);

/* What is shown of a group. */
const struct report_divergence *groups_witness(const struct report *report, const struct report_group *group);

/* Whether it is known to come of the change at which the versions part. */
bool groups_part_at_cause(const struct report_divergence *divergence);

/* The divergences that a report lists: all where there are few or all are wanted; else the witnesses, and some more. */
bool groups_are_listed(const struct report *report, size_t divergence);

#endif

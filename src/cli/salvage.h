/* What was found is on disk as soon as it is proven: a line of JSON for each divergence in `findings.jsonl` of the
 * results directory, a later line of the same number in place of an earlier one. When the process that explores comes
 * to no good end, the report is made of these lines. */
#ifndef PENUMBRA_CLI_SALVAGE_H
#define PENUMBRA_CLI_SALVAGE_H

#include "cli/supervise.h"
#include "report/report.h"

/* Appends a divergence's line. */
bool salvage_keep(const struct report *report, const struct report_divergence *divergence, struct error *error);

/* Makes and prints a report of what was kept; returns the exit status. */
int salvage(const struct supervised *supervised, bool as_json);

#endif

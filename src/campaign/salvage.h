/* What was found is on disk as soon as it is proven: a line of JSON for each divergence in `findings.jsonl` of the
 * results directory, a later line of the same number in place of an earlier one. When the process that explores comes
 * to no good end, the report is made of these lines. */
#ifndef PENUMBRA_CAMPAIGN_SALVAGE_H
#define PENUMBRA_CAMPAIGN_SALVAGE_H

#include "campaign/supervise.h"
#include "report/report.h"

#include <jansson.h>

/* Appends a divergence's line. */
bool salvage_keep(const struct report *report, const struct report_divergence *divergence, struct error *error);

/* What was kept, of a worker that did not end by itself. */
struct salvaged {
    char why[128];
    bool different;
    json_t *report; /* NULL: nothing was explored yet */
    char *document; /* the same, as text */
};

/* Makes a report of it and writes that into the results directory; false when it cannot be written. */
bool salvage(const struct supervised *supervised, struct salvaged *salvaged, struct error *error);
void salvaged_free(struct salvaged *salvaged);

#endif

/* When the process that explores comes to no good end, the report is made of the records that it has left. */
#ifndef PENUMBRA_CAMPAIGN_SALVAGE_H
#define PENUMBRA_CAMPAIGN_SALVAGE_H

#include "campaign/supervise.h"

#include <jansson.h>

/* What was kept, of a worker that did not end by itself. */
struct salvaged {
    char why[128];
    int exit_status;
    json_t *document; /* NULL: nothing was explored yet */
};

/* Makes a report of it and writes that into the results directory; false when it cannot be written. */
bool salvage(const struct supervised *supervised, struct salvaged *salvaged, struct error *error);
void salvaged_free(struct salvaged *salvaged);

#endif

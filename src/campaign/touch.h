/* Which of the recorded starts of a program reach a change: the new version of the unified program, built natively so
 * that every change tells, is run once on each of them, in a world of its own. */
#ifndef PENUMBRA_CAMPAIGN_TOUCH_H
#define PENUMBRA_CAMPAIGN_TOUCH_H

#include "campaign/entry.h"
#include "execute/world.h"
#include "project/starts.h"

struct touch_request {
    const struct campaign_entry *entry;
    const struct words *links;
    enum world_level sandbox;
    const char *directory; /* for what is built */
    double seconds;        /* for all runs together */
    double run_seconds;
    size_t memory_bytes;
};

/* Sets `touches` of each start, and leaves a file of that name in its folder. False where the program cannot be built:
 * then nothing is known. */
bool touch_find(const struct touch_request *request, struct starts *starts, struct error *error);

#endif

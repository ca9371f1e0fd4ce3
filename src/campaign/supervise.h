/* A command's work happens in a process of its own, the worker, watched by the first one: whatever the worker is busy
 * with, or dies of, its time and memory have an end, a signal ends it soon, and nothing that it started is left. What
 * it had found until then is on disk (see salvage.h). */
#ifndef PENUMBRA_CAMPAIGN_SUPERVISE_H
#define PENUMBRA_CAMPAIGN_SUPERVISE_H

#include "base/error.h"

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

enum worker_end {
    WORKER_ENDED, /* by itself */
    WORKER_OUT_OF_TIME,
    WORKER_OUT_OF_MEMORY,
    WORKER_INTERRUPTED,
    WORKER_CRASHED,
};

/* What both processes see. */
struct shared {
    char directory[PATH_MAX]; /* where the worker's results are; "" while there is none */
    volatile bool is_showing; /* the results are on disk, and the worker tells the user of them: it is let finish */
    volatile bool is_shown;   /* the user has been told everything; nothing is left to do but to end, with */
    int status;
};

struct supervision {
    double seconds;      /* in which the worker should end by itself; 0: no limit */
    size_t memory_bytes; /* resident, of the worker and what it started to explore; 0: no limit */
    int (*work)(void *context, struct shared *shared);
    void *context;
};

struct supervised {
    enum worker_end end;
    int status; /* of WORKER_ENDED; the signal, of WORKER_CRASHED */
    struct shared shared;
};

/* False when there can be no worker. */
bool supervise(const struct supervision *supervision, struct supervised *supervised, struct error *error);

#endif

/* The instrumented program as the explorer sees it: a server that runs one input at a time in a fresh process, or a
 * library that runs it in this process and undoes it. Either leaves a trace in shared memory. */
#ifndef PENUMBRA_EXPLORE_TARGET_H
#define PENUMBRA_EXPLORE_TARGET_H

#include "base/error.h"
#include "execute/world.h"
#include "input/input.h"
#include "trace/trace.h"

#include <stdbool.h>

struct target_limits {
    double run_seconds;
    size_t memory_bytes;
    uint32_t
        most_selected; /* elements of an object that is read as a whole, through an address that depends on the input */
    uint32_t event_capacity, node_capacity; /* beyond these values go on without labels, and the trace says so */
    bool alone;                             /* the program is one version only */
    const struct world *world;
};

/* How the last run's process ended; what the run itself says is in the trace. */
struct run {
    struct pn_trace *trace; /* valid until the next run */
    int signal;             /* 0: it exited */
    int exit_status;
    bool timed_out;
    bool out_of_memory;
    bool nodes_persist; /* a node's index means the same as in the runs before */
};

struct target;

struct target *target_start(const char *executable, const struct target_limits *limits, struct error *error);
/* The program as a library: what crashes it may take this process along. */
struct target *target_load(const char *library, const struct target_limits *limits, struct error *error);
void target_stop(struct target *target);
/* No run lasts beyond that moment (clock.h) for long. */
void target_stop_at(struct target *target, double moment);

/* What the latest run has left. */
const struct pn_trace *target_trace(const struct target *target);

/* Runs one input. Of what the layout has behind its `size` bytes, because a run made it known since, it says nothing:
 * that is zero. A name that the program made symbolic itself, by pn_symbolic(), and that the
 * layout does not know yet is appended to the layout; the run's own bytes are in the trace. */
bool target_run(struct target *target, struct input_layout *layout, const uint8_t *input, size_t size, struct run *run,
                struct error *error);

#endif

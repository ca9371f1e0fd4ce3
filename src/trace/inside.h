/* Runs inside the explorer's own process: the instrumented program as a library, whose one function runs an input and
 * undoes what the run did. Inputs go in and the trace comes out as in trace.h, through the mapping. */
#ifndef PENUMBRA_TRACE_INSIDE_H
#define PENUMBRA_TRACE_INSIDE_H

#include <stdbool.h>
#include <stddef.h>

struct pn_inside_run {
    double seconds; /* limits: of processor time, */
    double latest;  /* and the moment by CLOCK_MONOTONIC at which it is stopped anyway; 0: none */
    size_t memory_bytes;
    int signal; /* how it ended, as a process would have */
    int exit_status;
    bool timed_out, out_of_memory;
};

typedef void pn_run_inside(struct pn_inside_run *run);
#define PN_RUN_INSIDE "__pn_run_inside"

#endif

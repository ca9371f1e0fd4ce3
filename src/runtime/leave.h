/* Leaving a run inside the explorer's process, from wherever it is. */
#ifndef PENUMBRA_RUNTIME_LEAVE_H
#define PENUMBRA_RUNTIME_LEAVE_H

#include "runtime/runtime.h"
#include "trace/inside.h"

#include <signal.h>

extern sigjmp_buf pn_end_of_run; /* set when the run begins */
extern volatile sig_atomic_t pn_running;
extern struct pn_inside_run *pn_current_run;

/* Whether a signal's context (a ucontext_t) lies in the program and not in a library. */
bool pn_is_program_code(const void *context);

#endif

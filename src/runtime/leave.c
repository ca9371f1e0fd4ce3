/* Leaving a run inside the explorer's process. A process of its own never does. */
#include "runtime/leave.h"

#include <ucontext.h>

bool pn_inside;
uint32_t pn_run_number;
sigjmp_buf pn_end_of_run;
volatile sig_atomic_t pn_running;
struct pn_inside_run *pn_current_run;

extern const char __ehdr_start[], etext[];

bool pn_is_program_code(const void *context)
{
    uint64_t at = (uint64_t)((const ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
    bool called_null = at < PN_LOWEST_ADDRESS; /* by the program: nothing else was interrupted */
    return called_null || (at >= (uint64_t)(uintptr_t)__ehdr_start && at < (uint64_t)(uintptr_t)etext);
}

void pn_leave_run(int signal)
{
    pn_current_run->signal = signal;
    siglongjmp(pn_end_of_run, 1);
}

bool pn_can_leave_run(const void *context)
{
    return pn_inside && pn_running && pn_is_program_code(context);
}

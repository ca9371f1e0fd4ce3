/* One run of a program in function mode, from beginning to end. */
#include "runtime/runtime.h"

#include <errno.h>

void __pn_harness(void);

/* Functions that the program wants to be called first: see pn_global() in penumbra.h. */
typedef void start_function(void);
extern start_function *const __start_pn_start[] __attribute__((weak));
extern start_function *const __stop_pn_start[] __attribute__((weak));

void pn_run_program(void)
{
    errno = 0;
    for (start_function *const *start = __start_pn_start; start < __stop_pn_start; start++)
        (*start)();
    __pn_harness();
    pn_compare_streams();
    pn_trace->ending = PN_COMPLETED;
}

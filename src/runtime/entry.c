/* One run of a program in function mode, from beginning to end. */
#include "runtime/runtime.h"
#include "trace/uninitialised.h"

#include <errno.h>
#include <string.h>

void __pn_harness(void);
void pn_symbolic(void *pointer, unsigned long size, const char *name);

/* Functions that the program wants to be called first: see pn_global() in penumbra.h. */
typedef void start_function(void);
extern start_function *const __start_pn_start[] __attribute__((weak));
extern start_function *const __stop_pn_start[] __attribute__((weak));

/* The program has it when something can be read in it that was never written. */
extern const uint64_t __pn_needs_fresh __attribute__((weak));

static void make_fresh_bytes(void)
{
    uint64_t start = (uint64_t)(uintptr_t)__pn_fresh;
    pn_symbolic(__pn_fresh, PN_FRESH_SIZE, PN_UNINITIALISED);
    for (uint64_t at = PN_FRESH_SIZE; at < __pn_needs_fresh; at += PN_FRESH_SIZE) {
        memcpy(__pn_fresh + at, __pn_fresh, PN_FRESH_SIZE);
        pn_memory_copy_labels(start + at, start, PN_FRESH_SIZE);
    }
}

void pn_run_program(void)
{
    errno = 0;
    if (&__pn_needs_fresh)
        make_fresh_bytes();
    for (start_function *const *start = __start_pn_start; start < __stop_pn_start; start++)
        (*start)();
    __pn_harness();
    pn_compare_streams();
    pn_trace->ending = PN_COMPLETED;
}

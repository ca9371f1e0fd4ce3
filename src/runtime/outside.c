/* Code without hooks: functions of it that are called through pointers, and its calls back into the program. */
#include "runtime/runtime.h"

uint32_t __pn_outside;

extern const uint64_t __start_pn_functions[] __attribute__((weak));
extern const uint64_t __stop_pn_functions[] __attribute__((weak));

static bool has_hooks(uint64_t function)
{
    for (const uint64_t *at = __start_pn_functions; at < __stop_pn_functions; at++)
        if (*at == function)
            return true;
    return false;
}

/* The same few are called again and again. */
enum { REMEMBERED = 256 };
static struct {
    uint64_t function;
    bool has_hooks;
} remembered[REMEMBERED];

uint32_t __pn_slow_target_outside(uint64_t function)
{
    unsigned at = function >> 4 & (REMEMBERED - 1);
    if (function < PN_LOWEST_ADDRESS) /* there is none: the call fails, and nothing leaves the program */
        return 0;
    if (remembered[at].function != function) {
        remembered[at].function = function;
        remembered[at].has_hooks = has_hooks(function);
    }
    return !remembered[at].has_hooks;
}

void __pn_slow_leave_through(uint32_t site)
{
    __pn_effect(site);
    pn_bind_arguments(site);
    __pn_outside = 1;
}

void __pn_slow_enter_from_outside(void)
{
    pn_forget_arguments();
    __pn_outside = 0;
}

void pn_outside_reset(void)
{
    __pn_outside = 0;
}

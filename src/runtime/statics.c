/* Static variables in functions keep what a call leaves in them. No harness can name them, so they are no outputs:
 * where the versions may have left different values, that is a loss. */
#include "runtime/runtime.h"

void __pn_static_variable(const uint8_t *variable, uint64_t size, uint32_t site);

static bool may_differ(const uint8_t *variable, uint64_t size)
{
    uint64_t address = (uint64_t)(uintptr_t)variable;
    if (pn_diverged)
        return true;
    for (uint64_t i = 0; i < size; i++) {
        uint32_t label = pn_memory_has_labels(address + i, 1) ? pn_memory_byte(address + i, variable[i]) : 0;
        if (label && pn_node(label >> 3)->flags & PN_SHADOWED)
            return true;
    }
    return false;
}

/* At the end of the harness. */
void __pn_static_variable(const uint8_t *variable, uint64_t size, uint32_t site)
{
    if (may_differ(variable, size))
        __pn_hidden_arguments(site);
}

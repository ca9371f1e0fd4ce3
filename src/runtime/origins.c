/* Which object an address was computed from. The walk there begins at the address and goes through sums to the left; in
 * a loop that adds to a pointer it would be longer at each turn, so where a long one ended is remembered. That is a
 * matter of the nodes alone: it holds as long as they stay, in later runs too. Which object lies there now is not. */
#include "runtime/runtime.h"

#include <sys/mman.h>

enum { SHORT_WALK = 16 };

static uint32_t (*origins)[2]; /* by node, then by version: the walk's last node; 0: not known */

void pn_forget_origins(void)
{
    if (origins)
        madvise(origins, pn_trace->node_capacity * sizeof *origins, MADV_DONTNEED);
}

static void remember(uint32_t node, enum pn_side side, uint32_t origin)
{
    if (!origins) {
        void *memory = mmap(NULL, pn_trace->node_capacity * sizeof *origins, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (memory == MAP_FAILED)
            return;
        origins = memory;
    }
    origins[node][side == PN_SIDE_OLD] = origin;
}

/* What the address was computed from in one step, in this version, or in the one that the step chooses; 0: nothing. */
static uint32_t step_back(uint32_t index, enum pn_side *side)
{
    const struct pn_node *node = pn_node(index);
    switch (node->operation) {
    case PN_ADD:
    case PN_SUB: return node->a;
    case PN_SHADOW: return *side == PN_SIDE_OLD ? node->a : node->b;
    case PN_OLD:
    case PN_NEW: *side = node->operation == PN_OLD ? PN_SIDE_OLD : PN_SIDE_NEW; return node->a;
    default: return 0;
    }
}

static uint32_t origin_of(uint32_t address_node, enum pn_side side)
{
    uint32_t at = address_node, before, known = 0;
    enum pn_side version = side;
    unsigned steps = 0;
    for (; !known && (before = step_back(at, &version)); steps++) {
        at = before;
        known = origins ? origins[at][version == PN_SIDE_OLD] : 0;
    }
    at = known ? known : at;
    if (steps > SHORT_WALK)
        remember(address_node, side, at);
    return at;
}

uint32_t pn_object_of(uint32_t address_node, enum pn_side side)
{
    const struct pn_node *origin = pn_node(origin_of(address_node, side));
    switch (origin->operation) {
    case PN_POINTER: return origin->a;
    case PN_CONSTANT: return pn_object_pointed_to(origin->new_value);
    default: return 0;
    }
}

/* Static variables in functions keep what a call leaves in them. No harness can name them: the instrumenter hands them
 * over at the end. They are outputs, byte by byte; what pointers among them lead to is only looked at, and where the
 * versions may have left something else there, that is a loss. */
#include "runtime/runtime.h"
#include "trace/known.h"

#include <string.h>

void __pn_static_variable(const uint8_t *variable, uint64_t size, uint32_t holds_pointers, const char *name,
                          uint32_t site);
void pn_output(const char *name, const void *pointer, unsigned long size);

static bool may_differ(uint64_t address, uint64_t size)
{
    if (!pn_memory_has_labels(address, size))
        return false;
    for (uint64_t at = address; at < address + size; at++) {
        uint32_t label = pn_memory_has_labels(at, 1) ? pn_memory_byte(at, *(const uint8_t *)(uintptr_t)at) : 0;
        if (label && pn_node(label >> 3)->flags & PN_SHADOWED)
            return true;
    }
    return false;
}

/* Blocks to which the variable leads. */
struct reached {
    struct pn_block blocks[64];
    size_t count;
    bool is_cut;
};

static void reach(struct reached *reached, uint64_t pointer)
{
    struct pn_block block = {0};
    if (!pointer || pn_known_at(pointer) || !pn_lasting_extent(pointer, &block.base, &block.size))
        return;
    for (size_t i = 0; i < reached->count; i++)
        if (reached->blocks[i].base == block.base)
            return;
    reached->is_cut |= reached->count == sizeof reached->blocks / sizeof *reached->blocks;
    if (!reached->is_cut)
        reached->blocks[reached->count++] = block;
}

static void reach_from(struct reached *reached, uint64_t address, uint64_t size)
{
    for (uint64_t at = (address + 7) & ~UINT64_C(7); at + 8 <= address + size; at += 8) {
        uint64_t pointer;
        memcpy(&pointer, (const void *)(uintptr_t)at, sizeof pointer);
        reach(reached, pointer);
    }
}

/* Whether all that the variable leads to is known to be the same in both versions. */
static bool is_same_behind(uint64_t address, uint64_t size)
{
    struct reached reached = {0};
    reach_from(&reached, address, size);
    for (size_t i = 0; i < reached.count; i++) {
        if (may_differ(reached.blocks[i].base, reached.blocks[i].size))
            return false;
        reach_from(&reached, reached.blocks[i].base, reached.blocks[i].size);
    }
    return !reached.is_cut;
}

/* At the end of the harness. */
void __pn_static_variable(const uint8_t *variable, uint64_t size, uint32_t holds_pointers, const char *name,
                          uint32_t site)
{
    uint64_t address = (uint64_t)(uintptr_t)variable;
    if (size > PN_MOST_BYTES ? pn_diverged || may_differ(address, size)
                             : holds_pointers && (pn_diverged || !is_same_behind(address, size)))
        __pn_hidden_arguments(site);
    bool is_address = holds_pointers && pn_diverged; /* another one in each build */
    if (size <= PN_MOST_BYTES && !is_address)
        pn_output(name, variable, size);
}

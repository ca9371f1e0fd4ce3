/* Static variables in functions keep what a call leaves in them. No harness can name them: the instrumenter hands them
 * over at the end. They are outputs, byte by byte; what pointers among them lead to is only looked at, and where the
 * versions may have left something else there, that is a loss. */
#include "runtime/runtime.h"
#include "trace/known.h"

#include <string.h>

void __pn_static_variable(const uint8_t *in_old, const uint8_t *in_new, uint64_t size, uint32_t holds_pointers,
                          const char *name, uint32_t site);
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

/* Each version's own, as one. */
static void output_both(const uint8_t *in_old, const uint8_t *in_new, uint64_t size, const char *name)
{
    static uint8_t room[PN_MOST_BYTES];
    uint64_t old_address = (uint64_t)(uintptr_t)in_old, address = (uint64_t)(uintptr_t)in_new;
    uint32_t node = pn_make_shadow(64, pn_make_pointer(old_address, pn_object_at(old_address)),
                                   pn_make_pointer(address, pn_object_at(address)));
    __pn_slow_copy((uint64_t)(uintptr_t)room, 0, address, node, size, 0, __pn_site);
    memcpy(room, in_new, size);
    pn_output(name, room, size);
}

static bool leads_elsewhere(const uint8_t *variable, uint64_t size)
{
    return !is_same_behind((uint64_t)(uintptr_t)variable, size);
}

/* Of a variable that one version alone has, or that is too large: whether the versions may have left something else. */
static bool is_lost(const uint8_t *in_old, const uint8_t *in_new, uint64_t size)
{
    if (pn_diverged)
        return in_new;
    return (in_old && may_differ((uint64_t)(uintptr_t)in_old, size)) ||
           (in_new && may_differ((uint64_t)(uintptr_t)in_new, size));
}

/* At the end of the harness. The two are the same where the unified program has one variable for both versions; one is
 * NULL where only the other version has such a variable. */
void __pn_static_variable(const uint8_t *in_old, const uint8_t *in_new, uint64_t size, uint32_t holds_pointers,
                          const char *name, uint32_t site)
{
    if (!in_old || !in_new || size > PN_MOST_BYTES) {
        if (is_lost(in_old, in_new, size))
            __pn_hidden_arguments(site);
        return;
    }
    if (holds_pointers && (pn_diverged || in_old != in_new || leads_elsewhere(in_new, size)))
        __pn_hidden_arguments(site);
    if (holds_pointers && pn_diverged) /* addresses are others in each build */
        return;
    if (in_old == in_new || pn_diverged)
        pn_output(name, in_new, size);
    else
        output_both(in_old, in_new, size, name);
}

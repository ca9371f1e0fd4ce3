/* Copying and filling blocks of memory: the labels move with the bytes. Where an address or a length differs between the
 * versions, each side copies its own bytes. */
#include "runtime/runtime.h"

#include <stdlib.h>
#include <string.h>

/* Binds an operand to this run's values and returns what it is in the old version. */
static uint64_t bind_operand(label on_value, uint64_t value, uint32_t site)
{
    if (!on_value || pn_node(on_value)->new_value != value)
        return value;
    pn_bind(on_value, site);
    return pn_diverged ? value : pn_node(on_value)->old_value;
}

static uint64_t bind_block(label on_address, uint64_t address, uint64_t size, uint32_t site)
{
    if (on_address && size && pn_node(on_address)->new_value == address)
        pn_check_access(on_address, (uint32_t)size, site, PN_SIDE_BOTH);
    return bind_operand(on_address, address, site);
}

/* What each side is to find in one block after the copy, byte by byte. Used only where the sides differ. */
static void copy_per_side(uint64_t to, uint64_t old_to, uint64_t from, uint64_t old_from, uint64_t size,
                          uint64_t old_size, uint32_t site)
{
    uint8_t *old_bytes = malloc(old_size + 1);
    label *old_labels = calloc(old_size + 1, sizeof *old_labels);
    for (uint64_t i = 0; i < old_size && !pn_diverged; i++) {
        old_bytes[i] = (uint8_t)__pn_old_load(old_from + i, 0, 1, site);
        old_labels[i] = __pn_old_label;
    }
    uint8_t *new_bytes = malloc(size + 1);
    label *new_labels = calloc(size + 1, sizeof *new_labels);
    memcpy(new_bytes, (const void *)(uintptr_t)from, size);
    for (uint64_t i = 0; i < size; i++)
        new_labels[i] = __pn_new_load(from + i, 0, new_bytes[i], 1, site);
    for (uint64_t i = 0; i < size; i++)
        __pn_new_store(to + i, 0, new_bytes[i], new_labels[i], 1, site);
    /* The old side's stores compare with the native bytes, which the caller is about to write. */
    memcpy((void *)(uintptr_t)to, new_bytes, size);
    for (uint64_t i = 0; i < old_size && !pn_diverged; i++)
        __pn_old_store(old_to + i, 0, old_bytes[i], old_labels[i], 1, site);
    free(old_bytes), free(old_labels), free(new_bytes), free(new_labels);
}

void __pn_slow_copy(uint64_t to, label on_to, uint64_t from, label on_from, uint64_t size, label on_size, uint32_t site)
{
    uint64_t old_size = bind_operand(on_size, size, site);
    uint64_t old_to = bind_block(on_to, to, size, site);
    uint64_t old_from = bind_block(on_from, from, size, site);
    if (!pn_diverged && (old_to != to || old_from != from || old_size != size)) {
        copy_per_side(to, old_to, from, old_from, size, old_size, site);
        return;
    }
    pn_memory_copy_labels(to, from, size);
}

void __pn_slow_fill(uint64_t to, label on_to, uint64_t byte, label on_byte, uint64_t size, label on_size, uint32_t site)
{
    uint64_t old_size = bind_operand(on_size, size, site);
    uint64_t old_to = bind_block(on_to, to, size, site);
    byte &= 0xff;
    if (on_byte && pn_node(on_byte)->width > 8)
        on_byte = pn_make(PN_EXTRACT, 8, on_byte, 0, 0);
    if (pn_diverged || (old_to == to && old_size == size)) {
        if (!on_byte)
            pn_memory_forget(to, size);
        for (uint64_t i = 0; on_byte && i < size; i++)
            pn_memory_label(to + i, 1, on_byte);
        return;
    }
    uint64_t old_byte = on_byte ? pn_node(on_byte)->old_value : byte;
    label in_new = on_byte ? pn_project(PN_SIDE_NEW, on_byte) : 0;
    label in_old = on_byte ? pn_project(PN_SIDE_OLD, on_byte) : 0;
    for (uint64_t i = 0; i < size; i++)
        __pn_new_store(to + i, 0, byte, in_new, 1, site);
    memset((void *)(uintptr_t)to, (int)byte, size);
    for (uint64_t i = 0; i < old_size && !pn_diverged; i++)
        __pn_old_store(old_to + i, 0, old_byte, in_old, 1, site);
}

/* Copying and filling blocks of memory: the labels move with the bytes. Where an address or a length differs between
 * the versions, each side copies its own bytes. */
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

static uint64_t bind_block(label on_address, uint64_t address, uint64_t size, uint64_t old_size, uint32_t site)
{
    bool known = on_address && pn_node(on_address)->new_value == address;
    if (known && size == old_size && size) {
        pn_check_access(on_address, (uint32_t)size, site, PN_SIDE_BOTH);
    } else if (known) {
        if (old_size && !pn_diverged)
            pn_check_access(pn_project(PN_SIDE_OLD, on_address), (uint32_t)old_size, site, PN_SIDE_OLD);
        if (size)
            pn_check_access(pn_project(PN_SIDE_NEW, on_address), (uint32_t)size, site, PN_SIDE_NEW);
    }
    return bind_operand(on_address, address, site);
}

/* Before the length is bound: could it be too long? What only one version does may be so without a label, too. */
static void check_length(label on_size, uint64_t size, label on_address, uint64_t address, enum pn_side side,
                         uint32_t site)
{
    if (side != PN_SIDE_BOTH && !on_size)
        on_size = pn_make_constant(64, size);
    if (on_address && pn_node(on_address)->new_value != address)
        on_address = 0;
    if (on_size && pn_node(on_size)->new_value == size)
        pn_check_length(on_size, address, on_address, site, side);
}

/* Bytes with their labels, as one side sees them. */
struct bytes {
    uint64_t size;
    uint8_t *values;
    label *labels;
};

static struct bytes read_side(uint64_t from, uint64_t size, enum pn_side side, uint32_t site)
{
    struct bytes bytes = {size, malloc(size + 1), calloc(size + 1, sizeof *bytes.labels)};
    __pn_last_site = site;
    for (uint64_t i = 0; i < size; i++) {
        if (side == PN_SIDE_OLD) {
            bytes.values[i] = (uint8_t)__pn_slow_old_load(from + i, 0, 1, site);
            bytes.labels[i] = __pn_old_label;
        } else {
            bytes.values[i] = *(const uint8_t *)(uintptr_t)(from + i);
            bytes.labels[i] = __pn_slow_new_load(from + i, 0, bytes.values[i], 1, site);
        }
    }
    return bytes;
}

/* The new side's bytes are written natively too: labels must fit what stands in memory. */
static void write_side(uint64_t to, const struct bytes *bytes, enum pn_side side, uint32_t site)
{
    __pn_last_site = site;
    for (uint64_t i = 0; i < bytes->size; i++) {
        if (side == PN_SIDE_OLD) {
            __pn_slow_old_store(to + i, 0, bytes->values[i], bytes->labels[i], 1, site);
        } else {
            __pn_slow_new_store(to + i, 0, bytes->values[i], bytes->labels[i], 1, site);
            *(uint8_t *)(uintptr_t)(to + i) = bytes->values[i];
        }
    }
}

static void bytes_free(struct bytes *bytes)
{
    free(bytes->values), free(bytes->labels);
}

/* The program copies as well, after this: where the two blocks overlap, what it is to copy must stand there again. */
static void put_back(uint64_t to, uint64_t from, const struct bytes *bytes)
{
    if (to - from < bytes->size || from - to < bytes->size)
        memcpy((void *)(uintptr_t)from, bytes->values, bytes->size);
}

static void copy_per_side(uint64_t to, uint64_t old_to, uint64_t from, uint64_t old_from, uint64_t size,
                          uint64_t old_size, uint32_t site)
{
    struct bytes in_old = read_side(old_from, old_size, PN_SIDE_OLD, site);
    struct bytes in_new = read_side(from, size, PN_SIDE_NEW, site);
    write_side(to, &in_new, PN_SIDE_NEW, site);
    write_side(old_to, &in_old, PN_SIDE_OLD, site);
    put_back(to, from, &in_new);
    bytes_free(&in_old), bytes_free(&in_new);
}

void __pn_side_copy(uint32_t side, uint64_t to, label on_to, uint64_t from, label on_from, uint64_t size, label on_size,
                    uint32_t site)
{
    check_length(on_size, size, on_to, to, (enum pn_side)side, site);
    check_length(on_size, size, on_from, from, (enum pn_side)side, site);
    bind_operand(on_size, size, site);
    bind_operand(on_to, to, site);
    bind_operand(on_from, from, site);
    struct bytes bytes = read_side(from, size, (enum pn_side)side, site);
    write_side(to, &bytes, (enum pn_side)side, site);
    if (side != PN_SIDE_OLD)
        put_back(to, from, &bytes);
    bytes_free(&bytes);
}

static uint32_t low_byte(label on_byte)
{
    return on_byte && pn_node(on_byte)->width > 8 ? pn_make(PN_EXTRACT, 8, on_byte, 0, 0) : on_byte;
}

void __pn_side_fill(uint32_t side, uint64_t to, label on_to, uint64_t byte, label on_byte, uint64_t size, label on_size,
                    uint32_t site)
{
    check_length(on_size, size, on_to, to, (enum pn_side)side, site);
    bind_operand(on_size, size, site);
    bind_operand(on_to, to, site);
    on_byte = low_byte(on_byte);
    for (uint64_t i = 0; i < size; i++) {
        uint8_t value = (uint8_t)byte;
        write_side(to + i, &(struct bytes){1, &value, &on_byte}, (enum pn_side)side, site);
    }
}

/* Memory that only one version has, used by both: its ends tell. */
static void check_life(uint64_t address, uint64_t size, uint32_t site)
{
    if (!size)
        return;
    pn_check_life(address, site, PN_SIDE_BOTH);
    pn_check_life(address + size - 1, site, PN_SIDE_BOTH);
}

PN_APART static void copy_labelled(uint64_t to, label on_to, uint64_t from, label on_from, uint64_t size, label on_size,
                                   uint32_t site)
{
    check_length(on_size, size, on_to, to, PN_SIDE_BOTH, site);
    check_length(on_size, size, on_from, from, PN_SIDE_BOTH, site);
    uint64_t old_size = bind_operand(on_size, size, site);
    uint64_t old_to = bind_block(on_to, to, size, old_size, site);
    uint64_t old_from = bind_block(on_from, from, size, old_size, site);
    if (!pn_diverged && (old_to != to || old_from != from || old_size != size)) {
        copy_per_side(to, old_to, from, old_from, size, old_size, site);
        return;
    }
    check_life(to, size, site);
    check_life(from, size, site);
    pn_memory_copy_labels(to, from, size);
}

PN_APART static void fill_labelled(uint64_t to, label on_to, uint64_t byte, label on_byte, uint64_t size, label on_size,
                                   uint32_t site)
{
    check_length(on_size, size, on_to, to, PN_SIDE_BOTH, site);
    uint64_t old_size = bind_operand(on_size, size, site);
    uint64_t old_to = bind_block(on_to, to, size, old_size, site);
    byte &= 0xff;
    on_byte = low_byte(on_byte);
    if (pn_diverged || (old_to == to && old_size == size)) {
        check_life(to, size, site);
        if (!on_byte)
            pn_memory_forget(to, size);
        else if (size)
            pn_memory_label_all(to, size, (uint32_t[]){on_byte << 3}, 1);
        return;
    }
    uint64_t old_byte = on_byte ? pn_node(on_byte)->old_value : byte;
    label in_new = on_byte ? pn_project(PN_SIDE_NEW, on_byte) : 0;
    label in_old = on_byte ? pn_project(PN_SIDE_OLD, on_byte) : 0;
    __pn_side_fill(PN_SIDE_NEW, to, 0, byte, in_new, size, 0, site);
    __pn_side_fill(PN_SIDE_OLD, old_to, 0, old_byte, in_old, old_size, 0, site);
}

/* Most blocks have no labels, also where there are some about. */

void __pn_slow_copy(uint64_t to, label on_to, uint64_t from, label on_from, uint64_t size, label on_size, uint32_t site)
{
    if (on_to | on_from | on_size || pn_memory_has_labels(from, size) || pn_memory_has_labels(to, size))
        PN_TAIL_CALL return copy_labelled(to, on_to, from, on_from, size, on_size, site);
}

void __pn_slow_fill(uint64_t to, label on_to, uint64_t byte, label on_byte, uint64_t size, label on_size, uint32_t site)
{
    if (on_to | on_byte | on_size || pn_memory_has_labels(to, size))
        PN_TAIL_CALL return fill_labelled(to, on_to, byte, on_byte, size, on_size, site);
}

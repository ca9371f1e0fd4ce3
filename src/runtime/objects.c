/* Which object an address belongs to. Globals are listed by the instrumenter in a section of their own, stack objects on a
 * stack that functions push and pop. Heap blocks start at multiples of 16 bytes: a sparse array has one entry for each
 * such place, the block's size plus one where one starts. Allocating is a store; looking up, which only labelled
 * addresses need, walks back to the block's start. */
#include "runtime/runtime.h"

#include <stdlib.h>
#include <string.h>

struct pn_stack_object __pn_stack_objects[PN_MAXIMUM_STACK_OBJECTS];
uint32_t __pn_stack_depth;

extern const struct pn_global __start_pn_globals[] __attribute__((weak));
extern const struct pn_global __stop_pn_globals[] __attribute__((weak));

/* ---- heap blocks ---- */

enum { LARGEST_BLOCK_SEARCHED = 1 << 26 };

static uint32_t *block_entry(uint64_t address)
{
    return (uint32_t *)(PN_BLOCKS_BASE + ((address & ((UINT64_C(1) << PN_LABELS_BITS) - 1)) >> 4 << 2));
}

static void add_block(void *start, size_t size)
{
    *block_entry((uint64_t)(uintptr_t)start) = size < UINT32_MAX ? (uint32_t)size + 1 : UINT32_MAX;
}

static void remove_block(void *start)
{
    *block_entry((uint64_t)(uintptr_t)start) = 0;
}

static bool find_block(uint64_t address, uint64_t *base, uint64_t *size)
{
    uint64_t start = address & ~UINT64_C(15);
    for (uint64_t back = 0; back < LARGEST_BLOCK_SEARCHED && back <= start; back += 16) {
        uint32_t entry = *block_entry(start - back);
        if (!entry)
            continue;
        *base = start - back;
        *size = entry - 1;
        return address - *base <= *size; /* one past the end still belongs to it */
    }
    return false;
}

static void forget_labels(void *start, size_t size)
{
    if (__pn_active)
        pn_memory_forget((uint64_t)(uintptr_t)start, size);
}

void *__pn_malloc(size_t size)
{
    void *start = malloc(size);
    if (start) {
        add_block(start, size);
        forget_labels(start, size);
    }
    return start;
}

void *__pn_calloc(size_t count, size_t size)
{
    void *start = calloc(count, size);
    if (start) {
        add_block(start, count * size);
        forget_labels(start, count * size);
    }
    return start;
}

void *__pn_realloc(void *start, size_t size)
{
    if (!start)
        return __pn_malloc(size);
    uint64_t base, kept = 0;
    find_block((uint64_t)(uintptr_t)start, &base, &kept);
    if (kept > size)
        kept = size;
    void *moved = realloc(start, size);
    if (!moved)
        return NULL;
    remove_block(start);
    add_block(moved, size);
    if (moved != start && __pn_active && kept)
        pn_memory_copy_labels((uint64_t)(uintptr_t)moved, (uint64_t)(uintptr_t)start, kept);
    forget_labels((char *)moved + kept, size - kept);
    return moved;
}

void __pn_free(void *start)
{
    if (start)
        remove_block(start);
    free(start);
}

/* ---- looking up ---- */

static bool holds(uint64_t base, uint64_t size, uint64_t address)
{
    return address >= base && address - base < size;
}

static bool find_stack_object(uint64_t address, uint64_t *base, uint64_t *size)
{
    for (uint32_t i = __pn_stack_depth; i-- > 0;) {
        if (!holds(__pn_stack_objects[i].base, __pn_stack_objects[i].size, address))
            continue;
        *base = __pn_stack_objects[i].base;
        *size = __pn_stack_objects[i].size;
        return true;
    }
    return false;
}

static bool find_global(uint64_t address, uint64_t *base, uint64_t *size)
{
    for (const struct pn_global *global = __start_pn_globals; global < __stop_pn_globals; global++) {
        if (!holds(global->base, global->size, address))
            continue;
        *base = global->base;
        *size = global->size;
        return true;
    }
    return false;
}

static enum pn_object_kind find_object(uint64_t address, uint64_t *base, uint64_t *size)
{
    if (find_stack_object(address, base, size))
        return PN_OBJECT_STACK;
    if (find_global(address, base, size))
        return PN_OBJECT_GLOBAL;
    return find_block(address, base, size) ? PN_OBJECT_HEAP : 0;
}

bool pn_object_extent(uint64_t address, uint64_t *base, uint64_t *size)
{
    return find_object(address, base, size) != 0;
}

uint32_t pn_object_at(uint64_t address)
{
    struct pn_object object = {0};
    object.kind = find_object(address, &object.base, &object.size);
    if (!object.kind)
        return 0;
    struct pn_object *objects = pn_trace_objects(pn_trace);
    /* The same few objects are asked for again and again: the latest first. */
    for (uint32_t i = pn_trace->object_count; i-- > 1;)
        if (objects[i].base == object.base && objects[i].size == object.size && objects[i].kind == object.kind)
            return i;
    if (pn_trace->object_count >= pn_trace->object_capacity) {
        pn_lose(PN_LOSS_OBJECTS);
        return 0;
    }
    objects[pn_trace->object_count] = object;
    return pn_trace->object_count++;
}

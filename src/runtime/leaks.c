/* Blocks that nothing leads to any more when the entry has returned: how many there are is an output. They are looked
 * for in each version by itself, from the program's variables and the entry's result on, through all words that could
 * be pointers. */
#include "runtime/runtime.h"

#include <stdlib.h>
#include <string.h>

void __pn_watch_leaks(void);
void __pn_output_leaks(const void *result, unsigned long size);
int __pn_is_there(const void *pointer);
int __pn_is_kept(const char *name, const void *pointer);
void pn_output(const char *name, const void *pointer, unsigned long size);

struct block {
    uint64_t base, size;
    bool is_reached, is_scanned;
};

struct blocks {
    struct block *list;
    size_t count;
    enum pn_side side;
};

static int compare_blocks(const void *one, const void *other)
{
    const struct block *a = one, *b = other;
    return (a->base > b->base) - (a->base < b->base);
}

static struct blocks list_blocks(enum pn_side side)
{
    struct blocks blocks = {.side = side};
    uint64_t base, size;
    size_t capacity = 0;
    for (size_t i = 0; pn_block_of(i, side, &base, &size); i++) {
        if (!base)
            continue;
        if (blocks.count == capacity) {
            capacity = capacity ? 2 * capacity : 64;
            blocks.list = realloc(blocks.list, capacity * sizeof *blocks.list);
            if (!blocks.list)
                abort();
        }
        blocks.list[blocks.count++] = (struct block){.base = base, .size = size};
    }
    if (blocks.count)
        qsort(blocks.list, blocks.count, sizeof *blocks.list, compare_blocks);
    return blocks;
}

/* The block that the address leads into, or to the end of. */
static struct block *find(const struct blocks *blocks, uint64_t address)
{
    size_t low = 0, high = blocks->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (blocks->list[middle].base <= address)
            low = middle + 1;
        else
            high = middle;
    }
    struct block *block = low ? &blocks->list[low - 1] : NULL;
    return block && address - block->base <= block->size ? block : NULL;
}

static bool reach_from(const struct blocks *blocks, uint64_t from, uint64_t size)
{
    bool more = false;
    for (uint64_t at = (from + 7) & ~UINT64_C(7); at + 8 <= from + size; at += 8) {
        uint64_t value;
        memcpy(&value, (const void *)(uintptr_t)at, sizeof value);
        uint32_t node = pn_memory_has_labels(at, sizeof value) ? pn_memory_node(at, sizeof value, value) : 0;
        if (node && blocks->side == PN_SIDE_OLD)
            value = pn_node(node)->old_value;
        struct block *block = find(blocks, value);
        more |= block && !block->is_reached;
        if (block)
            block->is_reached = true;
    }
    return more;
}

static uint64_t count_leaked(enum pn_side side, const void *result, unsigned long size)
{
    struct blocks blocks = list_blocks(side);
    uint64_t leaked = 0;
    if (!blocks.count)
        return 0;
    reach_from(&blocks, (uint64_t)(uintptr_t)result, size);
    for (const struct pn_global *global = __start_pn_globals; global < __stop_pn_globals; global++)
        reach_from(&blocks, global->base, global->size);
    for (bool more = true; more;) {
        more = false;
        for (size_t i = 0; i < blocks.count; i++) {
            struct block *block = &blocks.list[i];
            if (!block->is_reached || block->is_scanned)
                continue;
            block->is_scanned = true;
            reach_from(&blocks, block->base, block->size);
            more = true;
        }
    }
    for (size_t i = 0; i < blocks.count; i++)
        leaked += !blocks.list[i].is_reached;
    free(blocks.list);
    return leaked;
}

void __pn_watch_leaks(void)
{
}

void __pn_output_leaks(const void *result, unsigned long size)
{
    static uint64_t leaked;
    uint64_t in_old = pn_diverged ? 0 : count_leaked(PN_SIDE_OLD, result, size);
    pn_memory_forget((uint64_t)(uintptr_t)&leaked, sizeof leaked);
    leaked = count_leaked(PN_SIDE_NEW, result, size);
    if (!pn_diverged)
        pn_label_word(&leaked, in_old);
    pn_output("leaked blocks", &leaked, sizeof leaked);
}

/* In both versions: what only one of them has freed differs already. */
int __pn_is_there(const void *pointer)
{
    uint64_t address, base, size;
    memcpy(&address, pointer, sizeof address);
    uint32_t node = pn_memory_node((uint64_t)(uintptr_t)pointer, sizeof address, address);
    uint64_t old_address = node && !pn_diverged ? pn_node(node)->old_value : address;
    return address && old_address && pn_lasting_extent(address, &base, &size) && !pn_is_gone(address, PN_SIDE_NEW) &&
           pn_lasting_extent(old_address, &base, &size) && !pn_is_gone(old_address, PN_SIDE_OLD);
}

/* That one version has freed it, or both have, is an output; where none has, there is none. */
int __pn_is_kept(const char *name, const void *pointer)
{
    static uint64_t freed;
    uint64_t address, base, size;
    memcpy(&address, pointer, sizeof address);
    bool is_there = pn_lasting_extent(address, &base, &size) && base == address;
    uint64_t in_old = !is_there || pn_is_gone(address, PN_SIDE_OLD);
    pn_memory_forget((uint64_t)(uintptr_t)&freed, sizeof freed);
    freed = !is_there || pn_is_gone(address, PN_SIDE_NEW);
    if (!freed && (pn_diverged || !in_old))
        return 1;
    if (!pn_diverged)
        pn_label_word(&freed, in_old);
    pn_output(name, &freed, 1);
    return 0;
}

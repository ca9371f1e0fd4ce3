/* Blocks that nothing leads to any more when the entry has returned, in the native programs. LeakSanitizer would stop
 * all threads with ptrace() to find them, which a confined program may not; so blocks are listed by the allocator's
 * hooks, and looked for as it does: in variables of the program and its libraries, in thread-local ones, in the entry's
 * result, and in blocks that were found. The stack does not count: nothing of the entry is on it any more. */
#ifndef PENUMBRA_CHECK_REPLAY_LEAKS_H
#define PENUMBRA_CHECK_REPLAY_LEAKS_H

#include "execute/serve.h"
#include "trace/known.h"

#include <link.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

void __pn_watch_leaks(void);
void __pn_output_leaks(const void *result, unsigned long size);
void pn_output(const char *name, const void *pointer, unsigned long size);
void __sanitizer_free_hook(const volatile void *start);

/* Blocks that outputs have met: that does not make them reached. */
static struct pn_elsewhere replay_elsewhere;

enum { LEAK_SLOTS = 1 << 18, LEAK_MOST = 1 << 17 };

/* A table by address; a block that was freed keeps its slot, without a size. */
struct leak_block {
    uint64_t base, size;
    bool is_there, is_reached;
};

static struct leak_block *leak_blocks; /* NULL: nobody wants to know */
static size_t leak_count;
static bool leak_is_full;

static struct leak_block *leak_slot(uint64_t base)
{
    uint64_t at = (base >> 4) * UINT64_C(0x9e3779b97f4a7c15) >> 46;
    while (leak_blocks[at].base && leak_blocks[at].base != base)
        at = (at + 1) & (LEAK_SLOTS - 1);
    return &leak_blocks[at];
}

static void leak_add(uint64_t base, uint64_t size)
{
    if (!leak_blocks || leak_is_full)
        return;
    struct leak_block *slot = leak_slot(base);
    leak_is_full = !slot->base && ++leak_count > LEAK_MOST;
    if (!leak_is_full)
        *slot = (struct leak_block){.base = base, .size = size, .is_there = true};
}

void __sanitizer_free_hook(const volatile void *start)
{
    if (leak_blocks && start)
        leak_slot((uint64_t)(uintptr_t)start)->is_there = false;
}

void __pn_watch_leaks(void)
{
    void *room = mmap(NULL, LEAK_SLOTS * sizeof *leak_blocks, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    leak_blocks = room == MAP_FAILED ? NULL : room;
}

/* ---- what leads where ---- */

static struct leak_list {
    struct leak_block **list; /* by address */
    size_t count, waiting;
    struct leak_block **queue; /* reached, to be looked through */
} leak_list;

static int leak_compare(const void *one, const void *other)
{
    uint64_t a = (*(struct leak_block *const *)one)->base, b = (*(struct leak_block *const *)other)->base;
    return (a > b) - (a < b);
}

static void leak_reach(uint64_t address)
{
    size_t low = 0, high = leak_list.count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (leak_list.list[middle]->base <= address)
            low = middle + 1;
        else
            high = middle;
    }
    struct leak_block *block = low ? leak_list.list[low - 1] : NULL;
    if (!block || address - block->base > block->size || block->is_reached)
        return;
    block->is_reached = true;
    leak_list.queue[leak_list.waiting++] = block;
}

/* Between variables there are redzones, which nobody else may read. */
__attribute__((no_sanitize("address"))) static void leak_look_through(uint64_t from, uint64_t size)
{
    for (uint64_t at = (from + 7) & ~UINT64_C(7); at + 8 <= from + size; at += 8)
        leak_reach(*(const volatile uint64_t *)(uintptr_t)at);
}

static int leak_look_at_object(struct dl_phdr_info *info, size_t size, void *data)
{
    (void)size, (void)data;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[i];
        if (header->p_type == PT_LOAD && header->p_flags & PF_W)
            leak_look_through(info->dlpi_addr + header->p_vaddr, header->p_memsz);
        if (header->p_type == PT_TLS && info->dlpi_tls_data)
            leak_look_through((uint64_t)(uintptr_t)info->dlpi_tls_data, header->p_memsz);
    }
    return 0;
}

static void leak_make_list(void)
{
    size_t bytes = (leak_count + 1) * sizeof *leak_list.list;
    char *room = mmap(NULL, 2 * bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (room == MAP_FAILED)
        return;
    leak_list.list = (struct leak_block **)(void *)room;
    leak_list.queue = (struct leak_block **)(void *)(room + bytes);
    for (size_t i = 0; i < LEAK_SLOTS; i++)
        if (leak_blocks[i].is_there)
            leak_list.list[leak_list.count++] = &leak_blocks[i];
    qsort(leak_list.list, leak_list.count, sizeof *leak_list.list, leak_compare);
}

void __pn_output_leaks(const void *result, unsigned long size)
{
    uint64_t count = 0, bytes = 0;
    if (!leak_blocks || leak_is_full)
        return;
    leak_make_list();
    struct leak_block *table = leak_blocks;
    leak_blocks = NULL; /* from here on nothing counts */
    memset(&replay_elsewhere, 0, sizeof replay_elsewhere);
    leak_look_through((uint64_t)(uintptr_t)result, size);
    dl_iterate_phdr(leak_look_at_object, NULL);
    while (leak_list.waiting) {
        struct leak_block *block = leak_list.queue[--leak_list.waiting];
        leak_look_through(block->base, block->size);
    }
    for (size_t i = 0; i < leak_list.count; i++)
        if (!leak_list.list[i]->is_reached)
            count++, bytes += leak_list.list[i]->size;
    munmap(table, LEAK_SLOTS * sizeof *table);
    if (replay_shared)
        replay_shared->report.leaked_blocks = count, replay_shared->report.leaked_bytes = bytes;
    else if (!replay_results) /* by hand */
        pn_output("leaked blocks", &count, sizeof count);
}

#endif

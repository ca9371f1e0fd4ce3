#include "base/arena.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Blocks are the larger the more there are: many arenas stay small. */
enum { FIRST_SIZE = 1024, LARGEST_SIZE = 64 * 1024 };

/* Blocks form a list, the one that is being filled first. */
struct block {
    struct block *next;
    size_t used, size;
    _Alignas(max_align_t) char bytes[];
};

struct arena {
    struct block *first;
};

static _Noreturn void out_of_memory(void)
{
    fputs("penumbra: out of memory\n", stderr);
    abort();
}

static void *allocate_zeroed(size_t size)
{
    void *memory = calloc(1, size);
    if (!memory)
        out_of_memory();
    return memory;
}

struct arena *arena_create(void)
{
    return allocate_zeroed(sizeof(struct arena));
}

void arena_destroy(struct arena *arena)
{
    if (!arena)
        return;
    for (struct block *block = arena->first, *next; block; block = next) {
        next = block->next;
        free(block);
    }
    free(arena);
}

void arena_reset(struct arena *arena)
{
    struct block *kept = arena->first;
    if (!kept)
        return;
    for (struct block *block = kept->next, *next; block; block = next) {
        next = block->next;
        free(block);
    }
    memset(kept->bytes, 0, kept->used);
    kept->used = 0;
    kept->next = NULL;
}

static struct block *add_block(struct arena *arena, size_t needed)
{
    size_t size = arena->first ? arena->first->size * 2 : FIRST_SIZE;
    if (size > LARGEST_SIZE)
        size = LARGEST_SIZE;
    if (size < needed)
        size = needed;
    struct block *block = allocate_zeroed(sizeof *block + size);
    block->size = size;
    block->next = arena->first;
    arena->first = block;
    return block;
}

void *arena_allocate(struct arena *arena, size_t size)
{
    size_t alignment = _Alignof(max_align_t);
    if (size > SIZE_MAX / 2)
        out_of_memory();
    size = (size + alignment - 1) / alignment * alignment;
    struct block *block = arena->first;
    if (!block || block->size - block->used < size)
        block = add_block(arena, size);
    void *memory = block->bytes + block->used;
    block->used += size;
    return memory;
}

char *arena_copy_string(struct arena *arena, const char *string)
{
    size_t size = strlen(string) + 1;
    return memcpy(arena_allocate(arena, size), string, size);
}

const char **arena_copy_strings(struct arena *arena, const char *const *strings)
{
    size_t count = 0;
    while (strings[count])
        count++;
    const char **copy = arena_allocate(arena, (count + 1) * sizeof *copy);
    for (size_t i = 0; i < count; i++)
        copy[i] = arena_copy_string(arena, strings[i]);
    return copy;
}

char *arena_format(struct arena *arena, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (length < 0)
        abort();
    char *string = arena_allocate(arena, (size_t)length + 1);
    va_start(arguments, format);
    vsnprintf(string, (size_t)length + 1, format, arguments);
    va_end(arguments);
    return string;
}

void *array_reserve(void *array, size_t *capacity, size_t needed, size_t element_size)
{
    if (needed <= *capacity)
        return array;
    size_t grown = *capacity < 8 ? 8 : *capacity + *capacity / 2;
    if (grown < needed)
        grown = needed;
    array = reallocarray(array, grown, element_size);
    if (!array)
        out_of_memory();
    *capacity = grown;
    return array;
}

void *array_reserve_zeroed(void *array, size_t *capacity, size_t needed, size_t element_size)
{
    size_t before = *capacity;
    if (needed <= before)
        return array;
    array = array_reserve(array, capacity, needed, element_size);
    memset((char *)array + before * element_size, 0, (*capacity - before) * element_size);
    return array;
}

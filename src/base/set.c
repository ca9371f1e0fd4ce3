/* Open addressing over entries that keep their hash, so that growing needs no second look at the bytes. */
#include "base/set.h"
#include "base/arena.h"
#include "base/hash.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct entry {
    uint64_t hash;
    size_t length;
    const void *bytes; /* NULL: free */
    size_t number;
};

struct set {
    struct arena *arena;
    struct entry *entries;
    size_t count, capacity;
    const void **order; /* the strings' bytes, by number */
    size_t order_capacity;
};

struct set *set_create(void)
{
    struct arena *arena = arena_create();
    struct set *set = arena_allocate(arena, sizeof *set);
    set->arena = arena;
    return set;
}

void set_destroy(struct set *set)
{
    if (!set)
        return;
    free(set->entries);
    free(set->order);
    arena_destroy(set->arena);
}

size_t set_count(const struct set *set)
{
    return set->count;
}

static uint64_t hash_of(const void *bytes, size_t length)
{
    uint64_t hash = hash_bytes(HASH_START, bytes, length);
    return hash ^ hash >> 29;
}

static struct entry *find(const struct set *set, uint64_t hash, const void *bytes, size_t length)
{
    size_t at = hash & (set->capacity - 1);
    for (; set->entries[at].bytes; at = (at + 1) & (set->capacity - 1)) {
        struct entry *entry = &set->entries[at];
        if (entry->hash == hash && entry->length == length && !memcmp(entry->bytes, bytes, length))
            break;
    }
    return &set->entries[at];
}

static void grow(struct set *set)
{
    struct set grown = {.capacity = set->capacity ? set->capacity * 2 : 64};
    grown.entries = calloc(grown.capacity, sizeof *grown.entries);
    if (!grown.entries)
        abort();
    for (size_t i = 0; i < set->capacity; i++)
        if (set->entries[i].bytes)
            *find(&grown, set->entries[i].hash, set->entries[i].bytes, set->entries[i].length) = set->entries[i];
    free(set->entries);
    set->entries = grown.entries;
    set->capacity = grown.capacity;
}

bool set_add(struct set *set, const void *bytes, size_t length)
{
    if (set->count * 2 >= set->capacity)
        grow(set);
    uint64_t hash = hash_of(bytes, length);
    struct entry *entry = find(set, hash, bytes, length);
    if (entry->bytes)
        return false;
    char *copy = arena_allocate(set->arena, length + 1);
    if (length)
        memcpy(copy, bytes, length);
    *entry = (struct entry){hash, length, copy, set->count};
    set->order = array_reserve(set->order, &set->order_capacity, set->count + 1, sizeof *set->order);
    set->order[set->count] = copy;
    set->count++;
    return true;
}

size_t set_find(const struct set *set, const void *bytes, size_t length)
{
    const struct entry *entry = set->capacity ? find(set, hash_of(bytes, length), bytes, length) : NULL;
    return entry && entry->bytes ? entry->number : set->count;
}

const void *set_get(const struct set *set, size_t number)
{
    return set->order[number];
}

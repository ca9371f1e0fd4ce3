/* Strings in the order in which they came, and open addressing over their numbers. Entries keep a part of their hash,
 * so that growing needs no second look at the bytes. */
#include "base/set.h"
#include "base/arena.h"
#include "base/hash.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct entry {
    const void *bytes;
    uint32_t hash, length;
};

struct set {
    struct arena *arena;
    struct entry *entries; /* by number */
    size_t count, capacity;
    uint32_t *slots; /* numbers from 1 on; 0: free */
    size_t slot_count;
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
    free(set->slots);
    arena_destroy(set->arena);
}

size_t set_count(const struct set *set)
{
    return set->count;
}

static uint32_t hash_of(const void *bytes, size_t length)
{
    uint64_t hash = hash_bytes(HASH_START, bytes, length);
    return (uint32_t)(hash ^ hash >> 29);
}

/* The slot of the string, or the free one where it belongs. */
static uint32_t *find(const struct set *set, uint32_t hash, const void *bytes, size_t length)
{
    size_t at = hash & (set->slot_count - 1);
    for (; set->slots[at]; at = (at + 1) & (set->slot_count - 1)) {
        const struct entry *entry = &set->entries[set->slots[at] - 1];
        if (entry->hash == hash && entry->length == length && !memcmp(entry->bytes, bytes, length))
            break;
    }
    return &set->slots[at];
}

static void grow(struct set *set)
{
    free(set->slots);
    set->slot_count = set->slot_count ? set->slot_count * 2 : 64;
    set->slots = calloc(set->slot_count, sizeof *set->slots);
    if (!set->slots)
        abort();
    for (size_t i = 0; i < set->count; i++) {
        size_t at = set->entries[i].hash & (set->slot_count - 1);
        while (set->slots[at])
            at = (at + 1) & (set->slot_count - 1);
        set->slots[at] = (uint32_t)i + 1;
    }
}

size_t set_enter(struct set *set, const void *bytes, size_t length)
{
    if (set->count * 2 >= set->slot_count)
        grow(set);
    uint32_t hash = hash_of(bytes, length), *slot = find(set, hash, bytes, length);
    if (*slot)
        return *slot - 1;
    if (length > UINT32_MAX || set->count == UINT32_MAX)
        abort();
    char *copy = arena_allocate(set->arena, length + 1);
    if (length)
        memcpy(copy, bytes, length);
    set->entries = array_reserve(set->entries, &set->capacity, set->count + 1, sizeof *set->entries);
    set->entries[set->count++] = (struct entry){copy, hash, (uint32_t)length};
    *slot = (uint32_t)set->count;
    return set->count - 1;
}

bool set_add(struct set *set, const void *bytes, size_t length)
{
    size_t before = set->count;
    return set_enter(set, bytes, length) == before;
}

size_t set_find(const struct set *set, const void *bytes, size_t length)
{
    uint32_t slot = set->slot_count ? *find(set, hash_of(bytes, length), bytes, length) : 0;
    return slot ? slot - 1 : set->count;
}

const void *set_get(const struct set *set, size_t number)
{
    return set->entries[number].bytes;
}

const char **set_share_strings(struct set *set, struct arena *arena, const char *const *strings)
{
    size_t count = 0;
    while (strings[count])
        count++;
    const char **list = arena_allocate(arena, (count + 1) * sizeof *list);
    for (size_t i = 0; i < count; i++) {
        list[i] = set_get(set, set_enter(set, strings[i], strlen(strings[i])));
    }
    return list;
}

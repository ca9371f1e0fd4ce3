/* Answers lie in an arena; an open hash table points at them. Recent models form rings. */
#include "solve/cache.h"

#include "base/arena.h"

#include <stdlib.h>
#include <string.h>

enum { RINGS = 64, RECENT_MODELS = 8, INITIAL_SLOTS = 1 << 8 };

struct entry {
    struct cached_answer answer;
    uint64_t hash;
    size_t count;
    expr_id key[];
};

struct ring {
    struct recent_model models[RECENT_MODELS];
    unsigned latest;
};

struct cache {
    struct arena *arena;
    size_t used_bytes, most_bytes;
    struct entry **slots;
    size_t slot_count, entry_count;
    struct ring rings[RINGS];
};

static struct entry **allocate_slots(size_t count)
{
    size_t capacity = 0;
    struct entry **slots = array_reserve(NULL, &capacity, count, sizeof *slots);
    memset(slots, 0, count * sizeof *slots);
    return slots;
}

static void begin_empty(struct cache *cache)
{
    cache->arena = arena_create();
    cache->used_bytes = 0;
    cache->slot_count = INITIAL_SLOTS;
    cache->slots = allocate_slots(cache->slot_count);
    cache->entry_count = 0;
}

static void drop_answers(struct cache *cache)
{
    arena_destroy(cache->arena);
    free(cache->slots);
}

struct cache *cache_create(size_t most_bytes)
{
    size_t capacity = 0;
    struct cache *cache = array_reserve(NULL, &capacity, 1, sizeof *cache);
    *cache = (struct cache){.most_bytes = most_bytes};
    begin_empty(cache);
    return cache;
}

void cache_destroy(struct cache *cache)
{
    drop_answers(cache);
    for (unsigned i = 0; i < RINGS; i++)
        for (unsigned j = 0; j < RECENT_MODELS; j++)
            free(cache->rings[i].models[j].bytes);
    free(cache);
}

/* Answers */

static uint64_t hash_key(const expr_id *key, size_t count)
{
    uint64_t hash = count;
    for (size_t i = 0; i < count; i++) {
        hash = (hash ^ key[i]) * UINT64_C(0x9e3779b97f4a7c15);
        hash ^= hash >> 32;
    }
    return hash;
}

/* The slot that holds the key, or the free one where it belongs. */
static size_t slot_of(const struct cache *cache, const expr_id *key, size_t count, uint64_t hash)
{
    size_t at = hash & (cache->slot_count - 1);
    for (; cache->slots[at]; at = (at + 1) & (cache->slot_count - 1)) {
        const struct entry *entry = cache->slots[at];
        if (entry->hash == hash && entry->count == count && memcmp(entry->key, key, count * sizeof *key) == 0)
            break;
    }
    return at;
}

const struct cached_answer *cache_find(const struct cache *cache, const expr_id *key, size_t count)
{
    const struct entry *entry = cache->slots[slot_of(cache, key, count, hash_key(key, count))];
    return entry ? &entry->answer : NULL;
}

static void grow(struct cache *cache)
{
    struct entry **old = cache->slots;
    size_t old_count = cache->slot_count;
    cache->slot_count *= 2;
    cache->slots = allocate_slots(cache->slot_count);
    for (size_t i = 0; i < old_count; i++)
        if (old[i])
            cache->slots[slot_of(cache, old[i]->key, old[i]->count, old[i]->hash)] = old[i];
    free(old);
}

static void *allocate(struct cache *cache, size_t size)
{
    cache->used_bytes += size;
    return arena_allocate(cache->arena, size);
}

void cache_add(struct cache *cache, const expr_id *key, size_t count, const struct cached_answer *answer)
{
    if (cache->used_bytes > cache->most_bytes) {
        drop_answers(cache);
        begin_empty(cache);
    }
    if (cache->entry_count * 2 >= cache->slot_count)
        grow(cache);
    struct entry *entry = allocate(cache, sizeof *entry + count * sizeof *key);
    struct assignment *assignments = allocate(cache, answer->assignment_count * sizeof *assignments);
    if (answer->assignment_count > 0)
        memcpy(assignments, answer->assignments, answer->assignment_count * sizeof *assignments);
    entry->answer = *answer;
    entry->answer.assignments = assignments;
    entry->hash = hash_key(key, count);
    entry->count = count;
    memcpy(entry->key, key, count * sizeof *key);
    cache->slots[slot_of(cache, key, count, entry->hash)] = entry;
    cache->entry_count++;
}

/* Recent models */

static struct ring *ring_of(struct cache *cache, uint64_t signature)
{
    return &cache->rings[signature * UINT64_C(0x9e3779b97f4a7c15) >> 32 & (RINGS - 1)];
}

void cache_add_model(struct cache *cache, uint64_t signature, const uint8_t *bytes, size_t size)
{
    struct ring *ring = ring_of(cache, signature);
    ring->latest = (ring->latest + 1) % RECENT_MODELS;
    struct recent_model *model = &ring->models[ring->latest];
    model->bytes = array_reserve(model->bytes, &model->capacity, size, 1);
    model->size = size;
    if (size > 0)
        memcpy(model->bytes, bytes, size);
}

const struct recent_model *cache_find_model(struct cache *cache, uint64_t signature, struct expr_table *table,
                                            const expr_id *conditions, size_t count, size_t size)
{
    const struct ring *ring = ring_of(cache, signature);
    for (unsigned age = 0; age < RECENT_MODELS; age++) {
        const struct recent_model *model = &ring->models[(ring->latest + RECENT_MODELS - age) % RECENT_MODELS];
        if (!model->bytes)
            break;
        if (expr_all_hold(table, conditions, count, model->bytes, model->size < size ? model->size : size))
            return model;
    }
    return NULL;
}

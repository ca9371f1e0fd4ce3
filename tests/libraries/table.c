/* A hash table with open addressing. Its user says how keys are hashed and compared, and where memory comes from. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct table_hooks {
    void *(*allocate)(size_t size);
    void (*release)(void *memory);
};

typedef uint32_t table_hash(const void *key);
typedef int table_compare(const void *one, const void *other);
typedef void table_visit(void *context, const void *key, void *value);

enum state { FREE, USED, REMOVED };

struct slot {
    const void *key;
    void *value;
    enum state state;
};

struct table {
    struct slot *slots;
    size_t capacity; /* a power of two */
    size_t used, removed;
    table_hash *hash;
    table_compare *compare;
    struct table_hooks hooks;
};

static const struct table_hooks standard_hooks = {malloc, free};

uint32_t table_hash_string(const void *key)
{
    const unsigned char *at = key;
    uint32_t hash = 2166136261u;
    while (*at) {
        hash ^= *at++;
        hash *= 16777619u;
    }
    return hash;
}

int table_compare_strings(const void *one, const void *other)
{
    return strcmp(one, other);
}

static size_t round_up(size_t wanted)
{
    size_t size = 4;
    while (size < wanted)
        size *= 2;
    return size;
}

static struct slot *allocate_slots(const struct table_hooks *hooks, size_t count)
{
    struct slot *slots = hooks->allocate(count * sizeof *slots);
    if (slots)
        memset(slots, 0, count * sizeof *slots);
    return slots;
}

bool table_init(struct table *table, size_t capacity, table_hash *hash, table_compare *compare,
                const struct table_hooks *hooks)
{
    memset(table, 0, sizeof *table);
    table->hash = hash ? hash : table_hash_string;
    table->compare = compare ? compare : table_compare_strings;
    table->hooks = hooks ? *hooks : standard_hooks;
    table->capacity = round_up(capacity & 63);
    table->slots = allocate_slots(&table->hooks, table->capacity);
    return table->slots != NULL;
}

struct table *table_new(size_t capacity)
{
    struct table *table = malloc(sizeof *table);
    if (!table)
        return NULL;
    if (!table_init(table, capacity, NULL, NULL, NULL)) {
        free(table);
        return NULL;
    }
    return table;
}

void table_clear(struct table *table)
{
    table->hooks.release(table->slots);
    table->slots = NULL;
    table->used = table->removed = table->capacity = 0;
}

void table_free(struct table *table)
{
    if (!table)
        return;
    table_clear(table);
    free(table);
}

/* The slot of the key, or the one where it could go; NULL where the table is full of others. */
static struct slot *find_slot(const struct table *table, const void *key)
{
    size_t mask = table->capacity - 1;
    size_t at = table->hash(key) & mask;
    struct slot *candidate = NULL;
    for (size_t tried = 0; tried < table->capacity; tried++, at = (at + 1) & mask) {
        struct slot *slot = &table->slots[at];
        if (slot->state == FREE)
            return candidate ? candidate : slot;
        if (slot->state == REMOVED) {
            if (!candidate)
                candidate = slot;
            continue;
        }
        if (table->compare(slot->key, key) == 0)
            return slot;
    }
    return candidate;
}

void *table_get(const struct table *table, const void *key)
{
    struct slot *slot = find_slot(table, key);
    return slot && slot->state == USED ? slot->value : NULL;
}

bool table_has(const struct table *table, const void *key)
{
    struct slot *slot = find_slot(table, key);
    return slot && slot->state == USED;
}

static bool grow(struct table *table)
{
    struct table bigger = *table;
    bigger.capacity = table->capacity * 2;
    bigger.used = bigger.removed = 0;
    bigger.slots = allocate_slots(&table->hooks, bigger.capacity);
    if (!bigger.slots)
        return false;
    for (size_t i = 0; i < table->capacity; i++) {
        struct slot *slot = &table->slots[i];
        if (slot->state != USED)
            continue;
        *find_slot(&bigger, slot->key) = *slot;
        bigger.used++;
    }
    table->hooks.release(table->slots);
    *table = bigger;
    return true;
}

static bool is_crowded(size_t used, size_t capacity)
{
    return used * 4 >= capacity * 3;
}

bool table_put(struct table *table, const void *key, void *value)
{
    struct slot *slot;
    if (is_crowded(table->used + table->removed + 1, table->capacity) && !grow(table))
        return false;
    slot = find_slot(table, key);
    if (slot->state == REMOVED)
        table->removed--;
    if (slot->state != USED)
        table->used++;
    *slot = (struct slot){key, value, USED};
    return true;
}

bool table_remove(struct table *table, const void *key)
{
    struct slot *slot = find_slot(table, key);
    if (!slot || slot->state != USED)
        return false;
    slot->state = REMOVED;
    slot->key = NULL;
    slot->value = NULL;
    table->used--;
    table->removed++;
    return true;
}

size_t table_count(const struct table *table)
{
    return table->used;
}

/* Calls the visitor for each entry, in the order of the slots. */
void table_each(const struct table *table, table_visit *visit, void *context)
{
    for (size_t i = 0; i < table->capacity; i++)
        if (table->slots[i].state == USED)
            visit(context, table->slots[i].key, table->slots[i].value);
}

/* Keeps only those for which `keep` says so; how many are left. */
size_t table_filter(struct table *table, bool (*keep)(const void *key, void *value))
{
    for (size_t i = 0; i < table->capacity; i++) {
        struct slot *slot = &table->slots[i];
        if (slot->state == USED && !keep(slot->key, slot->value)) {
            slot->state = REMOVED;
            table->used--;
            table->removed++;
        }
    }
    return table->used;
}

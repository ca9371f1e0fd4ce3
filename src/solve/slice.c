/* While the conditions read only the first 64 bytes, sets of bytes are words, and a component grows from a violated
 * condition until nothing more touches it.
 *
 * Otherwise it is union-find over input bytes: each condition unites the bytes that it reads. A byte's entry is valid
 * only when its epoch is that of the current slice, so nothing is cleared in between. Equal supports are the same
 * array, so a set that was just united is recognised by its address. */
#include "solve/slice.h"

#include "base/arena.h"

#include <stdlib.h>
#include <string.h>

#define NO_COMPONENT UINT32_MAX

struct byte_entry {
    uint32_t epoch;
    uint32_t parent;
    uint32_t component;      /* of a root */
    const uint32_t *support; /* the last one that began with this byte */
};

struct slicer {
    struct expr_table *table;
    uint32_t epoch;
    struct byte_entry *bytes;
    size_t byte_capacity;
    uint64_t *masks; /* per condition */
    size_t mask_capacity;
    uint32_t *component_of; /* per condition */
    size_t condition_capacity;
    struct component *components;
    size_t component_count, component_capacity;
    expr_id *members; /* room for the components' arrays */
    size_t member_capacity;
};

struct slicer *slicer_create(struct expr_table *table)
{
    size_t capacity = 0;
    struct slicer *slicer = array_reserve(NULL, &capacity, 1, sizeof *slicer);
    *slicer = (struct slicer){.table = table};
    return slicer;
}

void slicer_destroy(struct slicer *slicer)
{
    free(slicer->bytes);
    free(slicer->masks);
    free(slicer->component_of);
    free(slicer->components);
    free(slicer->members);
    free(slicer);
}

static void begin(struct slicer *slicer)
{
    slicer->component_count = 0;
    if (++slicer->epoch != 0)
        return;
    for (size_t i = 0; i < slicer->byte_capacity; i++)
        slicer->bytes[i].epoch = 0;
    slicer->epoch = 1;
}

static void make_room(struct slicer *slicer, uint32_t byte)
{
    slicer->bytes =
        array_reserve_zeroed(slicer->bytes, &slicer->byte_capacity, (size_t)byte + 1, sizeof *slicer->bytes);
}

static uint32_t root_of(struct slicer *slicer, uint32_t byte)
{
    struct byte_entry *entry = &slicer->bytes[byte];
    if (entry->epoch != slicer->epoch)
        *entry = (struct byte_entry){.epoch = slicer->epoch, .parent = byte, .component = NO_COMPONENT};
    while (slicer->bytes[byte].parent != byte) {
        uint32_t above = slicer->bytes[byte].parent;
        slicer->bytes[byte].parent = slicer->bytes[above].parent;
        byte = above;
    }
    return byte;
}

static void unite_support(struct slicer *slicer, expr_id condition)
{
    size_t count;
    const uint32_t *support = expr_support(slicer->table, condition, &count);
    make_room(slicer, support[count - 1]);
    uint32_t root = root_of(slicer, support[0]);
    if (slicer->bytes[support[0]].support == support)
        return;
    slicer->bytes[support[0]].support = support;
    for (size_t i = 1; i < count; i++) {
        uint32_t other = root_of(slicer, support[i]);
        slicer->bytes[other].parent = root;
    }
}

static struct byte_entry *root_entry(struct slicer *slicer, expr_id condition)
{
    size_t count;
    const uint32_t *support = expr_support(slicer->table, condition, &count);
    return &slicer->bytes[root_of(slicer, support[0])];
}

static struct component *new_component(struct slicer *slicer)
{
    slicer->components = array_reserve(slicer->components, &slicer->component_capacity, slicer->component_count + 1,
                                       sizeof *slicer->components);
    struct component *component = &slicer->components[slicer->component_count++];
    *component = (struct component){0};
    return component;
}

static void add_component(struct slicer *slicer, struct byte_entry *root)
{
    if (root->component != NO_COMPONENT)
        return;
    root->component = (uint32_t)slicer->component_count;
    new_component(slicer);
}

/* Lays out the members' arrays once the counts are known. */
static void lay_out(struct slicer *slicer, size_t count)
{
    slicer->members = array_reserve(slicer->members, &slicer->member_capacity, 2 * count, sizeof *slicer->members);
    expr_id *next = slicer->members;
    for (size_t i = 0; i < slicer->component_count; i++) {
        struct component *component = &slicer->components[i];
        component->conditions = next;
        component->key = next + component->count;
        next += 2 * component->count;
        component->count = 0;
    }
}

static void fill(struct slicer *slicer, const expr_id *conditions, const uint64_t *holds, size_t count, bool holding)
{
    for (size_t i = 0; i < count; i++) {
        if (slicer->component_of[i] == NO_COMPONENT || (holds[i] != 0) != holding)
            continue;
        struct component *component = &slicer->components[slicer->component_of[i]];
        component->conditions[component->count++] = conditions[i];
    }
}

static int compare_numbers(const void *one, const void *other)
{
    uint32_t a = *(const uint32_t *)one, b = *(const uint32_t *)other;
    return (a > b) - (a < b);
}

/* Insertion for the usual handful, which mostly comes in ascending order. */
static void sort_numbers(uint32_t *numbers, size_t count)
{
    if (count > 32) {
        qsort(numbers, count, sizeof *numbers, compare_numbers);
        return;
    }
    for (size_t i = 1; i < count; i++) {
        uint32_t number = numbers[i];
        size_t at = i;
        for (; at > 0 && numbers[at - 1] > number; at--)
            numbers[at] = numbers[at - 1];
        numbers[at] = number;
    }
}

/* Returns how many different ones there are. */
static size_t sort_unique(uint32_t *numbers, size_t count)
{
    size_t kept = 0;
    sort_numbers(numbers, count);
    for (size_t i = 0; i < count; i++)
        if (kept == 0 || numbers[kept - 1] != numbers[i])
            numbers[kept++] = numbers[i];
    return kept;
}

void list_bytes(struct byte_list *list, struct expr_table *table, const expr_id *conditions, size_t count)
{
    list->count = 0;
    for (size_t i = 0; i < count; i++) {
        size_t added;
        const uint32_t *support = expr_support(table, conditions[i], &added);
        if (added == 0)
            continue;
        list->bytes = array_reserve(list->bytes, &list->capacity, list->count + added, sizeof *list->bytes);
        memcpy(list->bytes + list->count, support, added * sizeof *support);
        list->count += added;
    }
    list->count = sort_unique(list->bytes, list->count);
}

void list_component_bytes(struct byte_list *list, struct expr_table *table, const struct component *component)
{
    if (!component->has_mask) {
        list_bytes(list, table, component->conditions, component->count);
        return;
    }
    list->bytes = array_reserve(list->bytes, &list->capacity, 64, sizeof *list->bytes);
    list->count = 0;
    for (uint64_t rest = component->mask; rest; rest &= rest - 1)
        list->bytes[list->count++] = (uint32_t)__builtin_ctzll(rest);
}

static void make_key(struct component *component)
{
    memcpy(component->key, component->conditions, component->count * sizeof *component->key);
    sort_numbers(component->key, component->count);
}

/* Sets component_of, the components and their counts. */
static void group_by_union(struct slicer *slicer, const expr_id *conditions, const uint64_t *holds, size_t count)
{
    for (size_t i = 0; i < count; i++)
        unite_support(slicer, conditions[i]);
    for (size_t i = 0; i < count; i++)
        if (!holds[i])
            add_component(slicer, root_entry(slicer, conditions[i]));
    for (size_t i = 0; i < count; i++) {
        slicer->component_of[i] = root_entry(slicer, conditions[i])->component;
        if (slicer->component_of[i] != NO_COMPONENT)
            slicer->components[slicer->component_of[i]].count++;
    }
}

static bool read_masks(struct slicer *slicer, const expr_id *conditions, size_t count)
{
    slicer->masks = array_reserve(slicer->masks, &slicer->mask_capacity, count, sizeof *slicer->masks);
    for (size_t i = 0; i < count; i++)
        if (!expr_support_mask(slicer->table, conditions[i], &slicer->masks[i]))
            return false;
    return true;
}

/* Everything that reads a byte of the component, directly or through others, and is in none yet. */
static void grow_component(struct slicer *slicer, size_t count, struct component *component, uint32_t number)
{
    for (bool grown = true; grown;) {
        grown = false;
        for (size_t i = 0; i < count; i++) {
            if (slicer->component_of[i] != NO_COMPONENT || (slicer->masks[i] & component->mask) == 0)
                continue;
            slicer->component_of[i] = number;
            component->count++;
            grown |= (slicer->masks[i] & ~component->mask) != 0;
            component->mask |= slicer->masks[i];
        }
    }
}

/* Everything that the goal's component reads, masks of the conditions known. */
static uint64_t component_mask(const struct slicer *slicer, size_t count, uint64_t mask)
{
    for (bool grown = true; grown;) {
        grown = false;
        for (size_t i = 0; i < count; i++) {
            if ((slicer->masks[i] & mask) == 0)
                continue;
            grown |= (slicer->masks[i] & ~mask) != 0;
            mask |= slicer->masks[i];
        }
    }
    return mask;
}

const struct component *slice_around(struct slicer *slicer, const expr_id *conditions, size_t count, expr_id goal)
{
    uint64_t mask;
    if (!expr_support_mask(slicer->table, goal, &mask) || !read_masks(slicer, conditions, count))
        return NULL;
    slicer->component_count = 0;
    slicer->members = array_reserve(slicer->members, &slicer->member_capacity, count + 1, sizeof *slicer->members);
    struct component *component = new_component(slicer);
    component->has_mask = true;
    component->mask = component_mask(slicer, count, mask);
    component->key = slicer->members;
    component->key[component->count++] = goal;
    for (size_t i = 0; i < count; i++)
        if (slicer->masks[i] & component->mask)
            component->key[component->count++] = conditions[i];
    component->count = sort_unique(component->key, component->count);
    return component;
}

static void group_by_masks(struct slicer *slicer, const uint64_t *holds, size_t count)
{
    for (size_t i = 0; i < count; i++)
        slicer->component_of[i] = NO_COMPONENT;
    for (size_t i = 0; i < count; i++) {
        if (holds[i] || slicer->component_of[i] != NO_COMPONENT)
            continue;
        struct component *component = new_component(slicer);
        component->has_mask = true;
        component->mask = slicer->masks[i];
        grow_component(slicer, count, component, (uint32_t)slicer->component_count - 1);
    }
}

const struct component *slice(struct slicer *slicer, const expr_id *conditions, const uint64_t *holds, size_t count,
                              size_t *component_count)
{
    begin(slicer);
    slicer->component_of = array_reserve(slicer->component_of, &slicer->condition_capacity, count, sizeof(uint32_t));
    if (read_masks(slicer, conditions, count))
        group_by_masks(slicer, holds, count);
    else
        group_by_union(slicer, conditions, holds, count);
    lay_out(slicer, count);
    fill(slicer, conditions, holds, count, false);
    fill(slicer, conditions, holds, count, true);
    for (size_t i = 0; i < slicer->component_count; i++)
        make_key(&slicer->components[i]);
    *component_count = slicer->component_count;
    return slicer->components;
}

/* The input bytes that an expression depends on.
 *
 * Sets are interned: each distinct set exists once, and an expression holds its index. Most expressions have the set of
 * one of their children, so a chain of 100,000 nodes over four bytes costs one set of four bytes. A small set is
 * computed when its expression is made. A large one, unless it is that of a child, stays SUPPORT_UNKNOWN until somebody
 * asks, so that a checksum over 10,000 bytes does not leave 10,000 long arrays behind. */
#include "expr/table.h"

#include <stdlib.h>
#include <string.h>

enum { SMALL_SET = 32, INITIAL_SET_SLOTS = 1 << 8, EMPTY_SET = 0 };

void support_initialise(struct expr_table *table)
{
    struct support_sets *support = &table->support;
    support->slots = array_reserve(NULL, &support->slot_capacity, INITIAL_SET_SLOTS, sizeof(uint32_t));
    memset(support->slots, 0, support->slot_capacity * sizeof(uint32_t));
    support->sets = array_reserve(NULL, &support->capacity, 1, sizeof(struct support_set));
    support->sets[EMPTY_SET] = (struct support_set){.bytes = arena_allocate(table->arena, sizeof(uint32_t))};
    support->count = 1;
}

void support_free(struct expr_table *table)
{
    struct support_sets *support = &table->support;
    free(support->slots);
    free(support->sets);
    free(support->visited.words);
    free(support->bytes.words);
    free(support->stack);
}

/* Interning */

static uint32_t hash_bytes(const uint32_t *bytes, size_t count)
{
    uint64_t hash = count;
    for (size_t i = 0; i < count; i++) {
        hash = (hash ^ bytes[i]) * UINT64_C(0x9e3779b97f4a7c15);
        hash ^= hash >> 32;
    }
    return (uint32_t)hash;
}

static size_t free_slot(const struct support_sets *support, uint32_t hash)
{
    size_t at = hash & (support->slot_capacity - 1);
    while (support->slots[at])
        at = (at + 1) & (support->slot_capacity - 1);
    return at;
}

static void grow_set_slots(struct support_sets *support)
{
    size_t doubled = support->slot_capacity * 2;
    support->slots = array_reserve(support->slots, &support->slot_capacity, doubled, sizeof(uint32_t));
    support->slot_capacity = doubled;
    memset(support->slots, 0, doubled * sizeof(uint32_t));
    for (size_t i = 1; i < support->count; i++)
        support->slots[free_slot(support, support->sets[i].hash)] = (uint32_t)i;
}

static uint64_t mask_of(const uint32_t *bytes, size_t count)
{
    uint64_t mask = 0;
    for (size_t i = 0; i < count && bytes[i] < 64; i++)
        mask |= UINT64_C(1) << bytes[i];
    return mask;
}

static uint32_t intern_set(struct expr_table *table, const uint32_t *bytes, size_t count)
{
    struct support_sets *support = &table->support;
    if (support->count * 2 > support->slot_capacity)
        grow_set_slots(support);
    uint32_t hash = hash_bytes(bytes, count);
    size_t at = hash & (support->slot_capacity - 1);
    for (; support->slots[at]; at = (at + 1) & (support->slot_capacity - 1)) {
        const struct support_set *set = &support->sets[support->slots[at]];
        if (set->hash == hash && set->count == count && memcmp(set->bytes, bytes, count * sizeof *bytes) == 0)
            return support->slots[at];
    }
    uint32_t *copy = arena_allocate(table->arena, count * sizeof *copy);
    memcpy(copy, bytes, count * sizeof *copy);
    support->sets = array_reserve(support->sets, &support->capacity, support->count + 1, sizeof(struct support_set));
    support->sets[support->count] = (struct support_set){.bytes = copy,
                                                         .count = (uint32_t)count,
                                                         .hash = hash,
                                                         .mask = mask_of(bytes, count),
                                                         .is_masked = count == 0 || bytes[count - 1] < 64};
    support->slots[at] = (uint32_t)support->count;
    return (uint32_t)support->count++;
}

/* Sets of new expressions */

static bool includes(const struct support_set *set, const struct support_set *part)
{
    if (part->count > set->count)
        return false;
    size_t i = 0;
    for (size_t j = 0; j < part->count; j++, i++) {
        while (i < set->count && set->bytes[i] < part->bytes[j])
            i++;
        if (i == set->count || set->bytes[i] != part->bytes[j])
            return false;
    }
    return true;
}

static uint32_t merge(struct expr_table *table, const struct support_set *a, const struct support_set *b)
{
    uint32_t bytes[2 * SMALL_SET];
    size_t count = 0, i = 0, j = 0;
    if (a->count > SMALL_SET || b->count > SMALL_SET)
        return SUPPORT_UNKNOWN;
    while (i < a->count || j < b->count) {
        bool from_a = j == b->count || (i < a->count && a->bytes[i] <= b->bytes[j]);
        bool from_b = i == a->count || (j < b->count && b->bytes[j] <= a->bytes[i]);
        bytes[count++] = from_a ? a->bytes[i] : b->bytes[j];
        i += from_a;
        j += from_b;
    }
    return count > SMALL_SET ? SUPPORT_UNKNOWN : intern_set(table, bytes, count);
}

static uint32_t unite(struct expr_table *table, uint32_t a, uint32_t b)
{
    if (a == b || b == EMPTY_SET)
        return a;
    if (a == EMPTY_SET)
        return b;
    if (a == SUPPORT_UNKNOWN || b == SUPPORT_UNKNOWN)
        return SUPPORT_UNKNOWN;
    struct support_sets *support = &table->support;
    struct known_union *known = &support->unions[(a * UINT32_C(0x9e3779b1) ^ b) % KNOWN_UNIONS];
    if (known->a == a && known->b == b)
        return known->result;
    const struct support_set *first = &support->sets[a], *second = &support->sets[b];
    uint32_t result = includes(first, second) ? a : includes(second, first) ? b : merge(table, first, second);
    *known = (struct known_union){.a = a, .b = b, .result = result};
    return result;
}

uint32_t support_of_new(struct expr_table *table, const struct expr *expr)
{
    if (expr->operation == PN_INPUT)
        return intern_set(table, &expr->a, 1);
    uint32_t set = EMPTY_SET;
    for (unsigned i = 0; i < expr_arity[expr->operation]; i++)
        set = unite(table, set, stored_expr(table, expr_child(expr, i))->support);
    return set;
}

/* Sets that were put off: a walk over the expressions whose set is unknown */

static void clear_bitmap(struct bitmap *bitmap)
{
    if (bitmap->capacity > 0)
        memset(bitmap->words, 0, bitmap->capacity * sizeof *bitmap->words);
}

static bool set_bit(struct bitmap *bitmap, uint32_t bit)
{
    bitmap->words = array_reserve_zeroed(bitmap->words, &bitmap->capacity, bit / 64 + 1, sizeof *bitmap->words);
    uint64_t mask = UINT64_C(1) << bit % 64;
    bool was_set = bitmap->words[bit / 64] & mask;
    bitmap->words[bit / 64] |= mask;
    return !was_set;
}

static void collect(struct expr_table *table, expr_id root)
{
    struct support_sets *support = &table->support;
    size_t depth = 0;
    clear_bitmap(&support->visited);
    clear_bitmap(&support->bytes);
    support->stack = array_reserve(support->stack, &support->stack_capacity, 1, sizeof(expr_id));
    support->stack[depth++] = root;
    while (depth > 0) {
        const struct stored_expr *stored = stored_expr(table, support->stack[--depth]);
        if (stored->support != SUPPORT_UNKNOWN) {
            const struct support_set *set = &support->sets[stored->support];
            for (size_t i = 0; i < set->count; i++)
                set_bit(&support->bytes, set->bytes[i]);
            continue;
        }
        support->stack = array_reserve(support->stack, &support->stack_capacity, depth + 3, sizeof(expr_id));
        for (unsigned i = 0; i < expr_arity[stored->expr.operation]; i++)
            if (set_bit(&support->visited, expr_child(&stored->expr, i)))
                support->stack[depth++] = expr_child(&stored->expr, i);
    }
}

static uint32_t intern_collected(struct expr_table *table)
{
    const struct bitmap *collected = &table->support.bytes;
    uint32_t *bytes = NULL;
    size_t count = 0, capacity = 0;
    for (size_t word = 0; word < collected->capacity; word++) {
        for (uint64_t rest = collected->words[word]; rest; rest &= rest - 1) {
            bytes = array_reserve(bytes, &capacity, count + 1, sizeof *bytes);
            bytes[count++] = (uint32_t)(word * 64) + (uint32_t)__builtin_ctzll(rest);
        }
    }
    uint32_t set = intern_set(table, bytes, count);
    free(bytes);
    return set;
}

static void find_out(struct expr_table *table, expr_id id)
{
    if (stored_expr(table, id)->support != SUPPORT_UNKNOWN)
        return;
    collect(table, id);
    stored_expr(table, id)->support = intern_collected(table);
}

/* The children's too: the next condition on the same growing value then begins its walk there. */
static void find_out_all(struct expr_table *table, expr_id id)
{
    const struct stored_expr *stored = stored_expr(table, id);
    for (unsigned i = 0; i < expr_arity[stored->expr.operation]; i++)
        find_out(table, expr_child(&stored->expr, i));
    find_out(table, id);
}

static inline const struct support_set *set_of(struct expr_table *table, expr_id id)
{
    const struct stored_expr *stored = stored_expr(table, id);
    if (stored->support == SUPPORT_UNKNOWN)
        find_out_all(table, id);
    return &table->support.sets[stored->support];
}

const uint32_t *expr_support(struct expr_table *table, expr_id id, size_t *count)
{
    const struct support_set *set = set_of(table, id);
    *count = set->count;
    return set->bytes;
}

bool expr_support_mask(struct expr_table *table, expr_id id, uint64_t *mask)
{
    const struct support_set *set = set_of(table, id);
    *mask = set->mask;
    return set->is_masked;
}

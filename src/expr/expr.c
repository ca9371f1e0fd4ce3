/* The table: storage, hash-consing, leaves. How an operation is rewritten before it is stored is in simplify.c. */
#include "expr/table.h"
#include "trace/trace.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

const uint8_t expr_arity[PN_OPERATION_COUNT] = {
#define ARITY(enumerator, name, arity, symbol) [enumerator] = arity,
    PN_OPERATIONS(ARITY)
#undef ARITY
};

enum { INITIAL_SLOTS = 1 << 12 };

static void make_slots(struct expr_table *table, size_t count)
{
    size_t capacity = 0;
    table->slots = array_reserve(NULL, &capacity, count, sizeof *table->slots);
    memset(table->slots, 0, count * sizeof *table->slots);
    table->slot_mask = (uint32_t)(count - 1);
}

/* The old ones go before the new ones come: both together would be the largest thing in memory. */
static void grow_slots(struct expr_table *table)
{
    free(table->slots);
    make_slots(table, ((size_t)table->slot_mask + 1) * 2);
    for (expr_id id = 1; id < table->count; id++) {
        uint32_t at = stored_expr(table, id)->hash & table->slot_mask;
        while (table->slots[at])
            at = (at + 1) & table->slot_mask;
        table->slots[at] = id;
    }
}

static void add_chunk(struct expr_table *table)
{
    table->chunks =
        array_reserve(table->chunks, &table->chunk_capacity, table->chunk_count + 1, sizeof(struct stored_expr *));
    table->chunks[table->chunk_count++] = arena_allocate(table->arena, CHUNK_SIZE * sizeof(struct stored_expr));
}

struct expr_table *expr_table_create(void)
{
    struct arena *arena = arena_create();
    struct expr_table *table = arena_allocate(arena, sizeof *table);
    table->arena = arena;
    make_slots(table, INITIAL_SLOTS);
    add_chunk(table);
    table->count = 1; /* id 0 means none */
    support_initialise(table);
    return table;
}

void expr_table_destroy(struct expr_table *table)
{
    if (!table)
        return;
    support_free(table);
    free(table->evaluation.stack);
    free(table->slots);
    free(table->chunks);
    free(table->constants);
    arena_destroy(table->arena);
}

size_t expr_count(const struct expr_table *table)
{
    return table->count;
}

const struct expr *expr_get(const struct expr_table *table, expr_id id)
{
    return node_of(table, id);
}

static uint32_t hash_expr(const struct expr *expr)
{
    uint64_t hash = expr->operation | (uint64_t)expr->width << 8 | (uint64_t)expr->a << 32;
    hash *= UINT64_C(0x9e3779b97f4a7c15);
    hash ^= expr->value;
    hash ^= hash >> 29;
    hash *= UINT64_C(0xff51afd7ed558ccd);
    return (uint32_t)(hash >> 32);
}

static bool same_expr(const struct expr *one, const struct expr *other)
{
    return one->operation == other->operation && one->width == other->width && one->a == other->a &&
           one->value == other->value;
}

/* An input byte on top of the byte, or the bytes, before it. */
static bool is_load(const struct expr_table *table, const struct expr *expr)
{
    if (expr->operation != PN_CONCAT || node_of(table, expr->a)->operation != PN_INPUT)
        return false;
    const struct stored_expr *low = stored_expr(table, expr->b);
    return (low->is_load || low->expr.operation == PN_INPUT) &&
           node_of(table, expr->a)->a == first_byte(table, low) + low->expr.width / 8;
}

static expr_id append(struct expr_table *table, const struct expr *expr, uint32_t hash)
{
    expr_id id = table->count++;
    if (id >> CHUNK_BITS >= table->chunk_count)
        add_chunk(table);
    struct stored_expr *stored = stored_expr(table, id);
    stored->expr = *expr;
    stored->hash = hash;
    stored->support = support_of_new(table, expr) & SUPPORT_UNKNOWN;
    stored->is_load = is_load(table, expr);
    stored->has_floating = pn_makes_float(expr->operation) || pn_reads_float(expr->operation);
    for (unsigned i = 0; i < expr_arity[expr->operation]; i++)
        stored->has_floating |= stored_expr(table, expr_child(expr, i))->has_floating;
    return id;
}

expr_id expr_intern(struct expr_table *table, const struct expr *expr)
{
    if (table->count > table->slot_mask / 2)
        grow_slots(table);
    uint32_t hash = hash_expr(expr);
    uint32_t at = hash & table->slot_mask;
    for (; table->slots[at]; at = (at + 1) & table->slot_mask) {
        const struct stored_expr *found = stored_expr(table, table->slots[at]);
        if (found->hash == hash && same_expr(&found->expr, expr))
            return table->slots[at];
    }
    expr_id id = append(table, expr, hash);
    table->slots[at] = id;
    return id;
}

expr_id expr_constant(struct expr_table *table, unsigned width, uint64_t value)
{
    assert(width >= 1 && width <= 64);
    return expr_intern(
        table, &(struct expr){.operation = PN_CONSTANT, .width = (uint8_t)width, .value = value & pn_mask(width)});
}

expr_id expr_input(struct expr_table *table, uint32_t byte)
{
    return expr_intern(table, &(struct expr){.operation = PN_INPUT, .width = 8, .a = byte});
}

/* There are few of them: as many as the program has tables that it reads through a symbolic index. */
uint32_t expr_add_constants(struct expr_table *table, const uint64_t *values, uint32_t count)
{
    struct expr_constants added = {.count = count, .hash = pn_hash_constants(values, count)};
    for (size_t i = table->constants_count; i-- > 0;) {
        const struct expr_constants *known = &table->constants[i];
        if (known->hash == added.hash && known->count == count &&
            !memcmp(known->values, values, count * sizeof *values))
            return (uint32_t)i;
    }
    uint64_t *copy = arena_allocate(table->arena, (count + 1) * sizeof *copy);
    memcpy(copy, values, count * sizeof *copy);
    added.values = copy;
    table->constants =
        array_reserve(table->constants, &table->constants_capacity, table->constants_count + 1, sizeof added);
    table->constants[table->constants_count] = added;
    return (uint32_t)table->constants_count++;
}

const struct expr_constants *expr_constants(const struct expr_table *table, uint32_t number)
{
    return &table->constants[number];
}

bool expr_is_constant(const struct expr_table *table, expr_id id, uint64_t *value)
{
    const struct expr *expr = node_of(table, id);
    if (expr->operation != PN_CONSTANT)
        return false;
    *value = expr->value;
    return true;
}

bool expr_has_floating(const struct expr_table *table, expr_id id)
{
    return stored_expr(table, id)->has_floating;
}

bool expr_is_variable(const struct expr_table *table, expr_id id, uint32_t *first)
{
    const struct stored_expr *stored = stored_expr(table, id);
    if (!stored->is_load && stored->expr.operation != PN_INPUT)
        return false;
    *first = first_byte(table, stored);
    return true;
}

expr_id expr_not(struct expr_table *table, expr_id condition)
{
    expr_id known = stored_expr(table, condition)->negation;
    if (known)
        return known;
    expr_id negation = expr_make(table, PN_XOR, 1, condition, expr_constant(table, 1, 1), 0);
    stored_expr(table, condition)->negation = negation;
    stored_expr(table, negation)->negation = condition;
    return negation;
}

expr_id expr_and(struct expr_table *table, expr_id a, expr_id b)
{
    return expr_make(table, PN_AND, 1, a, b, 0);
}

expr_id expr_or(struct expr_table *table, expr_id a, expr_id b)
{
    return expr_make(table, PN_OR, 1, a, b, 0);
}

static int compare_ids(const void *one, const void *other)
{
    expr_id a = *(const expr_id *)one, b = *(const expr_id *)other;
    return (a > b) - (a < b);
}

/* Conditions of a path are few, and mostly in order. */
static void sort_few(expr_id *ids, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        expr_id id = ids[i];
        size_t at = i;
        for (; at && ids[at - 1] > id; at--)
            ids[at] = ids[at - 1];
        ids[at] = id;
    }
}

void expr_sort(expr_id *ids, size_t count)
{
    enum { FEW = 32 };
    if (count <= FEW)
        sort_few(ids, count);
    else
        qsort(ids, count, sizeof *ids, compare_ids);
}

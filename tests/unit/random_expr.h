/* Random expressions for tests, each beside a reference that neither simplifies nor shares: a plain node, evaluated by
 * functions of its own. The seed is fixed, printed, and taken from PENUMBRA_TEST_SEED where that is set. */
#ifndef PENUMBRA_TESTS_RANDOM_EXPR_H
#define PENUMBRA_TESTS_RANDOM_EXPR_H

#include "expr/expr.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

enum { INPUT_BYTES = 3, POOL = 160 };

/* Random numbers: the same on every machine */

static uint64_t random_state;

static inline uint64_t random_bits(void)
{
    random_state += UINT64_C(0x9e3779b97f4a7c15);
    uint64_t mixed = random_state;
    mixed = (mixed ^ mixed >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    mixed = (mixed ^ mixed >> 27) * UINT64_C(0x94d049bb133111eb);
    return mixed ^ mixed >> 31;
}

static inline unsigned random_below(unsigned limit)
{
    return (unsigned)(random_bits() % limit);
}

static inline int choose_seed(void **state)
{
    (void)state;
    const char *chosen = getenv("PENUMBRA_TEST_SEED");
    random_state = chosen ? strtoull(chosen, NULL, 0) : 20240601;
    printf("# PENUMBRA_TEST_SEED=%llu\n", (unsigned long long)random_state);
    return 0;
}

/* The reference */

struct reference {
    enum pn_operation operation;
    unsigned width;
    const struct reference *a, *b, *c;
    uint64_t number;       /* constant, input byte, lowest bit, table of constants */
    const uint64_t *table; /* of a lookup, and how many elements it has */
    uint32_t table_size;
    expr_id id;     /* of the same value in the table */
    uint64_t value; /* in the current evaluation */
};

static inline unsigned __int128 as_signed(uint64_t value, unsigned width)
{
    unsigned __int128 sign = (unsigned __int128)1 << (width - 1);
    return ((unsigned __int128)value ^ sign) - sign;
}

static inline uint64_t signed_division(const struct reference *node)
{
    __int128 a = (__int128)as_signed(node->a->value, node->width), b = (__int128)as_signed(node->b->value, node->width);
    bool remainder = node->operation == PN_SREM;
    if (b == 0)
        return (uint64_t)(remainder ? a : a < 0 ? 1 : -1);
    return (uint64_t)(remainder ? a % b : a / b);
}

static inline uint64_t shifted(const struct reference *node)
{
    unsigned __int128 value = node->a->value;
    uint64_t distance = node->b->value < 64 ? node->b->value : 64;
    if (node->operation == PN_SHL)
        return (uint64_t)(value << distance);
    if (node->operation == PN_LSHR)
        return (uint64_t)(value >> distance);
    return (uint64_t)((__int128)as_signed(node->a->value, node->width) >> distance);
}

static inline bool ordered(const struct reference *node)
{
    unsigned width = node->a->width;
    __int128 a = node->a->value, b = node->b->value;
    if (node->operation == PN_SLT || node->operation == PN_SLE) {
        a = (__int128)as_signed(node->a->value, width);
        b = (__int128)as_signed(node->b->value, width);
    }
    return node->operation == PN_SLT || node->operation == PN_ULT ? a < b : a <= b;
}

static inline uint64_t reference_value(const struct reference *node, const uint8_t *input)
{
    uint64_t a = node->a ? node->a->value : 0, b = node->b ? node->b->value : 0;
    switch (node->operation) {
    case PN_CONSTANT: return node->number;
    case PN_INPUT: return input[node->number];
    case PN_ADD: return a + b;
    case PN_SUB: return a - b;
    case PN_MUL: return a * b;
    case PN_UDIV: return b == 0 ? UINT64_MAX : a / b;
    case PN_UREM: return b == 0 ? a : a % b;
    case PN_SDIV:
    case PN_SREM: return signed_division(node);
    case PN_AND: return a & b;
    case PN_OR: return a | b;
    case PN_XOR: return a ^ b;
    case PN_SHL:
    case PN_LSHR:
    case PN_ASHR: return shifted(node);
    case PN_EQ: return a == b;
    case PN_ZEXT: return a;
    case PN_SEXT: return (uint64_t)as_signed(a, node->a->width);
    case PN_EXTRACT: return a >> node->number;
    case PN_CONCAT: return a << node->b->width | b;
    case PN_ITE: return a ? b : node->c->value;
    case PN_LOOKUP: return a < node->table_size ? node->table[a] : 0;
    default: return ordered(node);
    }
}

static inline uint64_t cut(uint64_t value, unsigned width)
{
    return width == 64 ? value : value % (UINT64_C(1) << width);
}

/* Random expressions: a pool in which later nodes use earlier ones */

static const unsigned all_widths[] = {1, 7, 8, 16, 31, 32, 33, 64};
enum { WIDTHS = sizeof all_widths / sizeof *all_widths };

struct pool {
    struct expr_table *table;
    unsigned first_byte;    /* the pool reads INPUT_BYTES bytes from here */
    const unsigned *widths; /* of its operations */
    unsigned width_count;
    unsigned favourite; /* the width of half of its operations */
    struct reference nodes[POOL];
    size_t count;
};

static inline struct reference *pool_add(struct pool *pool, struct reference node)
{
    assert_true(pool->count < POOL);
    struct reference *added = &pool->nodes[pool->count++];
    *added = node;
    if (node.operation == PN_CONSTANT)
        added->id = expr_constant(pool->table, node.width, node.number);
    else if (node.operation == PN_INPUT)
        added->id = expr_input(pool->table, (uint32_t)node.number);
    else
        added->id = expr_make(pool->table, node.operation, node.width, node.a->id,
                              node.operation == PN_EXTRACT || node.operation == PN_LOOKUP ? (uint32_t)node.number
                              : node.b                                                    ? node.b->id
                                                                                          : 0,
                              node.c ? node.c->id : 0);
    assert_int_equal(expr_get(pool->table, added->id)->width, node.width);
    return added;
}

/* Powers of two and their neighbours, runs of ones at either end, small numbers, and anything. */
static inline uint64_t interesting_constant(unsigned width)
{
    unsigned kind = random_below(6);
    uint64_t bits = random_bits();
    uint64_t constant = kind == 0   ? bits % 4
                        : kind == 1 ? (UINT64_C(1) << (width - 1)) + bits % 3 - 1
                        : kind == 2 ? UINT64_MAX - bits % 2
                        : kind == 3 ? UINT64_MAX << bits % 64
                        : kind == 4 ? UINT64_MAX >> bits % 64
                                    : bits;
    return cut(constant, width);
}

static inline const struct reference *pick(struct pool *pool, unsigned width);

/* Something of the wanted width, from what there is. */
static inline const struct reference *convert(struct pool *pool, const struct reference *from, unsigned width)
{
    struct reference node = {.width = width, .a = from};
    unsigned kind = random_below(6);
    if (from->width == width)
        return from;
    if (from->width > width) {
        node.operation = PN_EXTRACT;
        node.number = kind < 3 ? 0 : random_below(from->width - width + 1);
    } else if (kind < 2 && pool->count + 10 < POOL) {
        node.operation = PN_CONCAT;
        node.a = pick(pool, width - from->width);
        node.b = from;
    } else {
        node.operation = kind % 2 ? PN_ZEXT : PN_SEXT;
    }
    return pool_add(pool, node);
}

/* Often something below another choice, so that expressions meet their own parts. */
static inline const struct reference *pick_any(const struct pool *pool)
{
    const struct reference *node = &pool->nodes[random_below((unsigned)pool->count)];
    for (unsigned way = random_below(8); way < 3; way = random_below(8)) {
        const struct reference *child = way == 0 ? node->a : way == 1 ? node->b : node->c;
        if (!child)
            break;
        node = child;
    }
    return node;
}

static inline const struct reference *pick(struct pool *pool, unsigned width)
{
    if (random_below(4) == 0)
        return pool_add(
            pool, (struct reference){.operation = PN_CONSTANT, .width = width, .number = interesting_constant(width)});
    for (unsigned attempt = 0; attempt < 6; attempt++) {
        const struct reference *candidate = pick_any(pool);
        if (candidate->width == width)
            return candidate;
    }
    return convert(pool, pick_any(pool), width);
}

static inline bool is_comparison(enum pn_operation operation)
{
    return operation >= PN_EQ && operation <= PN_SLE;
}

/* A table of one to a few elements, or of many; the index may be past its end. */
static inline void pool_add_lookup(struct pool *pool, unsigned width)
{
    uint64_t values[300];
    struct reference node = {.operation = PN_LOOKUP, .width = width, .a = pick(pool, 8 + 8 * random_below(2))};
    node.table_size = 1 + random_below(random_below(4) ? 9 : 300);
    for (uint32_t i = 0; i < node.table_size; i++)
        values[i] = interesting_constant(width);
    node.number = expr_add_constants(pool->table, values, node.table_size);
    node.table = expr_constants(pool->table, (uint32_t)node.number)->values;
    pool_add(pool, node);
}

static inline void pool_grow(struct pool *pool)
{
    unsigned width = random_below(2) ? pool->favourite : pool->widths[random_below(pool->width_count)];
    if (random_below(16) == 0) {
        pool_add_lookup(pool, width);
        return;
    }
    enum pn_operation operation = PN_ADD + random_below(PN_ITE - PN_ADD + 1);
    struct reference node = {.operation = operation, .width = width};
    if (operation == PN_ITE) {
        node.a = pick(pool, 1);
        node.b = pick(pool, width);
        node.c = pick(pool, width);
    } else if (operation >= PN_ZEXT) {
        convert(pool, pick_any(pool), width);
        return;
    } else {
        node.a = pick(pool, width);
        node.b = random_below(8) == 0 ? node.a : pick(pool, width);
        node.width = is_comparison(operation) ? 1 : width;
    }
    pool_add(pool, node);
}

static inline void pool_fill(struct pool *pool, struct expr_table *table, unsigned first_byte, const unsigned *widths,
                             unsigned width_count)
{
    *pool = (struct pool){.table = table, .first_byte = first_byte, .widths = widths, .width_count = width_count};
    pool->favourite = widths[random_below(width_count)];
    for (unsigned i = 0; i < INPUT_BYTES; i++)
        pool_add(pool, (struct reference){.operation = PN_INPUT, .width = 8, .number = first_byte + i});
    while (pool->count + 40 < POOL)
        pool_grow(pool);
}

static inline void random_input(uint8_t *input, size_t size)
{
    for (size_t i = 0; i < size; i++)
        input[i] = (uint8_t)random_bits();
}

/* The values of all nodes under an input. */
static inline void pool_evaluate(struct pool *pool, const uint8_t *input)
{
    for (size_t i = 0; i < pool->count; i++)
        pool->nodes[i].value = cut(reference_value(&pool->nodes[i], input), pool->nodes[i].width);
}

#endif

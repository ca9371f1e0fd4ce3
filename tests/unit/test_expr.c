#include "expr/expr.h"
#include "random_expr.h"

#include <string.h>
#include <sys/resource.h>

enum { ROUNDS = 12000, DEEP = 100000, MANY = 1100000, MOST_BYTES_EACH = 64 };

static void check_pool(struct pool *pool, const uint8_t *input)
{
    pool_evaluate(pool, input);
    for (size_t i = 0; i < pool->count; i++) {
        const struct reference *node = &pool->nodes[i];
        uint64_t value = expr_evaluate(pool->table, node->id, input, INPUT_BYTES);
        if (value == node->value)
            continue;
        struct text text = {0};
        expr_print(pool->table, node->id, NULL, &text);
        fail_msg("node %zu, operation %d, width %u: %#llx, should be %#llx: %s", i, (int)node->operation, node->width,
                 (unsigned long long)value, (unsigned long long)node->value, text_string(&text));
    }
}

static void check_rounds(unsigned rounds, const unsigned *widths, unsigned width_count)
{
    struct pool *pool = test_malloc(sizeof *pool);
    struct expr_table *table = expr_table_create();
    for (unsigned round = 0; round < rounds; round++) {
        if (round % 50 == 0) {
            expr_table_destroy(table);
            table = expr_table_create();
        }
        pool_fill(pool, table, 0, widths, width_count);
        const uint8_t ends[][INPUT_BYTES] = {{0, 0, 0}, {255, 255, 255}, {0x7f, 0x80, 1}, {'a', 0, 0x7f}};
        for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
            check_pool(pool, ends[i]);
        for (unsigned i = 0; i < 12; i++) {
            uint8_t input[INPUT_BYTES];
            random_input(input, sizeof input);
            check_pool(pool, input);
        }
    }
    expr_table_destroy(table);
    test_free(pool);
}

static void values_agree_with_the_reference(void **state)
{
    (void)state;
    check_rounds(ROUNDS, all_widths, WIDTHS);
}

/* In widths so small, expressions are often equal, opposite or parts of one another: what rules look for. */
static void tiny_values_agree_with_the_reference(void **state)
{
    (void)state;
    static const unsigned tiny[] = {1, 2, 3};
    check_rounds(ROUNDS, tiny, 1);
    check_rounds(ROUNDS, tiny, 3);
}

/* Small widths, all values: every operation on every pair of small shapes over two bytes. */
static expr_id shape(struct expr_table *table, unsigned kind, unsigned width, unsigned byte, uint64_t constant)
{
    expr_id input = expr_input(table, byte), wide = 0;
    expr_id narrow = expr_make(table, PN_EXTRACT, 4, input, 0, 0);
    expr_id k = expr_constant(table, width, constant);
    if (kind == 0)
        return k;
    wide = width < 4   ? expr_make(table, PN_EXTRACT, width, narrow, 0, 0)
           : kind == 1 ? expr_make(table, PN_ZEXT, width, narrow, 0, 0)
                       : expr_make(table, PN_SEXT, width, narrow, 0, 0);
    if (kind <= 2)
        return wide;
    if (kind == 3)
        return expr_make(table, PN_ADD, width, wide, k, 0);
    if (kind == 4)
        return expr_make(table, PN_XOR, width, wide, k, 0);
    expr_id condition = expr_make(table, PN_EXTRACT, 1, narrow, 1, 0);
    return expr_make(table, PN_ITE, width, condition, k, expr_constant(table, width, constant * 5 + 3));
}

static void check_pair(struct expr_table *table, enum pn_operation operation, unsigned width, expr_id a, expr_id b)
{
    bool compares = operation >= PN_EQ && operation <= PN_SLE;
    expr_id made = expr_make(table, operation, compares ? 1 : width, a, b, 0);
    for (unsigned bits = 0; bits < 256; bits++) {
        const uint8_t input[] = {bits % 16, (uint8_t)(bits / 16)};
        uint64_t value_a = expr_evaluate(table, a, input, 2), value_b = expr_evaluate(table, b, input, 2);
        uint64_t expected = pn_operation_value(operation, compares ? 1 : width, width, value_a, value_b, 0);
        assert_true(expr_evaluate(table, made, input, 2) == expected);
    }
}

static void small_shapes_agree_on_all_values(void **state)
{
    (void)state;
    static const unsigned small[] = {1, 2, 5, 9};
    struct expr_table *table = expr_table_create();
    for (unsigned w = 0; w < 4; w++)
        for (unsigned kinds = 1; kinds < 36; kinds++) {
            unsigned width = small[w];
            unsigned byte = random_below(2);
            expr_id a = shape(table, kinds % 6, width, 0, interesting_constant(width));
            expr_id b = shape(table, kinds / 6, width, byte, interesting_constant(width));
            for (enum pn_operation operation = PN_ADD; operation <= PN_SLE; operation++)
                check_pair(table, operation, width, a, b);
        }
    expr_table_destroy(table);
}

/* Every byte that can change a value is in its support. */
static void support_covers_dependence(void **state)
{
    (void)state;
    struct pool *pool = test_malloc(sizeof *pool);
    struct expr_table *table = expr_table_create();
    for (unsigned round = 0; round < 40; round++) {
        pool_fill(pool, table, 0, all_widths, WIDTHS);
        for (size_t i = 0; i < pool->count; i++) {
            size_t count;
            expr_id id = pool->nodes[i].id;
            const uint32_t *bytes = expr_support(table, id, &count);
            uint8_t input[INPUT_BYTES], changed[INPUT_BYTES];
            random_input(input, sizeof input);
            random_input(changed, sizeof changed);
            for (size_t j = 0; j < count; j++) {
                assert_true(bytes[j] < INPUT_BYTES && (j == 0 || bytes[j - 1] < bytes[j]));
                changed[bytes[j]] = input[bytes[j]];
            }
            assert_true(expr_evaluate(table, id, input, INPUT_BYTES) == expr_evaluate(table, id, changed, INPUT_BYTES));
        }
    }
    expr_table_destroy(table);
    test_free(pool);
}

static void support_of_many_bytes_is_found_when_asked(void **state)
{
    (void)state;
    struct expr_table *table = expr_table_create();
    expr_id sum = expr_constant(table, 8, 1);
    enum { BYTES = 5000 };
    for (uint32_t byte = 0; byte < BYTES; byte++)
        sum = expr_make(table, PN_MUL, 8, sum, expr_input(table, BYTES - 1 - byte), 0);
    for (unsigned step = 0; step < 3; step++) {
        size_t count;
        expr_id condition = expr_make(table, PN_ULT, 1, sum, expr_constant(table, 8, 20 + step), 0);
        const uint32_t *bytes = expr_support(table, condition, &count);
        assert_int_equal(count, BYTES);
        assert_int_equal(bytes[0], 0);
        assert_int_equal(bytes[BYTES - 1], BYTES - 1);
        assert_ptr_equal(bytes, expr_support(table, sum, &count));
        sum = expr_make(table, PN_ADD, 8, sum, expr_input(table, step), 0);
    }
    expr_table_destroy(table);
}

/* Overflow */

static void check_overflow(struct expr_table *table, enum pn_operation operation, unsigned width, uint64_t a,
                           uint64_t b, expr_id left, expr_id right, const uint8_t *input, size_t size)
{
    __int128 exact_a = pn_signed(a, width), exact_b = pn_signed(b, width);
    __int128 exact = operation == PN_ADD   ? exact_a + exact_b
                     : operation == PN_SUB ? exact_a - exact_b
                                           : exact_a * exact_b;
    bool fits = exact == pn_signed((uint64_t)exact, width);
    expr_id condition = expr_no_signed_overflow(table, operation, left, right);
    assert_int_equal(expr_evaluate(table, condition, input, size), fits);
}

static expr_id input_value(struct expr_table *table, uint32_t first, unsigned width)
{
    expr_id value = expr_input(table, first);
    for (unsigned bits = 8; bits < width; bits += 8)
        value = expr_make(table, PN_CONCAT, bits + 8, expr_input(table, first + bits / 8), value, 0);
    unsigned made = expr_get(table, value)->width;
    return made == width ? value : expr_make(table, PN_EXTRACT, width, value, 0, 0);
}

static void overflow_is_exact(void **state)
{
    (void)state;
    static const enum pn_operation operations[] = {PN_ADD, PN_SUB, PN_MUL};
    struct expr_table *table = expr_table_create();
    for (unsigned round = 0; round < 20000; round++) {
        unsigned width = all_widths[random_below(WIDTHS)];
        uint64_t a = interesting_constant(width), b = interesting_constant(width);
        if (width == 64 && random_below(2))
            b = (uint64_t)pn_signed_quotient(random_below(2) ? INT64_MAX : INT64_MIN, (int64_t)a) + random_below(3) - 1;
        uint8_t input[16];
        memcpy(input, &a, 8);
        memcpy(input + 8, &b, 8);
        expr_id left = input_value(table, 0, width), right = input_value(table, 8, width);
        expr_id constant_a = expr_constant(table, width, a), constant_b = expr_constant(table, width, b);
        enum pn_operation operation = operations[random_below(3)];
        check_overflow(table, operation, width, a, b, left, right, input, sizeof input);
        check_overflow(table, operation, width, a, b, constant_a, right, input, sizeof input);
        check_overflow(table, operation, width, a, b, left, constant_b, input, sizeof input);
        check_overflow(table, operation, width, a, a, left, left, input, sizeof input);
    }
    expr_table_destroy(table);
}

/* Canonical forms: what is equal gets the same id */

static void loads_are_canonical(void **state)
{
    (void)state;
    struct expr_table *table = expr_table_create();
    expr_id byte[4], left, right, parts;
    for (unsigned i = 0; i < 4; i++)
        byte[i] = expr_input(table, i);
    left = expr_make(table, PN_CONCAT, 16, byte[3], byte[2], 0);
    left = expr_make(table, PN_CONCAT, 24, left, byte[1], 0);
    left = expr_make(table, PN_CONCAT, 32, left, byte[0], 0);
    right = input_value(table, 0, 32);
    parts = expr_make(table, PN_CONCAT, 32, expr_make(table, PN_CONCAT, 16, byte[3], byte[2], 0),
                      expr_make(table, PN_CONCAT, 16, byte[1], byte[0], 0), 0);
    assert_int_equal(left, right);
    assert_int_equal(parts, right);
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(expr_make(table, PN_EXTRACT, 8, right, i * 8, 0), byte[i]);
    /* Bytes of a computed value, put together again. */
    expr_id sum = expr_make(table, PN_ADD, 32, right, input_value(table, 4, 32), 0), again = 0;
    for (unsigned i = 0; i < 4; i++) {
        expr_id part = expr_make(table, PN_EXTRACT, 8, sum, i * 8, 0);
        again = i == 0 ? part : expr_make(table, PN_CONCAT, 8 * i + 8, part, again, 0);
    }
    assert_int_equal(again, sum);
    expr_id character = expr_make(table, PN_SEXT, 32, byte[0], 0, 0);
    for (unsigned i = 0; i < 4; i++) {
        expr_id part = expr_make(table, PN_EXTRACT, 8, character, i * 8, 0);
        again = i == 0 ? part : expr_make(table, PN_CONCAT, 8 * i + 8, part, again, 0);
    }
    assert_int_equal(again, character);
    expr_table_destroy(table);
}

static expr_id binary(struct expr_table *table, enum pn_operation operation, expr_id a, uint64_t constant)
{
    unsigned width = expr_get(table, a)->width;
    bool compares = operation >= PN_EQ && operation <= PN_SLE;
    return expr_make(table, operation, compares ? 1 : width, a, expr_constant(table, width, constant), 0);
}

static void rewrites_reach_one_form(void **state)
{
    (void)state;
    struct expr_table *table = expr_table_create();
    expr_id x = input_value(table, 0, 32), y = input_value(table, 4, 32), b = expr_input(table, 8);
    expr_id one = expr_constant(table, 1, 1), zero = expr_constant(table, 1, 0);
    expr_id x_less_y = expr_make(table, PN_SLT, 1, x, y, 0), x_is_5 = binary(table, PN_EQ, x, 5);
    expr_id wide = expr_make(table, PN_ZEXT, 32, b, 0, 0), choice;

    assert_int_equal(binary(table, PN_SUB, binary(table, PN_ADD, x, 3), 3), x);
    assert_int_equal(binary(table, PN_EQ, binary(table, PN_ADD, x, 3), 8), x_is_5);
    assert_int_equal(expr_not(table, x_less_y), expr_make(table, PN_SLE, 1, y, x, 0));
    assert_int_equal(expr_not(table, expr_not(table, x_is_5)), x_is_5);
    assert_int_equal(expr_and(table, x_is_5, expr_not(table, x_is_5)), zero);
    assert_int_equal(expr_or(table, x_less_y, expr_not(table, x_less_y)), one);
    assert_int_equal(binary(table, PN_EQ, expr_make(table, PN_ZEXT, 32, x_less_y, 0, 0), 0), expr_not(table, x_less_y));
    assert_int_equal(binary(table, PN_EQ, wide, 300), zero);
    assert_int_equal(binary(table, PN_SLT, wide, 256), one);
    assert_int_equal(binary(table, PN_SLT, wide, 97), binary(table, PN_ULT, b, 97));
    choice = expr_make(table, PN_ITE, 32, x_less_y, expr_constant(table, 32, 7), expr_constant(table, 32, 9));
    assert_int_equal(binary(table, PN_EQ, choice, 7), x_less_y);
    assert_int_equal(binary(table, PN_EQ, choice, 8), zero);
    expr_id address = binary(table, PN_ADD, choice, 100);
    assert_int_equal(binary(table, PN_ULT, address, 108), x_less_y);
    assert_int_equal(binary(table, PN_ULT, address, 107), zero);
    assert_int_equal(binary(table, PN_SLT, binary(table, PN_ADD, choice, 0x7ffffff8), 0), expr_not(table, x_less_y));
    assert_int_equal(expr_make(table, PN_ITE, 1, x_less_y, one, zero), x_less_y);
    assert_int_equal(expr_make(table, PN_ADD, 32, x, y, 0), expr_make(table, PN_ADD, 32, y, x, 0));
    assert_int_equal(binary(table, PN_AND, x, 0xff), expr_make(table, PN_ZEXT, 32, expr_input(table, 0), 0, 0));
    assert_int_equal(expr_make(table, PN_MUL, 32, expr_constant(table, 32, 6), x, 0),
                     binary(table, PN_MUL, binary(table, PN_MUL, x, 2), 3));
    expr_id sum = expr_make(table, PN_ADD, 32, x, y, 0), five = expr_constant(table, 32, 5);
    assert_int_equal(expr_make(table, PN_SUB, 32, sum, x, 0), y);
    assert_int_equal(expr_make(table, PN_SUB, 32, five, binary(table, PN_ADD, x, 5), 0),
                     expr_make(table, PN_SUB, 32, expr_constant(table, 32, 0), x, 0));
    assert_int_equal(expr_make(table, PN_SUB, 32, five, expr_make(table, PN_SUB, 32, five, x, 0), 0), x);
    assert_int_equal(expr_make(table, PN_SEXT, 64, wide, 0, 0), expr_make(table, PN_ZEXT, 64, b, 0, 0));
    assert_int_equal(expr_make(table, PN_ZEXT, 64, wide, 0, 0), expr_make(table, PN_ZEXT, 64, b, 0, 0));
    assert_int_equal(expr_and(table, x_is_5, expr_or(table, x_less_y, x_is_5)), x_is_5);
    assert_int_equal(binary(table, PN_ASHR, wide, 8), expr_constant(table, 32, 0));
    assert_int_equal(binary(table, PN_SHL, binary(table, PN_SHL, x, 20), 12), expr_constant(table, 32, 0));
    assert_int_equal(expr_make(table, PN_EXTRACT, 8, binary(table, PN_LSHR, sum, 8), 0, 0),
                     expr_make(table, PN_EXTRACT, 8, sum, 8, 0));
    /* (unsigned char)(b + 1) in int is b + 1 in eight bits */
    assert_int_equal(expr_make(table, PN_EXTRACT, 8, binary(table, PN_ADD, wide, 1), 0, 0),
                     binary(table, PN_ADD, b, 1));
    expr_table_destroy(table);
}

/* Depth */

static expr_id deep_chain(struct expr_table *table, expr_id start, unsigned length)
{
    static const enum pn_operation steps[] = {PN_ADD, PN_XOR, PN_MUL, PN_ADD};
    unsigned width = expr_get(table, start)->width;
    expr_id chain = start;
    for (unsigned i = 0; i < length; i++)
        chain = expr_make(table, steps[i % 4], width, chain,
                          i % 4 == 3 ? start : expr_constant(table, width, 2 * i + 3), 0);
    return chain;
}

static void deep_chains_need_no_stack(void **state)
{
    (void)state;
    struct expr_table *table = expr_table_create();
    expr_id x = input_value(table, 0, 32), chain = deep_chain(table, x, DEEP);
    assert_true(expr_count(table) > DEEP);
    uint32_t expected = 0x01020304;
    for (uint32_t i = 0; i < DEEP; i++)
        expected = i % 4 == 0   ? expected + (2 * i + 3)
                   : i % 4 == 1 ? expected ^ (2 * i + 3)
                   : i % 4 == 2 ? expected * (2 * i + 3)
                                : expected + 0x01020304;
    const uint8_t input[] = {4, 3, 2, 1};
    assert_int_equal(expr_evaluate(table, chain, input, sizeof input), expected);
    size_t count;
    assert_int_equal(expr_support(table, chain, &count)[3], 3);
    assert_int_equal(count, 4);
    struct text text = {0};
    expr_print(table, chain, NULL, &text);
    assert_non_null(strstr(text_string(&text), "..."));
    text_free(&text);
    /* An equality unwinds constants that were added; not for ever. */
    for (unsigned i = 0; i < DEEP; i++)
        x = binary(table, i % 2 ? PN_ADD : PN_XOR, x, i + 1);
    binary(table, PN_EQ, x, 5);
    expr_table_destroy(table);
}

/* Printing */

struct printing {
    struct expr_table *table;
    struct input_layout *layout;
    expr_id x, u, s0, s2, flag, y, c; /* int, unsigned, char s[4], bool, long, unsigned char */
};

static void add_parameter(struct input_layout *layout, const char *name, enum input_kind kind, bool is_signed,
                          unsigned size, size_t count)
{
    input_layout_add(layout, &(struct input_parameter){.name = name,
                                                       .type = "",
                                                       .kind = kind,
                                                       .is_signed = is_signed,
                                                       .is_array = count > 1,
                                                       .element_size = size,
                                                       .element_count = count});
}

static struct printing printing_create(void)
{
    struct printing p = {.table = expr_table_create(), .layout = input_layout_create()};
    add_parameter(p.layout, "x", INPUT_SIGNED, true, 4, 1);
    add_parameter(p.layout, "u", INPUT_UNSIGNED, false, 4, 1);
    add_parameter(p.layout, "s", INPUT_CHARACTER, true, 1, 4);
    add_parameter(p.layout, "flag", INPUT_BOOL, false, 1, 1);
    add_parameter(p.layout, "y", INPUT_SIGNED, true, 8, 1);
    add_parameter(p.layout, "c", INPUT_CHARACTER, false, 1, 1);
    p.x = input_value(p.table, 0, 32);
    p.u = input_value(p.table, 4, 32);
    p.s0 = expr_input(p.table, 8);
    p.s2 = expr_input(p.table, 10);
    p.flag = expr_input(p.table, 12);
    p.y = input_value(p.table, 13, 64);
    p.c = expr_input(p.table, 21);
    return p;
}

static void prints_as(const struct printing *p, expr_id id, const char *expected)
{
    struct text text = {0};
    expr_print(p->table, id, p->layout, &text);
    assert_string_equal(text_string(&text), expected);
    text_free(&text);
}

static void prints_like_a_person(void **state)
{
    (void)state;
    struct printing p = printing_create();
    struct expr_table *t = p.table;
    expr_id x_minus_8 = binary(t, PN_SUB, p.x, 8), product;
    prints_as(&p, p.x, "x");
    prints_as(&p, p.s2, "s[2]");
    prints_as(&p, expr_input(t, 1), "x[byte 1]");
    prints_as(&p, expr_input(t, 100), "input[100]");
    prints_as(&p, binary(t, PN_SLT, x_minus_8, 4), "x - 8 < 4");
    prints_as(&p, binary(t, PN_EQ, p.s2, 'a'), "s[2] == 'a'");
    prints_as(&p, expr_not(t, binary(t, PN_EQ, p.s2, 0)), "s[2] != '\\0'");
    prints_as(&p, expr_not(t, binary(t, PN_EQ, p.x, (uint64_t)-7)), "x != -7");
    prints_as(&p, binary(t, PN_EQ, p.u, (uint64_t)-1), "u == 4294967295");
    prints_as(&p, expr_not(t, binary(t, PN_SLT, p.x, 10)), "x >= 10");
    prints_as(&p, expr_not(t, binary(t, PN_SLE, p.s0, 'z')), "s[0] > 'z'");
    prints_as(&p, expr_not(t, binary(t, PN_ULE, p.c, 'z')), "c > 122");
    prints_as(&p, binary(t, PN_ULT, p.u, 10), "u < 10");
    prints_as(&p, binary(t, PN_ULT, p.x, 10), "(unsigned)x < 10");
    prints_as(&p, binary(t, PN_SLT, p.u, 10), "(int)u < 10");
    prints_as(&p, binary(t, PN_ULT, x_minus_8, 4), "(unsigned)(x - 8) < 4");
    prints_as(&p, expr_not(t, binary(t, PN_EQ, p.flag, 0)), "flag");
    prints_as(&p, binary(t, PN_EQ, p.flag, 0), "!flag");
    product = binary(t, PN_MUL, binary(t, PN_ADD, p.x, 1), 3);
    prints_as(&p, product, "(x + 1) * 3");
    prints_as(&p, expr_make(t, PN_ADD, 32, binary(t, PN_MUL, p.x, 3), p.u, 0), "u + x * 3");
    prints_as(&p, binary(t, PN_SREM, p.x, 10), "x % 10");
    prints_as(&p, binary(t, PN_UDIV, p.x, 10), "(unsigned)x / 10");
    prints_as(&p, binary(t, PN_EQ, binary(t, PN_AND, p.x, 0xff00), 0x100), "(x & 0xff00) == 256");
    prints_as(&p, expr_make(t, PN_SUB, 32, expr_constant(t, 32, 0), p.x, 0), "-x");
    prints_as(&p, expr_make(t, PN_SUB, 32, p.x, binary(t, PN_ADD, p.u, 1), 0), "x - (u + 1)");
    prints_as(&p, binary(t, PN_XOR, p.x, UINT64_MAX), "~x");
    expr_table_destroy(t);
    input_layout_destroy(p.layout);
}

static void prints_conditions_and_conversions(void **state)
{
    (void)state;
    struct printing p = printing_create();
    struct expr_table *t = p.table;
    expr_id small = binary(t, PN_SLT, p.x, 3), is_a = binary(t, PN_EQ, p.s0, 'a');
    expr_id wide = expr_make(t, PN_SEXT, 64, p.x, 0, 0);
    prints_as(&p, expr_and(t, small, is_a), "x < 3 && s[0] == 'a'");
    prints_as(&p, expr_make(t, PN_XOR, 1, small, is_a, 0), "(x < 3) != (s[0] == 'a')");
    expr_id narrow = expr_make(t, PN_MUL, 8, expr_make(t, PN_SUB, 8, p.s0, p.s2, 0), expr_constant(t, 8, 3), 0);
    prints_as(&p, binary(t, PN_ULT, narrow, 10), "(unsigned char)((s[0] - s[2]) * 3) < 10");
    prints_as(&p, expr_or(t, expr_and(t, small, is_a), binary(t, PN_EQ, p.u, 1)), "x < 3 && s[0] == 'a' || u == 1");
    prints_as(&p, expr_not(t, expr_or(t, small, is_a)), "!(x < 3 || s[0] == 'a')");
    prints_as(&p, expr_make(t, PN_SLT, 1, wide, p.y, 0), "x < y");
    prints_as(&p, expr_make(t, PN_SLT, 1, expr_make(t, PN_ZEXT, 64, p.u, 0, 0), p.y, 0), "u < y");
    prints_as(&p, expr_make(t, PN_SLT, 1, expr_make(t, PN_ZEXT, 64, p.x, 0, 0), p.y, 0), "(unsigned)x < y");
    prints_as(&p, expr_make(t, PN_EXTRACT, 8, binary(t, PN_ADD, p.x, 1), 0, 0), "(signed char)(x + 1)");
    prints_as(&p, expr_make(t, PN_EXTRACT, 16, p.x, 0, 0), "x[bytes 0-1]");
    prints_as(&p, binary(t, PN_EQ, binary(t, PN_AND, p.x, 7), 2), "(x & 0x7) == 2");
    prints_as(&p, expr_make(t, PN_ITE, 32, small, p.x, p.u), "x < 3 ? x : u");
    prints_as(&p, expr_no_signed_overflow(t, PN_ADD, p.x, expr_constant(t, 32, 1)), "x != 2147483647");
    expr_table_destroy(t);
    input_layout_destroy(p.layout);
}

static expr_id real(struct expr_table *table, double number)
{
    return expr_constant(table, 64, pn_double_bits(number));
}

static void prints_floating_point(void **state)
{
    (void)state;
    struct printing p = {.table = expr_table_create(), .layout = input_layout_create()};
    add_parameter(p.layout, "x", INPUT_FLOATING, false, 8, 1);
    add_parameter(p.layout, "n", INPUT_SIGNED, true, 4, 1);
    struct expr_table *table = p.table;
    expr_id x = expr_input(table, 0), n = expr_input(table, 8);
    for (unsigned i = 1; i < 8; i++)
        x = expr_make(table, PN_CONCAT, 8 * i + 8, expr_input(table, i), x, 0);
    for (unsigned i = 1; i < 4; i++)
        n = expr_make(table, PN_CONCAT, 8 * i + 8, expr_input(table, 8 + i), n, 0);
    expr_id half = expr_make(table, PN_FDIV, 64, x, real(table, 2), 0), made = expr_make(table, PN_SFLOAT, 64, n, 0, 0);
    expr_id negated = expr_make(table, PN_XOR, 64, x, expr_constant(table, 64, pn_float_sign(64)), 0);
    expr_id magnitude = expr_make(table, PN_AND, 64, x, expr_constant(table, 64, pn_float_sign(64) - 1), 0);
    expr_id is_number = expr_make(table, PN_FEQ, 1, x, x, 0);
    prints_as(&p, expr_make(table, PN_FLT, 1, half, made, 0), "x * 0.5 < (double)n");
    prints_as(&p, expr_make(table, PN_FLE, 1, real(table, 1e-3), x, 0), "x >= 0.001");
    prints_as(&p, expr_make(table, PN_FSUB, 64, x, real(table, 3), 0), "bits(x - 3.0)");
    prints_as(&p, is_number, "!isnan(x)");
    prints_as(&p, expr_not(table, is_number), "isnan(x)");
    prints_as(&p, expr_make(table, PN_FLT, 1, negated, magnitude, 0), "-x < fabs(x)");
    prints_as(&p, expr_make(table, PN_FEQ, 1, expr_make(table, PN_FROUND, 64, x, PN_DOWN, 0), real(table, 7), 0),
              "floor(x) == 7.0");
    prints_as(&p, expr_make(table, PN_EQ, 1, x, real(table, 1.5), 0), "x == 1.5");
    prints_as(&p, expr_make(table, PN_EQ, 1, x, real(table, 0), 0), "bits(x) == 0");
    prints_as(&p, expr_make(table, PN_SLT, 1, expr_make(table, PN_FSINT, 32, x, 0, 0), n, 0), "(int)x < n");
    /* an exact integer is compared as one */
    prints_as(&p, expr_make(table, PN_FLT, 1, made, real(table, 2.5), 0), "n <= 2");
    input_layout_destroy(p.layout);
    expr_table_destroy(table);
}

static void long_expressions_are_cut(void **state)
{
    (void)state;
    struct printing p = printing_create();
    expr_id wide = p.x;
    for (unsigned i = 0; i < 12; i++)
        wide = expr_make(p.table, PN_MUL, 32, expr_make(p.table, PN_ADD, 32, wide, p.u, 0),
                         expr_make(p.table, PN_SUB, 32, wide, p.u, 0), 0);
    struct text text = {0};
    text_add(&text, "before ");
    expr_print(p.table, wide, p.layout, &text);
    assert_true(text.length < 230);
    assert_memory_equal(text.data, "before ", 7);
    assert_string_equal(text.data + text.length - 3, "...");
    text_free(&text);
    expr_table_destroy(p.table);
    input_layout_destroy(p.layout);
}

static size_t largest_resident_size(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (size_t)usage.ru_maxrss * 1024;
}

/* Just after the hash table has grown: a trace has an expression for each operation. It comes first, because the
 * largest size is that of all tests so far. */
static void many_expressions_take_few_bytes_each(void **state)
{
    (void)state;
#ifndef __SANITIZE_ADDRESS__
    struct expr_table *table = expr_table_create();
    size_t before = largest_resident_size();
    expr_id sum = expr_input(table, 0);
    for (unsigned i = 0; i < MANY; i++)
        sum = expr_make(table, i % 2 ? PN_MUL : PN_XOR, 8, sum, expr_input(table, i % 7), 0);
    size_t each = (largest_resident_size() - before) / expr_count(table);
    assert_true(expr_count(table) > MANY);
    assert_true(each <= MOST_BYTES_EACH);
    expr_table_destroy(table);
#else
    skip();
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_expressions_take_few_bytes_each),
        cmocka_unit_test(values_agree_with_the_reference),
        cmocka_unit_test(tiny_values_agree_with_the_reference),
        cmocka_unit_test(small_shapes_agree_on_all_values),
        cmocka_unit_test(support_covers_dependence),
        cmocka_unit_test(support_of_many_bytes_is_found_when_asked),
        cmocka_unit_test(overflow_is_exact),
        cmocka_unit_test(loads_are_canonical),
        cmocka_unit_test(rewrites_reach_one_form),
        cmocka_unit_test(deep_chains_need_no_stack),
        cmocka_unit_test(prints_like_a_person),
        cmocka_unit_test(prints_conditions_and_conversions),
        cmocka_unit_test(prints_floating_point),
        cmocka_unit_test(long_expressions_are_cut),
    };
    return cmocka_run_group_tests(tests, choose_seed, NULL);
}

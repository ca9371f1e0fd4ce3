/* Every operation of trace/operation.h has its row wherever operations are told apart. A tier that misses one is not
 * wrong, only weaker, and nothing else would tell: what it does without is listed here, with the reason. */
#include "expr/expr.h"
#include "solve/blast.h"
#include "solve/ranges.h"
#include "solve/search.h"
#include "solve/slice.h"
#include "solve/z3.h"
#include "trace/mathematics.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { TIMEOUT = 600000, INPUT_SIZE = 12 };

static const char *const names[PN_OPERATION_COUNT] = {
#define NAME(enumerator, name, arity, symbol) [enumerator] = name,
    PN_OPERATIONS(NAME)
#undef NAME
};

/* What only traces have is gone when expressions are made. */
static bool is_in_expressions(enum pn_operation operation)
{
    return operation != PN_NONE && operation != PN_POINTER && operation != PN_SHADOW && operation != PN_OLD &&
           operation != PN_NEW;
}

static bool is_floating(enum pn_operation operation)
{
    return pn_makes_float(operation) || pn_reads_float(operation);
}

/* ---- rows ---- */

static bool ranges_do_without(enum pn_operation operation)
{
    return is_floating(operation); /* intervals.c has them */
}

static bool search_does_without(enum pn_operation operation)
{
    return operation == PN_CONSTANT || operation == PN_INPUT || /* the ends of the way */
           operation == PN_FMA;                                 /* three operands: descend.c has it */
}

static bool blast_does_without(enum pn_operation operation)
{
    bool is_comparison = operation == PN_FEQ || operation == PN_FLT || operation == PN_FLE;
    return is_floating(operation) && !is_comparison &&
           !pn_is_function(operation); /* there is no circuit for floating-point arithmetic */
}

static void check_rows(bool knows(enum pn_operation), bool does_without(enum pn_operation), const char *tier)
{
    for (enum pn_operation operation = PN_NONE; operation < PN_OPERATION_COUNT; operation++) {
        if (!is_in_expressions(operation))
            continue;
        if (!knows(operation) && !does_without(operation))
            fail_msg("'%s' has no row in %s", names[operation], tier);
        if (knows(operation) && does_without(operation))
            fail_msg("'%s' has a row in %s by now: take it from the list here", names[operation], tier);
    }
}

static void ranges_have_every_row(void **state)
{
    (void)state;
    check_rows(ranges_know, ranges_do_without, "ranges");
}

static void search_has_every_row(void **state)
{
    (void)state;
    check_rows(search_knows, search_does_without, "search");
}

static void circuits_have_every_row(void **state)
{
    (void)state;
    check_rows(blast_knows, blast_does_without, "blasting");
}

/* ---- one expression of each operation ---- */

/* A variable of four bytes. */
static expr_id word(struct expr_table *table, uint32_t first)
{
    expr_id value = expr_input(table, first);
    for (unsigned i = 1; i < 4; i++)
        value = expr_make(table, PN_CONCAT, 8 * i + 8, expr_input(table, first + i), value, 0);
    return value;
}

static bool is_comparison(enum pn_operation operation)
{
    return (operation >= PN_EQ && operation <= PN_SLE) || (operation >= PN_FEQ && operation <= PN_FLE);
}

/* Over variables, so that no rule simplifies it away. */
static expr_id make_example(struct expr_table *table, enum pn_operation operation)
{
    static const uint64_t elements[] = {3, 1, 4, 1, 5};
    expr_id a = word(table, 0), b = word(table, 4), c = word(table, 8);
    switch (operation) {
    case PN_CONSTANT: return expr_constant(table, 32, 5);
    case PN_INPUT: return expr_input(table, 1);
    case PN_ZEXT:
    case PN_SEXT:
    case PN_FCAST: return expr_make(table, operation, 64, a, 0, 0);
    case PN_EXTRACT: return expr_make(table, operation, 8, expr_make(table, PN_MUL, 32, a, b, 0), 3, 0);
    case PN_CONCAT: return expr_make(table, operation, 64, b, a, 0);
    case PN_ITE: return expr_make(table, operation, 32, expr_make(table, PN_ULT, 1, a, b, 0), b, c);
    case PN_LOOKUP: return expr_make(table, operation, 32, a, expr_add_constants(table, elements, 5), 0);
    case PN_FCALL:
    case PN_FERROR: return expr_make(table, operation, 32, a, b, PN_FUNCTION_pow);
    case PN_FROUND: return expr_make(table, operation, 32, a, PN_DOWN, 0);
    default:
        return expr_make(table, operation, is_comparison(operation) ? 1 : 32, a, expr_arity[operation] > 1 ? b : 0,
                         expr_arity[operation] > 2 ? c : 0);
    }
}

/* Numbers in all three variables: 1.5, 2.25 and 3. */
static const uint8_t input[INPUT_SIZE] = {0, 0, 0xc0, 0x3f, 0, 0, 0x10, 0x40, 0, 0, 0x40, 0x40};

static expr_id equals(struct expr_table *table, expr_id id, uint64_t value)
{
    return expr_make(table, PN_EQ, 1, id, expr_constant(table, expr_get(table, id)->width, value), 0);
}

/* With the input fixed, the value is the one of evaluation. */
static void check_z3(struct expr_table *table, enum pn_operation operation)
{
    struct z3_tier *tier = z3_tier_create(table, TIMEOUT);
    struct byte_list bytes = {0};
    uint8_t model[INPUT_SIZE] = {0};
    expr_id conditions[INPUT_SIZE + 1], example = make_example(table, operation);
    for (uint32_t i = 0; i < INPUT_SIZE; i++)
        conditions[i] = equals(table, expr_input(table, i), input[i]);
    conditions[INPUT_SIZE] = equals(table, example, expr_evaluate(table, example, input, INPUT_SIZE));
    list_bytes(&bytes, table, conditions, INPUT_SIZE + 1);
    if (z3_tier_solve(tier, conditions, INPUT_SIZE + 1, &bytes, model, INPUT_SIZE) != SOLVE_SATISFIABLE)
        fail_msg("'%s' means something else to Z3, or nothing", names[operation]);
    free(bytes.bytes);
    z3_tier_destroy(tier);
}

static void for_all_operations(void (*check)(struct expr_table *table, enum pn_operation operation))
{
    for (enum pn_operation operation = PN_NONE; operation < PN_OPERATION_COUNT; operation++) {
        if (!is_in_expressions(operation))
            continue;
        struct expr_table *table = expr_table_create();
        assert_int_equal(expr_get(table, make_example(table, operation))->operation, operation);
        check(table, operation);
        expr_table_destroy(table);
    }
}

static void z3_knows_every_operation(void **state)
{
    (void)state;
    for_all_operations(check_z3);
}

static void check_printing(struct expr_table *table, enum pn_operation operation)
{
    struct input_layout *layout = input_layout_create();
    struct text text = {0};
    expr_id example = make_example(table, operation);
    struct expr_writer *writer = expr_writer_create(table, layout);
    expr_id condition = equals(table, example, 7);
    expr_print(table, example, layout, &text);
    assert_true(text.length > 0);
    expr_write_c(writer, &condition, 1, &text);
    if (strstr(text_string(&text), "(null)")) /* of a symbol that is not there */
        fail_msg("'%s' cannot be printed: %s", names[operation], text_string(&text));
    expr_writer_destroy(writer);
    input_layout_destroy(layout);
    text_free(&text);
}

static void every_operation_is_printed(void **state)
{
    (void)state;
    for_all_operations(check_printing);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranges_have_every_row),      cmocka_unit_test(search_has_every_row),
        cmocka_unit_test(circuits_have_every_row),    cmocka_unit_test(z3_knows_every_operation),
        cmocka_unit_test(every_operation_is_printed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* What the solver keeps, and what it takes on, has limits. */
#include "expr/expr.h"
#include "random_expr.h"
#include "solve/blast.h"
#include "solve/cache.h"
#include "solve/z3.h"

#include <string.h>

static void cache_stays_below_its_limit(void **state)
{
    (void)state;
    struct cache *cache = cache_create(10000);
    struct cached_answer answer = {.answer = SOLVE_UNSATISFIABLE};
    for (expr_id i = 0; i < 5000; i++) {
        cache_add(cache, &i, 1, &answer);
        assert_non_null(cache_find(cache, &i, 1));
    }
    assert_null(cache_find(cache, &(expr_id){0}, 1));
    cache_destroy(cache);
}

static bool never_stop(void *context)
{
    (void)context;
    return false;
}

/* One operation may be larger than all that there is room for. */
static void circuits_stay_below_their_limit(void **state)
{
    (void)state;
    enum { COUNT = 1 << 15 };
    uint64_t *values = test_malloc(COUNT * sizeof *values);
    struct expr_table *table = expr_table_create();
    struct blaster *blaster = blaster_create(table);
    for (uint64_t i = 0, value = 1; i < COUNT; i++) {
        value = (value ^ value >> 29) * UINT64_C(0x9e3779b97f4a7c15) + i;
        values[i] = value ^ value >> 32;
    }
    expr_id index = expr_make(table, PN_CONCAT, 16, expr_input(table, 1), expr_input(table, 0), 0);
    expr_id found = expr_make(table, PN_LOOKUP, 64, index, expr_add_constants(table, values, COUNT), 0);
    assert_false(blast(blaster, found, never_stop, NULL));
    assert_in_range(gates_clause_count(blaster_gates(blaster)), MOST_CLAUSES, MOST_CLAUSES + 1000);
    blaster_destroy(blaster);
    expr_table_destroy(table);
    test_free(values);
}

/* A variable of four bytes. */
static expr_id word(struct expr_table *table, uint32_t first)
{
    expr_id value = expr_input(table, first);
    for (unsigned i = 1; i < 4; i++)
        value = expr_make(table, PN_CONCAT, 8 * i + 8, expr_input(table, first + i), value, 0);
    return value;
}

static enum solve_answer ask_z3(struct z3_tier *tier, struct expr_table *table, const expr_id *conditions, size_t count,
                                uint8_t *model, size_t size)
{
    struct byte_list bytes = {0};
    list_bytes(&bytes, table, conditions, count);
    enum solve_answer answer = z3_tier_solve(tier, conditions, count, &bytes, model, size);
    free(bytes.bytes);
    return answer;
}

/* Z3 makes circuits of all of a question before it looks at any limit: 3,000 products are too many, one of them is not.
 */
static void large_questions_are_none_for_z3(void **state)
{
    (void)state;
    enum { COUNT = 3000 };
    struct expr_table *table = expr_table_create();
    struct z3_tier *tier = z3_tier_create(table, 0);
    expr_id *conditions = test_malloc(COUNT * sizeof *conditions);
    uint8_t *model = test_calloc(COUNT, 4);
    for (uint32_t i = 0; i < COUNT; i++) {
        expr_id product = expr_make(table, PN_MUL, 32, word(table, 4 * i), expr_constant(table, 32, 7), 0);
        conditions[i] = expr_make(table, PN_EQ, 1, product, expr_constant(table, 32, 7 * (uint64_t)(i + 1)), 0);
    }
    assert_int_equal(ask_z3(tier, table, conditions, COUNT, model, COUNT * 4), SOLVE_UNKNOWN);
    assert_int_equal(ask_z3(tier, table, conditions + 2, 1, model, COUNT * 4), SOLVE_SATISFIABLE);
    assert_memory_equal(model + 8, "\3\0\0", 4);
    z3_tier_destroy(tier);
    expr_table_destroy(table);
    test_free(conditions);
    test_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cache_stays_below_its_limit),
        cmocka_unit_test(circuits_stay_below_their_limit),
        cmocka_unit_test(large_questions_are_none_for_z3),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

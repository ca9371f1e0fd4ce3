#include "base/clock.h"
#include "expr/expr.h"
#include "random_expr.h"
#include "solve/blast.h"
#include "solve/cache.h"
#include "solve/cadical.h"
#include "solve/solve.h"
#include "solve/z3.h"

#include <string.h>

enum { TIMEOUT = 60000, PARTS = 3, SMALL_WIDTHS = 4, INPUT_SIZE = PARTS * INPUT_BYTES, DEEP = 100000 };

static expr_id equals(struct expr_table *table, expr_id id, uint64_t value)
{
    return expr_make(table, PN_EQ, 1, id, expr_constant(table, expr_get(table, id)->width, value), 0);
}

/* A variable of four bytes. */
static expr_id word(struct expr_table *table, uint32_t first)
{
    expr_id value = expr_input(table, first);
    for (unsigned i = 1; i < 4; i++)
        value = expr_make(table, PN_CONCAT, 8 * i + 8, expr_input(table, first + i), value, 0);
    return value;
}

static expr_id word_less(struct expr_table *table, uint32_t first, int32_t bound)
{
    return expr_make(table, PN_SLT, 1, word(table, first), expr_constant(table, 32, (uint64_t)bound), 0);
}

static int32_t word_in(const uint8_t *input, size_t first)
{
    int32_t value;
    memcpy(&value, input + first, sizeof value);
    return value;
}

/* Z3 itself, on all conditions at once */
static enum solve_answer plain_z3(struct z3_tier *tier, struct expr_table *table, const expr_id *conditions,
                                  size_t count, uint8_t *model, size_t size)
{
    struct byte_list bytes = {0};
    list_bytes(&bytes, table, conditions, count);
    enum solve_answer answer = z3_tier_solve(tier, conditions, count, &bytes, model, size);
    free(bytes.bytes);
    return answer;
}

/* Expressions mean to Z3 what they mean to the reference: with the input fixed, all values at once are as expected, and
 * it cannot be otherwise. */
static void z3_agrees_with_the_reference(void **state)
{
    (void)state;
    struct pool *pool = test_malloc(sizeof *pool);
    for (unsigned round = 0; round < 25; round++) {
        struct expr_table *table = expr_table_create();
        struct z3_tier *tier = z3_tier_create(table, TIMEOUT);
        uint8_t input[INPUT_BYTES], model[INPUT_BYTES];
        expr_id conditions[INPUT_BYTES + 1], all = expr_constant(table, 1, 1);
        random_input(input, sizeof input);
        pool_fill(pool, table, 0, all_widths, WIDTHS);
        pool_evaluate(pool, input);
        for (size_t i = 0; i < pool->count; i++)
            all = expr_and(table, all, equals(table, pool->nodes[i].id, pool->nodes[i].value));
        for (unsigned i = 0; i < INPUT_BYTES; i++)
            conditions[i] = equals(table, expr_input(table, i), input[i]);
        conditions[INPUT_BYTES] = all;
        assert_int_equal(plain_z3(tier, table, conditions, INPUT_BYTES + 1, model, sizeof model), SOLVE_SATISFIABLE);
        assert_memory_equal(model, input, sizeof model);
        conditions[INPUT_BYTES] = expr_not(table, all);
        assert_int_equal(plain_z3(tier, table, conditions, INPUT_BYTES + 1, model, sizeof model), SOLVE_UNSATISFIABLE);
        z3_tier_destroy(tier);
        expr_table_destroy(table);
    }
    test_free(pool);
}

/* The same with circuits, which are compared by value: all bits of all nodes are as the reference says. */
static void circuits_agree_with_the_reference(void **state)
{
    (void)state;
    struct pool *pool = test_malloc(sizeof *pool);
    for (unsigned round = 0; round < 60; round++) {
        struct expr_table *table = expr_table_create();
        struct cadical_tier *tier = cadical_tier_create(table);
        struct byte_list bytes = {0};
        expr_id conditions[INPUT_BYTES + 1], all;
        pool_fill(pool, table, 0, all_widths, WIDTHS);
        for (unsigned i = 0; i < 8; i++) {
            uint8_t input[INPUT_BYTES], model[INPUT_BYTES];
            random_input(input, sizeof input);
            pool_evaluate(pool, input);
            all = expr_constant(table, 1, 1);
            for (size_t j = 0; j < pool->count; j++)
                all = expr_and(table, all, equals(table, pool->nodes[j].id, pool->nodes[j].value));
            for (unsigned j = 0; j < INPUT_BYTES; j++)
                conditions[j] = equals(table, expr_input(table, j), input[j]);
            conditions[INPUT_BYTES] = all;
            list_bytes(&bytes, table, conditions, INPUT_BYTES + 1);
            assert_int_equal(
                cadical_tier_solve(tier, conditions, INPUT_BYTES + 1, &bytes, model, sizeof model, TIMEOUT / 1000, -1),
                SOLVE_SATISFIABLE);
            assert_memory_equal(model, input, sizeof model);
            conditions[INPUT_BYTES] = expr_not(table, all);
            assert_int_equal(
                cadical_tier_solve(tier, conditions, INPUT_BYTES + 1, &bytes, model, sizeof model, TIMEOUT / 1000, -1),
                SOLVE_UNSATISFIABLE);
        }
        free(bytes.bytes);
        cadical_tier_destroy(tier);
        expr_table_destroy(table);
    }
    test_free(pool);
}

/* Random queries over three groups of bytes that some conditions connect */

struct conditions {
    expr_id ids[64];
    size_t count;
};

/* Mostly one that is not constant. */
static const struct reference *random_condition(const struct pool *pool)
{
    uint64_t value;
    for (unsigned attempt = 0;; attempt++) {
        const struct reference *node = &pool->nodes[random_below((unsigned)pool->count)];
        if (node->width == 1 && (attempt > 200 || !expr_is_constant(pool->table, node->id, &value)))
            return node;
    }
}

/* A condition that holds under the values of the last evaluation. */
static expr_id holding(struct expr_table *table, const struct reference *node)
{
    return node->value ? node->id : expr_not(table, node->id);
}

static void random_query(struct pool pools[PARTS], struct conditions *prefix, struct conditions *goals)
{
    struct expr_table *table = pools[0].table;
    *prefix = *goals = (struct conditions){0};
    for (unsigned i = random_below(12); i > 0; i--)
        prefix->ids[prefix->count++] = holding(table, random_condition(&pools[random_below(PARTS)]));
    if (random_below(2)) {
        const struct reference *one = random_condition(&pools[0]);
        const struct reference *other = random_condition(&pools[1]);
        prefix->ids[prefix->count++] = expr_or(table, holding(table, one), other->id);
    }
    if (random_below(8) == 0) /* the hint need not satisfy the prefix */
        prefix->ids[prefix->count++] = random_condition(&pools[random_below(PARTS)])->id;
    for (unsigned i = 1 + random_below(2); i > 0; i--)
        goals->ids[goals->count++] = expr_not(table, holding(table, random_condition(&pools[random_below(PARTS)])));
}

static void check_query(struct solver *solver, struct z3_tier *plain, struct expr_table *table,
                        const struct conditions *prefix, const struct conditions *goals, const uint8_t *hint)
{
    uint8_t model[INPUT_SIZE], ignored[INPUT_SIZE];
    struct conditions all = *prefix;
    for (size_t i = 0; i < goals->count; i++)
        all.ids[all.count++] = goals->ids[i];
    bool holds = expr_all_hold(table, prefix->ids, prefix->count, hint, INPUT_SIZE);
    struct solve_query query = {prefix->ids, prefix->count, goals->ids, goals->count, hint, INPUT_SIZE, holds};
    enum solve_answer answer = solver_query(solver, &query, model);
    assert_int_equal(answer, plain_z3(plain, table, all.ids, all.count, ignored, INPUT_SIZE));
    for (size_t i = 0; i < all.count && answer == SOLVE_SATISFIABLE; i++)
        assert_int_equal(expr_evaluate(table, all.ids[i], model, INPUT_SIZE), 1);
}

static void answers_agree_with_plain_z3(void **state)
{
    (void)state;
    struct pool *pools = test_malloc(PARTS * sizeof *pools);
    size_t by_cache = 0, by_cadical = 0;
    for (unsigned round = 0; round < 12; round++) {
        struct expr_table *table = expr_table_create();
        struct solver *solver = solver_create(table, TIMEOUT);
        struct z3_tier *plain = z3_tier_create(table, TIMEOUT);
        for (unsigned i = 0; i < PARTS; i++)
            pool_fill(&pools[i], table, i * INPUT_BYTES, all_widths, SMALL_WIDTHS);
        for (unsigned i = 0; i < 40; i++) {
            struct conditions prefix, goals;
            uint8_t hint[INPUT_SIZE];
            random_input(hint, sizeof hint);
            for (unsigned j = 0; j < PARTS; j++)
                pool_evaluate(&pools[j], hint);
            random_query(pools, &prefix, &goals);
            check_query(solver, plain, table, &prefix, &goals, hint);
            check_query(solver, plain, table, &prefix, &goals, hint);
        }
        by_cache += solver_statistics(solver)->by_cache;
        by_cadical += solver_statistics(solver)->by_cadical;
        assert_int_equal(solver_statistics(solver)->queries, 80);
        assert_int_equal(solver_statistics(solver)->unknown, 0);
        z3_tier_destroy(plain);
        solver_destroy(solver);
        expr_table_destroy(table);
    }
    assert_true(by_cache > 200 && by_cadical > 20);
    test_free(pools);
}

/* Each tier alone: what it says is what Z3 says, and unknown is allowed */

struct tier_count {
    unsigned tiers;
    size_t satisfiable, unsatisfiable, unknown;
};

static const struct tier_count all_tiers[] = {
    {.tiers = SOLVE_WITH_MODELS | SOLVE_WITH_CADICAL},
    {.tiers = SOLVE_WITH_RANGES},
    {.tiers = SOLVE_WITH_ORDER},
    {.tiers = SOLVE_WITH_SEARCH},
    {.tiers = SOLVE_WITH_CADICAL},
    {.tiers = SOLVE_WITH_CACHE | SOLVE_WITH_RANGES | SOLVE_WITH_ORDER},
    {.tiers = SOLVE_WITH_CACHE | SOLVE_WITH_CADICAL},
    {.tiers = SOLVE_WITH_ALL},
};

enum { TIER_SETS = sizeof all_tiers / sizeof *all_tiers };

static void check_tiers(struct solver *solvers[TIER_SETS], struct tier_count counts[TIER_SETS], struct z3_tier *plain,
                        struct expr_table *table, const struct conditions *prefix, const struct conditions *goals,
                        const uint8_t *hint, size_t size)
{
    uint8_t model[120], ignored[120];
    struct conditions all = *prefix;
    for (size_t i = 0; i < goals->count; i++)
        all.ids[all.count++] = goals->ids[i];
    struct solve_query query = {prefix->ids, prefix->count, goals->ids, goals->count, hint, size, false};
    enum solve_answer expected = plain_z3(plain, table, all.ids, all.count, ignored, size);
    for (unsigned i = 0; i < TIER_SETS; i++) {
        enum solve_answer answer = solver_query(solvers[i], &query, model);
        if (answer != expected)
            assert_int_equal(answer, SOLVE_UNKNOWN);
        for (size_t j = 0; j < all.count && answer == SOLVE_SATISFIABLE; j++)
            assert_int_equal(expr_evaluate(table, all.ids[j], model, size), 1);
        counts[i].satisfiable += answer == SOLVE_SATISFIABLE;
        counts[i].unsatisfiable += answer == SOLVE_UNSATISFIABLE;
        counts[i].unknown += answer == SOLVE_UNKNOWN;
    }
}

static void create_solvers(struct expr_table *table, struct solver *solvers[TIER_SETS])
{
    for (unsigned i = 0; i < TIER_SETS; i++) {
        solvers[i] = solver_create(table, TIMEOUT);
        solver_use(solvers[i], all_tiers[i].tiers);
    }
}

static void destroy_solvers(struct solver *solvers[TIER_SETS])
{
    for (unsigned i = 0; i < TIER_SETS; i++)
        solver_destroy(solvers[i]);
}

static void print_counts(const struct tier_count counts[TIER_SETS])
{
    for (unsigned i = 0; i < TIER_SETS; i++) {
        printf("# tiers %3u: %zu satisfiable, %zu unsatisfiable, %zu unknown\n", counts[i].tiers, counts[i].satisfiable,
               counts[i].unsatisfiable, counts[i].unknown);
        if (counts[i].tiers & SOLVE_WITH_CADICAL)
            assert_int_equal(counts[i].unknown, 0);
    }
}

static void tiers_agree_on_random_expressions(void **state)
{
    (void)state;
    struct pool *pools = test_malloc(PARTS * sizeof *pools);
    struct tier_count counts[TIER_SETS];
    memcpy(counts, all_tiers, sizeof counts);
    for (unsigned round = 0; round < 10; round++) {
        struct expr_table *table = expr_table_create();
        struct z3_tier *plain = z3_tier_create(table, TIMEOUT);
        struct solver *solvers[TIER_SETS];
        create_solvers(table, solvers);
        for (unsigned i = 0; i < PARTS; i++)
            pool_fill(&pools[i], table, i * INPUT_BYTES, all_widths, SMALL_WIDTHS);
        for (unsigned i = 0; i < 40; i++) {
            struct conditions prefix, goals;
            uint8_t hint[INPUT_SIZE];
            random_input(hint, sizeof hint);
            for (unsigned j = 0; j < PARTS; j++)
                pool_evaluate(&pools[j], hint);
            random_query(pools, &prefix, &goals);
            check_tiers(solvers, counts, plain, table, &prefix, &goals, hint, INPUT_SIZE);
        }
        destroy_solvers(solvers);
        z3_tier_destroy(plain);
        expr_table_destroy(table);
    }
    print_counts(counts);
    test_free(pools);
}

/* A comparison of variables, sums of them and constants that often are near each other, or near the ends. */
static expr_id random_term(struct expr_table *table, uint32_t first, unsigned width)
{
    static const uint64_t constants[] = {0, 1, 2, 3, 5, 7, 0x7fffffff, 0x7ffffffe, 0x80000000, 0x80000001, UINT32_MAX};
    uint32_t variable = first + 4 * random_below(5);
    expr_id term = width == 32 ? word(table, variable) : expr_input(table, variable);
    unsigned kind = random_below(12);
    if (kind < 4)
        return expr_constant(table, width, constants[random_below(sizeof constants / sizeof *constants)]);
    if (kind == 4)
        term = expr_make(table, PN_ADD, width, term, expr_constant(table, width, random_below(4)), 0);
    if (kind == 5)
        term = expr_make(table, PN_MUL, width, term, expr_constant(table, width, random_below(4)), 0);
    return term;
}

static expr_id random_comparison(struct expr_table *table, uint32_t first)
{
    static const enum pn_operation comparisons[] = {PN_SLT, PN_SLE, PN_SLT, PN_SLE, PN_EQ, PN_ULT, PN_ULE};
    unsigned width = random_below(4) ? 32 : 8;
    enum pn_operation comparison = comparisons[random_below(sizeof comparisons / sizeof *comparisons)];
    return expr_make(table, comparison, 1, random_term(table, first, width), random_term(table, first, width), 0);
}

static void tiers_agree_on_comparisons(void **state)
{
    (void)state;
    struct tier_count counts[TIER_SETS];
    memcpy(counts, all_tiers, sizeof counts);
    for (unsigned round = 0; round < 20; round++) {
        /* within the first 64 bytes, around their end, beyond; sometimes the last ones are not there */
        uint32_t first = round % 4 == 0 ? 100 : round % 4 == 1 ? 54 : 0;
        size_t size = first + (random_below(4) ? 20 : 14);
        struct expr_table *table = expr_table_create();
        struct z3_tier *plain = z3_tier_create(table, TIMEOUT);
        struct solver *solvers[TIER_SETS];
        create_solvers(table, solvers);
        for (unsigned i = 0; i < 40; i++) {
            struct conditions prefix = {0}, goals = {0};
            uint8_t hint[120] = {0};
            for (unsigned j = 0; j < 20; j += 4)
                hint[first + j] = (uint8_t)random_below(8);
            for (unsigned j = random_below(16); j > 0; j--) {
                expr_id condition = random_comparison(table, first);
                bool holds = expr_evaluate(table, condition, hint, size);
                prefix.ids[prefix.count++] = holds ? condition : expr_not(table, condition);
            }
            for (unsigned j = 1 + random_below(3); j > 0; j--)
                goals.ids[goals.count++] = random_comparison(table, first);
            check_tiers(solvers, counts, plain, table, &prefix, &goals, hint, size);
        }
        destroy_solvers(solvers);
        z3_tier_destroy(plain);
        expr_table_destroy(table);
    }
    print_counts(counts);
}

/* One table and solver with 16 zero bytes as the hint, for the tests below */

struct fixture {
    struct expr_table *table;
    struct solver *solver;
    uint8_t hint[16], model[16];
};

static int create_fixture(void **state)
{
    struct fixture *fixture = test_calloc(1, sizeof *fixture);
    fixture->table = expr_table_create();
    fixture->solver = solver_create(fixture->table, TIMEOUT);
    *state = fixture;
    return 0;
}

static int destroy_fixture(void **state)
{
    struct fixture *fixture = *state;
    solver_destroy(fixture->solver);
    expr_table_destroy(fixture->table);
    test_free(fixture);
    return 0;
}

static enum solve_answer ask(struct fixture *fixture, const expr_id *prefix, size_t count, expr_id goal, size_t size)
{
    struct solve_query query = {prefix, count, &goal, 1, fixture->hint, size, false};
    return solver_query(fixture->solver, &query, fixture->model);
}

static void bytes_outside_the_slice_keep_the_hint(void **state)
{
    struct fixture *f = *state;
    const uint8_t hint[16] = {1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 77, 88, 99, 111};
    memcpy(f->hint, hint, sizeof hint);
    expr_id less = expr_make(f->table, PN_SLT, 1, word(f->table, 0), word(f->table, 4), 0);
    expr_id prefix[] = {less, word_less(f->table, 8, 10), word_less(f->table, 4, 50)};
    assert_int_equal(ask(f, prefix, 3, equals(f->table, word(f->table, 0), 40), 16), SOLVE_SATISFIABLE);
    assert_int_equal(word_in(f->model, 0), 40);
    assert_in_range(word_in(f->model, 4), 41, 49);
    assert_memory_equal(f->model + 8, hint + 8, 8);
    assert_int_equal(solver_statistics(f->solver)->by_search, 1);
}

static void tiers_count_their_answers(void **state)
{
    struct fixture *f = *state;
    struct solve_tier tier;
    size_t satisfiable = 0, unsatisfiable = 0, tiers = 0;
    expr_id below = word_less(f->table, 0, 10);
    assert_int_equal(ask(f, NULL, 0, equals(f->table, word(f->table, 0), 40), 16), SOLVE_SATISFIABLE);
    assert_int_equal(ask(f, &below, 1, equals(f->table, word(f->table, 0), 40), 16), SOLVE_UNSATISFIABLE);
    for (; solver_tier(f->solver, tiers, &tier); tiers++) {
        assert_non_null(tier.name);
        satisfiable += tier.satisfiable;
        unsatisfiable += tier.unsatisfiable;
    }
    assert_true(tiers > 1);
    assert_int_equal(satisfiable, 1);
    assert_int_equal(unsatisfiable, 1);
}

static void bytes_that_are_not_needed_keep_the_hint(void **state)
{
    struct fixture *f = *state;
    const uint8_t hint[16] = {5, 6, 7, 0, 1, 2, 3, 4};
    memcpy(f->hint, hint, sizeof hint);
    expr_id goal = expr_make(f->table, PN_SLT, 1, word(f->table, 0), expr_constant(f->table, 32, 0), 0);
    expr_id prefix = expr_not(f->table, expr_make(f->table, PN_EQ, 1, word(f->table, 0), word(f->table, 4), 0));
    assert_int_equal(ask(f, &prefix, 1, goal, 16), SOLVE_SATISFIABLE);
    assert_true(word_in(f->model, 0) < 0);
    assert_memory_equal(f->model + 4, hint + 4, 12);
    /* and bytes of a variable, when a solver chose it */
    solver_use(f->solver, SOLVE_WITH_CADICAL);
    assert_int_equal(ask(f, &prefix, 1, goal, 16), SOLVE_SATISFIABLE);
    assert_true(word_in(f->model, 0) < 0);
    assert_memory_equal(f->model, hint, 3); /* the sign is in the fourth */
    assert_memory_equal(f->model + 4, hint + 4, 12);
}

static void constants_and_the_hint_need_no_solver(void **state)
{
    struct fixture *f = *state;
    expr_id yes = expr_constant(f->table, 1, 1), no = expr_constant(f->table, 1, 0);
    assert_int_equal(ask(f, &no, 1, yes, 16), SOLVE_UNSATISFIABLE);
    assert_int_equal(ask(f, &yes, 1, no, 16), SOLVE_UNSATISFIABLE);
    assert_int_equal(ask(f, &yes, 1, word_less(f->table, 0, 5), 16), SOLVE_SATISFIABLE);
    assert_memory_equal(f->model, f->hint, 16);
    assert_int_equal(ask(f, NULL, 0, yes, 0), SOLVE_SATISFIABLE);
    const struct solve_statistics *statistics = solver_statistics(f->solver);
    assert_int_equal(statistics->queries, 4);
    assert_int_equal(statistics->by_evaluation, 4);
}

static void answers_are_remembered(void **state)
{
    struct fixture *f = *state;
    const struct solve_statistics *statistics = solver_statistics(f->solver);
    expr_id a = word_less(f->table, 0, 10), b = word_less(f->table, 0, 20);
    expr_id at_least = expr_not(f->table, word_less(f->table, 0, 15));
    expr_id prefix[] = {a, b, a};
    solver_use(f->solver, SOLVE_WITH_CACHE | SOLVE_WITH_MODELS | SOLVE_WITH_CADICAL);
    assert_int_equal(ask(f, prefix, 2, at_least, 16), SOLVE_UNSATISFIABLE);
    assert_int_equal(statistics->by_cadical, 1);
    /* another order, a repetition, another hint, unrelated conditions beside it */
    f->hint[8] = 1;
    expr_id more[] = {b, a, a, word_less(f->table, 8, 100)};
    assert_int_equal(ask(f, more, 4, at_least, 16), SOLVE_UNSATISFIABLE);
    assert_int_equal(statistics->by_cache, 1);
    /* what the contradiction did not need may be missing, and there may be more */
    expr_id other[] = {a, expr_not(f->table, equals(f->table, word(f->table, 0), 3))};
    assert_int_equal(ask(f, other, 2, at_least, 16), SOLVE_UNSATISFIABLE);
    assert_int_equal(statistics->by_cache, 2);
    /* without a part of it there is another answer */
    assert_int_equal(ask(f, &b, 1, at_least, 16), SOLVE_SATISFIABLE);
    assert_in_range(word_in(f->model, 0), 15, 19);
    assert_int_equal(statistics->by_cadical, 2);
    f->hint[8] = 2;
    assert_int_equal(ask(f, &b, 1, at_least, 16), SOLVE_SATISFIABLE);
    assert_int_equal(f->model[8], 2);
    assert_int_equal(statistics->by_cache, 3);
    /* a model of the one serves the other */
    assert_int_equal(ask(f, NULL, 0, at_least, 16), SOLVE_SATISFIABLE);
    assert_int_equal(statistics->by_models, 1);
    assert_int_equal(statistics->by_cadical, 2);
}

/* Where a run has shown that the prefix holds, only what hangs together with the goal is looked at: all of it. */
static void remembered_answers_are_those_of_everything_connected(void **state)
{
    struct fixture *f = *state;
    const struct solve_statistics *statistics = solver_statistics(f->solver);
    expr_id same = expr_make(f->table, PN_EQ, 1, word(f->table, 0), word(f->table, 4), 0);
    expr_id prefix[] = {same, word_less(f->table, 8, 9), word_less(f->table, 4, 3)};
    expr_id goal = expr_not(f->table, word_less(f->table, 0, 5));
    struct solve_query query = {prefix, 2, &goal, 1, f->hint, 16, true};
    assert_int_equal(solver_query(f->solver, &query, f->model), SOLVE_SATISFIABLE);
    f->hint[8] = 7;
    assert_int_equal(solver_query(f->solver, &query, f->model), SOLVE_SATISFIABLE);
    assert_int_equal(statistics->by_cache, 1);
    assert_true(word_in(f->model, 0) >= 5 && word_in(f->model, 0) == word_in(f->model, 4));
    assert_int_equal(word_in(f->model, 8), 7);
    query.prefix_count = 3;
    assert_int_equal(solver_query(f->solver, &query, f->model), SOLVE_UNSATISFIABLE);
}

static void prefix_that_the_hint_violates_is_solved_too(void **state)
{
    struct fixture *f = *state;
    expr_id prefix[] = {equals(f->table, word(f->table, 0), 3), word_less(f->table, 4, 5)};
    assert_int_equal(ask(f, prefix, 2, equals(f->table, word(f->table, 8), 9), 16), SOLVE_SATISFIABLE);
    assert_int_equal(word_in(f->model, 0), 3);
    assert_int_equal(word_in(f->model, 4), 0);
    assert_int_equal(word_in(f->model, 8), 9);
    expr_id contradiction[] = {prefix[0], equals(f->table, word(f->table, 0), 4)};
    assert_int_equal(ask(f, contradiction, 2, word_less(f->table, 8, 5), 16), SOLVE_UNSATISFIABLE);
}

static void bytes_past_the_end_are_zero(void **state)
{
    struct fixture *f = *state;
    expr_id goal = equals(f->table, word(f->table, 8), 9);
    expr_id sum = expr_make(f->table, PN_ADD, 32, word(f->table, 0), word(f->table, 8), 0);
    assert_int_equal(ask(f, NULL, 0, goal, 8), SOLVE_UNSATISFIABLE);
    assert_int_equal(ask(f, NULL, 0, goal, 16), SOLVE_SATISFIABLE);
    assert_int_equal(ask(f, NULL, 0, goal, 8), SOLVE_UNSATISFIABLE);
    assert_int_equal(ask(f, NULL, 0, equals(f->table, sum, 7), 8), SOLVE_SATISFIABLE);
    assert_int_equal(word_in(f->model, 0), 7);
}

static void time_limit_gives_unknown(void **state)
{
    (void)state;
    struct expr_table *table = expr_table_create();
    struct solver *solver = solver_create(table, 20);
    expr_id a = expr_make(table, PN_ZEXT, 64, word(table, 0), 0, 0),
            b = expr_make(table, PN_ZEXT, 64, word(table, 4), 0, 0);
    expr_id one = expr_constant(table, 64, 1);
    expr_id prefix[] = {expr_make(table, PN_ULT, 1, one, a, 0), expr_make(table, PN_ULT, 1, one, b, 0)};
    /* the product of two primes */
    expr_id goal = equals(table, expr_make(table, PN_MUL, 64, a, b, 0), UINT64_C(3037000493) * UINT64_C(2860486313));
    uint8_t hint[8] = {0}, model[8];
    struct solve_query query = {prefix, 2, &goal, 1, hint, 8, false};
    assert_int_equal(solver_query(solver, &query, model), SOLVE_UNKNOWN);
    assert_int_equal(solver_query(solver, &query, model), SOLVE_UNKNOWN);
    assert_int_equal(solver_statistics(solver)->unknown, 2);
    solver_destroy(solver);
    /* also where the question might have an hour, but the whole exploration has not */
    solver = solver_create(table, 3600 * 1000);
    double start = clock_seconds();
    solver_stop_at(solver, start + 0.02);
    assert_int_equal(solver_query(solver, &query, model), SOLVE_UNKNOWN);
    assert_true(clock_seconds() - start < 60);
    solver_destroy(solver);
    expr_table_destroy(table);
}

/* Exploration has several steps with times of their own. */
static void time_that_was_over_is_no_answer(void **state)
{
    struct fixture *f = *state;
    expr_id less = word_less(f->table, 0, 7);
    solver_use(f->solver, SOLVE_WITH_CACHE | SOLVE_WITH_CADICAL);
    solver_stop_at(f->solver, clock_seconds() - 1);
    assert_int_equal(ask(f, &less, 1, equals(f->table, word(f->table, 0), 5), 16), SOLVE_UNKNOWN);
    solver_stop_at(f->solver, clock_seconds() + 3600);
    assert_int_equal(ask(f, &less, 1, equals(f->table, word(f->table, 0), 5), 16), SOLVE_SATISFIABLE);
    assert_int_equal(word_in(f->model, 0), 5);
}

/* x * x + 1 <= 1 where the square does not overflow and x < 0: seconds for Z3, and more for CaDiCaL. */
static void ranges_know_that_squares_are_not_negative(void **state)
{
    struct fixture *f = *state;
    expr_id x = word(f->table, 0), one = expr_constant(f->table, 32, 1);
    expr_id square = expr_make(f->table, PN_MUL, 32, x, x, 0);
    expr_id prefix[] = {word_less(f->table, 0, 0), expr_no_signed_overflow(f->table, PN_MUL, x, x)};
    expr_id goal = expr_make(f->table, PN_SLE, 1, expr_make(f->table, PN_ADD, 32, square, one, 0), one, 0);
    assert_int_equal(ask(f, prefix, 2, goal, 16), SOLVE_UNSATISFIABLE);
    assert_int_equal(solver_statistics(f->solver)->by_ranges, 1);
}

/* a < b, b <= c, c < d: then d < a cannot be, and the proof serves every query that has these four. */
static void orders_are_followed_around(void **state)
{
    struct fixture *f = *state;
    expr_id a = word(f->table, 0), b = word(f->table, 4), c = word(f->table, 8), d = word(f->table, 12);
    expr_id prefix[] = {expr_make(f->table, PN_SLT, 1, a, b, 0), expr_make(f->table, PN_SLE, 1, b, c, 0),
                        expr_make(f->table, PN_SLT, 1, c, d, 0), word_less(f->table, 12, 2)};
    const uint8_t hint[16] = {0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0};
    memcpy(f->hint, hint, sizeof hint);
    solver_use(f->solver, SOLVE_WITH_ORDER | SOLVE_WITH_CACHE);
    assert_int_equal(ask(f, prefix, 3, expr_make(f->table, PN_SLT, 1, d, a, 0), 16), SOLVE_UNSATISFIABLE);
    assert_int_equal(ask(f, prefix, 4, expr_make(f->table, PN_SLT, 1, d, a, 0), 16), SOLVE_UNSATISFIABLE);
    assert_int_equal(solver_statistics(f->solver)->by_ranges, 1);
    assert_int_equal(solver_statistics(f->solver)->by_cache, 1);
    /* all three move down to make room */
    assert_int_equal(ask(f, prefix, 4, equals(f->table, a, 0x80000000), 16), SOLVE_SATISFIABLE);
    assert_int_equal(ask(f, prefix, 3, equals(f->table, d, (uint64_t)-5), 16), SOLVE_SATISFIABLE);
    assert_int_equal(word_in(f->model, 12), -5);
    assert_true(word_in(f->model, 0) < word_in(f->model, 4) && word_in(f->model, 4) <= word_in(f->model, 8));
    assert_int_equal(solver_statistics(f->solver)->by_search, 2);
    assert_int_equal(solver_statistics(f->solver)->unknown, 0);
}

static void search_inverts_operations(void **state)
{
    struct fixture *f = *state;
    struct expr_table *t = f->table;
    expr_id x = word(t, 0), y = word(t, 4), three = expr_constant(t, 32, 3), ten = expr_constant(t, 32, 10);
    expr_id sum = expr_make(t, PN_ADD, 32, expr_make(t, PN_MUL, 32, x, three, 0), y, 0);
    const expr_id goals[] = {
        equals(t, sum, 1234),
        equals(t, expr_make(t, PN_SREM, 32, x, ten, 0), 7),
        equals(t, expr_make(t, PN_SDIV, 32, x, ten, 0), 77),
        equals(t, expr_make(t, PN_AND, 32, x, expr_constant(t, 32, 0xf0), 0), 0x30),
        expr_make(t, PN_SLT, 1, expr_make(t, PN_ADD, 32, x, y, 0), expr_constant(t, 32, (uint64_t)-100), 0),
        equals(t, expr_make(t, PN_XOR, 32, expr_make(t, PN_SHL, 32, x, three, 0), ten, 0), 0x12342),
        expr_not(t, expr_make(t, PN_EQ, 1, x, y, 0)),
    };
    solver_use(f->solver, SOLVE_WITH_SEARCH);
    for (size_t i = 0; i < sizeof goals / sizeof *goals; i++)
        assert_int_equal(ask(f, NULL, 0, goals[i], 16), SOLVE_SATISFIABLE);
}

static expr_id less(struct expr_table *t, enum pn_operation operation, expr_id x, int64_t value)
{
    return expr_make(t, operation, 1, x, expr_constant(t, 32, (uint64_t)value), 0);
}

static expr_id negated_either(struct expr_table *t, expr_id one, expr_id other)
{
    return expr_not(t, expr_make(t, PN_OR, 1, one, other, 0));
}

/* Bounds are found in conditions as folding leaves them. Divided by 7, no square leaves 3, where it does not wrap
 * around. */
static void few_inputs_are_tried_one_by_one(void **state)
{
    struct fixture *f = *state;
    struct expr_table *t = f->table;
    expr_id x = word(t, 0), y = word(t, 4), square = expr_make(t, PN_MUL, 32, x, x, 0);
    expr_id rest = expr_make(t, PN_UREM, 32, expr_make(t, PN_MUL, 32, square, y, 0), expr_constant(t, 32, 40009), 0);
    expr_id high = expr_constant(t, 32, 200);
    expr_id both = negated_either(t, expr_make(t, PN_ULT, 1, high, x, 0), expr_make(t, PN_ULT, 1, high, y, 0));
    expr_id near = expr_make(t, PN_AND, 1, less(t, PN_SLT, x, 60), expr_not(t, less(t, PN_SLT, x, -60)), 0);
    expr_id remainder = expr_make(t, PN_UREM, 32, square, expr_constant(t, 32, 7), 0);
    solver_use(f->solver, SOLVE_WITH_SEARCH);
    assert_int_equal(ask(f, &both, 1, equals(t, rest, 40010), 16), SOLVE_UNSATISFIABLE);
    assert_int_equal(ask(f, &near, 1, equals(t, remainder, 3), 16), SOLVE_UNSATISFIABLE);
    assert_int_equal(ask(f, &near, 1, equals(t, remainder, 2), 16), SOLVE_SATISFIABLE);
    expr_id last = expr_make(t, PN_AND, 1, equals(t, x, 199), equals(t, y, 200), 0);
    assert_int_equal(ask(f, &both, 1, last, 16), SOLVE_SATISFIABLE);
}

/* (..((x + y ^ 1) + y ^ 2)..) */
static expr_id deep_chain(struct expr_table *table, unsigned length)
{
    expr_id x = word(table, 0), y = word(table, 4), chain = x;
    for (unsigned i = 0; i < length; i++)
        chain = expr_make(table, PN_XOR, 32, expr_make(table, PN_ADD, 32, chain, y, 0),
                          expr_constant(table, 32, i % 255 + 1), 0);
    return chain;
}

static enum solve_answer solve_chain(struct fixture *f, unsigned length, unsigned timeout)
{
    struct solver *solver = solver_create(f->table, timeout);
    const uint8_t wanted[16] = {0x5a, 1, 2, 0x80, 0xf3};
    expr_id chain = deep_chain(f->table, length), prefix = equals(f->table, word(f->table, 4), 0xf3);
    expr_id goal = equals(f->table, chain, expr_evaluate(f->table, chain, wanted, sizeof wanted));
    struct solve_query query = {&prefix, 1, &goal, 1, f->hint, sizeof f->hint, false};
    enum solve_answer answer = solver_query(solver, &query, f->model);
    solver_destroy(solver);
    if (answer == SOLVE_SATISFIABLE)
        assert_memory_equal(f->model, wanted, sizeof wanted);
    return answer;
}

static void deep_chains_are_solved(void **state)
{
    assert_int_equal(solve_chain(*state, 300, 60000), SOLVE_SATISFIABLE);
}

/* Z3 may well give up on it; nothing may overflow, and the limit holds. */
static void deepest_chains_do_no_harm(void **state)
{
    assert_int_not_equal(solve_chain(*state, DEEP, 100), SOLVE_UNSATISFIABLE);
}

static void cache_compares_whole_keys(void **state)
{
    (void)state;
    struct cache *cache = cache_create(1 << 20);
    enum { KEYS = 3000 };
    for (expr_id i = 0; i < KEYS; i++) {
        const expr_id key[] = {i / 50, i, i + 7};
        struct assignment assignment = {.byte = i, .value = (uint8_t)i};
        struct cached_answer answer = {i % 2 ? SOLVE_UNSATISFIABLE : SOLVE_SATISFIABLE, &assignment, i % 2 == 0};
        assert_null(cache_find(cache, key, 3));
        cache_add(cache, key, 3, &answer);
    }
    for (expr_id i = 0; i < KEYS; i++) {
        const expr_id key[] = {i / 50, i, i + 7};
        const struct cached_answer *answer = cache_find(cache, key, 3);
        assert_non_null(answer);
        assert_int_equal(answer->answer, i % 2 ? SOLVE_UNSATISFIABLE : SOLVE_SATISFIABLE);
        assert_true(i % 2 || (answer->assignment_count == 1 && answer->assignments[0].byte == i));
        assert_null(cache_find(cache, key, 2));
        assert_null(cache_find(cache, key + 1, 2));
    }
    cache_destroy(cache);
}

int main(void)
{
#define WITH_FIXTURE(test) cmocka_unit_test_setup_teardown(test, create_fixture, destroy_fixture)
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(z3_agrees_with_the_reference),
        cmocka_unit_test(circuits_agree_with_the_reference),
        cmocka_unit_test(answers_agree_with_plain_z3),
        cmocka_unit_test(tiers_agree_on_random_expressions),
        cmocka_unit_test(tiers_agree_on_comparisons),
        WITH_FIXTURE(bytes_outside_the_slice_keep_the_hint),
        WITH_FIXTURE(tiers_count_their_answers),
        WITH_FIXTURE(bytes_that_are_not_needed_keep_the_hint),
        WITH_FIXTURE(constants_and_the_hint_need_no_solver),
        WITH_FIXTURE(answers_are_remembered),
        WITH_FIXTURE(remembered_answers_are_those_of_everything_connected),
        WITH_FIXTURE(prefix_that_the_hint_violates_is_solved_too),
        WITH_FIXTURE(bytes_past_the_end_are_zero),
        cmocka_unit_test(time_limit_gives_unknown),
        WITH_FIXTURE(time_that_was_over_is_no_answer),
        WITH_FIXTURE(ranges_know_that_squares_are_not_negative),
        WITH_FIXTURE(orders_are_followed_around),
        WITH_FIXTURE(search_inverts_operations),
        WITH_FIXTURE(few_inputs_are_tried_one_by_one),
        WITH_FIXTURE(deep_chains_are_solved),
        WITH_FIXTURE(deepest_chains_do_no_harm),
        cmocka_unit_test(cache_compares_whole_keys),
    };
    return cmocka_run_group_tests(tests, choose_seed, NULL);
}

/* Questions that the solver writes can be replayed: another solver reads them, and gives the same answer. */
#include "base/file.h"
#include "base/text.h"
#include "random_expr.h"
#include "solve/solve.h"

#include <string.h>
#include <z3.h>

enum { TIMEOUT = 600000, MOST_QUESTIONS = 60 };

static bool read_dump(const char *directory, size_t number, struct text *text)
{
    struct text path = {0};
    struct error error = {0};
    text_format(&path, "%s/%06zu.smt2", directory, number);
    bool good = file_read(text_string(&path), text, &error);
    error_clear(&error);
    text_free(&path);
    return good;
}

/* What Z3 makes of the text alone. */
static Z3_lbool replay(const char *text)
{
    Z3_config configuration = Z3_mk_config();
    Z3_context context = Z3_mk_context(configuration);
    Z3_ast_vector all = Z3_parse_smtlib2_string(context, text, 0, NULL, NULL, 0, NULL, NULL);
    assert_int_equal(Z3_get_error_code(context), Z3_OK);
    Z3_ast_vector_inc_ref(context, all);
    Z3_solver solver = Z3_mk_simple_solver(context);
    Z3_solver_inc_ref(context, solver);
    for (unsigned i = 0; i < Z3_ast_vector_size(context, all); i++)
        Z3_solver_assert(context, solver, Z3_ast_vector_get(context, all, i));
    Z3_lbool result = Z3_solver_check(context, solver);
    Z3_solver_dec_ref(context, solver);
    Z3_ast_vector_dec_ref(context, all);
    Z3_del_context(context);
    Z3_del_config(configuration);
    return result;
}

/* Random conditions of width 1, each asked alone. */
static void ask(const char *directory)
{
    struct pool *pool = test_malloc(sizeof *pool);
    struct expr_table *table = expr_table_create();
    struct solver *solver = solver_create(table, TIMEOUT);
    solver_dump_to(solver, directory);
    pool_fill(pool, table, 0, all_widths, WIDTHS);
    for (size_t i = 0; i < pool->count; i++) {
        expr_id id = pool->nodes[i].id;
        if (expr_get(table, id)->width > 1)
            id = expr_make(table, PN_EQ, 1, id, expr_constant(table, expr_get(table, id)->width, 77), 0);
        uint8_t hint[INPUT_BYTES] = {0}, model[INPUT_BYTES];
        struct solve_query query = {.goals = &id, .goal_count = 1, .hint = hint, .input_size = sizeof hint};
        solver_query(solver, &query, model);
    }
    solver_destroy(solver);
    expr_table_destroy(table);
    test_free(pool);
}

static void dumped_questions_have_the_same_answer(void **state)
{
    (void)state;
    char directory[256];
    struct error error = {0};
    size_t satisfiable = 0, unsatisfiable = 0;
    assert_true(file_make_scratch(directory, &error));
    ask(directory);
    for (size_t number = 1; number <= MOST_QUESTIONS; number++) {
        struct text text = {0};
        if (read_dump(directory, number, &text)) {
            bool is_sat = strstr(text_string(&text), "(set-info :status sat)");
            bool is_unsat = strstr(text_string(&text), "(set-info :status unsat)");
            assert_true(is_sat || is_unsat);
            assert_non_null(strstr(text_string(&text), "(check-sat)"));
            assert_int_equal(replay(text_string(&text)), is_sat ? Z3_L_TRUE : Z3_L_FALSE);
            satisfiable += is_sat, unsatisfiable += is_unsat;
        }
        text_free(&text);
    }
    assert_true(satisfiable > 0);
    assert_true(unsatisfiable > 0);
    file_remove_tree(directory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dumped_questions_have_the_same_answer),
    };
    return cmocka_run_group_tests(tests, choose_seed, NULL);
}

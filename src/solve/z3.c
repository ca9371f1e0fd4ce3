/* Each query gets a fresh solver that runs the tactic "smt": measured on small queries with comparisons, products,
 * remainders and parsed digits, it took a half to a fifth of the time of a simple solver, fresh or incremental, and
 * less than QF_BV's own tactic. It looks at the whole problem before it chooses its set-up. With floating point in the
 * query it is "qffp", which left 15 of 60 random queries unanswered after a second where "smt" left 26. */
#include "solve/z3.h"

#include "base/arena.h"
#include "solve/z3_terms.h"

#include <malloc.h>
#include <stdlib.h>

/* For one query, and of what is kept from one to the next: the terms of all that was asked, and what Z3 itself keeps.
 */
enum { MOST_MEGABYTES = 192, MOST_KEPT_MEGABYTES = 32 };
/* Of a query, by z3_size(). None of Z3's own limits holds for what it makes of a query before it searches: twice as many
 * took 350 MB, four times as many 1,700. */
enum { MOST_BITS = 1 << 21 };

struct z3_tier {
    struct expr_table *table;
    Z3_context context;
    Z3_tactic tactic, floating_tactic;
    Z3_params parameters;
    struct z3_terms *terms;
    unsigned milliseconds; /* of a query; 0: no limit */
    uint64_t bytes_at_first;
};

/* Errors stay in the context until somebody asks; the default handler would end the process. */
static void keep_error(Z3_context context, Z3_error_code code)
{
    (void)context;
    (void)code;
}

static void begin(struct z3_tier *tier)
{
    Z3_config configuration = Z3_mk_config();
    tier->context = Z3_mk_context_rc(configuration);
    Z3_del_config(configuration);
    Z3_set_error_handler(tier->context, keep_error);
    tier->terms = z3_terms_create(tier->table, tier->context);
    tier->tactic = Z3_mk_tactic(tier->context, "smt");
    Z3_tactic_inc_ref(tier->context, tier->tactic);
    tier->floating_tactic = Z3_mk_tactic(tier->context, "qffp");
    Z3_tactic_inc_ref(tier->context, tier->floating_tactic);
    tier->parameters = Z3_mk_params(tier->context);
    Z3_params_inc_ref(tier->context, tier->parameters);
    /* Ctrl-C is for the explorer, which keeps what was found: Z3 must not take the signal. */
    Z3_params_set_bool(tier->context, tier->parameters, Z3_mk_string_symbol(tier->context, "ctrl_c"), false);
    Z3_params_set_uint(tier->context, tier->parameters, Z3_mk_string_symbol(tier->context, "max_memory"),
                       MOST_MEGABYTES);
    z3_tier_set_timeout(tier, tier->milliseconds);
    tier->bytes_at_first = Z3_get_estimated_alloc_size();
}

static void end(struct z3_tier *tier)
{
    z3_terms_destroy(tier->terms);
    Z3_params_dec_ref(tier->context, tier->parameters);
    Z3_tactic_dec_ref(tier->context, tier->tactic);
    Z3_tactic_dec_ref(tier->context, tier->floating_tactic);
    Z3_del_context(tier->context);
}

struct z3_tier *z3_tier_create(struct expr_table *table, unsigned timeout_milliseconds)
{
    size_t capacity = 0;
    struct z3_tier *tier = array_reserve(NULL, &capacity, 1, sizeof *tier);
    *tier = (struct z3_tier){.table = table, .milliseconds = timeout_milliseconds};
    begin(tier);
    return tier;
}

void z3_tier_set_timeout(struct z3_tier *tier, unsigned timeout_milliseconds)
{
    tier->milliseconds = timeout_milliseconds;
    /* Z3's number for "no limit" is the greatest. */
    Z3_params_set_uint(tier->context, tier->parameters, Z3_mk_string_symbol(tier->context, "timeout"),
                       timeout_milliseconds > 0 ? timeout_milliseconds : UINT32_MAX);
}

void z3_tier_destroy(struct z3_tier *tier)
{
    end(tier);
    free(tier);
}

/* What Z3 has allocated is known of the whole process only. */
static void tidy(struct z3_tier *tier)
{
    uint64_t bytes = Z3_get_estimated_alloc_size();
    if (bytes < tier->bytes_at_first + ((uint64_t)MOST_KEPT_MEGABYTES << 20))
        return;
    end(tier);
    begin(tier);
    malloc_trim(0);
}

static Z3_ast byte_term(struct z3_tier *tier, uint32_t byte)
{
    return z3_term(tier->terms, expr_input(tier->table, byte));
}

/* Each call of Z3 forgets the error of the one before. */
static bool has_failed(const struct z3_tier *tier)
{
    return Z3_get_error_code(tier->context) != Z3_OK;
}

static bool assert_term(const struct z3_tier *tier, Z3_solver solver, Z3_ast term)
{
    if (!term)
        return false;
    Z3_solver_assert(tier->context, solver, term);
    return !has_failed(tier);
}

static bool assert_equal(const struct z3_tier *tier, Z3_solver solver, Z3_ast term, Z3_ast value)
{
    return term && value && assert_term(tier, solver, Z3_mk_eq(tier->context, term, value));
}

static bool assert_conditions(struct z3_tier *tier, Z3_solver solver, const expr_id *conditions, size_t count)
{
    Z3_ast one = z3_term(tier->terms, expr_constant(tier->table, 1, 1));
    for (size_t i = 0; i < count; i++)
        if (!assert_equal(tier, solver, z3_term(tier->terms, conditions[i]), one))
            return false;
    size_t definition_count;
    const Z3_ast *definitions = z3_definitions(tier->terms, conditions, count, &definition_count);
    for (size_t i = 0; i < definition_count; i++)
        if (!assert_term(tier, solver, definitions[i]))
            return false;
    return true;
}

static bool assert_end(struct z3_tier *tier, Z3_solver solver, const struct byte_list *bytes, size_t size)
{
    if (bytes->count == 0 || bytes->bytes[bytes->count - 1] < size)
        return true;
    Z3_ast zero = z3_term(tier->terms, expr_constant(tier->table, 8, 0));
    for (size_t i = 0; i < bytes->count; i++)
        if (bytes->bytes[i] >= size && !assert_equal(tier, solver, byte_term(tier, bytes->bytes[i]), zero))
            return false;
    return true;
}

static void read_model(struct z3_tier *tier, Z3_solver solver, const struct byte_list *bytes, uint8_t *input,
                       size_t size)
{
    Z3_model model = Z3_solver_get_model(tier->context, solver);
    if (!model)
        return;
    Z3_model_inc_ref(tier->context, model);
    for (size_t i = 0; i < bytes->count && bytes->bytes[i] < size; i++) {
        Z3_app byte = Z3_to_app(tier->context, byte_term(tier, bytes->bytes[i]));
        Z3_ast value = Z3_model_get_const_interp(tier->context, model, Z3_get_app_decl(tier->context, byte));
        unsigned number;
        if (value && Z3_get_numeral_uint(tier->context, value, &number))
            input[bytes->bytes[i]] = (uint8_t)number;
    }
    Z3_model_dec_ref(tier->context, model);
}

static enum solve_answer check(struct z3_tier *tier, Z3_solver solver, const struct byte_list *bytes, uint8_t *model,
                               size_t size)
{
    Z3_lbool result = Z3_solver_check(tier->context, solver);
    if (has_failed(tier) || result == Z3_L_UNDEF)
        return SOLVE_UNKNOWN;
    if (result == Z3_L_FALSE)
        return SOLVE_UNSATISFIABLE;
    read_model(tier, solver, bytes, model, size);
    return SOLVE_SATISFIABLE;
}

enum solve_answer z3_tier_solve(struct z3_tier *tier, const expr_id *conditions, size_t count,
                                const struct byte_list *bytes, uint8_t *model, size_t size)
{
    enum solve_answer answer = SOLVE_UNKNOWN;
    bool has_floating = false;
    if (z3_size(tier->terms, conditions, count) > MOST_BITS)
        return SOLVE_UNKNOWN;
    for (size_t i = 0; i < count; i++)
        has_floating |= expr_has_floating(tier->table, conditions[i]);
    Z3_solver solver = Z3_mk_solver_from_tactic(tier->context, has_floating ? tier->floating_tactic : tier->tactic);
    if (!solver)
        return SOLVE_UNKNOWN;
    Z3_solver_inc_ref(tier->context, solver);
    Z3_solver_set_params(tier->context, solver, tier->parameters);
    if (assert_conditions(tier, solver, conditions, count) && assert_end(tier, solver, bytes, size))
        answer = check(tier, solver, bytes, model, size);
    Z3_solver_dec_ref(tier->context, solver);
    tidy(tier);
    return answer;
}

void z3_tier_print(struct z3_tier *tier, const expr_id *conditions, size_t count, const struct byte_list *bytes,
                   size_t size, struct text *text)
{
    Z3_solver solver = Z3_mk_simple_solver(tier->context);
    if (!solver)
        return;
    Z3_solver_inc_ref(tier->context, solver);
    if (assert_conditions(tier, solver, conditions, count) && assert_end(tier, solver, bytes, size))
        text_format(text, "%s(check-sat)\n", Z3_solver_to_string(tier->context, solver));
    else
        text_add(text, "; Z3 has no memory for it\n");
    Z3_solver_dec_ref(tier->context, solver);
}

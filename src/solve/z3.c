/* Translation into Z3's terms and back.
 *
 * A value of width w is a bit-vector of w bits, conditions included; an input byte is a constant named by its number. The
 * term of each expression is made once and kept (with a reference of ours) for all later queries.
 *
 * Each query gets a fresh solver that runs the tactic "smt": measured on small queries with comparisons, products,
 * remainders and parsed digits, it took a half to a fifth of the time of a simple solver, fresh or incremental, and less
 * than QF_BV's own tactic. It looks at the whole problem before it chooses its set-up. */
#include "solve/z3.h"

#include "base/arena.h"

#include <stdlib.h>
#include <string.h>
#include <z3.h>

struct z3_tier {
    struct expr_table *table;
    Z3_context context;
    Z3_tactic tactic;
    Z3_params parameters;
    Z3_ast one, zero; /* of width 1 */
    Z3_ast *terms;    /* per expression; NULL: not translated */
    size_t term_capacity;
    expr_id *cone; /* what is being translated: stack and list */
    size_t cone_count, cone_capacity;
};

/* Errors stay in the context until somebody asks; the default handler would end the process. */
static void keep_error(Z3_context context, Z3_error_code code)
{
    (void)context;
    (void)code;
}

/* Operations */

typedef Z3_ast make_binary(Z3_context context, Z3_ast a, Z3_ast b);
typedef Z3_ast make_term(const struct z3_tier *tier, const struct expr *expr, Z3_ast a, Z3_ast b, Z3_ast c);

static make_term make_constant, make_input, make_zext, make_sext, make_extract, make_ite;

struct row {
    make_binary *binary; /* or */
    make_term *term;
    bool is_predicate; /* Z3 gives a Boolean */
};

static const struct row rows[PN_OPERATION_COUNT] = {
    [PN_CONSTANT] = {.term = make_constant},
    [PN_INPUT] = {.term = make_input},
    [PN_ADD] = {.binary = Z3_mk_bvadd},
    [PN_SUB] = {.binary = Z3_mk_bvsub},
    [PN_MUL] = {.binary = Z3_mk_bvmul},
    [PN_UDIV] = {.binary = Z3_mk_bvudiv},
    [PN_SDIV] = {.binary = Z3_mk_bvsdiv},
    [PN_UREM] = {.binary = Z3_mk_bvurem},
    [PN_SREM] = {.binary = Z3_mk_bvsrem},
    [PN_AND] = {.binary = Z3_mk_bvand},
    [PN_OR] = {.binary = Z3_mk_bvor},
    [PN_XOR] = {.binary = Z3_mk_bvxor},
    [PN_SHL] = {.binary = Z3_mk_bvshl},
    [PN_LSHR] = {.binary = Z3_mk_bvlshr},
    [PN_ASHR] = {.binary = Z3_mk_bvashr},
    [PN_EQ] = {.binary = Z3_mk_eq, .is_predicate = true},
    [PN_ULT] = {.binary = Z3_mk_bvult, .is_predicate = true},
    [PN_ULE] = {.binary = Z3_mk_bvule, .is_predicate = true},
    [PN_SLT] = {.binary = Z3_mk_bvslt, .is_predicate = true},
    [PN_SLE] = {.binary = Z3_mk_bvsle, .is_predicate = true},
    [PN_ZEXT] = {.term = make_zext},
    [PN_SEXT] = {.term = make_sext},
    [PN_EXTRACT] = {.term = make_extract},
    [PN_CONCAT] = {.binary = Z3_mk_concat},
    [PN_ITE] = {.term = make_ite},
};

static unsigned arity_of(enum pn_operation operation)
{
    static const uint8_t arity[PN_OPERATION_COUNT] = {
#define ARITY(enumerator, name, arity, symbol) [enumerator] = arity,
        PN_OPERATIONS(ARITY)
#undef ARITY
    };
    return arity[operation];
}

static Z3_ast make_constant(const struct z3_tier *tier, const struct expr *expr, Z3_ast a, Z3_ast b, Z3_ast c)
{
    (void)a, (void)b, (void)c;
    return Z3_mk_unsigned_int64(tier->context, expr->value, Z3_mk_bv_sort(tier->context, expr->width));
}

static Z3_ast make_input(const struct z3_tier *tier, const struct expr *expr, Z3_ast a, Z3_ast b, Z3_ast c)
{
    (void)a, (void)b, (void)c;
    Z3_sort byte = Z3_mk_bv_sort(tier->context, 8);
    return Z3_mk_const(tier->context, Z3_mk_int_symbol(tier->context, (int)expr->a), byte);
}

static unsigned width_of(const struct z3_tier *tier, expr_id id)
{
    return expr_get(tier->table, id)->width;
}

static Z3_ast make_zext(const struct z3_tier *tier, const struct expr *expr, Z3_ast a, Z3_ast b, Z3_ast c)
{
    (void)b, (void)c;
    return Z3_mk_zero_ext(tier->context, expr->width - width_of(tier, expr->a), a);
}

static Z3_ast make_sext(const struct z3_tier *tier, const struct expr *expr, Z3_ast a, Z3_ast b, Z3_ast c)
{
    (void)b, (void)c;
    return Z3_mk_sign_ext(tier->context, expr->width - width_of(tier, expr->a), a);
}

static Z3_ast make_extract(const struct z3_tier *tier, const struct expr *expr, Z3_ast a, Z3_ast b, Z3_ast c)
{
    (void)b, (void)c;
    return Z3_mk_extract(tier->context, expr->b + expr->width - 1, expr->b, a);
}

static Z3_ast make_ite(const struct z3_tier *tier, const struct expr *expr, Z3_ast a, Z3_ast b, Z3_ast c)
{
    (void)expr;
    return Z3_mk_ite(tier->context, Z3_mk_eq(tier->context, a, tier->one), b, c);
}

/* Translation */

static Z3_ast translate_one(struct z3_tier *tier, const struct expr *expr)
{
    const struct row *row = &rows[expr->operation];
    unsigned arity = arity_of(expr->operation);
    Z3_ast a = arity > 0 ? tier->terms[expr->a] : NULL, b = arity > 1 ? tier->terms[expr->b] : NULL;
    if (row->term)
        return row->term(tier, expr, a, b, arity > 2 ? tier->terms[expr->c] : NULL);
    Z3_ast term = row->binary(tier->context, a, b);
    if (!row->is_predicate || !term)
        return term;
    Z3_inc_ref(tier->context, term);
    Z3_ast value = Z3_mk_ite(tier->context, term, tier->one, tier->zero);
    Z3_dec_ref(tier->context, term);
    return value;
}

static void make_room(struct z3_tier *tier)
{
    size_t old = tier->term_capacity, needed = expr_count(tier->table);
    tier->terms = array_reserve(tier->terms, &tier->term_capacity, needed, sizeof *tier->terms);
    if (tier->term_capacity > old)
        memset(tier->terms + old, 0, (tier->term_capacity - old) * sizeof *tier->terms);
}

static int compare_ids(const void *one, const void *other)
{
    expr_id a = *(const expr_id *)one, b = *(const expr_id *)other;
    return (a > b) - (a < b);
}

static void add_to_cone(struct z3_tier *tier, expr_id id)
{
    if (tier->terms[id])
        return;
    tier->terms[id] = tier->one; /* in the list, until translated */
    tier->cone = array_reserve(tier->cone, &tier->cone_capacity, tier->cone_count + 1, sizeof *tier->cone);
    tier->cone[tier->cone_count++] = id;
}

/* Lists the expressions below `root` that have no term yet, children before parents. */
static void find_cone(struct z3_tier *tier, expr_id root)
{
    tier->cone_count = 0;
    add_to_cone(tier, root);
    for (size_t next = 0; next < tier->cone_count; next++) {
        const struct expr *expr = expr_get(tier->table, tier->cone[next]);
        unsigned arity = arity_of(expr->operation);
        if (arity > 0)
            add_to_cone(tier, expr->a);
        if (arity > 1)
            add_to_cone(tier, expr->b);
        if (arity > 2)
            add_to_cone(tier, expr->c);
    }
    qsort(tier->cone, tier->cone_count, sizeof *tier->cone, compare_ids);
}

/* NULL when Z3 failed; what could not be translated is then not marked as if it were. */
static Z3_ast translate(struct z3_tier *tier, expr_id root)
{
    bool failed = false;
    make_room(tier);
    find_cone(tier, root);
    for (size_t i = 0; i < tier->cone_count; i++) {
        expr_id id = tier->cone[i];
        Z3_ast term = failed ? NULL : translate_one(tier, expr_get(tier->table, id));
        tier->terms[id] = term;
        if (term)
            Z3_inc_ref(tier->context, term);
        else
            failed = true;
    }
    return tier->terms[root];
}

/* Solving */

static Z3_ast keep(Z3_context context, Z3_ast term)
{
    Z3_inc_ref(context, term);
    return term;
}

struct z3_tier *z3_tier_create(struct expr_table *table, unsigned timeout_milliseconds)
{
    size_t capacity = 0;
    struct z3_tier *tier = array_reserve(NULL, &capacity, 1, sizeof *tier);
    *tier = (struct z3_tier){.table = table};
    Z3_config configuration = Z3_mk_config();
    tier->context = Z3_mk_context_rc(configuration);
    Z3_del_config(configuration);
    Z3_set_error_handler(tier->context, keep_error);
    Z3_sort bit = Z3_mk_bv_sort(tier->context, 1);
    tier->one = keep(tier->context, Z3_mk_unsigned_int64(tier->context, 1, bit));
    tier->zero = keep(tier->context, Z3_mk_unsigned_int64(tier->context, 0, Z3_mk_bv_sort(tier->context, 1)));
    tier->tactic = Z3_mk_tactic(tier->context, "smt");
    Z3_tactic_inc_ref(tier->context, tier->tactic);
    tier->parameters = Z3_mk_params(tier->context);
    Z3_params_inc_ref(tier->context, tier->parameters);
    if (timeout_milliseconds > 0)
        Z3_params_set_uint(tier->context, tier->parameters, Z3_mk_string_symbol(tier->context, "timeout"),
                           timeout_milliseconds);
    return tier;
}

void z3_tier_destroy(struct z3_tier *tier)
{
    for (size_t i = 0; i < tier->term_capacity; i++)
        if (tier->terms[i])
            Z3_dec_ref(tier->context, tier->terms[i]);
    Z3_params_dec_ref(tier->context, tier->parameters);
    Z3_tactic_dec_ref(tier->context, tier->tactic);
    Z3_dec_ref(tier->context, tier->one);
    Z3_dec_ref(tier->context, tier->zero);
    Z3_del_context(tier->context);
    free(tier->terms);
    free(tier->cone);
    free(tier);
}

static Z3_ast byte_term(struct z3_tier *tier, uint32_t byte)
{
    return translate(tier, expr_input(tier->table, byte));
}

/* Each call of Z3 forgets the error of the one before. */
static bool has_failed(const struct z3_tier *tier)
{
    return Z3_get_error_code(tier->context) != Z3_OK;
}

static bool assert_equal(const struct z3_tier *tier, Z3_solver solver, Z3_ast term, Z3_ast value)
{
    Z3_ast equality = term && value ? Z3_mk_eq(tier->context, term, value) : NULL;
    if (!equality)
        return false;
    Z3_solver_assert(tier->context, solver, equality);
    return !has_failed(tier);
}

static bool assert_conditions(struct z3_tier *tier, Z3_solver solver, const expr_id *conditions, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!assert_equal(tier, solver, translate(tier, conditions[i]), tier->one))
            return false;
    return true;
}

static bool assert_end(struct z3_tier *tier, Z3_solver solver, const struct byte_list *bytes, size_t size)
{
    if (bytes->count == 0 || bytes->bytes[bytes->count - 1] < size)
        return true;
    Z3_ast zero = translate(tier, expr_constant(tier->table, 8, 0));
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
    Z3_solver solver = Z3_mk_solver_from_tactic(tier->context, tier->tactic);
    if (!solver)
        return SOLVE_UNKNOWN;
    Z3_solver_inc_ref(tier->context, solver);
    Z3_solver_set_params(tier->context, solver, tier->parameters);
    if (assert_conditions(tier, solver, conditions, count) && assert_end(tier, solver, bytes, size))
        answer = check(tier, solver, bytes, model, size);
    Z3_solver_dec_ref(tier->context, solver);
    return answer;
}

/* What follows from all that holds: asked of Z3, first of a solver that remembers, then of one that simplifies more. */
#include "prove/terms.h"

/* In Z3's steps, so that it is the same on every machine: for the first way to answer, which remembers, and the second.
 */
enum { FIRST_EFFORT = 1000000, SECOND_EFFORT = 10000000 };

/* Errors stay in the context until somebody asks; the default handler would end the process. */
static void keep_error(Z3_context context, Z3_error_code code)
{
    (void)context;
    (void)code;
}

static void set_effort(struct terms *terms, Z3_solver solver, unsigned steps)
{
    Z3_context z3 = terms->z3;
    Z3_params parameters = Z3_mk_params(z3);
    Z3_params_inc_ref(z3, parameters);
    Z3_params_set_uint(z3, parameters, Z3_mk_string_symbol(z3, "rlimit"), steps);
    Z3_solver_set_params(z3, solver, parameters);
    Z3_params_dec_ref(z3, parameters);
}

static Z3_tactic one_after_another(Z3_context z3, const char *const names[])
{
    Z3_tactic all = Z3_mk_tactic(z3, names[0]);
    Z3_tactic_inc_ref(z3, all);
    for (size_t i = 1; names[i]; i++) {
        Z3_tactic next = Z3_mk_tactic(z3, names[i]);
        Z3_tactic_inc_ref(z3, next);
        all = Z3_tactic_and_then(z3, all, next);
        Z3_tactic_inc_ref(z3, all);
    }
    return all;
}

/* As bits, where nothing is stored; else as Z3 does it, but simplified. */
static Z3_tactic make_second(Z3_context z3)
{
    static const char *const bits[] = {"simplify",        "propagate-values", "solve-eqs", "simplify",
                                       "ackermannize_bv", "bit-blast",        "sat",       NULL};
    static const char *const any[] = {"simplify", "propagate-values", "solve-eqs", "simplify", "smt", NULL};
    Z3_tactic first = one_after_another(z3, bits), second = one_after_another(z3, any);
    Z3_tactic either = Z3_tactic_or_else(z3, first, second);
    Z3_tactic_inc_ref(z3, either);
    return either;
}

static void set_parameters(struct terms *terms)
{
    Z3_context z3 = terms->z3;
    set_effort(terms, terms->solver, FIRST_EFFORT);
    terms->second = make_second(z3);
    terms->normal = Z3_mk_params(z3);
    Z3_params_inc_ref(z3, terms->normal);
    Z3_params_set_bool(z3, terms->normal, Z3_mk_string_symbol(z3, "som"), true);
    Z3_params_set_bool(z3, terms->normal, Z3_mk_string_symbol(z3, "elim_sign_ext"), false);
}

void terms_create(struct terms *terms, struct sameness *sameness)
{
    *terms = (struct terms){.sameness = sameness, .arena = sameness->arena};
    Z3_config configuration = Z3_mk_config();
    terms->z3 = Z3_mk_context(configuration); /* which keeps every term */
    Z3_del_config(configuration);
    Z3_set_error_handler(terms->z3, keep_error);
    terms->solver = Z3_mk_simple_solver(terms->z3);
    Z3_solver_inc_ref(terms->z3, terms->solver);
    terms->memory =
        Z3_mk_array_sort(terms->z3, Z3_mk_bv_sort(terms->z3, ADDRESS_BITS), Z3_mk_bv_sort(terms->z3, BYTE_BITS));
    set_parameters(terms);
}

void terms_destroy(struct terms *terms)
{
    Z3_params_dec_ref(terms->z3, terms->normal);
    Z3_solver_dec_ref(terms->z3, terms->solver);
    Z3_del_context(terms->z3);
}

static Z3_lbool ask_solver(struct terms *terms, Z3_solver solver, Z3_model *model)
{
    Z3_context z3 = terms->z3;
    Z3_lbool answer = Z3_solver_check(z3, solver);
    if (Z3_get_error_code(z3) != Z3_OK)
        return Z3_L_UNDEF;
    if (answer == Z3_L_TRUE && model) {
        *model = Z3_solver_get_model(z3, solver);
        if (*model)
            Z3_model_inc_ref(z3, *model);
    }
    return answer;
}

static Z3_lbool ask_second(struct terms *terms, Z3_model *model)
{
    Z3_context z3 = terms->z3;
    Z3_solver solver = Z3_mk_solver_from_tactic(z3, terms->second);
    Z3_solver_inc_ref(z3, solver);
    Z3_ast_vector all = Z3_solver_get_assertions(z3, terms->solver);
    Z3_ast_vector_inc_ref(z3, all);
    set_effort(terms, solver, SECOND_EFFORT);
    for (unsigned i = 0; i < Z3_ast_vector_size(z3, all); i++)
        Z3_solver_assert(z3, solver, Z3_ast_vector_get(z3, all, i));
    Z3_lbool answer = ask_solver(terms, solver, model);
    Z3_ast_vector_dec_ref(z3, all);
    Z3_solver_dec_ref(z3, solver);
    return answer;
}

Z3_lbool terms_ask(struct terms *terms, Z3_ast truth, Z3_model *model)
{
    Z3_context z3 = terms->z3;
    terms->questions++;
    Z3_solver_push(z3, terms->solver);
    Z3_solver_assert(z3, terms->solver, truth);
    Z3_lbool answer = ask_solver(terms, terms->solver, model);
    if (answer == Z3_L_UNDEF)
        answer = ask_second(terms, model);
    Z3_solver_pop(z3, terms->solver, 1);
    return answer;
}

bool is_impossible(struct terms *terms, Z3_ast truth)
{
    truth = Z3_simplify(terms->z3, truth);
    Z3_lbool known = Z3_get_bool_value(terms->z3, truth);
    return (known == Z3_L_UNDEF ? terms_ask(terms, truth, NULL) : known) == Z3_L_FALSE;
}

bool is_certain(struct terms *terms, Z3_ast truth)
{
    return is_impossible(terms, Z3_mk_not(terms->z3, truth));
}

bool is_same_term(struct terms *terms, Z3_ast one, Z3_ast other)
{
    if (one == other)
        return true;
    if (!Z3_is_eq_sort(terms->z3, Z3_get_sort(terms->z3, one), Z3_get_sort(terms->z3, other)))
        return false;
    Z3_ast same = Z3_mk_eq(terms->z3, one, other);
    if (!is_certain(terms, same))
        return false;
    Z3_solver_assert(terms->z3, terms->solver, same); /* what follows from it is found sooner */
    return true;
}

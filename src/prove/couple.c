/* Guesses are dropped by the models in which they are false. */
#include "prove/couple.h"

#include "prove/guess.h"

#include <stdlib.h>
#include <string.h>

static unsigned side_of(const struct coupling *coupling, size_t phi)
{
    return phi < coupling->old_count ? OLD_SIDE : NEW_SIDE;
}

static Z3_ast value_of(const struct coupling *coupling, const struct side sides[], size_t phi)
{
    const struct side *side = &sides[side_of(coupling, phi)];
    return side->values[shape_number_of(side->shape, coupling->phis[phi])];
}

static void read_phis(struct coupling *coupling, const struct side sides[])
{
    size_t capacity = 0;
    for (unsigned side = 0; side < SIDES; side++) {
        LLVMValueRef at = LLVMGetFirstInstruction(coupling->headers[side]);
        for (; at && LLVMIsAPHINode(at); at = LLVMGetNextInstruction(at)) {
            coupling->phis = array_reserve(coupling->phis, &capacity, coupling->count + 1, sizeof *coupling->phis);
            coupling->phis[coupling->count++] = at;
        }
        if (side == OLD_SIDE)
            coupling->old_count = coupling->count;
    }
    coupling->symbols = calloc(coupling->count + 1, sizeof *coupling->symbols);
    coupling->first = calloc(coupling->count + 1, sizeof *coupling->first);
    coupling->steps = calloc(coupling->count + 1, sizeof *coupling->steps);
    for (size_t i = 0; i < coupling->count; i++) {
        coupling->first[i] = value_of(coupling, sides, i);
        coupling->symbols[i] = term_fresh(coupling->terms, term_bits(coupling->terms, coupling->first[i]));
    }
}

/* ---- what holds ---- */

static Z3_ast with_values(const struct coupling *coupling, Z3_ast term, Z3_ast values[])
{
    Z3_context z3 = coupling->terms->z3;
    return Z3_substitute(z3, term, (unsigned)coupling->count, coupling->symbols, values);
}

static void drop(struct coupling *coupling, Z3_ast *truths, size_t guess)
{
    size_t last = --coupling->guess_count;
    memmove(coupling->guesses + guess, coupling->guesses + guess + 1, (last - guess) * sizeof *coupling->guesses);
    memmove(truths + guess, truths + guess + 1, (last - guess) * sizeof *truths);
}

/* Of all of them together, asserted to be wrong: those that a model shows to be. */
static size_t drop_by_model(struct coupling *coupling, Z3_ast *truths, Z3_model model)
{
    Z3_context z3 = coupling->terms->z3;
    size_t dropped = 0;
    for (size_t i = coupling->guess_count; i-- > 0;) {
        Z3_ast value = NULL;
        if (Z3_model_eval(z3, model, truths[i], true, &value) && Z3_get_bool_value(z3, value) == Z3_L_FALSE) {
            drop(coupling, truths, i);
            dropped++;
        }
    }
    return dropped;
}

/* One by one, where Z3 has no answer for all. */
static void drop_unproven(struct coupling *coupling, Z3_ast *truths)
{
    for (size_t i = coupling->guess_count; i-- > 0;)
        if (!is_certain(coupling->terms, truths[i]))
            drop(coupling, truths, i);
}

/* False: something was dropped, and the rest is to be asked again. */
static bool ask_all(struct coupling *coupling, Z3_ast *truths)
{
    struct terms *terms = coupling->terms;
    Z3_context z3 = terms->z3;
    size_t before = coupling->guess_count;
    Z3_ast all = Z3_simplify(z3, Z3_mk_and(z3, (unsigned)before, truths));
    if (Z3_get_bool_value(z3, all) == Z3_L_TRUE)
        return true;
    Z3_model model = NULL;
    Z3_lbool answer = terms_ask(terms, Z3_mk_not(z3, all), &model);
    if (model) {
        drop_by_model(coupling, truths, model);
        Z3_model_dec_ref(z3, model);
    }
    if (answer == Z3_L_FALSE)
        return true;
    if (coupling->guess_count == before)
        drop_unproven(coupling, truths);
    return coupling->guess_count == before;
}

bool coupling_holds(struct coupling *coupling, const struct side sides[])
{
    Z3_ast *values = calloc(coupling->count + 1, sizeof *values);
    Z3_ast *truths = calloc(coupling->guess_count + 1, sizeof *truths);
    size_t before = coupling->guess_count;
    for (size_t i = 0; i < coupling->count; i++)
        values[i] = value_of(coupling, sides, i);
    for (size_t i = 0; i < coupling->guess_count; i++)
        truths[i] = term_simplify(coupling->terms, with_values(coupling, coupling->guesses[i].truth, values));
    for (size_t i = coupling->guess_count; i-- > 0;)
        if (Z3_get_bool_value(coupling->terms->z3, truths[i]) == Z3_L_FALSE)
            drop(coupling, truths, i);
    while (coupling->guess_count && !ask_all(coupling, truths))
        continue;
    free(values), free(truths);
    return coupling->guess_count == before;
}

/* ---- from here on ---- */

static bool has_definition(const struct coupling *coupling, size_t phi, Z3_ast values[])
{
    return values[phi] != coupling->symbols[phi];
}

/* Whether a definition is of free symbols only, and nothing else is defined by what it defines. */
static bool may_define(const struct coupling *coupling, const struct guess *guess, Z3_ast values[])
{
    if (has_definition(coupling, guess->defines, values) ||
        with_values(coupling, guess->definition, values) != guess->definition)
        return false;
    Z3_context z3 = coupling->terms->z3;
    Z3_ast other = term_fresh(coupling->terms, term_bits(coupling->terms, coupling->symbols[guess->defines]));
    for (size_t i = 0; i < coupling->count; i++)
        if (Z3_substitute(z3, values[i], 1, &coupling->symbols[guess->defines], &other) != values[i] &&
            i != guess->defines)
            return false;
    return true;
}

static bool begins_with_number(const struct coupling *coupling, size_t phi)
{
    return Z3_is_numeral_ast(coupling->terms->z3, coupling->first[phi]);
}

/* What is equal to something else is that: equal terms are found without asking. What begins with a number, as an index
 * does, is best left as it is. */
static void define(const struct coupling *coupling, Z3_ast values[])
{
    for (enum closeness closeness = SAME_WIDTH; closeness < ONLY_A_TRUTH; closeness++)
        for (unsigned indices = 0; indices < 2; indices++)
            for (size_t i = 0; i < coupling->guess_count; i++) {
                const struct guess *guess = &coupling->guesses[i];
                if (guess->closeness == closeness && begins_with_number(coupling, guess->defines) == indices &&
                    may_define(coupling, guess, values))
                    values[guess->defines] = guess->definition;
            }
}

void coupling_assume(const struct coupling *coupling, struct side sides[])
{
    struct terms *terms = coupling->terms;
    Z3_ast *values = calloc(coupling->count + 1, sizeof *values);
    memcpy(values, coupling->symbols, coupling->count * sizeof *values);
    define(coupling, values);
    for (size_t i = 0; i < coupling->count; i++) {
        struct side *side = &sides[side_of(coupling, i)];
        side->values[shape_number_of(side->shape, coupling->phis[i])] = values[i];
    }
    for (size_t i = 0; i < coupling->guess_count; i++)
        Z3_solver_assert(terms->z3, terms->solver, with_values(coupling, coupling->guesses[i].truth, values));
    free(values);
}

void coupling_open(struct coupling *coupling, struct terms *terms, const struct side sides[])
{
    *coupling = (struct coupling){.terms = terms, .sides = sides};
    for (unsigned i = 0; i < SIDES; i++)
        coupling->headers[i] = LLVMGetInstructionParent(sides[i].at);
    read_phis(coupling, sides);
    guess_all(coupling);
    coupling_holds(coupling, sides);
}

void coupling_close(struct coupling *coupling)
{
    free(coupling->phis), free(coupling->symbols), free(coupling->first), free(coupling->steps);
    free(coupling->guesses);
}

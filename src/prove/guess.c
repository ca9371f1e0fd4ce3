/* Equal values; values that grow in proportion; a value that the other version computes from its own; bounds, and the
 * conditions under which the loops go on. */
#include "prove/guess.h"

#include <stdlib.h>

enum { MOST_GUESSES = 500, DEEPEST = 12, MOST_OPERANDS = 16, MOST_EXPRESSIONS = 24 };

/* ---- terms over the symbols ---- */

static bool is_inside(const struct coupling *coupling, unsigned side, LLVMValueRef value)
{
    return LLVMIsAInstruction(value) &&
           shape_is_in_loop(coupling->sides[side].shape, coupling->headers[side], LLVMGetInstructionParent(value));
}

static size_t first_phi(const struct coupling *coupling, unsigned side)
{
    return side == OLD_SIDE ? 0 : coupling->old_count;
}

static size_t end_of_phis(const struct coupling *coupling, unsigned side)
{
    return side == OLD_SIDE ? coupling->old_count : coupling->count;
}

/* What a phi becomes in the next round, if `value` is that. */
static bool comes_from(const struct coupling *coupling, unsigned side, LLVMValueRef phi, LLVMValueRef value)
{
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
        if (LLVMGetIncomingValue(phi, i) == value &&
            shape_is_in_loop(coupling->sides[side].shape, coupling->headers[side], LLVMGetIncomingBlock(phi, i)))
            return true;
    return false;
}

enum moment { THIS_ROUND, LAST_ROUND };

static Z3_ast symbol_of(const struct coupling *coupling, unsigned side, LLVMValueRef value, enum moment moment)
{
    for (size_t i = first_phi(coupling, side); i < end_of_phis(coupling, side); i++) {
        if (moment == THIS_ROUND && coupling->phis[i] == value)
            return coupling->symbols[i];
        if (moment == LAST_ROUND && comes_from(coupling, side, coupling->phis[i], value))
            return coupling->symbols[i];
        if (moment == LAST_ROUND && coupling->phis[i] == value && coupling->steps[i])
            return Z3_mk_bvsub(coupling->terms->z3, coupling->symbols[i], coupling->steps[i]);
    }
    return NULL;
}

static bool is_computed(LLVMValueRef at)
{
    return !LLVMIsAPHINode(at) && !LLVMIsALoadInst(at) && !LLVMIsAAllocaInst(at) && !LLVMIsATerminatorInst(at) &&
           !has_side_effect(at) && !is_remark(at);
}

/* A value as it is computed of the symbols; NULL: of other things, too. Of the last round: what was computed there,
 * where the symbols stand for what it has handed on. */
static Z3_ast term_of(const struct coupling *coupling, unsigned side, LLVMValueRef value, enum moment moment,
                      unsigned depth)
{
    Z3_ast operands[MOST_OPERANDS];
    if (LLVMIsConstant(value))
        return term_constant(coupling->terms, side, value);
    Z3_ast symbol = symbol_of(coupling, side, value, moment);
    const struct shape *shape = coupling->sides[side].shape;
    if (symbol)
        return symbol;
    if (!is_inside(coupling, side, value))
        return coupling->sides[side].values[shape_number_of(shape, value)];
    unsigned count = LLVMIsACallInst(value) ? LLVMGetNumArgOperands(value) : (unsigned)LLVMGetNumOperands(value);
    if (depth > DEEPEST || !is_computed(value) || count > MOST_OPERANDS)
        return NULL;
    for (unsigned i = 0; i < count; i++)
        if (!(operands[i] = term_of(coupling, side, LLVMGetOperand(value, i), moment, depth + 1)))
            return NULL;
    return term_operation(coupling->terms, value, operands, NULL);
}

static bool depends_on_symbols(const struct coupling *coupling, Z3_ast term)
{
    Z3_ast other =
        Z3_substitute(coupling->terms->z3, term, (unsigned)coupling->count, coupling->symbols, coupling->first);
    for (size_t i = 0; i < coupling->count; i++)
        if (coupling->first[i] == coupling->symbols[i])
            return true;
    return other != term;
}

/* ---- guesses ---- */

static void add(struct coupling *coupling, struct guess guess)
{
    for (size_t i = 0; i < coupling->guess_count; i++)
        if (coupling->guesses[i].truth == guess.truth)
            return;
    if (coupling->guess_count >= MOST_GUESSES)
        return;
    coupling->guesses = array_reserve(coupling->guesses, &coupling->guess_capacity, coupling->guess_count + 1,
                                      sizeof *coupling->guesses);
    coupling->guesses[coupling->guess_count++] = guess;
}

static void add_truth(struct coupling *coupling, Z3_ast truth)
{
    add(coupling, (struct guess){.truth = truth, .closeness = ONLY_A_TRUTH});
}

/* A phi has this value. */
static void add_value(struct coupling *coupling, size_t phi, Z3_ast value, enum closeness closeness)
{
    value = term_simplify(coupling->terms, value);
    Z3_ast truth = Z3_mk_eq(coupling->terms->z3, coupling->symbols[phi], value);
    add(coupling, (struct guess){truth, closeness, phi, value});
}

/* In how many ways a value of so many bits becomes one of another width, and which is the first. */
static unsigned count_ways(unsigned from, unsigned to)
{
    return to > from ? 2 : 1;
}

static enum closeness closeness_of(unsigned from, unsigned to, bool is_signed)
{
    if (from == to)
        return SAME_WIDTH;
    return from > to ? SHORTENED : is_signed ? SIGN_EXTENDED : ZERO_EXTENDED;
}

static Z3_ast sum(struct terms *terms, Z3_ast one, Z3_ast other)
{
    return Z3_mk_bvadd(terms->z3, one, other);
}

static Z3_ast difference(struct terms *terms, Z3_ast one, Z3_ast other)
{
    return Z3_mk_bvsub(terms->z3, one, other);
}

/* How far `by` has come, times the slope, in as many bits as `phi` has. */
static void guess_growth(struct coupling *coupling, size_t phi, size_t by, Z3_ast slope)
{
    struct terms *terms = coupling->terms;
    unsigned width = term_bits(terms, coupling->symbols[phi]), other = term_bits(terms, coupling->symbols[by]);
    Z3_ast way = difference(terms, coupling->symbols[by], coupling->first[by]);
    for (unsigned is_signed = 0; is_signed < count_ways(other, width); is_signed++) {
        Z3_ast resized = term_resize(terms, way, width, is_signed);
        add_value(coupling, phi, sum(terms, coupling->first[phi], Z3_mk_bvmul(terms->z3, slope, resized)),
                  closeness_of(other, width, is_signed));
    }
}

/* A phi is another of the other version, or as far from it as at first. */
static void guess_equal(struct coupling *coupling, size_t phi, size_t other)
{
    struct terms *terms = coupling->terms;
    unsigned width = term_bits(terms, coupling->symbols[phi]), from = term_bits(terms, coupling->symbols[other]);
    for (unsigned is_signed = 0; is_signed < count_ways(from, width); is_signed++)
        add_value(coupling, phi, term_resize(terms, coupling->symbols[other], width, is_signed),
                  closeness_of(from, width, is_signed));
    guess_growth(coupling, phi, other, term_number(terms, 1, width));
}

/* ---- steps ---- */

struct step {
    Z3_ast term; /* what is added in each round; NULL: not always the same */
    bool is_number;
    int64_t number;
};

static int64_t signed_number(uint64_t number, unsigned width)
{
    unsigned rest = 64 - width;
    return (int64_t)(number << rest) >> rest;
}

static struct step step_of(const struct coupling *coupling, unsigned side, size_t phi)
{
    struct terms *terms = coupling->terms;
    struct step step = {0};
    unsigned width = term_bits(terms, coupling->symbols[phi]);
    for (unsigned i = 0; i < LLVMCountIncoming(coupling->phis[phi]); i++) {
        LLVMBasicBlockRef from = LLVMGetIncomingBlock(coupling->phis[phi], i);
        if (!shape_is_in_loop(coupling->sides[side].shape, coupling->headers[side], from))
            continue;
        Z3_ast next = term_of(coupling, side, LLVMGetIncomingValue(coupling->phis[phi], i), THIS_ROUND, 0);
        Z3_ast by = next ? term_simplify(terms, difference(terms, next, coupling->symbols[phi])) : NULL;
        if (!by || (step.term && step.term != by) || depends_on_symbols(coupling, by))
            return (struct step){0};
        step.term = by;
    }
    uint64_t number;
    if (step.term && width <= 64 && Z3_is_numeral_ast(terms->z3, step.term) &&
        Z3_get_numeral_uint64(terms->z3, step.term, &number)) {
        step.is_number = true;
        step.number = signed_number(number, width);
    }
    return step;
}

/* One may take several rounds while the other takes one. */
static void guess_numbers(struct coupling *coupling, size_t old, int64_t step, size_t new, int64_t other_step)
{
    static const int64_t rounds[][2] = {{1, 1}, {2, 1}, {1, 2}, {4, 1}, {1, 4}, {3, 1}, {1, 3}, {8, 1}, {1, 8}};
    struct terms *terms = coupling->terms;
    unsigned width = term_bits(terms, coupling->symbols[old]), other_width = term_bits(terms, coupling->symbols[new]);
    if (step == 0 || other_step == 0 || llabs(step) > INT32_MAX || llabs(other_step) > INT32_MAX)
        return;
    for (size_t i = 0; i < sizeof rounds / sizeof *rounds; i++) {
        int64_t one = step * rounds[i][0], other = other_step * rounds[i][1];
        if (one % other == 0 && !(width > other_width && one == -other)) /* the shorter one follows the longer */
            guess_growth(coupling, old, new, term_number(terms, (uint64_t)(one / other), width));
        if (other % one == 0 && !(width < other_width && one == -other))
            guess_growth(coupling, new, old, term_number(terms, (uint64_t)(other / one), other_width));
    }
}

/* A value that grows by something that does not change, and one that counts. */
static void guess_multiple(struct coupling *coupling, size_t phi, Z3_ast step, size_t counter, int64_t count)
{
    if (count == 1)
        guess_growth(coupling, phi, counter, step);
    else if (count == -1)
        guess_growth(coupling, phi, counter, Z3_mk_bvneg(coupling->terms->z3, step));
}

/* What is added keeps the lowest bits as they are. */
static void guess_lowest_bits(struct coupling *coupling, size_t phi, int64_t step)
{
    Z3_context z3 = coupling->terms->z3;
    unsigned bits = step ? (unsigned)__builtin_ctzll((unsigned long long)step) : 0;
    if (!bits || bits >= term_bits(coupling->terms, coupling->symbols[phi]))
        return;
    add_truth(coupling, Z3_mk_eq(z3, Z3_mk_extract(z3, bits - 1, 0, coupling->symbols[phi]),
                                 Z3_mk_extract(z3, bits - 1, 0, coupling->first[phi])));
}

static void guess_steps(struct coupling *coupling)
{
    struct step *steps = calloc(coupling->count + 1, sizeof *steps);
    for (unsigned side = 0; side < SIDES; side++)
        for (size_t i = first_phi(coupling, side); i < end_of_phis(coupling, side); i++) {
            steps[i] = step_of(coupling, side, i);
            coupling->steps[i] = steps[i].term;
            if (steps[i].is_number)
                guess_lowest_bits(coupling, i, steps[i].number);
        }
    for (size_t i = 0; i < coupling->old_count; i++)
        for (size_t k = coupling->old_count; k < coupling->count; k++) {
            if (steps[i].is_number && steps[k].is_number)
                guess_numbers(coupling, i, steps[i].number, k, steps[k].number);
            else if (steps[i].term && steps[k].is_number)
                guess_multiple(coupling, i, steps[i].term, k, steps[k].number);
            else if (steps[k].term && steps[i].is_number)
                guess_multiple(coupling, k, steps[k].term, i, steps[i].number);
        }
    free(steps);
}

/* ---- the same condition ---- */

/* A state that one version keeps in a flag and the other in a number. */
static void guess_alike(struct coupling *coupling)
{
    Z3_context z3 = coupling->terms->z3;
    for (size_t i = 0; i < coupling->condition_counts[OLD_SIDE]; i++)
        for (size_t k = 0; k < coupling->condition_counts[NEW_SIDE]; k++) {
            Z3_ast one = coupling->conditions[OLD_SIDE][i], other = coupling->conditions[NEW_SIDE][k];
            add_truth(coupling, Z3_mk_eq(z3, one, other));
            add_truth(coupling, Z3_mk_eq(z3, one, Z3_mk_not(z3, other)));
        }
}

static void add_condition(struct coupling *coupling, unsigned side, Z3_ast bit)
{
    size_t *count = &coupling->condition_counts[side];
    if (*count < MOST_CONDITIONS && depends_on_symbols(coupling, bit))
        coupling->conditions[side][(*count)++] = term_truth(coupling->terms, bit);
}

/* ---- bounds ---- */

static void guess_bound(struct coupling *coupling, unsigned side, Z3_ast bound)
{
    Z3_context z3 = coupling->terms->z3;
    for (size_t i = first_phi(coupling, side); i < end_of_phis(coupling, side); i++) {
        Z3_ast phi = coupling->symbols[i];
        if (term_bits(coupling->terms, phi) != term_bits(coupling->terms, bound))
            continue;
        Z3_ast truths[] = {Z3_mk_bvule(z3, phi, bound),
                           Z3_mk_bvsle(z3, phi, bound),
                           Z3_mk_bvuge(z3, phi, bound),
                           Z3_mk_bvsge(z3, phi, bound),
                           Z3_mk_bvult(z3, phi, bound),
                           Z3_mk_bvslt(z3, phi, bound),
                           Z3_mk_not(z3, Z3_mk_eq(z3, phi, bound))};
        for (size_t k = 0; k < sizeof truths / sizeof *truths; k++)
            add_truth(coupling, truths[k]);
    }
}

static void guess_comparison(struct coupling *coupling, unsigned side, LLVMValueRef at)
{
    struct terms *terms = coupling->terms;
    for (unsigned i = 0; i < 2; i++) {
        LLVMValueRef operand = LLVMGetOperand(at, i);
        Z3_ast bound = is_inside(coupling, side, operand) ? NULL : term_of(coupling, side, operand, THIS_ROUND, 0);
        if (bound)
            guess_bound(coupling, side, bound);
    }
    for (enum moment moment = THIS_ROUND; moment <= LAST_ROUND; moment++) {
        Z3_ast bit = term_of(coupling, side, at, moment, 0);
        if (!bit || term_bits(terms, bit) != 1)
            continue;
        add_truth(coupling, term_truth(terms, bit));
        add_truth(coupling, Z3_mk_not(terms->z3, term_truth(terms, bit)));
        if (moment == THIS_ROUND)
            add_condition(coupling, side, bit);
    }
}

/* Numbers that a value is chosen from or told apart by. */
static void guess_constants(struct coupling *coupling, unsigned side, LLVMValueRef at)
{
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(at); i++)
        if (LLVMIsAConstantInt(LLVMGetOperand(at, i)))
            guess_bound(coupling, side, term_constant(coupling->terms, side, LLVMGetOperand(at, i)));
}

/* ---- what the other version computes ---- */

static void guess_computed(struct coupling *coupling, unsigned side, Z3_ast value)
{
    unsigned other = side == OLD_SIDE ? NEW_SIDE : OLD_SIDE;
    for (size_t i = first_phi(coupling, other); i < end_of_phis(coupling, other); i++)
        if (term_bits(coupling->terms, coupling->symbols[i]) == term_bits(coupling->terms, value))
            add_value(coupling, i, value, SAME_WIDTH);
}

static void guess_instructions(struct coupling *coupling, unsigned side)
{
    const struct shape *shape = coupling->sides[side].shape;
    size_t expressions = 0;
    for (size_t i = 0; i < shape->block_count; i++) {
        if (!shape_is_in_loop(shape, coupling->headers[side], shape->blocks[i]))
            continue;
        for (LLVMValueRef at = LLVMGetFirstInstruction(shape->blocks[i]); at; at = LLVMGetNextInstruction(at)) {
            if (LLVMIsAPHINode(at) || LLVMIsASelectInst(at) || LLVMIsASwitchInst(at))
                guess_constants(coupling, side, at);
            else if (LLVMIsAICmpInst(at))
                guess_comparison(coupling, side, at);
            else if (is_computed(at) && expressions++ < MOST_EXPRESSIONS) {
                Z3_ast value = term_of(coupling, side, at, THIS_ROUND, 0);
                if (value)
                    guess_computed(coupling, side, value);
            }
        }
    }
}

void guess_all(struct coupling *coupling)
{
    for (size_t i = 0; i < coupling->old_count; i++)
        for (size_t k = coupling->old_count; k < coupling->count; k++)
            guess_equal(coupling, i, k), guess_equal(coupling, k, i);
    guess_steps(coupling);
    for (unsigned side = 0; side < SIDES; side++) {
        for (size_t i = first_phi(coupling, side); i < end_of_phis(coupling, side); i++)
            if (term_bits(coupling->terms, coupling->symbols[i]) == 1)
                add_condition(coupling, side, coupling->symbols[i]);
        guess_instructions(coupling, side);
    }
    guess_alike(coupling);
}

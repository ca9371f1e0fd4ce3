/* Rules of floating point: only what is exact for every operand, infinities, zeros of both signs and NaN included. What
 * an operation makes of a NaN is the one NaN; so `x * 1` is `x` only where x cannot be another one. */
#include "expr/simplify.h"

bool simplify_nothing(struct expr_table *table, struct draft *draft)
{
    (void)table, (void)draft;
    return false;
}

/* ---- what is known of an operand ---- */

/* If it is a NaN, it is the one NaN. */
static bool is_settled(const struct expr_table *table, expr_id id)
{
    return pn_makes_float(node_of(table, id)->operation);
}

static bool is_negation(const struct expr_table *table, expr_id id)
{
    const struct expr *expr = node_of(table, id);
    return expr->operation == PN_XOR && has_value(table, expr->b, pn_float_sign(expr->width));
}

static bool has_number(const struct expr_table *table, expr_id id, double number)
{
    const struct expr *expr = node_of(table, id);
    return expr->operation == PN_CONSTANT && expr->value == pn_float_bits(number, expr->width);
}

static expr_id negated_constant(struct expr_table *table, expr_id id)
{
    const struct expr *expr = node_of(table, id);
    return expr_constant(table, expr->width, expr->value ^ pn_float_sign(expr->width));
}

/* An integer that the conversion keeps as it is. */
static bool is_exact_integer(const struct expr_table *table, expr_id id)
{
    const struct expr *expr = node_of(table, id);
    if (expr->operation != PN_SFLOAT && expr->operation != PN_UFLOAT)
        return false;
    return width_of(table, expr->a) <= (expr->width == 32 ? 24 : 53);
}

/* ---- arithmetic ---- */

bool simplify_fadd(struct expr_table *table, struct draft *draft)
{
    if (is_negation(table, draft->b))
        return become_binary(draft, PN_FSUB, draft->a, node_of(table, draft->b)->a);
    if (is_negation(table, draft->a) && !is_operation(table, draft->b, PN_CONSTANT))
        return become_binary(draft, PN_FSUB, draft->b, node_of(table, draft->a)->a);
    if (has_number(table, draft->b, -0.0) && is_settled(table, draft->a))
        return become(draft, draft->a);
    if (draft->a == draft->b)
        return become_binary(draft, PN_FMUL, draft->a,
                             expr_constant(table, draft->width, pn_float_bits(2, draft->width)));
    return false;
}

bool simplify_fsub(struct expr_table *table, struct draft *draft)
{
    if (is_operation(table, draft->b, PN_CONSTANT))
        return become_binary(draft, PN_FADD, draft->a, negated_constant(table, draft->b));
    if (is_negation(table, draft->b))
        return become_binary(draft, PN_FADD, draft->a, node_of(table, draft->b)->a);
    return false;
}

bool simplify_fmul(struct expr_table *table, struct draft *draft)
{
    bool negative_a = is_negation(table, draft->a), negative_b = is_negation(table, draft->b);
    if (negative_a && negative_b)
        return become_binary(draft, PN_FMUL, node_of(table, draft->a)->a, node_of(table, draft->b)->a);
    if (negative_a && is_operation(table, draft->b, PN_CONSTANT))
        return become_binary(draft, PN_FMUL, node_of(table, draft->a)->a, negated_constant(table, draft->b));
    return has_number(table, draft->b, 1) && is_settled(table, draft->a) && become(draft, draft->a);
}

/* A power of two, positive or negative, whose reciprocal is one too: then both round the same number. */
static bool has_exact_reciprocal(const struct expr *divisor)
{
    unsigned fraction = divisor->width == 32 ? 23 : 52;
    uint64_t exponent = (divisor->value & ~pn_float_sign(divisor->width)) >> fraction;
    return !(divisor->value & pn_mask(fraction)) && exponent > 1 && exponent < (divisor->width == 32 ? 254u : 2046u);
}

bool simplify_fdiv(struct expr_table *table, struct draft *draft)
{
    const struct expr *divisor = node_of(table, draft->b);
    if (divisor->operation != PN_CONSTANT || !has_exact_reciprocal(divisor))
        return false;
    uint64_t one = pn_float_bits(1, divisor->width);
    return become_binary(
        draft, PN_FMUL, draft->a,
        expr_constant(table, draft->width, pn_float_arithmetic('/', draft->width, one, divisor->value)));
}

bool simplify_fround(struct expr_table *table, struct draft *draft)
{
    return (is_operation(table, draft->a, PN_FROUND) || is_exact_integer(table, draft->a)) && become(draft, draft->a);
}

/* ---- conversions ---- */

bool simplify_fcast(struct expr_table *table, struct draft *draft)
{
    const struct expr *from = node_of(table, draft->a);
    bool widens = draft->width == 64;
    if (from->operation == PN_FCAST && !widens && is_settled(table, from->a))
        return become(draft, from->a); /* there and back */
    if (widens && is_exact_integer(table, draft->a))
        return become_unary(draft, from->operation, from->a);
    return false;
}

bool simplify_sfloat(struct expr_table *table, struct draft *draft)
{
    const struct expr *from = node_of(table, draft->a);
    if (from->operation == PN_SEXT)
        return become_unary(draft, PN_SFLOAT, from->a);
    return from->operation == PN_ZEXT && become_unary(draft, PN_UFLOAT, from->a);
}

bool simplify_ufloat(struct expr_table *table, struct draft *draft)
{
    const struct expr *from = node_of(table, draft->a);
    return from->operation == PN_ZEXT && become_unary(draft, PN_UFLOAT, from->a);
}

bool simplify_fsint(struct expr_table *table, struct draft *draft)
{
    const struct expr *from = node_of(table, draft->a);
    if (from->operation == PN_FCAST && from->width == 64)
        return become_unary(draft, PN_FSINT, from->a);
    if (from->operation == PN_FROUND && from->b == PN_TOWARDS_ZERO)
        return become_unary(draft, PN_FSINT, from->a);
    if (!is_exact_integer(table, draft->a))
        return false;
    bool is_signed = from->operation == PN_SFLOAT;
    unsigned width = width_of(table, from->a);
    if (is_signed ? width > draft->width : width >= draft->width)
        return false;
    return become_unary(draft, is_signed ? PN_SEXT : PN_ZEXT, from->a);
}

/* ---- comparisons ---- */

static bool become_outcome(struct expr_table *table, struct draft *draft, bool outcome)
{
    return become(draft, expr_constant(table, 1, outcome));
}

/* Also of -x and -y: then the order is turned round. */
static bool compare_unnegated(struct expr_table *table, struct draft *draft)
{
    bool negative_a = is_negation(table, draft->a), negative_b = is_negation(table, draft->b);
    bool constant_a = is_operation(table, draft->a, PN_CONSTANT),
         constant_b = is_operation(table, draft->b, PN_CONSTANT);
    if (!(negative_a && negative_b) && !(negative_a && constant_b) && !(constant_a && negative_b))
        return false;
    expr_id a = negative_a ? node_of(table, draft->a)->a : negated_constant(table, draft->a);
    expr_id b = negative_b ? node_of(table, draft->b)->a : negated_constant(table, draft->b);
    return become_binary(draft, draft->operation, b, a);
}

/* A comparison of two floats as doubles is one of floats; so is one with a constant, which is moved to the next float.
 */
static bool compare_narrow(struct expr_table *table, struct draft *draft)
{
    bool cast_a = is_operation(table, draft->a, PN_FCAST) && width_of(table, draft->a) == 64;
    bool cast_b = is_operation(table, draft->b, PN_FCAST) && width_of(table, draft->b) == 64;
    if (cast_a && cast_b)
        return become_binary(draft, draft->operation, node_of(table, draft->a)->a, node_of(table, draft->b)->a);
    uint64_t constant;
    if ((!cast_a || !expr_is_constant(table, draft->b, &constant)) &&
        (!cast_b || !expr_is_constant(table, draft->a, &constant)))
        return false;
    expr_id narrow = node_of(table, cast_a ? draft->a : draft->b)->a;
    double number = pn_double(constant);
    uint64_t nearest = pn_float_bits(number, 32);
    if (pn_float_number(nearest, 32) == number) {
        expr_id same = expr_constant(table, 32, nearest);
        return become_binary(draft, draft->operation, cast_a ? narrow : same, cast_a ? same : narrow);
    }
    if (draft->operation == PN_FEQ)
        return become_outcome(table, draft, false);
    /* no float is the number: those below it end with the one before it, those above it begin with the one after it */
    bool is_above = pn_float_number(nearest, 32) > number, wants_above = cast_b;
    if (is_above != wants_above) {
        bool away = (wants_above) == !(nearest & pn_float_sign(32));
        if ((nearest & ~pn_float_sign(32)) == 0) /* a zero that was rounded to: step over it */
            nearest = (wants_above ? 0 : pn_float_sign(32)) | 1;
        else
            nearest += away ? 1 : UINT64_MAX;
    }
    expr_id end = expr_constant(table, 32, nearest);
    return become_binary(draft, PN_FLE, cast_a ? narrow : end, cast_a ? end : narrow);
}

static bool compare_exact_integers(struct expr_table *table, struct draft *draft)
{
    const struct expr *a = node_of(table, draft->a), *b = node_of(table, draft->b);
    if (!is_exact_integer(table, draft->a) || !is_exact_integer(table, draft->b) || a->operation != b->operation ||
        width_of(table, a->a) != width_of(table, b->a))
        return false;
    bool is_signed = a->operation == PN_SFLOAT;
    enum pn_operation operation = draft->operation == PN_FEQ   ? PN_EQ
                                  : draft->operation == PN_FLT ? (is_signed ? PN_SLT : PN_ULT)
                                                               : (is_signed ? PN_SLE : PN_ULE);
    return become_binary(draft, operation, a->a, b->a);
}

/* An integer, compared with a constant: with the integer next to it. */
static bool compare_integer_and_constant(struct expr_table *table, struct draft *draft)
{
    bool left = is_exact_integer(table, draft->a);
    const struct expr *made = node_of(table, left ? draft->a : draft->b);
    const struct expr *constant = node_of(table, left ? draft->b : draft->a);
    if ((!left && !is_exact_integer(table, draft->b)) || constant->operation != PN_CONSTANT)
        return false;
    double number = pn_float_number(constant->value, constant->width);
    unsigned width = width_of(table, made->a);
    bool is_signed = made->operation == PN_SFLOAT;
    double least = is_signed ? -(double)(UINT64_C(1) << (width - 1)) : 0;
    double greatest = is_signed ? (double)(UINT64_C(1) << (width - 1)) - 1 : (double)pn_mask(width);
    if (draft->operation == PN_FEQ) {
        if (!(number >= least && number <= greatest) || pn_integral(number, PN_DOWN) != number)
            return become_outcome(table, draft, false);
        return become_binary(draft, PN_EQ, made->a, expr_constant(table, width, (uint64_t)(int64_t)number));
    }
    /* x < c is x <= the integer before c, x <= c is x <= the one at or before it; on the other side likewise */
    bool strict = draft->operation == PN_FLT;
    double end = left ? (strict ? pn_integral(number, PN_UP) - 1 : pn_integral(number, PN_DOWN))
                      : (strict ? pn_integral(number, PN_DOWN) + 1 : pn_integral(number, PN_UP));
    if (number != number || (left ? end < least : end > greatest))
        return become_outcome(table, draft, false);
    if (left ? end >= greatest : end <= least)
        return become_outcome(table, draft, true);
    expr_id integer = expr_constant(table, width, (uint64_t)(int64_t)end);
    return become_binary(draft, is_signed ? PN_SLE : PN_ULE, left ? made->a : integer, left ? integer : made->a);
}

static bool compare_simply(struct expr_table *table, struct draft *draft)
{
    for (int i = 0; i < 2; i++) {
        const struct expr *operand = node_of(table, i ? draft->b : draft->a);
        if (operand->operation == PN_CONSTANT && pn_float_is_nan(operand->value, operand->width))
            return become_outcome(table, draft, false);
    }
    return compare_unnegated(table, draft) || compare_narrow(table, draft) || compare_exact_integers(table, draft) ||
           compare_integer_and_constant(table, draft);
}

bool simplify_feq(struct expr_table *table, struct draft *draft)
{
    if (draft->a == draft->b) {
        const struct expr *a = node_of(table, draft->a);
        if (a->operation == PN_SFLOAT || a->operation == PN_UFLOAT)
            return become_outcome(table, draft, true);
        if (is_negation(table, draft->a) || (a->operation == PN_FCAST && a->width == 64) || a->operation == PN_FROUND)
            return become_binary(draft, PN_FEQ, a->a, a->a); /* a NaN exactly when that is one */
        return false;
    }
    return compare_simply(table, draft);
}

bool simplify_forder(struct expr_table *table, struct draft *draft)
{
    bool strict = draft->operation == PN_FLT;
    if (draft->a == draft->b)
        return strict ? become_outcome(table, draft, false) : become_binary(draft, PN_FEQ, draft->a, draft->a);
    if (compare_simply(table, draft))
        return true;
    /* what lies beyond an infinity, and what does not */
    bool below = has_number(table, draft->a, -__builtin_inf()), above = has_number(table, draft->b, __builtin_inf());
    if (!strict && (below || above))
        return become_binary(draft, PN_FEQ, below ? draft->b : draft->a, below ? draft->b : draft->a);
    bool beyond = has_number(table, draft->a, __builtin_inf()) || has_number(table, draft->b, -__builtin_inf());
    return strict && beyond && become_outcome(table, draft, false);
}

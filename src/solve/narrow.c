/* Backwards, from what a result can be to what the operands can be. */
#include "solve/domains.h"

static bool narrow_numbers(struct domain *domain, double low, double high)
{
    struct domain inside = domain_of_anything(64);
    inside.low = low;
    inside.high = high;
    return domain_meet(domain, &inside);
}

static bool drop_nan(struct domain *domain)
{
    bool before_that = domain->may_be_nan;
    domain->may_be_nan = false;
    return before_that;
}

/* x such that x + y (or with the signs given, x - y) lies in the result: x = result - y. */
static bool narrow_term(struct domain *term, const struct domain *result, double other_low, double other_high,
                        unsigned width)
{
    double low = down(before(result->low, width) - other_high), high = up(after(result->high, width) - other_low);
    return narrow_numbers(term, low == low ? low : -INFINITY, high == high ? high : INFINITY);
}

static bool narrow_sum(const struct step_domains *step, const struct domain *result)
{
    struct domain *a = step->child[0], *b = step->child[1];
    unsigned width = step->expr->width;
    bool any = false, subtracts = step->expr->operation == PN_FSUB;
    if (step->same)
        return false;
    if (is_finite(b))
        any |= subtracts ? narrow_term(a, result, -b->high, -b->low, width)
                         : narrow_term(a, result, b->low, b->high, width);
    if (!is_finite(a))
        return any;
    if (!subtracts)
        return narrow_term(b, result, a->low, a->high, width) || any;
    /* b = a - result */
    double low = down(a->low - after(result->high, width)), high = up(a->high - before(result->low, width));
    return narrow_numbers(b, low == low ? low : -INFINITY, high == high ? high : INFINITY) || any;
}

static bool narrow_square(struct domain *a, const struct domain *result, unsigned width)
{
    double most = up(up(sqrt(up(after(result->high, width)))));
    return most == most && narrow_numbers(a, -most, most);
}

/* x = result / y, for a y that is not zero. */
static bool narrow_factor(struct domain *factor, const struct domain *result, const struct domain *other,
                          unsigned width)
{
    if (!is_finite(other) || (other->low <= 0 && other->high >= 0))
        return false;
    double tops[] = {before(result->low, width), after(result->high, width)}, bottoms[] = {other->low, other->high};
    double low = INFINITY, high = -INFINITY;
    for (unsigned i = 0; i < 4; i++) {
        double end = tops[i / 2] / bottoms[i % 2];
        if (end != end)
            return false;
        low = down(end) < low ? down(end) : low;
        high = up(end) > high ? up(end) : high;
    }
    return narrow_numbers(factor, low, high);
}

static bool narrow_product(const struct step_domains *step, const struct domain *result)
{
    unsigned width = step->expr->width;
    if (step->same)
        return narrow_square(step->child[0], result, width);
    bool any = narrow_factor(step->child[0], result, step->child[1], width);
    return narrow_factor(step->child[1], result, step->child[0], width) || any;
}

static bool narrow_unary(const struct step_domains *step, const struct domain *result)
{
    struct domain *a = step->child[0];
    unsigned width = step->expr->width;
    double low = before(result->low, width), high = after(result->high, width);
    switch (step->expr->operation) {
    case PN_FSQRT: low = low > 0 ? down(low * low) : 0; return narrow_numbers(a, low, high > 0 ? up(high * high) : 0);
    case PN_FROUND: return narrow_numbers(a, down(result->low - 1), up(result->high + 1));
    default: /* PN_FCAST; a wider number is the number itself */
        return width == 64 ? narrow_numbers(a, result->low, result->high) : narrow_numbers(a, low, high);
    }
}

static bool narrow_integers(struct domain *domain, double low, double high)
{
    struct domain inside = domain_of_anything(64);
    inside.least = low >= 0x1p63 ? INT64_MAX : low > -0x1p63 ? (int64_t)low : INT64_MIN;
    inside.greatest = high <= -0x1p63 ? INT64_MIN : high < 0x1p63 ? (int64_t)high : INT64_MAX;
    return domain_meet(domain, &inside);
}

static bool narrow_conversion(const struct step_domains *step, const struct domain *result)
{
    struct domain *a = step->child[0];
    unsigned width = step->expr->width;
    if (step->expr->operation == PN_FSINT) {
        if (result->least == least_of(width)) /* which is also what does not fit */
            return false;
        bool any = drop_nan(a);
        double low = (double)result->least, high = (double)result->greatest;
        return narrow_numbers(a, low > 0 ? down(low) : down(low - 1), high < 0 ? up(high) : up(high + 1)) || any;
    }
    bool is_unsigned = step->expr->operation == PN_UFLOAT;
    if (!has_numbers(result) || (is_unsigned && a->least < 0))
        return false;
    return narrow_integers(a, floor(before(result->low, width)), ceil(after(result->high, width)));
}

/* a < b, or a <= b */
static bool narrow_order(struct domain *a, struct domain *b, bool strict, unsigned width)
{
    bool any = narrow_numbers(a, -INFINITY, strict ? before(b->high, width) : b->high);
    return narrow_numbers(b, strict ? after(a->low, width) : a->low, INFINITY) || any;
}

static bool narrow_comparison(const struct step_domains *step, const struct domain *result)
{
    struct domain *a = step->child[0], *b = step->child[1];
    bool holds = result->may_be_true, is_equality = step->expr->operation == PN_FEQ;
    if (result->may_be_true == result->may_be_false)
        return false;
    if (!holds && is_equality && step->same)
        return narrow_numbers(a, INFINITY, -INFINITY);
    if (!holds && (is_equality || a->may_be_nan || b->may_be_nan))
        return false;
    bool any = drop_nan(a);
    any |= drop_nan(b);
    if (step->same)
        return any;
    if (is_equality) {
        any |= narrow_numbers(a, b->low, b->high);
        return narrow_numbers(b, a->low, a->high) || any;
    }
    bool strict = (step->expr->operation == PN_FLT) == holds;
    return (holds ? narrow_order(a, b, strict, step->width[0]) : narrow_order(b, a, strict, step->width[0])) || any;
}

static bool narrow_integer_order(const struct step_domains *step, const struct domain *result)
{
    struct domain *a = step->child[0], *b = step->child[1];
    enum pn_operation operation = (enum pn_operation)step->expr->operation;
    bool is_unsigned = operation == PN_ULT || operation == PN_ULE;
    if (result->may_be_true == result->may_be_false || (is_unsigned && (a->least < 0 || b->least < 0)))
        return false;
    bool strict = (operation == PN_SLT || operation == PN_ULT) == result->may_be_true;
    struct domain *less = result->may_be_true ? a : b, *more = result->may_be_true ? b : a;
    struct domain below = domain_of_anything(64), above = below;
    below.greatest = strict && more->greatest > INT64_MIN ? more->greatest - 1 : more->greatest;
    above.least = strict && less->least < INT64_MAX ? less->least + 1 : less->least;
    bool any = domain_meet(less, &below);
    return domain_meet(more, &above) || any;
}

static bool narrow_equality(const struct step_domains *step, const struct domain *result)
{
    struct domain *a = step->child[0], *b = step->child[1];
    if (result->may_be_false || step->width[0] == 1)
        return false;
    bool any = domain_meet(a, b);
    return domain_meet(b, a) || any;
}

/* NaN as the result is NaN. */
static bool narrow_magnitude(struct domain *a, const struct domain *result, double low, double high)
{
    bool any = !result->may_be_nan && drop_nan(a);
    return narrow_numbers(a, low, high) || any;
}

static bool narrow_bitwise(const struct expr_table *table, const struct step_domains *step, const struct domain *result)
{
    struct domain *a = step->child[0], *b = step->child[1];
    const struct expr *expr = step->expr;
    struct domain no = outcome(true, false), yes = outcome(false, true);
    if (expr->width > 1) {
        if (expr->operation == PN_XOR && is_sign(table, expr))
            return narrow_magnitude(a, result, -result->high, -result->low);
        if (expr->operation == PN_AND && is_magnitude(table, expr))
            return narrow_magnitude(a, result, -result->high, result->high);
        return false;
    }
    if (result->may_be_true == result->may_be_false)
        return false;
    bool holds = result->may_be_true, any = false;
    if (expr->operation == PN_XOR) {
        if (a->may_be_true != a->may_be_false)
            any |= domain_meet(b, a->may_be_true == holds ? &no : &yes);
        if (b->may_be_true != b->may_be_false)
            any |= domain_meet(a, b->may_be_true == holds ? &no : &yes);
        return any;
    }
    bool is_and = expr->operation == PN_AND;
    const struct domain *all = is_and ? &yes : &no;
    if (holds == is_and) { /* both */
        any = domain_meet(a, all);
        return domain_meet(b, all) || any;
    }
    const struct domain *other = is_and ? &no : &yes; /* one of them, if the other cannot be */
    bool a_cannot = is_and ? !a->may_be_false : !a->may_be_true, b_cannot = is_and ? !b->may_be_false : !b->may_be_true;
    if (a_cannot)
        any |= domain_meet(b, other);
    if (b_cannot)
        any |= domain_meet(a, other);
    return any;
}

static bool narrow_choice(const struct step_domains *step, const struct domain *result)
{
    struct domain *condition = step->child[0], no = outcome(true, false), yes = outcome(false, true);
    if (!condition->may_be_true || !condition->may_be_false)
        return domain_meet(step->child[condition->may_be_true ? 1 : 2], result);
    bool any = false;
    for (unsigned i = 1; i < 3; i++) {
        struct domain both = *step->child[i];
        domain_meet(&both, result);
        if (domain_is_empty(&both, step->expr->width))
            any |= domain_meet(condition, i == 1 ? &no : &yes);
    }
    return any;
}

bool domain_backward(const struct expr_table *table, const struct step_domains *step, const struct domain *result)
{
    enum pn_operation operation = (enum pn_operation)step->expr->operation;
    switch (operation) {
    case PN_FADD:
    case PN_FSUB:
    case PN_FMUL:
    case PN_FSQRT:
    case PN_FROUND:
    case PN_FCAST:
    case PN_FDIV: {
        if (result->may_be_nan || !has_numbers(result))
            return false;
        bool any = drop_nan(step->child[0]);
        if (step->child[1])
            any |= drop_nan(step->child[1]);
        if (operation == PN_FADD || operation == PN_FSUB)
            return narrow_sum(step, result) || any;
        if (operation == PN_FMUL)
            return narrow_product(step, result) || any;
        return operation == PN_FDIV ? any : narrow_unary(step, result) || any;
    }
    case PN_SFLOAT:
    case PN_UFLOAT:
    case PN_FSINT: return narrow_conversion(step, result);
    case PN_FEQ:
    case PN_FLT:
    case PN_FLE: return narrow_comparison(step, result);
    case PN_ULT:
    case PN_ULE:
    case PN_SLT:
    case PN_SLE: return narrow_integer_order(step, result);
    case PN_EQ: return narrow_equality(step, result);
    case PN_AND:
    case PN_OR:
    case PN_XOR: return narrow_bitwise(table, step, result);
    case PN_ITE: return narrow_choice(step, result);
    default: return false;
    }
}

/* Domains as sets, and what operations make of them. */
#include "solve/domains.h"
#include "trace/mathematics.h"

/* ---- sets ---- */

static int64_t greatest_of(unsigned width)
{
    return (int64_t)(pn_mask(width) >> 1);
}

static bool is_floating_width(unsigned width)
{
    return width == 32 || width == 64;
}

struct domain domain_of_anything(unsigned width)
{
    return (struct domain){.low = -INFINITY,
                           .high = INFINITY,
                           .may_be_nan = true,
                           .least = least_of(width),
                           .greatest = greatest_of(width),
                           .may_be_false = true,
                           .may_be_true = true};
}

struct domain domain_of_constant(uint64_t value, unsigned width)
{
    struct domain domain = domain_of_anything(width);
    domain.least = domain.greatest = pn_signed(value, width);
    domain.may_be_true = value & 1;
    domain.may_be_false = !domain.may_be_true;
    if (is_floating_width(width)) {
        domain.may_be_nan = pn_float_is_nan(value, width);
        domain.low = domain.may_be_nan ? INFINITY : pn_float_number(value, width);
        domain.high = domain.may_be_nan ? -INFINITY : domain.low;
    }
    return domain;
}

bool domain_is_empty(const struct domain *domain, unsigned width)
{
    if (width == 1)
        return !domain->may_be_false && !domain->may_be_true;
    return domain->least > domain->greatest ||
           (is_floating_width(width) && !has_numbers(domain) && !domain->may_be_nan);
}

bool domain_meet(struct domain *domain, const struct domain *other)
{
    struct domain before = *domain;
    domain->low = domain->low < other->low ? other->low : domain->low;
    domain->high = domain->high > other->high ? other->high : domain->high;
    domain->may_be_nan &= other->may_be_nan;
    domain->least = domain->least < other->least ? other->least : domain->least;
    domain->greatest = domain->greatest > other->greatest ? other->greatest : domain->greatest;
    domain->may_be_false &= other->may_be_false;
    domain->may_be_true &= other->may_be_true;
    return domain->low > before.low || domain->high < before.high || domain->may_be_nan != before.may_be_nan ||
           domain->least > before.least || domain->greatest < before.greatest ||
           domain->may_be_false != before.may_be_false || domain->may_be_true != before.may_be_true;
}

static struct domain join(const struct domain *one, const struct domain *other)
{
    struct domain both = *one;
    both.low = both.low > other->low ? other->low : both.low;
    both.high = both.high < other->high ? other->high : both.high;
    both.may_be_nan |= other->may_be_nan;
    both.least = both.least > other->least ? other->least : both.least;
    both.greatest = both.greatest < other->greatest ? other->greatest : both.greatest;
    both.may_be_false |= other->may_be_false;
    both.may_be_true |= other->may_be_true;
    return both;
}

/* Only the numbers are known. */
static struct domain numbers(unsigned width, double low, double high, bool may_be_nan)
{
    struct domain domain = domain_of_anything(width);
    domain.low = low;
    domain.high = high;
    domain.may_be_nan = may_be_nan;
    return domain;
}

static struct domain integers(unsigned width, __int128 least, __int128 greatest)
{
    struct domain domain = domain_of_anything(width);
    if (least >= domain.least && greatest <= domain.greatest) { /* otherwise it may wrap */
        domain.least = (int64_t)least;
        domain.greatest = (int64_t)greatest;
    }
    return domain;
}

/* ---- forward: arithmetic ---- */

static double rounded(enum pn_operation operation, unsigned width, double a, double b)
{
    uint64_t bits = pn_operation_value(operation, width, width, pn_float_bits(a, width), pn_float_bits(b, width), 0);
    return pn_float_number(bits, width);
}

/* The least and greatest of the results at the corners; anything where one of them is a NaN. */
static struct domain corners(enum pn_operation operation, unsigned width, const struct domain *a,
                             const struct domain *b, bool may_be_nan)
{
    double ends[] = {rounded(operation, width, a->low, b->low), rounded(operation, width, a->low, b->high),
                     rounded(operation, width, a->high, b->low), rounded(operation, width, a->high, b->high)};
    double low = INFINITY, high = -INFINITY;
    for (unsigned i = 0; i < 4; i++) {
        if (ends[i] != ends[i])
            return domain_of_anything(width);
        low = ends[i] < low ? ends[i] : low;
        high = ends[i] > high ? ends[i] : high;
    }
    return numbers(width, low, high, may_be_nan);
}

static struct domain arithmetic(const struct step_domains *step)
{
    const struct domain *a = step->child[0], *b = step->child[1];
    enum pn_operation operation = (enum pn_operation)step->expr->operation;
    unsigned width = step->expr->width;
    bool nan_in = a->may_be_nan || b->may_be_nan;
    if (!has_numbers(a) || !has_numbers(b)) /* a NaN in every case */
        return numbers(width, INFINITY, -INFINITY, true);
    bool infinite = !is_finite(a) || !is_finite(b);
    if (operation == PN_FDIV && a->low == 0 && a->high == 0 && b->low == 0 && b->high == 0)
        return numbers(width, INFINITY, -INFINITY, true);
    if (operation == PN_FDIV && b->low <= 0 && b->high >= 0)
        return numbers(width, -INFINITY, INFINITY, nan_in || infinite || (a->low <= 0 && a->high >= 0));
    if (operation == PN_FMUL && step->same) {
        double most = fmax(fabs(a->low), fabs(a->high)),
               least = a->low <= 0 && a->high >= 0 ? 0 : fmin(fabs(a->low), fabs(a->high));
        return numbers(width, rounded(PN_FMUL, width, least, least), rounded(PN_FMUL, width, most, most), nan_in);
    }
    if (operation == PN_FSUB && step->same)
        return numbers(width, 0, 0, nan_in || infinite);
    return corners(operation, width, a, b, nan_in || infinite);
}

static struct domain fused(const struct step_domains *step)
{
    for (unsigned i = 0; i < 3; i++)
        if (step->child[i]->may_be_nan || !is_finite(step->child[i]))
            return domain_of_anything(step->expr->width);
    /* a product, unrounded, lies within the rounded one's neighbours */
    struct domain product = corners(PN_FMUL, 64, step->child[0], step->child[1], false);
    double low = down(down(product.low) + step->child[2]->low), high = up(up(product.high) + step->child[2]->high);
    return numbers(step->expr->width,
                   before(pn_float_number(pn_float_bits(low, step->expr->width), step->expr->width), step->expr->width),
                   after(pn_float_number(pn_float_bits(high, step->expr->width), step->expr->width), step->expr->width),
                   true);
}

/* A function of one number that grows with it, or stays. */
static struct domain growing(const struct step_domains *step)
{
    const struct domain *a = step->child[0];
    const struct expr *expr = step->expr;
    double ends[2] = {a->low, a->high};
    bool is_root = expr->operation == PN_FSQRT, may_be_nan = a->may_be_nan || (is_root && a->low < 0);
    if (!has_numbers(a) || (is_root && a->high < 0))
        return numbers(expr->width, INFINITY, -INFINITY, true);
    for (unsigned i = 0; i < 2; i++) {
        double end = is_root && ends[i] < 0 ? 0 : ends[i];
        ends[i] = pn_float_number(pn_operation_value((enum pn_operation)expr->operation, expr->width, step->width[0],
                                                     pn_float_bits(end, step->width[0]), expr->b, 0),
                                  expr->width);
    }
    return numbers(expr->width, ends[0], ends[1], may_be_nan);
}

/* Where results lie whatever the arguments are, in the C library's precision too: none of the bounded functions is
 * rounded away from its bound. The angles' bounds are numbers just beyond pi and its half. */
static struct domain called(const struct step_domains *step)
{
    unsigned width = step->expr->width;
    switch ((enum pn_function)step->expr->c) {
    case PN_FUNCTION_sin:
    case PN_FUNCTION_cos:
    case PN_FUNCTION_tanh:
    case PN_FUNCTION_erf: return numbers(width, -1, 1, true);
    case PN_FUNCTION_asin:
    case PN_FUNCTION_atan: return numbers(width, -1.5708, 1.5708, true);
    case PN_FUNCTION_acos: return numbers(width, 0, 3.1416, true);
    case PN_FUNCTION_atan2: return numbers(width, -3.1416, 3.1416, true);
    case PN_FUNCTION_erfc: return numbers(width, 0, 2, true);
    case PN_FUNCTION_exp:
    case PN_FUNCTION_exp2:
    case PN_FUNCTION_exp10:
    case PN_FUNCTION_cosh:
    case PN_FUNCTION_hypot:
    case PN_FUNCTION_fdim: return numbers(width, 0, INFINITY, true);
    default: return domain_of_anything(width);
    }
}

static struct domain made_of_integer(const struct step_domains *step)
{
    const struct domain *a = step->child[0];
    unsigned width = step->expr->width;
    bool is_unsigned = step->expr->operation == PN_UFLOAT;
    if (is_unsigned && a->least < 0)
        return numbers(width, 0, pn_float_number(pn_float_of_unsigned(width, pn_mask(step->width[0])), width), false);
    return numbers(width, pn_float_number(pn_float_of_signed(width, a->least), width),
                   pn_float_number(pn_float_of_signed(width, a->greatest), width), false);
}

static struct domain made_integer(const struct step_domains *step)
{
    const struct domain *a = step->child[0];
    unsigned width = step->expr->width;
    double end = width == 32 ? 0x1p31 : 0x1p63;
    if (a->may_be_nan || !has_numbers(a) || a->low < -end || a->high >= end)
        return domain_of_anything(width);
    return integers(width, (int64_t)a->low, (int64_t)a->high);
}

/* ---- forward: comparisons and conditions ---- */

static struct domain compared(const struct step_domains *step)
{
    const struct domain *a = step->child[0], *b = step->child[1];
    bool nan = a->may_be_nan || b->may_be_nan, any = has_numbers(a) && has_numbers(b);
    switch (step->expr->operation) {
    case PN_FLT: return outcome(nan || (any && a->high >= b->low), any && a->low < b->high && !step->same);
    case PN_FLE: return outcome(nan || (any && a->high > b->low && !step->same), any && a->low <= b->high);
    case PN_FEQ:
        if (step->same)
            return outcome(a->may_be_nan, has_numbers(a));
        return outcome(nan || (any && !(a->low == a->high && b->low == b->high && a->low == b->low)),
                       any && a->low <= b->high && b->low <= a->high);
    default: return outcome(true, true);
    }
}

/* Unsigned orders are signed ones where no operand is negative. */
static struct domain compared_integers(const struct step_domains *step)
{
    const struct domain *a = step->child[0], *b = step->child[1];
    bool is_unsigned = step->expr->operation == PN_ULT || step->expr->operation == PN_ULE;
    if (is_unsigned && (a->least < 0 || b->least < 0))
        return outcome(true, true);
    if (step->expr->operation == PN_SLT || step->expr->operation == PN_ULT)
        return outcome(a->greatest >= b->least, a->least < b->greatest);
    return outcome(a->greatest > b->least, a->least <= b->greatest);
}

static struct domain equal(const struct step_domains *step)
{
    const struct domain *a = step->child[0], *b = step->child[1];
    bool may_be_equal = a->least <= b->greatest && b->least <= a->greatest;
    if (step->width[0] == 1)
        may_be_equal = (a->may_be_true && b->may_be_true) || (a->may_be_false && b->may_be_false);
    if (is_floating_width(step->width[0]))
        may_be_equal &= (a->may_be_nan && b->may_be_nan) || (a->low <= b->high && b->low <= a->high);
    bool is_one = a->least == a->greatest && b->least == b->greatest && a->least == b->least && step->width[0] > 1;
    return outcome(!is_one, may_be_equal);
}

static struct domain bitwise(const struct expr_table *table, const struct step_domains *step)
{
    const struct domain *a = step->child[0], *b = step->child[1];
    const struct expr *expr = step->expr;
    if (expr->width == 1) {
        if (expr->operation == PN_AND)
            return outcome(a->may_be_false || b->may_be_false, a->may_be_true && b->may_be_true);
        if (expr->operation == PN_OR)
            return outcome(a->may_be_false && b->may_be_false, a->may_be_true || b->may_be_true);
        return outcome((a->may_be_false && b->may_be_false) || (a->may_be_true && b->may_be_true),
                       (a->may_be_false && b->may_be_true) || (a->may_be_true && b->may_be_false));
    }
    if (expr->operation == PN_XOR && is_sign(table, expr))
        return numbers(expr->width, -a->high, -a->low, a->may_be_nan);
    if (expr->operation == PN_AND && is_magnitude(table, expr)) {
        bool has_zero = a->low <= 0 && a->high >= 0;
        return !has_numbers(a) ? numbers(expr->width, INFINITY, -INFINITY, a->may_be_nan)
                               : numbers(expr->width, has_zero ? 0 : fmin(fabs(a->low), fabs(a->high)),
                                         fmax(fabs(a->low), fabs(a->high)), a->may_be_nan);
    }
    return domain_of_anything(expr->width);
}

static struct domain chosen(const struct step_domains *step)
{
    const struct domain *condition = step->child[0];
    if (!condition->may_be_true || !condition->may_be_false)
        return condition->may_be_true ? *step->child[1] : *step->child[2];
    return join(step->child[1], step->child[2]);
}

static struct domain integer_arithmetic(const struct step_domains *step)
{
    const struct domain *a = step->child[0], *b = step->child[1];
    unsigned width = step->expr->width;
    __int128 products[] = {(__int128)a->least * b->least, (__int128)a->least * b->greatest,
                           (__int128)a->greatest * b->least, (__int128)a->greatest * b->greatest};
    __int128 least = products[0], greatest = products[0];
    switch (step->expr->operation) {
    case PN_ADD: return integers(width, (__int128)a->least + b->least, (__int128)a->greatest + b->greatest);
    case PN_SUB: return integers(width, (__int128)a->least - b->greatest, (__int128)a->greatest - b->least);
    default:
        for (unsigned i = 1; i < 4; i++) {
            least = products[i] < least ? products[i] : least;
            greatest = products[i] > greatest ? products[i] : greatest;
        }
        return integers(width, least, greatest);
    }
}

/* A divisor above zero; quotients are cut towards zero and so grow with the dividend. */
static struct domain quotient(const struct step_domains *step)
{
    const struct domain *a = step->child[0], *b = step->child[1];
    unsigned width = step->expr->width;
    if (b->least <= 0 || a->least < 0)
        return domain_of_anything(width);
    return integers(width, a->least / b->greatest, a->greatest / b->least);
}

static struct domain extended(const struct step_domains *step)
{
    const struct domain *a = step->child[0];
    unsigned from = step->width[0], width = step->expr->width;
    if (from == 1)
        return step->expr->operation == PN_ZEXT ? integers(width, !a->may_be_false, a->may_be_true)
                                                : domain_of_anything(width);
    if (step->expr->operation == PN_SEXT || a->least >= 0)
        return integers(width, a->least, a->greatest);
    return integers(width, 0, (__int128)pn_mask(from));
}

struct domain domain_forward(const struct expr_table *table, const struct step_domains *step)
{
    switch (step->expr->operation) {
    case PN_FADD:
    case PN_FSUB:
    case PN_FMUL:
    case PN_FDIV: return arithmetic(step);
    case PN_FMA: return fused(step);
    case PN_FSQRT:
    case PN_FROUND:
    case PN_FCAST: return growing(step);
    case PN_FCALL: return called(step);
    case PN_SFLOAT:
    case PN_UFLOAT: return made_of_integer(step);
    case PN_FSINT: return made_integer(step);
    case PN_FEQ:
    case PN_FLT:
    case PN_FLE: return compared(step);
    case PN_EQ: return equal(step);
    case PN_ULT:
    case PN_ULE:
    case PN_SLT:
    case PN_SLE: return compared_integers(step);
    case PN_AND:
    case PN_OR:
    case PN_XOR: return bitwise(table, step);
    case PN_ITE: return chosen(step);
    case PN_ADD:
    case PN_SUB:
    case PN_MUL: return integer_arithmetic(step);
    case PN_SDIV:
    case PN_UDIV: return quotient(step);
    case PN_ZEXT:
    case PN_SEXT: return extended(step);
    default: return domain_of_anything(step->expr->width);
    }
}

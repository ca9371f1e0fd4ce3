/* What intervals.c and narrow.c share. */
#ifndef PENUMBRA_SOLVE_DOMAINS_H
#define PENUMBRA_SOLVE_DOMAINS_H

#include "solve/intervals.h"

#include <math.h>

static inline int64_t least_of(unsigned width)
{
    return pn_signed(UINT64_C(1) << (width - 1), width);
}

static inline bool has_numbers(const struct domain *domain)
{
    return domain->low <= domain->high;
}

static inline bool is_finite(const struct domain *domain)
{
    return has_numbers(domain) && domain->low > -INFINITY && domain->high < INFINITY;
}

static inline struct domain outcome(bool may_be_false, bool may_be_true)
{
    struct domain domain = domain_of_anything(1);
    domain.may_be_false = may_be_false;
    domain.may_be_true = may_be_true;
    return domain;
}

/* ---- rounding outwards ---- */

/* The numbers next to one in its type: what is rounded to x lies between them. */
static inline double before(double x, unsigned width)
{
    return width == 32 ? (double)nextafterf((float)x, -INFINITY) : nextafter(x, -INFINITY);
}

static inline double after(double x, unsigned width)
{
    return width == 32 ? (double)nextafterf((float)x, INFINITY) : nextafter(x, INFINITY);
}

/* The operation in double was rounded itself. */
static inline double down(double x)
{
    return nextafter(x, -INFINITY);
}

static inline double up(double x)
{
    return nextafter(x, INFINITY);
}

/* ---- operations on bits that are ones on numbers ---- */

static inline bool has_mask(const struct expr_table *table, const struct expr *expr, uint64_t mask)
{
    uint64_t constant;
    return (expr->width == 32 || expr->width == 64) && expr_is_constant(table, expr->b, &constant) && constant == mask;
}

/* x ^ sign: -x */
static inline bool is_sign(const struct expr_table *table, const struct expr *expr)
{
    return has_mask(table, expr, pn_float_sign(expr->width));
}

/* x & ~sign: fabs(x) */
static inline bool is_magnitude(const struct expr_table *table, const struct expr *expr)
{
    return has_mask(table, expr, pn_float_sign(expr->width) - 1);
}

#endif

/* What is known of an expression's value while a set of conditions is looked at: as a floating-point number, as a
 * signed integer, as a condition. Everything that it can be is inside; so an empty domain is a contradiction.
 *
 * IEEE's rounding is monotone: the ends of an interval, rounded as the program rounds, are the ends of the results.
 * Backwards, from a result to an operand, ends are moved outwards to the next number first. */
#ifndef PENUMBRA_SOLVE_INTERVALS_H
#define PENUMBRA_SOLVE_INTERVALS_H

#include "expr/expr.h"

struct domain {
    double low, high;               /* of the numbers it can be, zeros without their signs; low > high: none */
    bool may_be_nan;                /* beside them */
    int64_t least, greatest;        /* as a signed integer of its width */
    bool may_be_false, may_be_true; /* of width 1 */
};

struct domain domain_of_anything(unsigned width);
struct domain domain_of_constant(uint64_t value, unsigned width);
bool domain_is_empty(const struct domain *domain, unsigned width);
/* Keeps what is in both; true when the first one has become smaller. */
bool domain_meet(struct domain *domain, const struct domain *other);

/* The children's domains in the order of the operation, their widths, and whether the first two are one expression. */
struct step_domains {
    const struct expr *expr;
    struct domain *child[3];
    unsigned width[3];
    bool same;
};

/* What an operation gives. */
struct domain domain_forward(const struct expr_table *table, const struct step_domains *step);
/* Narrows the children to what can give the result; true when one has become smaller. */
bool domain_backward(const struct expr_table *table, const struct step_domains *step, const struct domain *result);

#endif

/* Orders between values: conditions that compare two expressions, or one with a constant, as differences.
 *
 * Each compared expression is a number of its own, whatever it is made of; x < y says x - y <= -1. A set of such
 * differences is contradictory exactly when it has a cycle with a negative sum, and otherwise the numbers of the hint
 * can be moved until all fit: only those that stand in the way move. The contradiction is a proof, whatever else the
 * conditions say; the numbers are a proposal, because expressions may have bytes in common and other conditions may
 * not be orders at all. */
#ifndef PENUMBRA_SOLVE_ORDER_H
#define PENUMBRA_SOLVE_ORDER_H

#include "expr/expr.h"

enum order_answer {
    ORDER_CONTRADICTION,
    ORDER_PROPOSAL,
    ORDER_NOTHING, /* nothing to say */
};

struct order_proposal {
    expr_id id;
    uint64_t value;
};

struct order;

struct order *order_create(struct expr_table *table);
void order_destroy(struct order *order);

enum order_answer order_solve(struct order *order, const expr_id *conditions, size_t count, const uint8_t *hint,
                              size_t size);

/* After ORDER_CONTRADICTION: the conditions on the cycle. Valid until the next call, like the proposals. */
const expr_id *order_core(const struct order *order, size_t *count);
/* After ORDER_PROPOSAL: the values that differ from the hint's. */
const struct order_proposal *order_proposals(const struct order *order, size_t *count);

#endif

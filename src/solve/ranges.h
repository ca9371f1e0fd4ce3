/* Ranges of values: what conditions like x < 5 say about expressions, carried upwards through arithmetic. Proves some
 * sets of conditions unsatisfiable at once, such as x * x < 0 where the square does not overflow. */
#ifndef PENUMBRA_SOLVE_RANGES_H
#define PENUMBRA_SOLVE_RANGES_H

#include "expr/expr.h"

struct ranges;

struct ranges *ranges_create(struct expr_table *table);
void ranges_destroy(struct ranges *ranges);

/* True when the conditions cannot hold together; false says nothing. Looks at a limited number of expressions. */
bool ranges_contradict(struct ranges *ranges, const expr_id *conditions, size_t count);

/* Whether the operation has a rule of its own; the others may have any value. */
bool ranges_know(enum pn_operation operation);

#endif

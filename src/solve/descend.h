/* Descent: a search for conditions over floating-point numbers, where there is a notion of near. How far an input is
 * from satisfying a comparison is the number of floating-point numbers between its operands; variables are moved one at
 * a time, by steps that double while they help, over the numbers in their order. Finds models, and proves nothing. */
#ifndef PENUMBRA_SOLVE_DESCEND_H
#define PENUMBRA_SOLVE_DESCEND_H

#include "expr/expr.h"

struct descent;

struct descent *descent_create(struct expr_table *table);
void descent_destroy(struct descent *descent);

/* Whether all conditions could be made to hold, in `model`, within so many evaluations of them; never without floating
 * point in them. */
bool descend(struct descent *descent, const expr_id *conditions, size_t count, uint8_t *model, size_t size,
             unsigned evaluations);

#endif

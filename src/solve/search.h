/* Local search: from an input that violates some conditions to one that satisfies all, by moves that each make one
 * violated condition true. A move inverts the condition's operations towards the input: to make a + 3 == b true, a
 * becomes b - 3. Finds models, and proves nothing. */
#ifndef PENUMBRA_SOLVE_SEARCH_H
#define PENUMBRA_SOLVE_SEARCH_H

#include "expr/expr.h"

struct search;

struct search *search_create(struct expr_table *table);
void search_destroy(struct search *search);

/* Changes `model` so that the expression is likely to become `value`; false when no way was found. */
bool search_assign(struct search *search, expr_id id, uint64_t value, uint8_t *model, size_t size);

/* Whether all conditions could be made to hold, in `model`, by a limited number of moves. */
bool search_solve(struct search *search, const expr_id *conditions, size_t count, uint8_t *model, size_t size);

/* The same with as many moves as is said, random ones among them, of which those are kept that violate no more
 * conditions than before: for conditions that many inputs satisfy, but not those next to the hint. The second half of
 * the moves starts from zero. */
bool search_climb(struct search *search, const expr_id *conditions, size_t count, uint8_t *model, size_t size,
                  unsigned moves);

/* Whether a value can be reached by inverting the operation. */
bool search_knows(enum pn_operation operation);

#endif

/* Branch and prune: intervals of floating-point numbers and integers are narrowed by the conditions, forwards and
 * backwards, and cut in halves where that is not enough. Proves sets of conditions unsatisfiable, and finds models in
 * the middle of a box; both as far as it comes. */
#ifndef PENUMBRA_SOLVE_PRUNE_H
#define PENUMBRA_SOLVE_PRUNE_H

#include "expr/expr.h"

enum prune_answer { PRUNE_CONTRADICTION, PRUNE_MODEL, PRUNE_UNKNOWN };

struct pruner;

struct pruner *pruner_create(struct expr_table *table);
void pruner_destroy(struct pruner *pruner);

/* For conditions with floating point in them; unknown for others, and where there are too many expressions. `work` is
 * how many expressions may be narrowed in all. On PRUNE_MODEL, `model` holds it. */
enum prune_answer prune(struct pruner *pruner, const expr_id *conditions, size_t count, uint8_t *model, size_t size,
                        size_t work);

#endif

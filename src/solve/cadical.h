/* The tier before Z3: bit-blasting into one incremental CaDiCaL. Expressions are translated once (blast.h); the
 * conditions of a query are assumptions, so what was learnt in one query serves the next. When the clauses have become
 * too many, everything begins anew. */
#ifndef PENUMBRA_SOLVE_CADICAL_H
#define PENUMBRA_SOLVE_CADICAL_H

#include "expr/expr.h"
#include "solve/slice.h"
#include "solve/solve.h"

struct cadical_tier;

struct cadical_tier *cadical_tier_create(struct expr_table *table);
void cadical_tier_destroy(struct cadical_tier *tier);

/* Whether the conditions, which read `bytes`, hold together for some input of `size` bytes (those beyond are zero). If
 * so, `model` receives those of the bytes that it has; the others stay. Unknown when the time or the conflicts
 * (negative: any number) are over, or the circuit would get too big. */
enum solve_answer cadical_tier_solve(struct cadical_tier *tier, const expr_id *conditions, size_t count,
                                     const struct byte_list *bytes, uint8_t *model, size_t size, double seconds,
                                     int conflicts);

/* After SOLVE_UNSATISFIABLE: those of the conditions that contradict each other already, in the order of the query.
 * Valid until the next query. */
const expr_id *cadical_tier_core(const struct cadical_tier *tier, size_t *count);

#endif

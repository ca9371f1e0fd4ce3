/* The last tier: Z3. Complete for bit-vectors within its time limit, and slow: milliseconds for a small query. */
#ifndef PENUMBRA_SOLVE_Z3_H
#define PENUMBRA_SOLVE_Z3_H

#include "expr/expr.h"
#include "solve/slice.h"
#include "solve/solve.h"

struct z3_tier;

/* No time limit when it is 0. */
struct z3_tier *z3_tier_create(struct expr_table *table, unsigned timeout_milliseconds);
/* From the next query on. */
void z3_tier_set_timeout(struct z3_tier *tier, unsigned timeout_milliseconds);
void z3_tier_destroy(struct z3_tier *tier);

/* Whether the conditions, which read `bytes`, hold together for some input of `size` bytes (those beyond are zero). If
 * so, `model` receives the bytes that Z3 chose; the others stay. */
enum solve_answer z3_tier_solve(struct z3_tier *tier, const expr_id *conditions, size_t count,
                                const struct byte_list *bytes, uint8_t *model, size_t size);

/* Appends the same question in SMT-LIB's words, up to and with (check-sat). An input byte is called `k!` and its
 * number. */
void z3_tier_print(struct z3_tier *tier, const expr_id *conditions, size_t count, const struct byte_list *bytes,
                   size_t size, struct text *text);

#endif

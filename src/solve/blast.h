/* Expressions as circuits: every bit of a value is a literal. Each expression is translated once. */
#ifndef PENUMBRA_SOLVE_BLAST_H
#define PENUMBRA_SOLVE_BLAST_H

#include "expr/expr.h"
#include "solve/gates.h"

struct blaster;

struct blaster *blaster_create(struct expr_table *table);
void blaster_destroy(struct blaster *blaster);
struct gates *blaster_gates(const struct blaster *blaster);

/* Translates what is not translated yet, until `should_stop` says so (it is asked now and then); then false, and what
 * was done stays. False, too, where the gates are full: then the blaster is of no more use. */
typedef bool stop_function(void *context);
bool blast(struct blaster *blaster, expr_id id, stop_function *should_stop, void *context);

/* The bits of a translated expression, lowest first, or NULL if it is not. Valid until the next translation. */
const literal *blasted(const struct blaster *blaster, expr_id id);

/* Whether there is a circuit for the operation. */
bool blast_knows(enum pn_operation operation);

#endif

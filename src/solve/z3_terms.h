/* Expressions as Z3's terms.
 *
 * A value of width w is a bit-vector of w bits, conditions included; an input byte is a constant named by its number.
 * The term of each expression is made once and kept (with a reference of ours) for all later queries.
 *
 * Z3's preprocessing takes far more than linear time in the depth of a term, and does not look at the clock meanwhile.
 * So terms never get deep: after some levels a value is given a name, and further terms are built on the name. A query
 * then has to assert the definitions of the names below it. A chain of 2,000 additions and exclusive ors took 1.3 s
 * instead of more than 60. */
#ifndef PENUMBRA_SOLVE_Z3_TERMS_H
#define PENUMBRA_SOLVE_Z3_TERMS_H

#include "expr/expr.h"

#include <z3.h>

struct z3_terms;

/* The context must count references and outlive the terms. */
struct z3_terms *z3_terms_create(struct expr_table *table, Z3_context context);
void z3_terms_destroy(struct z3_terms *terms);

/* Belongs to the table of terms; NULL when Z3 failed. */
Z3_ast z3_term(struct z3_terms *terms, expr_id id);
/* What has to be asserted beside these expressions, which have terms. Valid until the next call. */
const Z3_ast *z3_definitions(struct z3_terms *terms, const expr_id *roots, size_t count, size_t *definition_count);

/* About how many bits of circuits Z3 makes of these expressions. */
size_t z3_size(struct z3_terms *terms, const expr_id *roots, size_t count);

#endif

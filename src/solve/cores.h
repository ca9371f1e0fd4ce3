/* Small sets of conditions that are known to contradict each other. Whatever contains one of them is unsatisfiable. */
#ifndef PENUMBRA_SOLVE_CORES_H
#define PENUMBRA_SOLVE_CORES_H

#include "expr/expr.h"

struct cores;

struct cores *cores_create(void);
void cores_destroy(struct cores *cores);

/* Keeps distinct conditions, unless they are too many to be of use. */
void cores_add(struct cores *cores, const expr_id *conditions, size_t count);

/* Tells members of the query that is asked about. */
typedef bool member_function(const void *context, expr_id id);

/* Whether a known contradiction with `condition` in it has all its conditions in the query. Looks at a limited number.
 */
bool cores_contradict(struct cores *cores, expr_id condition, member_function *is_member, const void *context);

#endif

/* When two outputs are the same: bytes are when they are equal; floating-point numbers also when both are NaN, and when
 * they lie within the tolerance that the user gave (docs/floating.md). */
#ifndef PENUMBRA_EXPLORE_TOLERANCE_H
#define PENUMBRA_EXPLORE_TOLERANCE_H

#include "explore/path.h"

/* Whether the run's own outputs differ. */
bool output_bytes_differ(const struct path_output *output);
/* "The numbers (bits of 32 or 64) are not the same", as a condition. */
expr_id numbers_differ(struct expr_table *table, expr_id a, expr_id b, double tolerance);

#endif

/* Floating point in Z3's own theory. The theory has one NaN, as trace/floating.h has. */
#ifndef PENUMBRA_SOLVE_Z3_FLOATING_H
#define PENUMBRA_SOLVE_Z3_FLOATING_H

#include "expr/expr.h"

#include <z3.h>

/* What is made comes with a reference, which is the caller's; NULL when Z3 failed.
 *
 * Bits as a number, and back. */
Z3_ast z3_floating_from_bits(Z3_context context, Z3_ast bits, unsigned width);
Z3_ast z3_bits_from_floating(Z3_context context, Z3_ast number, unsigned width);

/* The term of an operation on floating point. Operands that the operation reads as numbers are numbers; `width` is the
 * result's, `child_width` the first operand's. A comparison gives a Boolean, PN_FSINT bits, and every other operation a
 * number. */
Z3_ast z3_floating_term(Z3_context context, const struct expr *expr, unsigned child_width, Z3_ast a, Z3_ast b,
                        Z3_ast c);

#endif

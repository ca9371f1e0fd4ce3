/* Circuits of arithmetic on values of `width` bits, lowest bit first. Outputs never overlap inputs. */
#ifndef PENUMBRA_SOLVE_CIRCUITS_H
#define PENUMBRA_SOLVE_CIRCUITS_H

#include "solve/gates.h"

enum { MOST_BITS = 64 };

/* a + b + carry; returns the carry out. */
literal circuit_add(struct gates *gates, unsigned width, const literal *a, const literal *b, literal carry,
                    literal *sum);
void circuit_subtract(struct gates *gates, unsigned width, const literal *a, const literal *b, literal *difference);
/* condition ? -a : a */
void circuit_negate_if(struct gates *gates, unsigned width, literal condition, const literal *a, literal *result);
void circuit_choose(struct gates *gates, unsigned width, literal condition, const literal *on_true,
                    const literal *on_false, literal *result);
void circuit_multiply(struct gates *gates, unsigned width, const literal *a, const literal *b, literal *product);
/* Unsigned; a divisor of zero gives all ones and the dividend. */
void circuit_divide(struct gates *gates, unsigned width, const literal *a, const literal *b, literal *quotient,
                    literal *remainder);
/* Shifts by at least the width fill everything. */
void circuit_shift_left(struct gates *gates, unsigned width, const literal *a, const literal *distance,
                        literal *result);
void circuit_shift_right(struct gates *gates, unsigned width, const literal *a, const literal *distance, literal fill,
                         literal *result);
literal circuit_equal(struct gates *gates, unsigned width, const literal *a, const literal *b);
/* a < b */
literal circuit_less(struct gates *gates, unsigned width, const literal *a, const literal *b);
literal circuit_signed_less(struct gates *gates, unsigned width, const literal *a, const literal *b);

#endif

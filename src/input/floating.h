/* Elements of type float and double: their bits, and the text that people write for them. An element is its IEEE bit
 * pattern, in 4 or 8 bytes. */
#ifndef PENUMBRA_INPUT_FLOATING_H
#define PENUMBRA_INPUT_FLOATING_H

#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

/* Appends the shortest text that reads back to the same bits: `1.5`, `-0.0`, `1e+300`, `inf`, `nan`, and
 * `nan(0x4000000000001)` for a NaN whose fraction is not the usual one. */
void floating_print(uint64_t bits, unsigned size, struct text *text);

enum floating_problem { FLOATING_READ, FLOATING_NO_NUMBER, FLOATING_TOO_BIG };
/* Reads such a text, or any other way to write a number in C; `*at` moves behind it. A number ends before `..`. */
enum floating_problem floating_read(const char **at, unsigned size, uint64_t *bits);

double floating_value(uint64_t bits, unsigned size);
/* Whether the number lies in the range, ends included; the sign of a zero does not count, and a NaN is in no range. */
bool floating_is_between(uint64_t bits, uint64_t low, uint64_t high, unsigned size);

#endif

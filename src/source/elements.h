/* The number types of C, as pieces of the input. */
#ifndef PENUMBRA_SOURCE_ELEMENTS_H
#define PENUMBRA_SOURCE_ELEMENTS_H

#include "base/arena.h"
#include "input/input.h"

#include <clang-c/Index.h>

/* Fills in kind, sign, size and enumerators of an element of the type; the parameter's own type is there already. False
 * for what is no number that can be an input. */
bool element_describe(struct arena *arena, CXType type, struct input_parameter *parameter);
/* The same for a bit-field: its width decides the size. */
bool element_describe_bits(struct arena *arena, CXCursor field, struct input_parameter *parameter);

/* What an array (of arrays) is made of, and how many of them; the type itself and 1 for anything else. */
CXType element_of_arrays(CXType type, size_t *count);
/* Whether the type is plain `char`, of which pointers point to strings. */
bool element_is_text(CXType type);
/* A C type of the element's size and sign. */
const char *element_type(const struct input_parameter *parameter);

#endif

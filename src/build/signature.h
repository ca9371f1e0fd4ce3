/* What the entry takes and returns: the layout of the input, and how the result is output. */
#ifndef PENUMBRA_BUILD_SIGNATURE_H
#define PENUMBRA_BUILD_SIGNATURE_H

#include "build/program.h"
#include "build/source.h"

/* Finds the entry, adds its parameters to the layout and describes its result. */
bool signature_read(struct program *program, const struct sources *sources, struct error *error);

/* Adds a parameter or global to the layout. Its name and whether it is a global are given; the rest follows from the
 * type and --size, or is an error that begins with `place`. */
bool signature_add_input(struct program *program, CXType type, struct input_parameter *parameter, const char *place,
                         struct error *error);

/* Whether every --size names an input that can have a size; asked when the layout is complete. */
bool signature_check_sizes(struct program *program, struct error *error);

#endif

/* What the entry takes and returns: the layout of the input, and how the result is output. */
#ifndef PENUMBRA_BUILD_SIGNATURE_H
#define PENUMBRA_BUILD_SIGNATURE_H

#include "build/program.h"
#include "build/source.h"

/* Finds the entry, adds its parameters to the layout and describes its result. */
bool signature_read(struct program *program, const struct sources *sources, struct error *error);

#endif

/* What the entry takes and returns: the layout of the input, and how the result is output. */
#ifndef PENUMBRA_SOURCE_SIGNATURE_H
#define PENUMBRA_SOURCE_SIGNATURE_H

#include "source/program.h"
#include "source/source.h"

/* Finds the entry, adds its parameters to the layout and describes its result. */
bool signature_read(struct program *program, const struct sources *sources, struct error *error);

#endif

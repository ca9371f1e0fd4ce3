/* What the entry takes and returns: the layout of the input, and how the result is output. */
#ifndef PENUMBRA_SOURCE_SIGNATURE_H
#define PENUMBRA_SOURCE_SIGNATURE_H

#include "source/program.h"
#include "source/source.h"

bool signature_find(struct program *program, const struct sources *sources, CXCursor *entry, struct error *error);
/* Adds the entry's parameters to the layout and describes its result. */
bool signature_read(struct program *program, const struct sources *sources, CXCursor entry, struct error *error);

#endif

/* --assume: C expressions over the inputs, checked here and turned into calls of pn_assume(). */
#ifndef PENUMBRA_SOURCE_ASSUME_H
#define PENUMBRA_SOURCE_ASSUME_H

#include "source/program.h"
#include "source/source.h"

/* Fills in program->assumptions. Each expression is parsed behind the text of the entry's file, with the entry's
 * parameters in scope; it must have a scalar value and no side effect. Asked when the layout is complete. */
bool assumptions_read(struct program *program, const struct sources *sources, struct error *error);

#endif

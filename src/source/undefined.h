/* Functions and variables that the files use and none of them defines, nor the C library. */
#ifndef PENUMBRA_SOURCE_UNDEFINED_H
#define PENUMBRA_SOURCE_UNDEFINED_H

#include "source/program.h"
#include "source/source.h"

/* Writes the stubs that the request names into program->stubs; whatever then is still defined nowhere and can be
 * reached from the entry is one error that names all of it (with --link, the linker is left to say so). What cannot be
 * reached becomes program->unreached. */
bool undefined_check(struct program *program, const struct sources *sources, struct error *error);

#endif

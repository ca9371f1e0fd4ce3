/* The program's file-scope variables: those that --global makes inputs, and those that are compared after the run. */
#ifndef PENUMBRA_SOURCE_GLOBALS_H
#define PENUMBRA_SOURCE_GLOBALS_H

#include "source/program.h"
#include "source/source.h"

/* Fills in program->globals and adds the symbolic ones to the layout, behind the parameters. */
bool globals_read(struct program *program, const struct sources *sources, struct error *error);

/* Whether the cursor is a variable at file scope that this declaration defines (a tentative definition counts). */
bool globals_is_definition(CXCursor cursor);
/* Whether a variable of this type cannot be written to. */
bool globals_is_constant(CXType type);

#endif

/* `penumbra cc`: a C compiler for build systems. It is clang with the arguments of the build, and makes what clang
 * makes; besides, each object tells what it was made from, each program how it was linked (record.h), and each program
 * can record its starts when asked to (src/recorder). */
#ifndef PENUMBRA_PROJECT_COMPILER_H
#define PENUMBRA_PROJECT_COMPILER_H

#include "base/error.h"

/* Switches recording off: what is made is clang's alone. */
#define COMPILER_SWITCH "PENUMBRA_CC"
#define COMPILER_OFF "plain"

/* `arguments`: those of the compiler, without its name, NULL-terminated. Returns the exit status; a message in `error`
 * where clang itself had nothing to say. */
int compiler_run(char *const *arguments, struct error *error);

#endif

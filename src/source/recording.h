/* C text that records the calls of the entry in a program that was built for it: the entry's file with one statement
 * more, at the beginning of the entry, and behind it a function that walks through what the harness would make. */
#ifndef PENUMBRA_SOURCE_RECORDING_H
#define PENUMBRA_SOURCE_RECORDING_H

#include "source/program.h"

/* Writes `path`, to be compiled in place of the entry's file, and a copy of that file beside it. False, with a
 * sentence, where the entry cannot be recorded. */
bool recording_write(const struct program *program, const char *path, struct error *error);
/* Directories that the copy needs in front of the unit's flags. */
const char *recording_flag(const struct program *program);

#endif

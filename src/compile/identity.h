/* Who compiles: the tool, the compiler, and what else decides what they make of the same text. */
#ifndef PENUMBRA_COMPILE_IDENTITY_H
#define PENUMBRA_COMPILE_IDENTITY_H

#include "base/digest.h"

#include <stdbool.h>

/* Of this tool, by its own bytes and those of the LLVM that it runs with; false when they cannot be read. */
bool identity_of_tool(struct digest *identity);
/* Of a program that is looked up in PATH, and of the variables and the directory that decide what it does. */
bool identity_of_compiler(const char *name, struct digest *identity);

/* Whether all words of a command are known to lead to no file but headers. `why` is the one that is not. */
bool identity_knows_flags(const char *const flags[], const char **why);

#endif

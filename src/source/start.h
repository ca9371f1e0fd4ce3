/* The part of the harness that starts a whole program: the other driver beside the call of a function. */
#ifndef PENUMBRA_SOURCE_START_H
#define PENUMBRA_SOURCE_START_H

#include "source/program.h"

/* Writes `__pn_harness()`: it makes the channels of the invocation inputs, gives the program its files, standard input
 * and environment, calls `main` and ends the process as the C library would. What the program leaves behind is all that
 * the versions are compared by. */
void start_write(struct text *code, const struct program *program);

#endif

/* A `FILE *` among the inputs: a stream over bytes that are an input, with a length that is one, where the program's
 * code reads from it; what is written to it is an output. Which of the two it is for is found by following the pointer
 * to the functions of the C library that get it. */
#ifndef PENUMBRA_SOURCE_STREAMS_H
#define PENUMBRA_SOURCE_STREAMS_H

#include "source/make.h"

bool stream_is_one(struct maker *maker, CXType pointee);
/* The stream for the spot, a pointer that is set to it; `object` receives the variable that holds it. */
bool stream_make(struct maker *maker, const struct spot *spot, const char **object);

#endif

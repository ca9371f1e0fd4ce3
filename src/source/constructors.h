/* Objects that only the library can make are made by the library. For a parameter whose type is a name for a pointer to
 * numbers or void, of which what matters may lie in front of the pointer, the harness calls functions of the file that
 * return it, with inputs for their arguments, and then up to three functions that change such an object. Which of them
 * is an input: `s made by`, `s then`. Both versions run their own. Structures behind parameters are made so where the
 * request wants it; else they are plain memory. */
#ifndef PENUMBRA_SOURCE_CONSTRUCTORS_H
#define PENUMBRA_SOURCE_CONSTRUCTORS_H

#include "source/make.h"

enum constructed { NOT_CONSTRUCTED, CONSTRUCTED, CONSTRUCTION_FAILED /* with an error */ };

/* Makes what the spot's pointer is to point to, if functions of the program can. */
enum constructed make_by_library(struct maker *maker, const struct spot *spot);

#endif

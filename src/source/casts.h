/* What `void *` parameters are taken for: the type that the entry's own code converts them to, if it is one only. */
#ifndef PENUMBRA_SOURCE_CASTS_H
#define PENUMBRA_SOURCE_CASTS_H

#include "source/make.h"

/* The type that the pointer, a parameter of the entry, leads to: `pointee` itself where the code does not say more. Of
 * two versions of a program, the second does as the first. */
CXType cast_pointee(struct maker *maker, const struct spot *spot, CXType pointee);

#endif

/* Padding: bytes of a structure that belong to no member. C code that looks at a structure's bytes, with memcmp() or
 * through a pointer to characters, sees them, and what stands there is up to the caller: they are inputs where the code
 * may do so, `padding(p->a)` for those behind p->a. */
#ifndef PENUMBRA_SOURCE_PADDING_H
#define PENUMBRA_SOURCE_PADDING_H

#include "source/make.h"

/* Whether the code of the units may look at bytes of structures: a pointer to one becomes a pointer to bytes. */
bool padding_is_seen(struct arena *arena, const struct sources *sources);

/* Makes inputs of what lies between the members of the structure. */
bool make_padding(struct maker *maker, const struct spot *spot, CXType record);

#endif

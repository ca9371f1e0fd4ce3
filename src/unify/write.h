/* The unified text. */
#ifndef PENUMBRA_UNIFY_WRITE_H
#define PENUMBRA_UNIFY_WRITE_H

#include "unify/compare.h"

/* The new version's text with the old version's own declarations in it. #line directives keep the places of both. */
void write_unified(const struct comparison *comparison, struct text *out);

#endif

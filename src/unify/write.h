/* The unified text. */
#ifndef PENUMBRA_UNIFY_WRITE_H
#define PENUMBRA_UNIFY_WRITE_H

#include "unify/compare.h"

struct layout {
    bool places;          /* #line directives keep the places of both versions */
    bool keep_inclusions; /* included files are found by the names that the new version has for them */
};

/* The new version's text with the old version's own declarations in it. */
void write_unified(const struct comparison *comparison, const struct layout *layout, struct text *out);

#endif

/* Conditions of a path as few as say the same. Those on one element of the input alone are taken together: what others
 * imply is left out, and a shorter one takes their place where it is true for exactly the same values. */
#ifndef PENUMBRA_EXPLORE_CONDENSE_H
#define PENUMBRA_EXPLORE_CONDENSE_H

#include "base/arena.h"
#include "expr/values.h"

struct condensed {
    const char *text;               /* becomes NULL where it is left out */
    const struct value_set *values; /* of the element; NULL: it depends on more */
    struct element element;
};

/* Texts that are made come from the arena. */
void condense(struct condensed *list, size_t count, struct arena *arena);

#endif

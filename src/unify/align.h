/* Which statement of one list is which of the other: the alignment that leaves the least over. */
#ifndef PENUMBRA_UNIFY_ALIGN_H
#define PENUMBRA_UNIFY_ALIGN_H

#include "unify/tree.h"

/* Whether the nodes' words are the same. */
bool nodes_same(const struct tree *old, const struct node *one, const struct tree *new, const struct node *other);
/* How many words two ranges of words share, of all that they have: 0 to 1. */
double words_likeness(const struct tree *old, size_t first, size_t last, const struct tree *new, size_t new_first,
                      size_t new_last);

#define UNMATCHED ((size_t)-1)
/* By old item: the number of its new item, or UNMATCHED. The order of both lists is kept. */
size_t *lists_align(const struct tree *old, const struct list *one, const struct tree *new, const struct list *other);

#endif

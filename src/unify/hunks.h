/* What a line-by-line comparison of two texts shows. */
#ifndef PENUMBRA_UNIFY_HUNKS_H
#define PENUMBRA_UNIFY_HUNKS_H

#include "base/text.h"

/* Lines that are not in both, numbered from 0: those at `old_line` were replaced by those at `new_line`. */
struct hunk {
    size_t old_line, old_count, new_line, new_count;
};

struct hunks {
    struct hunk *list; /* to be freed */
    size_t count, capacity;
};

/* In the order of the texts. Texts that differ in too many lines are one hunk. */
void hunks_find(const struct text *old, const struct text *new, struct hunks *hunks);

/* Hunks, as runs of lines that are not in both; lines, added and removed ones together. */
void hunks_count(const struct text *old, const struct text *new, size_t *hunks, size_t *lines);

#endif

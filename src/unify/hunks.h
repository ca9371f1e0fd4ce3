/* What a line-by-line comparison of two texts shows. */
#ifndef PENUMBRA_UNIFY_HUNKS_H
#define PENUMBRA_UNIFY_HUNKS_H

#include "base/text.h"

/* Hunks, as runs of lines that are not in both; lines, added and removed ones together. */
void hunks_count(const struct text *old, const struct text *new, size_t *hunks, size_t *lines);

#endif

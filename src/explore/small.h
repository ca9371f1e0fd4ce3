/* Small witnesses: see small.c. */
#ifndef PENUMBRA_EXPLORE_SMALL_H
#define PENUMBRA_EXPLORE_SMALL_H

#include "explore/explorer.h"

/* Makes numbers of an input smaller as long as it meets the conditions, which it does. */
void explorer_make_small(struct explorer *explorer, const struct conditions *conditions, uint8_t *input, size_t size);

#endif

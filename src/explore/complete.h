/* The complete mode's search: see complete.c. */
#ifndef PENUMBRA_EXPLORE_COMPLETE_H
#define PENUMBRA_EXPLORE_COMPLETE_H

#include "explore/explorer.h"
#include "explore/tree.h"

/* Called once for each path. False stops everything. */
typedef bool complete_leaf(void *context, const struct path *path);

/* Explores all paths of the explorer's program, beginning with the seeds. */
bool complete_phase(struct explorer *explorer, const uint8_t *const seeds[], size_t seed_count, size_t size,
                    complete_leaf *leaf, void *context);

#endif

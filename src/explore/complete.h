/* The complete mode's search: see complete.c. */
#ifndef PENUMBRA_EXPLORE_COMPLETE_H
#define PENUMBRA_EXPLORE_COMPLETE_H

#include "explore/explorer.h"
#include "explore/tree.h"

/* Called once for each path. False stops everything. */
typedef bool complete_leaf(void *context, const struct path *path);

/* Where a search begins. */
struct complete_start {
    const uint8_t *const *seeds;
    size_t seed_count, size; /* size: bytes of each seed */
    bool below_divergence;   /* for each seed only the paths that part where it does */
    /* Half of the search may become another worker's (workers.h), which calls this first: what the leaves were so far,
     * the other one knows. NULL: it may not. */
    void (*begin_part)(void *context);
};

/* Explores all paths of the explorer's program, beginning with the seeds. */
bool complete_phase(struct explorer *explorer, const struct complete_start *start, complete_leaf *leaf, void *context);

#endif

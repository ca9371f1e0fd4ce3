/* What outlives a path: its conditions, its outputs as expressions, and its input. */
#ifndef PENUMBRA_EXPLORE_KEPT_H
#define PENUMBRA_EXPLORE_KEPT_H

#include "base/set.h"
#include "explore/path.h"

/* Everything is the keeper's, and not to be changed. */
struct kept_path {
    struct conditions conditions;
    struct path_output *outputs; /* without the bytes of a run */
    size_t output_count;
    uint8_t *input;
    size_t input_size;
};

struct keeper {
    struct arena *arena;
    struct set *names; /* of outputs: each is there once */
};

struct keeper keeper_create(void);
void keeper_destroy(struct keeper *keeper);
/* Forgets all paths. */
void keeper_clear(struct keeper *keeper);
struct kept_path keeper_take(struct keeper *keeper, const struct path *path, const struct conditions *conditions,
                             bool with_outputs);

#endif

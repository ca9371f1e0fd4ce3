/* Exploring partitions of the inputs instead of paths: see partition.c. */
#ifndef PENUMBRA_EXPLORE_PARTITION_H
#define PENUMBRA_EXPLORE_PARTITION_H

#include "explore/complete.h"

/* Calls `leaf` once for each partition, with one of its paths. That has only the decisions that are its condition;
 * those of an unchanged partition (path->unchanged) only say that no change is reached. `condition_sets` numbers their
 * conditions (path->condition_set), and is the same for both versions. */
bool partition_phase(struct explorer *explorer, const struct complete_start *start, struct set *condition_sets,
                     complete_leaf *leaf, void *context);

#endif

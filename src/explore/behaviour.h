/* What a version does on a path after the versions went apart: the inputs that take it, and the outcome. */
#ifndef PENUMBRA_EXPLORE_BEHAVIOUR_H
#define PENUMBRA_EXPLORE_BEHAVIOUR_H

#include "explore/explorer.h"
#include "explore/kept.h"

/* The behaviours of one version, in the order in which they were found. */
struct behaviours;

struct behaviours *behaviours_create(void);
void behaviours_destroy(struct behaviours *behaviours);
/* Keeps the behaviour of the version that the path follows natively. `finding` is the number of its report. */
void behaviours_add(struct behaviours *behaviours, struct explorer *explorer, const struct path *path, size_t finding);
/* The same of a partition, of which another has kept what is needed. */
void behaviours_add_kept(struct behaviours *behaviours, struct explorer *explorer, const struct path *path,
                         size_t number, const struct kept_path *kept);
size_t behaviours_count(const struct behaviours *behaviours);
void behaviours_clear(struct behaviours *behaviours);

/* One input for each divergence that there is, in an array that the caller frees; all of one size. */
const uint8_t **behaviours_divergences(const struct behaviours *behaviours, size_t *count, size_t *size);
/* Whether for each path of the new version the old one has paths below the very same divergence. */
bool behaviours_agree(const struct behaviours *in_new, struct behaviours *in_old);

/* For every path of the new version: on which inputs does the old one behave differently? Reports it. */
bool behaviours_compare(struct explorer *explorer, struct behaviours *in_new, struct behaviours *in_old);

#endif

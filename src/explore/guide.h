/* Which open way most likely shows something new: for explorations that will not come to their end.
 *
 * Open ways are kept by the *edge* that they take: a decision of the program's text and its outcome, before or after a
 * change was reached on the way there. The edge that was taken least is next, and of several the one from which the
 * change is nearest. So code that no run has seen comes first, what leads to the change comes before the rest, and no
 * loop can keep everything else waiting. */
#ifndef PENUMBRA_EXPLORE_GUIDE_H
#define PENUMBRA_EXPLORE_GUIDE_H

#include "base/chance.h"
#include "explore/tree.h"
#include "instrument/sites.h"

struct open_way {
    struct tree_node *node;
    unsigned way;
};

/* One way out of a decision of the program's text. */
struct guide_edge {
    struct open_way *list; /* those that wait, and some that were taken since */
    size_t count, capacity;
    uint32_t taken;    /* so often */
    uint32_t distance; /* to the change */
    bool is_active;
};

struct guide {
    struct tree *tree; /* of which the ways are */
    struct guide_edge *edges;
    uint32_t *first; /* by site: its first edge */
    size_t site_count;
    const struct site_table *sites;
    uint32_t *active; /* edges with ways that wait */
    size_t active_count;
    uint32_t round; /* so often was the latest edge taken that was chosen, and so all others that were to be had */
    struct chance chance;
};

void guide_begin(struct guide *guide, struct tree *tree, const struct site_table *sites);
/* A way was opened, behind a change or not. It may be left out where many wait at its edge, and is queued at its node
 * else. */
void guide_add(struct guide *guide, struct tree_node *node, unsigned way, bool change_reached);
/* A run takes the way for the first time. */
void guide_take(struct guide *guide, const struct decision *decision, unsigned way, bool change_reached);
/* False when none waits. The way may have been taken meanwhile, and counts as queued at its node until the caller has
 * taken it or let it go. */
bool guide_next(struct guide *guide, struct open_way *next);
void guide_end(struct guide *guide);

#endif

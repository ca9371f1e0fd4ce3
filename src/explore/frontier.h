/* Open ways of the tree, and which of them is next. A search order is a row of the table in frontier.c. */
#ifndef PENUMBRA_EXPLORE_FRONTIER_H
#define PENUMBRA_EXPLORE_FRONTIER_H

#include "base/chance.h"
#include "explore/explore.h"
#include "explore/guide.h"
#include "explore/tree.h"
#include "explore/workers.h"

struct frontier {
    enum explore_order order;
    struct tree *tree; /* of which they are */
    struct open_way *list;
    size_t head, count, capacity; /* those that wait, and some that were taken since: list[head] to list[count - 1] */
    size_t turn;                  /* of taking one */
    bool is_guided;
    struct guide guide; /* where it is */
    struct chance chance;
};

/* Before the tree has a node. */
void frontier_begin(struct frontier *frontier, enum explore_order order, struct tree *tree,
                    const struct site_table *sites);
/* A way was opened, behind a change or not. */
void frontier_add(struct frontier *frontier, struct tree_node *node, unsigned way, bool change_reached);
/* A run takes a way for the first time. */
void frontier_take(struct frontier *frontier, const struct decision *decision, unsigned way, bool change_reached);
/* An open way; false when there is none. It counts as queued at its node until the caller has taken it. */
bool frontier_next(struct frontier *frontier, struct open_way *next);
/* How many wait in a list; 0 where the order has none. */
size_t frontier_count(const struct frontier *frontier);
/* Of those that wait, half is another worker's now: `give_away` is called for each of these. */
void frontier_share(struct frontier *frontier, enum split split,
                    void (*give_away)(void *context, const struct open_way *open), void *context);
void frontier_end(struct frontier *frontier);

#endif

/* The tree of decisions already taken: each prefix exists once, each way out of it is tried once. A path is a way from
 * the root to a leaf. What is finished is given back, so the tree is only as large as what is still to be done.
 *
 * A way out of a decision is a pair of outcomes, new | old << 1: 3 both true, 0 both false, 1 diff-true, 2 diff-false.
 * A value that was bound to what it was in a run is a chain of decisions "it is this one", each with one more value. */
#ifndef PENUMBRA_EXPLORE_TREE_H
#define PENUMBRA_EXPLORE_TREE_H

#include "explore/path.h"

enum { TREE_WAYS = 4 };

enum way_state {
    WAY_CLOSED, /* impossible, of no interest, or cut */
    WAY_OPEN,   /* not tried yet */
    WAY_TAKEN,  /* a run went there; below is more to do */
    WAY_DONE,   /* everything below is finished */
};

/* An input that leads to a node, shared by all nodes of one run. */
struct witness {
    size_t references, size;
    uint8_t input[];
};

/* The conditions of one way out of a decision: at most one for each version. */
struct way {
    expr_id conditions[2];
    uint8_t count;
    bool possible;
};

struct tree_node {
    struct tree_node *parent, *children[TREE_WAYS];
    struct witness *witness;
    struct decision decision;
    struct way ways[TREE_WAYS];
    uint8_t states[TREE_WAYS]; /* enum way_state */
    uint8_t way;               /* of the parent, that leads here */
    uint8_t unfinished;        /* ways that are open or taken */
    uint8_t queued;            /* of its ways in a frontier: the node stays as long */
    uint32_t repeats;          /* decisions of the same site above, or values tried above in a chain */
    uint32_t open_below;       /* open ways in the whole subtree, where the tree counts them */
    uint64_t serial;           /* no other node, before or after, has the same; 0: given back */
};

/* The way that a run took at a decision. */
unsigned decision_way(const struct decision *decision);

struct tree {
    struct tree_node *root;  /* NULL before the first decision, and when all is done */
    struct tree_node *spare; /* given back, by their parents */
    struct witness *spare_witness;
    uint64_t serial;  /* of the latest node */
    bool counts_open; /* random order walks by the number of open ways */
};

struct tree_node *tree_node_create(struct tree *tree, struct tree_node *parent, unsigned way,
                                   const struct decision *decision, struct witness *witness, struct expr_table *table);
void tree_open(struct tree *tree, struct tree_node *node, unsigned way);
/* A run takes the way, which was open or is new. */
void tree_take(struct tree *tree, struct tree_node *node, unsigned way);
/* The way is finished: closed or done. tree_tidy() then gives back what has nothing left to do, from the node up. */
void tree_finish(struct tree *tree, struct tree_node *node, unsigned way, enum way_state state);
void tree_tidy(struct tree *tree, struct tree_node *node);
void tree_destroy(struct tree *tree);

struct witness *witness_create(struct tree *tree, const uint8_t *input, size_t size);
void witness_release(struct tree *tree, struct witness *witness);

#endif

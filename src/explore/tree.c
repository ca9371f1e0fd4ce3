/* The tree of decisions: nodes, and giving back what is finished. */
#include "explore/tree.h"

#include <stdlib.h>
#include <string.h>

/* ---- ways ---- */

unsigned decision_way(const struct decision *decision)
{
    bool is_check = decision->kind == PN_EVENT_CHECK;
    if (decision->side == PN_SIDE_OLD)
        return decision->old_outcome ? 3 : is_check ? 1 : 0;
    if (decision->side == PN_SIDE_NEW)
        return decision->new_outcome ? 3 : is_check ? 2 : 0;
    return (unsigned)decision->new_outcome | (unsigned)decision->old_outcome << 1;
}

static bool is_possible(const struct decision *decision, unsigned way)
{
    bool is_check = decision->kind == PN_EVENT_CHECK;
    if (way == 3)
        return true;
    if (decision->kind == PN_EVENT_ASSUME)
        return false;
    if (decision->side == PN_SIDE_OLD)
        return way == (is_check ? 1 : 0);
    if (decision->side == PN_SIDE_NEW)
        return way == (is_check ? 2 : 0);
    return way == 0 || (decision->kind != PN_EVENT_CONCRETISE && decision->old_condition != decision->new_condition);
}

static void add_condition(struct way *way, struct expr_table *table, expr_id condition, bool outcome)
{
    uint64_t value;
    expr_id holds = outcome ? condition : expr_not(table, condition);
    if (!expr_is_constant(table, holds, &value))
        way->conditions[way->count++] = holds;
    else if (!value)
        way->possible = false;
}

static struct way make_way(const struct decision *decision, unsigned outcomes, struct expr_table *table)
{
    struct way way = {.possible = is_possible(decision, outcomes)};
    bool in_new = outcomes & 1, in_old = outcomes >> 1;
    if (!way.possible)
        return way;
    if (decision->kind == PN_EVENT_CONCRETISE && !outcomes) {
        add_condition(&way, table, expr_and(table, decision->new_condition, decision->old_condition), false);
        return way;
    }
    if (decision->side != PN_SIDE_OLD)
        add_condition(&way, table, decision->new_condition, in_new);
    if (decision->side != PN_SIDE_NEW &&
        (decision->side == PN_SIDE_OLD || decision->old_condition != decision->new_condition))
        add_condition(&way, table, decision->old_condition, in_old);
    return way;
}

/* ---- witnesses ---- */

/* The one that was given back last serves again: mostly all are of one size. */
struct witness *witness_create(struct tree *tree, const uint8_t *input, size_t size)
{
    struct witness *witness = tree->spare_witness;
    tree->spare_witness = NULL;
    if (!witness || witness->size != size) {
        free(witness);
        witness = malloc(sizeof *witness + size);
    }
    witness->references = 1;
    witness->size = size;
    memcpy(witness->input, input, size);
    return witness;
}

void witness_release(struct tree *tree, struct witness *witness)
{
    if (!witness || --witness->references > 0)
        return;
    free(tree->spare_witness);
    tree->spare_witness = witness;
}

/* ---- nodes ---- */

struct tree_node *tree_node_create(struct tree *tree, struct tree_node *parent, unsigned way,
                                   const struct decision *decision, struct witness *witness, struct expr_table *table)
{
    struct tree_node *node = tree->spare;
    if (node)
        tree->spare = node->parent;
    else
        node = malloc(sizeof *node);
    *node = (struct tree_node){0};
    node->parent = parent;
    node->way = (uint8_t)way;
    node->decision = *decision;
    for (unsigned i = 0; i < TREE_WAYS; i++)
        node->ways[i] = make_way(decision, i, table);
    node->witness = witness;
    node->serial = ++tree->serial;
    witness->references++;
    if (parent)
        parent->children[way] = node;
    else
        tree->root = node;
    return node;
}

static void count_open(const struct tree *tree, struct tree_node *node, int change)
{
    for (; node && tree->counts_open; node = node->parent)
        node->open_below += (uint32_t)change;
}

void tree_open(struct tree *tree, struct tree_node *node, unsigned way)
{
    node->states[way] = WAY_OPEN;
    node->unfinished++;
    count_open(tree, node, 1);
}

void tree_take(struct tree *tree, struct tree_node *node, unsigned way)
{
    if (node->states[way] == WAY_OPEN)
        count_open(tree, node, -1);
    else
        node->unfinished++;
    node->states[way] = WAY_TAKEN;
}

static void node_free(struct tree *tree, struct tree_node *node)
{
    if (node->parent)
        node->parent->children[node->way] = NULL;
    else
        tree->root = NULL;
    witness_release(tree, node->witness);
    node->serial = 0;
    node->parent = tree->spare;
    tree->spare = node;
}

void tree_finish(struct tree *tree, struct tree_node *node, unsigned way, enum way_state state)
{
    if (node->states[way] == WAY_OPEN)
        count_open(tree, node, -1);
    node->states[way] = (uint8_t)state;
    node->unfinished--;
}

void tree_tidy(struct tree *tree, struct tree_node *node)
{
    while (node && !node->unfinished && !node->queued) {
        struct tree_node *parent = node->parent;
        unsigned way = node->way;
        node_free(tree, node);
        if (parent)
            tree_finish(tree, parent, way, WAY_DONE);
        node = parent;
    }
}

void tree_destroy(struct tree *tree)
{
    struct tree_node *node = tree->root;
    while (node) {
        struct tree_node *child = NULL;
        for (unsigned way = 0; way < TREE_WAYS && !child; way++)
            child = node->children[way];
        if (child) {
            node = child;
            continue;
        }
        struct tree_node *parent = node->parent;
        node_free(tree, node);
        node = parent;
    }
    while ((node = tree->spare)) {
        tree->spare = node->parent;
        free(node);
    }
    free(tree->spare_witness);
}

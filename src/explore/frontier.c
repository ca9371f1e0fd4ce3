#include "explore/frontier.h"

#include <stdlib.h>
#include <string.h>

/* ---- a list of those that wait ---- */

static void append(struct frontier *frontier, struct tree_node *node, unsigned way)
{
    if (frontier->head > 1024 && frontier->head * 2 > frontier->count) {
        frontier->count -= frontier->head;
        memmove(frontier->list, frontier->list + frontier->head, frontier->count * sizeof *frontier->list);
        frontier->head = 0;
    }
    frontier->list = array_reserve(frontier->list, &frontier->capacity, frontier->count + 1, sizeof *frontier->list);
    frontier->list[frontier->count++] = (struct open_way){node, way};
    node->queued++;
}

static bool take_latest(struct frontier *frontier, struct open_way *next)
{
    if (frontier->head == frontier->count)
        return false;
    *next = frontier->list[--frontier->count];
    return true;
}

static bool take_earliest(struct frontier *frontier, struct open_way *next)
{
    if (frontier->head == frontier->count)
        return false;
    *next = frontier->list[frontier->head++];
    return true;
}

/* How often the guide is asked: every second time while some edges were hardly ever taken, less and less then. What can
 * be explored to its end soon loses little by that, and what cannot is seen everywhere before it is seen in depth. */
static size_t guided_turns(uint32_t round)
{
    return round < 8 ? 2 : round < 64 ? 4 : 16;
}

/* Depth first needs the least memory, and its questions begin alike, but it drowns in loops. What has waited longest is
 * near the root: taken now and then, short counterexamples are found early. */
static bool take_mixed(struct frontier *frontier, struct open_way *next)
{
    enum { EVERY = 8, MOST_WAITING = 50000 };
    size_t turn = frontier->turn++;
    if (turn % EVERY == 0 && frontier->count - frontier->head < MOST_WAITING)
        return take_earliest(frontier, next) || guide_next(&frontier->guide, next);
    if (turn % guided_turns(frontier->guide.round) == 1 && guide_next(&frontier->guide, next))
        return true;
    return take_latest(frontier, next) || guide_next(&frontier->guide, next);
}

/* ---- a walk through the tree ---- */

static bool take_any(struct frontier *frontier, struct open_way *next)
{
    struct tree_node *node = frontier->tree->root;
    while (node && node->open_below) {
        unsigned ways[TREE_WAYS] = {0}, count = 0;
        for (unsigned way = 0; way < TREE_WAYS; way++)
            if (node->states[way] == WAY_OPEN || (node->children[way] && node->children[way]->open_below))
                ways[count++] = way;
        unsigned way = ways[chance_below(&frontier->chance, count)];
        if (node->states[way] == WAY_OPEN) {
            *next = (struct open_way){node, way};
            node->queued++;
            return true;
        }
        node = node->children[way];
    }
    return false;
}

/* ---- the orders ---- */

static const struct {
    bool (*take)(struct frontier *frontier, struct open_way *next);
    bool walks; /* through the tree, which counts open ways then; there is no list */
    bool is_guided;
} orders[] = {
    [EXPLORE_MIXED] = {take_mixed, false, true},
    [EXPLORE_DEPTH_FIRST] = {take_latest, false, false},
    [EXPLORE_BREADTH_FIRST] = {take_earliest, false, false},
    [EXPLORE_RANDOM] = {take_any, true, false},
    [EXPLORE_FIFO] = {take_earliest, false, false},
    [EXPLORE_LIFO] = {take_latest, false, false},
};

void frontier_begin(struct frontier *frontier, enum explore_order order, struct tree *tree,
                    const struct site_table *sites)
{
    *frontier = (struct frontier){.order = order, .tree = tree, .chance = CHANCE_START};
    tree->counts_open = orders[order].walks;
    frontier->is_guided = orders[order].is_guided;
    if (frontier->is_guided)
        guide_begin(&frontier->guide, tree, sites);
}

void frontier_add(struct frontier *frontier, struct tree_node *node, unsigned way, bool change_reached)
{
    if (!orders[frontier->order].walks)
        append(frontier, node, way);
    if (frontier->is_guided)
        guide_add(&frontier->guide, node, way, change_reached);
}

void frontier_take(struct frontier *frontier, const struct decision *decision, unsigned way, bool change_reached)
{
    if (frontier->is_guided)
        guide_take(&frontier->guide, decision, way, change_reached);
}

bool frontier_next(struct frontier *frontier, struct open_way *next)
{
    while (orders[frontier->order].take(frontier, next)) {
        if (next->node->states[next->way] == WAY_OPEN)
            return true;
        next->node->queued--; /* a run has come there by itself, or the guide knew the way, too */
        tree_tidy(frontier->tree, next->node);
    }
    return false;
}

size_t frontier_count(const struct frontier *frontier)
{
    return frontier->count - frontier->head;
}

void frontier_share(struct frontier *frontier, enum split split,
                    void (*give_away)(void *context, const struct open_way *open), void *context)
{
    size_t kept = frontier->head;
    for (size_t i = frontier->head; i < frontier->count; i++) {
        struct open_way open = frontier->list[i];
        if (split_keeps(split, i - frontier->head))
            frontier->list[kept++] = open;
        else
            give_away(context, &open);
    }
    frontier->count = kept;
}

void frontier_end(struct frontier *frontier)
{
    free(frontier->list);
    if (frontier->is_guided)
        guide_end(&frontier->guide);
}

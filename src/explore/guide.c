#include "explore/guide.h"

#include <stdlib.h>

/* What is no branch has no distance: values that were bound are tried when branches were, */
enum { FAR = 1 << 16 };
/* and of one edge no more than this wait here. All open ways are in the frontier's list, too. */
enum { MOST_OF_AN_EDGE = 64 };
/* What was taken that often is nothing new any more. */
enum { MOST_TAKEN = 512 };
/* Before and behind a change. */
enum { PLACES = 2 * TREE_WAYS };

void guide_begin(struct guide *guide, struct tree *tree, const struct site_table *sites)
{
    *guide = (struct guide){.tree = tree, .sites = sites, .site_count = sites->count, .chance = CHANCE_START};
    guide->first = calloc(sites->count + 1, sizeof *guide->first);
    if (!guide->first)
        abort();
    for (size_t i = 0; i < sites->count; i++) {
        uint32_t parts = sites->sites[i].part_count ? sites->sites[i].part_count : 1;
        guide->first[i + 1] = guide->first[i] + parts * PLACES;
    }
    guide->edges = calloc(guide->first[sites->count] + 1, sizeof *guide->edges);
    guide->active = calloc(guide->first[sites->count] + 1, sizeof *guide->active);
    if (!guide->edges || !guide->active)
        abort();
}

/* Of sites that are not in the table, all decisions are one. */
static uint32_t edge_of(const struct guide *guide, const struct decision *decision, unsigned way, bool change_reached)
{
    uint32_t site = decision->site < guide->site_count ? decision->site : 0;
    uint32_t parts = (guide->first[site + 1] - guide->first[site]) / PLACES;
    uint32_t part = decision->part < parts ? decision->part : parts - 1;
    return guide->first[site] + part * PLACES + way + (change_reached ? TREE_WAYS : 0);
}

static uint32_t distance_of(const struct guide *guide, const struct decision *decision, unsigned way,
                            bool change_reached)
{
    if (change_reached)
        return 0;
    if (decision->kind != PN_EVENT_BRANCH)
        return FAR;
    return site_distance(guide->sites, decision->site, decision->part, way & 1);
}

static bool is_open(const struct open_way *open)
{
    return open->node->states[open->way] == WAY_OPEN;
}

static void release(struct guide *guide, const struct open_way *open)
{
    open->node->queued--;
    tree_tidy(guide->tree, open->node);
}

/* What others have taken meanwhile goes; true when there is room for one more. */
static bool make_room(struct guide *guide, struct guide_edge *edge)
{
    if (edge->count < MOST_OF_AN_EDGE)
        return true;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < edge->count; i++) {
        struct open_way open = edge->list[i];
        if (is_open(&open))
            edge->list[kept++] = open;
        else
            release(guide, &open);
    }
    edge->count = kept;
    return kept <= MOST_OF_AN_EDGE / 2;
}

void guide_add(struct guide *guide, struct tree_node *node, unsigned way, bool change_reached)
{
    uint32_t number = edge_of(guide, &node->decision, way, change_reached);
    struct guide_edge *edge = &guide->edges[number];
    if (edge->taken >= MOST_TAKEN || !make_room(guide, edge))
        return;
    if (!edge->is_active) {
        edge->distance = distance_of(guide, &node->decision, way, change_reached);
        edge->is_active = true;
        guide->active[guide->active_count++] = number;
    }
    edge->list = array_reserve(edge->list, &edge->capacity, edge->count + 1, sizeof *edge->list);
    edge->list[edge->count++] = (struct open_way){node, way};
    node->queued++;
}

void guide_take(struct guide *guide, const struct decision *decision, unsigned way, bool change_reached)
{
    guide->edges[edge_of(guide, decision, way, change_reached)].taken++;
}

/* Where in `active` the next edge is; active_count is not 0. */
static size_t choose_edge(const struct guide *guide)
{
    size_t best = 0;
    for (size_t i = 1; i < guide->active_count; i++) {
        const struct guide_edge *edge = &guide->edges[guide->active[i]], *other = &guide->edges[guide->active[best]];
        if (edge->taken < other->taken || (edge->taken == other->taken && edge->distance < other->distance))
            best = i;
    }
    return best;
}

/* Any of those that wait at an edge: one that is near to the root or far from it. */
static struct open_way take_from(struct guide *guide, struct guide_edge *edge)
{
    uint32_t which = (uint32_t)chance_below(&guide->chance, edge->count);
    struct open_way open = edge->list[which];
    edge->list[which] = edge->list[--edge->count];
    return open;
}

bool guide_next(struct guide *guide, struct open_way *next)
{
    while (guide->active_count) {
        size_t place = choose_edge(guide);
        struct guide_edge *edge = &guide->edges[guide->active[place]];
        guide->round = edge->taken;
        if (edge->count) {
            *next = take_from(guide, edge);
            return true;
        }
        edge->is_active = false;
        guide->active[place] = guide->active[--guide->active_count];
    }
    return false;
}

void guide_end(struct guide *guide)
{
    for (size_t i = 0; guide->edges && i < guide->first[guide->site_count]; i++)
        free(guide->edges[i].list);
    free(guide->edges), free(guide->first), free(guide->active);
}

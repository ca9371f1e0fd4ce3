/* A search through the dependences from the criteria back, by Tarjan's algorithm: what depends on each other gets one
 * rank, and what it depends on lower ones. Vertices are nodes, blocks ("what decides that this is executed") and a root
 * that stands for the criteria. What is found depends on the executed blocks only, and is kept for each set of them.
 *
 * The more blocks a run executes, the more is relevant, since a node leads wherever its block does. So where the blocks
 * that all runs execute make the same sites relevant as all blocks of the program do, no run needs a search. */
#include "explore/relevance.h"
#include "base/set.h"

#include <stdlib.h>
#include <string.h>

struct step {
    uint32_t vertex, next; /* next: the successor to look at */
};

/* Of runs with the same kinds of criteria: blocks that all of them have executed, and their ranks. */
struct common {
    uint8_t *blocks; /* by block; NULL before the first run */
    uint32_t count;
    const uint32_t *ranks; /* NULL: they differ */
};

enum { KINDS = 16 };

struct relevance {
    const struct dependences *dependences;
    struct arena *arena;
    struct set *known; /* executed blocks and kinds of criteria, as bytes */
    size_t *ranks;     /* by number in the set: the number in the next one */
    struct set *distinct_ranks;
    struct common common[KINDS];
    size_t rank_capacity, site_count, change_count;
    uint8_t *is_changed; /* by block: a change is there */
    uint8_t *key;
    size_t key_size;
    uint32_t *by_site; /* the ranks that were found last */
    /* the search */
    const uint8_t *covered;
    uint32_t kinds, vertex_count;
    uint32_t *order, *low, *rank, *waiting;
    struct step *steps;
    uint32_t next_order, waiting_count, step_count, next_rank;
};

static void note_change(struct relevance *relevance, const struct dependence_criterion *criterion)
{
    uint32_t block = relevance->dependences->nodes[criterion->node].block;
    if (!(criterion->kinds & CRITERION_CHANGE))
        return;
    relevance->change_count++;
    if (block < relevance->dependences->block_count)
        relevance->is_changed[block] = true;
}

struct relevance *relevance_create(const struct dependences *dependences)
{
    struct arena *arena = arena_create();
    struct relevance *relevance = arena_allocate(arena, sizeof *relevance);
    uint32_t vertices = dependences->node_count + dependences->block_count + 1;
    *relevance = (struct relevance){.dependences = dependences, .arena = arena, .vertex_count = vertices};
    relevance->known = set_create();
    relevance->distinct_ranks = set_create();
    relevance->is_changed = arena_allocate(arena, dependences->block_count + 1);
    relevance->key_size = dependences->block_count / 8 + 2;
    relevance->key = arena_allocate(arena, relevance->key_size);
    relevance->order = arena_allocate(arena, vertices * sizeof(uint32_t));
    relevance->low = arena_allocate(arena, vertices * sizeof(uint32_t));
    relevance->rank = arena_allocate(arena, vertices * sizeof(uint32_t));
    relevance->waiting = arena_allocate(arena, vertices * sizeof(uint32_t));
    relevance->steps = arena_allocate(arena, vertices * sizeof *relevance->steps);
    for (uint32_t i = 0; i < dependences->site_count; i++)
        if (dependences->sites[i].site >= relevance->site_count)
            relevance->site_count = dependences->sites[i].site + 1;
    relevance->by_site = arena_allocate(arena, (relevance->site_count + 1) * sizeof(uint32_t));
    for (uint32_t i = 0; i < dependences->criterion_count; i++)
        note_change(relevance, &dependences->criteria[i]);
    return relevance;
}

void relevance_destroy(struct relevance *relevance)
{
    if (!relevance)
        return;
    set_destroy(relevance->known);
    set_destroy(relevance->distinct_ranks);
    free(relevance->ranks);
    arena_destroy(relevance->arena);
}

/* ---- successors ---- */

static uint32_t vertex_of_block(const struct relevance *relevance, uint32_t block)
{
    return relevance->dependences->node_count + block;
}

static uint32_t root_of(const struct relevance *relevance)
{
    return relevance->vertex_count - 1;
}

static bool is_executed(const struct relevance *relevance, uint32_t block)
{
    return block == DEPENDENCE_ALWAYS || relevance->covered[block];
}

/* A node that was executed is what it is; else whatever kept it from being so stands for it. */
static uint32_t vertex_of(const struct relevance *relevance, uint32_t node)
{
    uint32_t block = relevance->dependences->nodes[node].block;
    return is_executed(relevance, block) ? node : vertex_of_block(relevance, block);
}

static uint32_t criterion_vertex(const struct relevance *relevance, const struct dependence_criterion *criterion)
{
    uint32_t wanted = criterion->kinds & relevance->kinds;
    if (!wanted)
        return UINT32_MAX;
    return wanted == CRITERION_CHANGE ? vertex_of_block(relevance, relevance->dependences->nodes[criterion->node].block)
                                      : vertex_of(relevance, criterion->node);
}

/* The successor of this number; false behind the last. UINT32_MAX is none. Guards come first. */
static bool successor(const struct relevance *relevance, uint32_t vertex, uint32_t number, uint32_t *to)
{
    const struct dependences *dependences = relevance->dependences;
    if (vertex == root_of(relevance)) {
        if (number >= dependences->criterion_count)
            return false;
        *to = criterion_vertex(relevance, &dependences->criteria[number]);
        return true;
    }
    if (vertex < dependences->node_count) {
        const struct dependence_node *node = &dependences->nodes[vertex];
        if (!number) {
            *to = node->block == DEPENDENCE_ALWAYS ? UINT32_MAX : vertex_of_block(relevance, node->block);
            return true;
        }
        if (number > node->uses.count)
            return false;
        *to = vertex_of(relevance, dependences->links[node->uses.first + number - 1]);
        return true;
    }
    const struct dependence_block *block = &dependences->blocks[vertex - dependences->node_count];
    const struct dependence_range *calls = &dependences->functions[block->function];
    if (number < block->guards.count)
        *to = vertex_of(relevance, dependences->links[block->guards.first + number]);
    else if (number - block->guards.count < calls->count)
        *to = vertex_of_block(relevance, dependences->links[calls->first + number - block->guards.count]);
    else
        return false;
    return true;
}

/* ---- the search ---- */

static void enter(struct relevance *relevance, uint32_t vertex)
{
    relevance->order[vertex] = relevance->low[vertex] = ++relevance->next_order;
    relevance->waiting[relevance->waiting_count++] = vertex;
    relevance->steps[relevance->step_count++] = (struct step){vertex, 0};
}

static void leave(struct relevance *relevance, uint32_t vertex)
{
    relevance->step_count--;
    if (relevance->step_count) {
        uint32_t above = relevance->steps[relevance->step_count - 1].vertex;
        if (relevance->low[vertex] < relevance->low[above])
            relevance->low[above] = relevance->low[vertex];
    }
    if (relevance->low[vertex] != relevance->order[vertex])
        return;
    relevance->next_rank++;
    for (uint32_t last = UINT32_MAX; last != vertex;) {
        last = relevance->waiting[--relevance->waiting_count];
        relevance->rank[last] = relevance->next_rank;
    }
}

static void search(struct relevance *relevance)
{
    size_t size = relevance->vertex_count * sizeof(uint32_t);
    memset(relevance->order, 0, size);
    memset(relevance->rank, 0, size);
    relevance->next_order = relevance->waiting_count = relevance->step_count = relevance->next_rank = 0;
    enter(relevance, root_of(relevance));
    while (relevance->step_count) {
        struct step *step = &relevance->steps[relevance->step_count - 1];
        uint32_t vertex = step->vertex, to;
        if (!successor(relevance, vertex, step->next++, &to))
            leave(relevance, vertex);
        else if (to != UINT32_MAX && !relevance->order[to])
            enter(relevance, to);
        else if (to != UINT32_MAX && !relevance->rank[to] && relevance->order[to] < relevance->low[vertex])
            relevance->low[vertex] = relevance->order[to];
    }
}

/* Of a site that no node has nothing is known: see relevance.h. */
static void rank_sites(struct relevance *relevance)
{
    const struct dependences *dependences = relevance->dependences;
    uint32_t *ranks = relevance->by_site;
    for (size_t i = 0; i < relevance->site_count; i++)
        ranks[i] = UINT32_MAX;
    for (uint32_t i = 0; i < dependences->site_count; i++)
        ranks[dependences->sites[i].site] = 0;
    for (uint32_t i = 0; i < dependences->site_count; i++) {
        const struct dependence_site *site = &dependences->sites[i];
        uint32_t rank = relevance->rank[site->node];
        if (rank > ranks[site->site])
            ranks[site->site] = rank;
    }
}

/* The ranks of a run that executes these blocks; their number among those that are kept. */
static size_t find_ranks(struct relevance *relevance, const uint8_t *covered, uint32_t kinds)
{
    size_t size = relevance->site_count * sizeof *relevance->by_site;
    relevance->covered = covered;
    relevance->kinds = kinds;
    search(relevance);
    rank_sites(relevance);
    set_add(relevance->distinct_ranks, relevance->by_site, size);
    return set_find(relevance->distinct_ranks, relevance->by_site, size);
}

static const uint32_t *get_ranks(const struct relevance *relevance, size_t number)
{
    return set_get(relevance->distinct_ranks, number);
}

/* ---- runs that need no search ---- */

static bool are_same_sites(const struct relevance *relevance, const uint32_t *one, const uint32_t *other)
{
    for (size_t i = 0; i < relevance->site_count; i++)
        if (!one[i] != !other[i])
            return false;
    return true;
}

/* The ranks of all runs that execute at least these blocks, if they are the same. */
static const uint32_t *ranks_from(struct relevance *relevance, const uint8_t *blocks, uint32_t kinds)
{
    uint8_t *all = malloc(relevance->dependences->block_count + 1);
    memset(all, true, relevance->dependences->block_count + 1);
    size_t of_all = find_ranks(relevance, all, kinds), of_blocks = find_ranks(relevance, blocks, kinds);
    free(all);
    const uint32_t *ranks = get_ranks(relevance, of_all);
    return are_same_sites(relevance, ranks, get_ranks(relevance, of_blocks)) ? ranks : NULL;
}

static uint32_t count_common(const struct common *common, const struct pn_trace *trace, uint32_t block_count)
{
    uint32_t count = 0;
    for (uint32_t i = 0; common->blocks && i < trace->covered_count && i < PN_COVERED_BLOCKS; i++)
        count += trace->covered_list[i] < block_count && common->blocks[trace->covered_list[i]];
    return count;
}

/* NULL where ranks depend on what the run has executed. */
static const uint32_t *common_ranks(struct relevance *relevance, const struct pn_trace *trace, uint32_t kinds)
{
    uint32_t block_count = relevance->dependences->block_count;
    struct common *common = &relevance->common[kinds % KINDS];
    uint32_t count = count_common(common, trace, block_count);
    if (common->blocks && (!common->ranks || count == common->count))
        return common->ranks;
    if (!common->blocks) {
        common->blocks = arena_allocate(relevance->arena, block_count + 1);
        memset(common->blocks, true, block_count);
    }
    common->count = 0;
    for (uint32_t i = 0; i < block_count; i++) {
        common->blocks[i] = common->blocks[i] && trace->covered[i];
        common->count += common->blocks[i];
    }
    common->ranks = ranks_from(relevance, common->blocks, kinds);
    return common->ranks;
}

/* ---- ranks of a run ---- */

/* Runs with the same executed blocks have the same ranks. */
static void make_key(struct relevance *relevance, const struct pn_trace *trace, uint32_t kinds)
{
    memset(relevance->key, 0, relevance->key_size);
    relevance->key[relevance->key_size - 1] = (uint8_t)kinds;
    for (uint32_t i = 0; i < trace->covered_count && i < PN_COVERED_BLOCKS; i++) {
        uint32_t block = trace->covered_list[i];
        if (block < relevance->dependences->block_count)
            relevance->key[block / 8] |= (uint8_t)(1 << block % 8);
    }
}

struct ranks relevance_ranks(struct relevance *relevance, const struct pn_trace *trace, uint32_t kinds)
{
    const uint32_t *common = common_ranks(relevance, trace, kinds);
    if (common)
        return (struct ranks){common, relevance->site_count};
    make_key(relevance, trace, kinds);
    size_t count = set_count(relevance->known),
           number = set_find(relevance->known, relevance->key, relevance->key_size);
    if (number == count) {
        set_add(relevance->known, relevance->key, relevance->key_size);
        relevance->ranks =
            array_reserve(relevance->ranks, &relevance->rank_capacity, count + 1, sizeof *relevance->ranks);
        relevance->ranks[number] = find_ranks(relevance, trace->covered, kinds);
    }
    return (struct ranks){get_ranks(relevance, relevance->ranks[number]), relevance->site_count};
}

/* ---- changes ---- */

/* The changes in a block, behind `count` others. */
static size_t list_changes(const struct dependences *dependences, uint32_t block, uint32_t *sites, size_t count,
                           size_t most)
{
    for (uint32_t i = 0; i < dependences->criterion_count; i++) {
        const struct dependence_criterion *criterion = &dependences->criteria[i];
        if (!(criterion->kinds & CRITERION_CHANGE) || dependences->nodes[criterion->node].block != block)
            continue;
        if (count < most)
            sites[count] = criterion->site;
        count++;
    }
    return count;
}

static bool is_changed(const struct relevance *relevance, uint32_t block)
{
    return block < relevance->dependences->block_count && relevance->is_changed[block];
}

size_t relevance_changes(const struct relevance *relevance, const struct pn_trace *trace, uint32_t *sites, size_t most)
{
    size_t count = 0;
    for (uint32_t i = 0; relevance->change_count && i < trace->covered_count && i < PN_COVERED_BLOCKS; i++)
        if (is_changed(relevance, trace->covered_list[i]))
            count = list_changes(relevance->dependences, trace->covered_list[i], sites, count, most);
    return count;
}

bool relevance_is_changed(const struct relevance *relevance, const struct pn_trace *trace)
{
    if (relevance->dependences->changed_always || !relevance->change_count)
        return true;
    for (uint32_t i = 0; i < trace->covered_count && i < PN_COVERED_BLOCKS; i++)
        if (is_changed(relevance, trace->covered_list[i]))
            return true;
    return false;
}

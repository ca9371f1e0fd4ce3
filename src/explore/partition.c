/* Partitions of the inputs. The condition of a run is what its relevant decisions say; all inputs that meet it do the
 * same as far as the exploration is concerned (docs/augment.md). A *cell* is a part of the inputs that no run was in
 * yet: conditions that hold, and one more. An input of it is run; what is left of the cell is then, for each condition
 * of that run, the part in which those before it hold and this one does not. Cells are disjoint and cover everything,
 * so at the end everything was covered. Conditions are taken by rank: what makes others relevant comes first, so that a
 * partition mostly lies in one cell. */
#include "explore/partition.h"
#include "base/chance.h"
#include "explore/relevance.h"

#include <stdlib.h>
#include <string.h>

/* One condition of a cell, behind those of its parent. */
struct link {
    const struct link *parent;
    expr_id condition;
    uint32_t site;   /* of the decision, */
    bool is_value;   /* which bound a value, */
    bool is_negated; /* and here has another one than in the run that made it */
    uint32_t depth;
};

struct cell {
    const struct link *links;
    struct link last;     /* the condition that no run of this part has met yet */
    const uint8_t *input; /* meets all of the others */
    size_t size;
};

/* A decision that is part of the condition. */
struct relevant {
    uint32_t rank, number;
};

/* What a decision says of the input, and what it would say taken otherwise; 0 where it says nothing. */
struct statement {
    expr_id holds, fails;
};

struct partitions {
    struct explorer *explorer;
    struct relevance *relevance; /* NULL: every decision is relevant */
    struct arena *arena;
    struct set *condition_sets;
    uint32_t *ways; /* by number of the conditions: how runs have ended under them, a bit each */
    size_t way_capacity;
    struct cell *cells;
    size_t head, count, capacity;
    unsigned turn;
    struct chance chance;
    uint32_t *known; /* by expression: the number of the run whose cell says that it holds */
    size_t known_capacity;
    uint32_t run;
    struct relevant *relevant;
    size_t relevant_count, relevant_capacity;
    bool is_in_order;             /* of their ranks */
    struct statement *statements; /* by decision of the latest run */
    size_t statement_count, statement_capacity;
    struct conditions scratch, conditions, key;
    uint8_t *model;
    size_t model_capacity;
    complete_leaf *leaf;
    void *context;
};

/* ---- relevant decisions of a run ---- */

static uint32_t wanted_kinds(const struct partitions *partitions, bool is_changed)
{
    const uint32_t ends = CRITERION_END | CRITERION_ASSUME;
    switch (partitions->explorer->options.partitions) {
    case PARTITION_REACH: return CRITERION_CHANGE | ends;
    case PARTITION_PESO: return CRITERION_OUTPUT | ends;
    default: return is_changed ? CRITERION_CHANGE | CRITERION_OUTPUT | ends : CRITERION_CHANGE | ends;
    }
}

static int compare_relevant(const void *one, const void *other)
{
    const struct relevant *a = one, *b = other;
    if (a->rank != b->rank)
        return a->rank < b->rank ? -1 : 1;
    return a->number < b->number ? -1 : a->number > b->number;
}

/* The rank of a decision, by its site; behind everything before it where that is not known. Losses have no condition,
 * and count wherever they happen. */
static uint32_t rank_of(const struct decision *decision, const struct ranks *ranks, uint32_t highest)
{
    bool is_known = ranks && decision->new_condition && decision->site < ranks->site_count &&
                    decision->kind != PN_EVENT_ASSUME && ranks->by_site[decision->site] != UINT32_MAX;
    return is_known ? ranks->by_site[decision->site] : highest;
}

static void find_relevant(struct partitions *partitions, const struct path *path, const struct ranks *ranks)
{
    uint32_t highest = 1, latest = 0;
    partitions->relevant_count = 0;
    partitions->is_in_order = true;
    partitions->relevant = array_reserve(partitions->relevant, &partitions->relevant_capacity, path->count + 1,
                                         sizeof *partitions->relevant);
    for (size_t i = 0; i < path->count; i++) {
        uint32_t rank = rank_of(&path->decisions[i], ranks, highest);
        highest = rank > highest ? rank : highest;
        if (!rank)
            continue;
        partitions->is_in_order &= rank >= latest;
        latest = rank;
        partitions->relevant[partitions->relevant_count++] = (struct relevant){rank, (uint32_t)i};
    }
}

/* The path keeps these decisions alone, in the order in which they were made; false when these are all. */
static bool keep_relevant(struct partitions *partitions, struct path *path)
{
    if (partitions->relevant_count == path->count)
        return false;
    for (size_t i = 0; i < partitions->relevant_count; i++)
        path->decisions[i] = path->decisions[partitions->relevant[i].number];
    for (size_t i = 0; i < partitions->relevant_count; i++)
        partitions->relevant[i].number = (uint32_t)i;
    path->count = partitions->relevant_count;
    partitions->explorer->reader.latest = NULL; /* the next run's events are not compared with these decisions */
    return true;
}

static struct statement read_statement(struct expr_table *table, const struct decision *decision)
{
    uint64_t constant;
    if (!decision->new_condition || expr_is_constant(table, decision->new_condition, &constant))
        return (struct statement){0};
    expr_id negated = expr_not(table, decision->new_condition);
    return decision->new_outcome ? (struct statement){decision->new_condition, negated}
                                 : (struct statement){negated, decision->new_condition};
}

/* The first `known` decisions are those of the run before. */
static void read_statements(struct partitions *partitions, struct path *path, size_t known)
{
    struct conditions *conditions = &partitions->conditions;
    conditions->count = 0;
    conditions->list = array_reserve(conditions->list, &conditions->capacity, path->count, sizeof *conditions->list);
    partitions->statements = array_reserve(partitions->statements, &partitions->statement_capacity, path->count,
                                           sizeof *partitions->statements);
    for (size_t i = 0; i < path->count; i++) {
        if (i >= known)
            partitions->statements[i] = read_statement(partitions->explorer->table, &path->decisions[i]);
        if (partitions->statements[i].holds)
            conditions->list[conditions->count++] = partitions->statements[i].holds;
    }
    partitions->statement_count = path->count;
    path->conditions = conditions;
}

/* ---- cells ---- */

static bool is_known(const struct partitions *partitions, expr_id condition)
{
    return condition < partitions->known_capacity && partitions->known[condition] == partitions->run;
}

static void make_known(struct partitions *partitions, expr_id condition)
{
    if (condition >= partitions->known_capacity)
        partitions->known =
            array_reserve_zeroed(partitions->known, &partitions->known_capacity,
                                 expr_count(partitions->explorer->table) + 1, sizeof *partitions->known);
    partitions->known[condition] = partitions->run;
}

static uint32_t count_repeats(const struct link *links, uint32_t site, bool of_values)
{
    uint32_t count = 0;
    for (; links; links = links->parent)
        count += links->site == site && (!of_values || links->is_negated);
    return count;
}

/* Whether a bound cuts a cell; says so where it does. */
static bool is_cut(struct partitions *partitions, const struct link *links, const struct decision *decision)
{
    const struct explore_options *options = &partitions->explorer->options;
    struct explore_statistics *statistics = &partitions->explorer->statistics;
    bool is_value = decision->kind == PN_EVENT_CONCRETISE;
    size_t most_repeats = is_value ? options->maximum_values : options->maximum_loop;
    uint32_t repeats = most_repeats ? count_repeats(links, decision->site, is_value) : 0;
    uint32_t depth = links ? links->depth : 0;
    bool too_deep = options->maximum_depth && depth >= options->maximum_depth;
    bool too_often = !is_value && options->maximum_loop && repeats >= options->maximum_loop;
    bool too_many = is_value && options->maximum_values && repeats + 1 >= options->maximum_values;
    statistics->cut_by_depth += too_deep;
    statistics->cut_by_loop += too_often;
    statistics->cut_by_values += too_many;
    if (too_many)
        explorer_lose_at(partitions->explorer, decision);
    return too_deep || too_often || too_many;
}

static void open_cell(struct partitions *partitions, const struct link *links, const struct decision *decision,
                      expr_id condition, const uint8_t *input, size_t size)
{
    partitions->cells =
        array_reserve(partitions->cells, &partitions->capacity, partitions->count + 1, sizeof *partitions->cells);
    partitions->cells[partitions->count++] = (struct cell){
        .links = links,
        .last = {.parent = links,
                 .condition = condition,
                 .site = decision->site,
                 .is_value = decision->kind == PN_EVENT_CONCRETISE,
                 .is_negated = true,
                 .depth = links ? links->depth + 1 : 1},
        .input = input,
        .size = size,
    };
}

static const struct link *add_link(struct partitions *partitions, const struct link *parent,
                                   const struct decision *decision, expr_id condition)
{
    struct link *link = arena_allocate(partitions->arena, sizeof *link);
    *link = (struct link){.parent = parent,
                          .condition = condition,
                          .site = decision->site,
                          .is_value = decision->kind == PN_EVENT_CONCRETISE,
                          .depth = parent ? parent->depth + 1 : 1};
    make_known(partitions, condition);
    return link;
}

/* One condition of the run: the rest of the cell without it is a cell of its own. Of an assumption only one outcome is
 * of interest. */
static const struct link *split(struct partitions *partitions, const struct link *links,
                                const struct decision *decision, const struct statement *statement,
                                const uint8_t *input, size_t size)
{
    expr_id holds = statement->holds, fails = statement->fails;
    if (!holds || is_known(partitions, holds))
        return links;
    partitions->explorer->statistics.mispredictions += is_known(partitions, fails); /* it is not in its cell */
    bool is_of_interest = decision->kind != PN_EVENT_ASSUME || !decision->new_outcome;
    if (is_of_interest && !is_known(partitions, fails) && !is_cut(partitions, links, decision))
        open_cell(partitions, links, decision, fails, input, size);
    return add_link(partitions, links, decision, holds);
}

static void split_cell(struct partitions *partitions, const struct link *links, const struct path *path)
{
    partitions->run++;
    for (size_t i = 0; i < partitions->explorer->always.count; i++)
        make_known(partitions, partitions->explorer->always.list[i]);
    for (const struct link *link = links; link; link = link->parent)
        make_known(partitions, link->condition);
    uint8_t *input = arena_allocate(partitions->arena, path->input_size + 1);
    memcpy(input, path->input, path->input_size);
    if (!partitions->is_in_order)
        qsort(partitions->relevant, partitions->relevant_count, sizeof *partitions->relevant, compare_relevant);
    for (size_t i = 0; i < partitions->relevant_count; i++) {
        uint32_t number = partitions->relevant[i].number;
        links = split(partitions, links, &path->decisions[number], &partitions->statements[number], input,
                      path->input_size);
    }
}

/* ---- runs ---- */

/* The conditions, and how the run ends, are the same for all runs of the partition. */
static bool is_new(struct partitions *partitions, struct path *path)
{
    struct conditions *key = &partitions->key;
    uint32_t way = UINT32_C(1) << ((unsigned)path->ending << 1 | path->unchanged);
    size_t count = path->conditions->count;
    key->list = array_reserve(key->list, &key->capacity, count + 1, sizeof *key->list);
    key->count = count;
    if (count)
        memcpy(key->list, path->conditions->list, count * sizeof *key->list);
    conditions_sort(key);
    path->condition_set = set_enter(partitions->condition_sets, key->list, key->count * sizeof *key->list);
    partitions->ways = array_reserve_zeroed(partitions->ways, &partitions->way_capacity, path->condition_set + 1,
                                            sizeof *partitions->ways);
    uint32_t *ways = &partitions->ways[path->condition_set];
    bool is_new = !(*ways & way);
    *ways |= way;
    return is_new;
}

static void read_relevance(struct partitions *partitions, struct path *path)
{
    const struct pn_trace *trace = target_trace(partitions->explorer->target);
    struct ranks ranks = {0};
    bool is_changed = !partitions->relevance || relevance_is_changed(partitions->relevance, trace);
    enum partition_kind kind = partitions->explorer->options.partitions;
    if (partitions->relevance)
        ranks = relevance_ranks(partitions->relevance, trace, wanted_kinds(partitions, is_changed));
    path->unchanged = !is_changed && kind != PARTITION_PESO;
    path->change_count = 0;
    if (partitions->relevance)
        path->change_count = relevance_changes(partitions->relevance, trace, path->changes, PATH_CHANGES);
    partitions->explorer->statistics.change_reached |= is_changed;
    find_relevant(partitions, path, partitions->relevance ? &ranks : NULL);
}

static bool run_input(struct partitions *partitions, const struct link *links, const uint8_t *input, size_t size)
{
    struct explorer *explorer = partitions->explorer;
    struct path *path = explorer_run(explorer, input, size);
    bool good = true;
    if (!path)
        return false;
    size_t known = path->shared < partitions->statement_count ? path->shared : partitions->statement_count;
    read_relevance(partitions, path);
    read_statements(partitions, path, keep_relevant(partitions, path) ? 0 : known);
    split_cell(partitions, links, path);
    if (!path->rejected && path->ending != PN_ASSUMPTION_FAILED && is_new(partitions, path))
        good = partitions->leaf(partitions->context, path);
    path_give_back(&explorer->reader, path);
    return good;
}

/* ---- taking cells ---- */

static enum solve_answer ask(struct partitions *partitions, const struct cell *cell, uint8_t *model)
{
    struct explorer *explorer = partitions->explorer;
    struct conditions *prefix = &partitions->scratch;
    prefix->count = 0;
    conditions_add_all(prefix, explorer->table, &explorer->always);
    for (const struct link *link = cell->links; link; link = link->parent)
        conditions_add(prefix, explorer->table, link->condition, true);
    struct solve_query query = {
        .prefix = prefix->list,
        .prefix_count = prefix->count,
        .goals = &cell->last.condition,
        .goal_count = 1,
        .hint = cell->input,
        .input_size = cell->size,
        .prefix_holds = true,
    };
    return solver_query(explorer->solver, &query, model);
}

static bool take_cell(struct partitions *partitions, const struct cell *cell)
{
    uint8_t *model = partitions->model =
        array_reserve(partitions->model, &partitions->model_capacity, cell->size + 1, 1);
    partitions->explorer->statistics.states++;
    if (ask(partitions, cell, model) != SOLVE_SATISFIABLE)
        return true;
    struct link *link = arena_allocate(partitions->arena, sizeof *link);
    *link = cell->last;
    return run_input(partitions, link, model, cell->size);
}

/* As the frontier of the complete mode does it. */
static bool next_cell(struct partitions *partitions, struct cell *next)
{
    enum { EVERY = 8 };
    size_t waiting = partitions->count - partitions->head;
    enum explore_order order = partitions->explorer->options.order;
    if (!waiting)
        return false;
    bool is_early = order == EXPLORE_BREADTH_FIRST || order == EXPLORE_FIFO ||
                    (order == EXPLORE_MIXED && partitions->turn++ % EVERY == 0);
    if (order == EXPLORE_RANDOM) {
        struct cell *any = &partitions->cells[partitions->head + chance_below(&partitions->chance, (uint32_t)waiting)];
        *next = *any;
        *any = partitions->cells[--partitions->count];
    } else {
        *next = is_early ? partitions->cells[partitions->head++] : partitions->cells[--partitions->count];
    }
    return true;
}

bool partition_phase(struct explorer *explorer, const struct complete_start *start, struct set *condition_sets,
                     complete_leaf *leaf, void *context)
{
    const struct dependences *dependences = explorer->sites->dependences;
    struct partitions partitions = {
        .explorer = explorer,
        .arena = arena_create(),
        .condition_sets = condition_sets,
        .leaf = leaf,
        .context = context,
        .chance = CHANCE_START,
    };
    struct cell next;
    if (dependences && !dependences->unknown)
        partitions.relevance = relevance_create(dependences);
    bool good = run_input(&partitions, NULL, start->seeds[0], start->size), more = true;
    while (good && more && !explorer_must_stop(explorer)) {
        more = next_cell(&partitions, &next);
        good = !more || take_cell(&partitions, &next);
    }
    explorer->statistics.exhausted = good && !more;
    relevance_destroy(partitions.relevance);
    free(partitions.ways), free(partitions.cells), free(partitions.known), free(partitions.relevant),
        free(partitions.scratch.list);
    free(partitions.key.list), free(partitions.model), free(partitions.conditions.list), free(partitions.statements);
    arena_destroy(partitions.arena);
    return good;
}

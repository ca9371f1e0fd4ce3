/* The complete mode: every feasible combination of outcomes at every decision below the bounds, each path once.
 *
 * A run's decisions are entered into the tree. Where it made a new node, the ways that it did not take are opened; one
 * open way after another is asked of the solver, and a model is run. What comes out of one way is so found by exactly
 * one run. The order in which open ways are taken changes nothing but the order of the results. */
#include "explore/complete.h"
#include "explore/frontier.h"

#include <stdlib.h>
#include <string.h>

/* Where a run is in the tree. */
struct walk {
    struct tree_node *node; /* the last one passed, NULL at the root */
    unsigned way;           /* by which it was left */
    bool fresh;             /* on the last step a way was taken for the first time */
    size_t depth;
    bool change_reached;
    bool diverged; /* before this decision */
    struct witness *witness;
};

/* What the latest run did, decision by decision. The next one mostly begins alike: it goes back to where they part. */
struct passed {
    struct walk walk;   /* behind the decision */
    uint64_t serial;    /* of its node */
    size_t known_count; /* conditions that are known then */
    uint32_t site;      /* that was counted; UINT32_MAX: none */
};

struct complete {
    struct explorer *explorer;
    struct tree tree;
    struct frontier frontier;
    bool *known; /* by expression: whether the prefix says that it holds */
    size_t known_capacity;
    struct conditions known_list; /* those that are */
    struct passed *passed;
    size_t passed_count, passed_capacity;
    size_t range_count, ranges_known; /* conditions on the inputs' ranges, and how many of them were not known before */
    bool begun;
    uint32_t *decided; /* by site: how often this run has decided there so far */
    size_t site_count;
    struct conditions scratch;
    uint8_t *model; /* of the latest question */
    size_t model_capacity;
    bool below_divergence;
    void (*begin_part)(void *context);
    complete_leaf *leaf;
    void *context;
};

/* ---- what the prefix of a run says ---- */

static bool is_known(const struct complete *complete, expr_id condition)
{
    return condition < complete->known_capacity && complete->known[condition];
}

static void make_known(struct complete *complete, expr_id condition)
{
    struct conditions *list = &complete->known_list;
    if (is_known(complete, condition))
        return;
    if (condition >= complete->known_capacity)
        complete->known = array_reserve_zeroed(complete->known, &complete->known_capacity,
                                               expr_count(complete->explorer->table) + 1, sizeof *complete->known);
    complete->known[condition] = true;
    list->list = array_reserve(list->list, &list->capacity, list->count + 1, sizeof *list->list);
    list->list[list->count++] = condition;
}

static void forget_known(struct complete *complete, size_t count)
{
    while (complete->known_list.count > count)
        complete->known[complete->known_list.list[--complete->known_list.count]] = false;
}

static void pass(struct complete *complete, const struct way *way)
{
    for (unsigned i = 0; i < way->count; i++)
        make_known(complete, way->conditions[i]);
}

static bool is_contradicted(struct complete *complete, const struct way *way)
{
    for (unsigned i = 0; i < way->count; i++)
        if (is_known(complete, expr_not(complete->explorer->table, way->conditions[i])))
            return true;
    return false;
}

/* ---- opening ways ---- */

/* Whether a bound cuts the ways out of a decision; says so where it does. */
static bool is_cut(struct complete *complete, const struct tree_node *node, size_t depth)
{
    struct explore_statistics *statistics = &complete->explorer->statistics;
    const struct explore_options *options = &complete->explorer->options;
    bool is_value = node->decision.kind == PN_EVENT_CONCRETISE;
    bool too_deep = options->maximum_depth && depth >= options->maximum_depth;
    bool too_often = !is_value && options->maximum_loop && node->repeats >= options->maximum_loop;
    bool too_many = is_value && options->maximum_values && node->repeats + 1 >= options->maximum_values;
    statistics->cut_by_depth += too_deep;
    statistics->cut_by_loop += too_often;
    statistics->cut_by_values += too_many;
    if (too_many)
        explorer_lose_at(complete->explorer, &node->decision);
    return too_deep || too_often || too_many;
}

/* Before a change was reached the versions are one: what cannot reach one any more is the same in both. */
static bool leads_nowhere(const struct complete *complete, const struct decision *decision, unsigned way)
{
    const struct explorer *explorer = complete->explorer;
    if (!explorer->options.directed)
        return false;
    if (decision->kind == PN_EVENT_CHECK) /* where a caller may have more, it is not known what comes behind */
        return way != 3 && (decision->part != PN_CHECK_BEYOND || explorer->statistics.beyond);
    return decision->kind == PN_EVENT_BRANCH &&
           !site_reaches_change(explorer->sites, decision->site, decision->part, way & 1);
}

static void open_ways(struct complete *complete, struct tree_node *node, unsigned taken, size_t depth,
                      bool change_reached)
{
    int cut = -1;
    for (unsigned way = 0; way < TREE_WAYS; way++) {
        if (way == taken || !node->ways[way].possible)
            continue;
        if (is_contradicted(complete, &node->ways[way])) {
            complete->explorer->statistics.states++;
            continue;
        }
        if (!change_reached && leads_nowhere(complete, &node->decision, way))
            continue;
        if (cut < 0)
            cut = is_cut(complete, node, depth);
        if (cut)
            continue;
        tree_open(&complete->tree, node, way);
        frontier_add(&complete->frontier, node, way, change_reached);
    }
}

/* ---- entering a run ---- */

static uint32_t count_decision(struct complete *complete, uint32_t site)
{
    return site < complete->site_count ? complete->decided[site]++ : 0;
}

static bool same_decision(const struct decision *one, const struct decision *other)
{
    return one->kind == other->kind && one->site == other->site && one->part == other->part &&
           one->side == other->side && one->new_condition == other->new_condition &&
           one->old_condition == other->old_condition;
}

static struct tree_node *next_node(const struct complete *complete, const struct walk *walk)
{
    return walk->node ? walk->node->children[walk->way] : complete->tree.root;
}

static void take(struct complete *complete, const struct walk *walk, struct tree_node *node, unsigned way)
{
    tree_take(&complete->tree, node, way);
    frontier_take(&complete->frontier, &node->decision, way, walk->change_reached);
}

/* Passes one decision by one way. False where the run does something else than the runs before it did here, or where
 * everything is finished already. */
static bool step(struct complete *complete, struct walk *walk, const struct path *path, const struct decision *decision,
                 unsigned way, uint32_t repeats)
{
    struct tree_node *node = next_node(complete, walk);
    if (!node) {
        if (!walk->fresh)
            return false;
        if (!walk->witness)
            walk->witness = witness_create(&complete->tree, path->input, path->input_size);
        node = tree_node_create(&complete->tree, walk->node, walk->way, decision, walk->witness,
                                complete->explorer->table);
        node->repeats = repeats;
        take(complete, walk, node, way);
        if (!complete->below_divergence || walk->diverged)
            open_ways(complete, node, way, walk->depth, walk->change_reached);
        complete->explorer->statistics.states++;
    } else {
        if (!same_decision(&node->decision, decision))
            return false;
        walk->fresh = node->states[way] == WAY_OPEN;
        if (walk->fresh) {
            take(complete, walk, node, way);
            complete->explorer->statistics.states++;
        }
        if (node->states[way] != WAY_TAKEN)
            return false;
    }
    pass(complete, &node->ways[way]);
    walk->node = node;
    walk->way = way;
    walk->depth++;
    return true;
}

/* A bound value: along the chain of values that were met here, up to this run's. */
static bool step_value(struct complete *complete, struct walk *walk, const struct path *path,
                       const struct decision *decision)
{
    uint32_t repeats = 0;
    for (struct tree_node *node = next_node(complete, walk); node; node = next_node(complete, walk), repeats++) {
        struct decision other = *decision;
        other.new_condition = node->decision.new_condition;
        other.old_condition = node->decision.old_condition;
        if (same_decision(&other, decision))
            break;
        if (!step(complete, walk, path, &other, 0, repeats))
            return false;
    }
    return step(complete, walk, path, decision, 3, repeats);
}

static bool is_decided(const struct decision *decision, const struct expr_table *table)
{
    uint64_t value;
    return !decision->symbolic || !decision->new_condition ||
           (expr_is_constant(table, decision->new_condition, &value) &&
            expr_is_constant(table, decision->old_condition, &value));
}

/* Goes back to the place behind the first `count` decisions of the latest run. */
static void go_back(struct complete *complete, size_t count)
{
    while (complete->passed_count > count) {
        uint32_t site = complete->passed[--complete->passed_count].site;
        if (site < complete->site_count)
            complete->decided[site]--;
    }
    forget_known(complete, count ? complete->passed[count - 1].known_count : complete->ranges_known);
}

/* How many decisions need not be entered again: they are those of the latest run, and the tree still has them. */
static size_t count_entered(const struct complete *complete, const struct path *path)
{
    size_t count = path->shared < complete->passed_count ? path->shared : complete->passed_count;
    for (; count > 0; count--) {
        const struct passed *last = &complete->passed[count - 1];
        const struct tree_node *node = last->walk.node;
        if (node && node->serial == last->serial && node->states[last->walk.way] == WAY_TAKEN)
            return count;
    }
    return 0;
}

static void begin(struct complete *complete, const struct path *path, struct walk *walk)
{
    const struct conditions *always = &complete->explorer->always;
    bool first = !complete->begun || (complete->below_divergence && !complete->tree.root);
    complete->begun = true;
    if (always->count != complete->range_count) { /* of inputs that became known only now */
        go_back(complete, 0);
        forget_known(complete, 0);
        for (size_t i = 0; i < always->count; i++)
            make_known(complete, always->list[i]);
        complete->range_count = always->count;
        complete->ranges_known = complete->known_list.count;
    }
    go_back(complete, count_entered(complete, path));
    *walk = (struct walk){.fresh = first};
    if (complete->passed_count) {
        *walk = complete->passed[complete->passed_count - 1].walk;
        walk->fresh = false;
        walk->witness = NULL;
    }
}

static bool enter_decision(struct complete *complete, const struct path *path, const struct decision *decision,
                           struct walk *walk, uint32_t *site)
{
    if (is_decided(decision, complete->explorer->table))
        return true;
    if (decision->kind == PN_EVENT_CONCRETISE)
        return step_value(complete, walk, path, decision);
    *site = decision->site;
    return step(complete, walk, path, decision, decision_way(decision), count_decision(complete, *site));
}

/* Enters a run's decisions; true when its path is a new one. */
static bool enter(struct complete *complete, const struct path *path, struct walk *walk)
{
    begin(complete, path, walk);
    complete->passed =
        array_reserve(complete->passed, &complete->passed_capacity, path->count + 1, sizeof *complete->passed);
    for (size_t i = complete->passed_count; i < path->count; i++) {
        const struct decision *decision = &path->decisions[i];
        struct passed *passed = &complete->passed[complete->passed_count++];
        passed->site = UINT32_MAX;
        walk->change_reached |= decision->kind == PN_EVENT_CHANGE;
        walk->diverged = path->diverged && i > path->divergence;
        bool good = enter_decision(complete, path, decision, walk, &passed->site);
        passed->walk = *walk;
        passed->serial = walk->node ? walk->node->serial : 0;
        passed->known_count = complete->known_list.count;
        if (!good) {
            go_back(complete, complete->passed_count - 1);
            return false;
        }
        if (decision->kind == PN_EVENT_ASSUME && !decision->new_outcome)
            break;
    }
    return walk->fresh;
}

/* Runs an input, enters it and hands its path on if it is a new one. */
static bool run_input(struct complete *complete, const uint8_t *input, size_t size, bool *is_new)
{
    struct path *path = explorer_run(complete->explorer, input, size);
    struct walk walk;
    bool good = path != NULL;
    if (!path)
        return false;
    *is_new = enter(complete, path, &walk);
    if (*is_new && !path->rejected && path->ending != PN_ASSUMPTION_FAILED)
        good = complete->leaf(complete->context, path);
    if (*is_new && walk.node)
        tree_finish(&complete->tree, walk.node, walk.way, WAY_DONE);
    tree_tidy(&complete->tree, walk.node);
    witness_release(&complete->tree, walk.witness);
    path_give_back(&complete->explorer->reader, path);
    return good;
}

/* ---- taking open ways ---- */

static void add_all(struct conditions *conditions, const expr_id *list, size_t count)
{
    conditions->list =
        array_reserve(conditions->list, &conditions->capacity, conditions->count + count, sizeof *conditions->list);
    for (size_t i = 0; i < count; i++)
        conditions->list[conditions->count++] = list[i];
}

static enum solve_answer ask(struct complete *complete, const struct open_way *open, uint8_t *model)
{
    struct explorer *explorer = complete->explorer;
    struct conditions *prefix = &complete->scratch;
    prefix->count = 0;
    add_all(prefix, explorer->always.list, explorer->always.count);
    for (const struct tree_node *node = open->node; node->parent; node = node->parent) {
        const struct way *way = &node->parent->ways[node->way];
        add_all(prefix, way->conditions, way->count);
    }
    const struct way *goal = &open->node->ways[open->way];
    struct solve_query query = {
        .prefix = prefix->list,
        .prefix_count = prefix->count,
        .goals = goal->conditions,
        .goal_count = goal->count,
        .hint = open->node->witness->input,
        .input_size = open->node->witness->size,
        .prefix_holds = true,
    };
    return solver_query(explorer->solver, &query, model);
}

static bool take_way(struct complete *complete, const struct open_way *open)
{
    struct tree_node *node = open->node;
    struct explore_statistics *statistics = &complete->explorer->statistics;
    bool good = true, is_new = false;
    size_t size = node->witness->size;
    uint8_t *model = complete->model = array_reserve(complete->model, &complete->model_capacity, size + 1, 1);
    bool feasible = ask(complete, open, model) == SOLVE_SATISFIABLE;
    if (feasible)
        good = run_input(complete, model, size, &is_new);
    if (node->states[open->way] == WAY_OPEN) { /* there is none, it is not known, or the run went elsewhere */
        statistics->mispredictions += feasible;
        statistics->states++;
        tree_finish(&complete->tree, node, open->way, WAY_CLOSED);
    }
    node->queued--;
    tree_tidy(&complete->tree, node);
    return good;
}

/* A way that another worker takes. */
static void give_away(void *context, const struct open_way *open)
{
    struct complete *complete = context;
    if (open->node->states[open->way] == WAY_OPEN)
        tree_finish(&complete->tree, open->node, open->way, WAY_CLOSED);
    open->node->queued--;
    tree_tidy(&complete->tree, open->node);
}

static void split(struct complete *complete)
{
    enum split split = explorer_split(complete->explorer);
    if (split == SPLIT_NOT)
        return;
    if (split == SPLIT_BEGINS)
        complete->begin_part(complete->context);
    frontier_share(&complete->frontier, split, give_away, complete);
}

static bool search(struct complete *complete)
{
    struct explorer *explorer = complete->explorer;
    struct open_way next;
    while (!explorer_must_stop(explorer)) {
        if (complete->begin_part && explorer_should_split(explorer, frontier_count(&complete->frontier)))
            split(complete);
        if (!frontier_next(&complete->frontier, &next))
            return true;
        if (!take_way(complete, &next))
            return false;
    }
    return true;
}

bool complete_phase(struct explorer *explorer, const struct complete_start *start, complete_leaf *leaf, void *context)
{
    size_t site_count = explorer->sites->count;
    struct complete complete = {
        .explorer = explorer,
        .leaf = leaf,
        .context = context,
        .below_divergence = start->below_divergence,
        .begin_part = start->begin_part,
        .decided = calloc(site_count + 1, sizeof(uint32_t)),
        .site_count = site_count,
    };
    bool good = true, finished = true;
    frontier_begin(&complete.frontier, explorer->options.order, &complete.tree, explorer->sites);
    for (size_t i = 0; i < start->seed_count && good && finished; i++) {
        bool is_new, more = !start->below_divergence && i + 1 < start->seed_count; /* seeds of the same search */
        good = run_input(&complete, start->seeds[i], start->size, &is_new);
        if (good && !more)
            good = search(&complete);
        finished = more || !complete.tree.root;
    }
    explorer->statistics.exhausted = good && finished;
    tree_destroy(&complete.tree);
    frontier_end(&complete.frontier);
    free(complete.known);
    free(complete.decided);
    free(complete.known_list.list);
    free(complete.passed);
    free(complete.scratch.list);
    free(complete.model);
    return good;
}

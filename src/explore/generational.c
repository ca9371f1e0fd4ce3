/* The generational phase, for what time is left: every input gives children, one for each decision that is taken
 * another way, and a child only takes decisions another way that lie behind the one by which it was made. Those that
 * went where no run has been come first. On the way to a change only ways that can lead to one are taken; where the
 * versions can part, or outputs differ, is asked on every path as in the concolic phase. Beside that, inputs of whole
 * programs are changed at random (input/mutate.h). Children are kept as inputs: a run is cheaper than the memory for
 * its path. */
#include "base/hash.h"
#include "explore/explorer.h"
#include "input/mutate.h"

#include <stdlib.h>
#include <string.h>

struct item {
    uint8_t *input;
    size_t size;
    size_t first;  /* decision to begin with */
    bool is_asked; /* the concolic phase has been there */
    size_t score, number;
};

/* A heap: the best first, of equals the oldest. */
struct generation {
    struct item *list;
    size_t count, capacity;
    size_t made, taken;
    struct chance chance;
    struct set *seen; /* outcomes of decisions */
};

enum { MOST_ITEMS = 1 << 16 };

static bool is_before(const struct item *one, const struct item *other)
{
    return one->score != other->score ? one->score > other->score : one->number < other->number;
}

static void swap(struct item *one, struct item *other)
{
    struct item kept = *one;
    *one = *other;
    *other = kept;
}

static void insert(struct generation *generation, struct item item)
{
    size_t at = generation->count++;
    generation->list[at] = item;
    for (; at && is_before(&generation->list[at], &generation->list[(at - 1) / 2]); at = (at - 1) / 2)
        swap(&generation->list[at], &generation->list[(at - 1) / 2]);
}

static void add(struct generation *generation, struct item item)
{
    item.number = generation->made++;
    if (generation->count == MOST_ITEMS) /* the last is one of the worst */
        free(generation->list[--generation->count].input);
    generation->list =
        array_reserve(generation->list, &generation->capacity, generation->count + 1, sizeof *generation->list);
    insert(generation, item);
}

static size_t find_oldest(const struct generation *generation)
{
    size_t oldest = 0;
    for (size_t i = 1; i < generation->count; i++)
        if (generation->list[i].number < generation->list[oldest].number)
            oldest = i;
    return oldest;
}

/* Mostly the best, but what is never the best has its turn, too. */
static struct item take(struct generation *generation)
{
    enum { TURNS = 3 };
    size_t at = generation->taken++ % TURNS == TURNS - 1 ? find_oldest(generation) : 0;
    struct item best = generation->list[at];
    generation->list[at] = generation->list[--generation->count];
    for (; at && at < generation->count && is_before(&generation->list[at], &generation->list[(at - 1) / 2]);
         at = (at - 1) / 2)
        swap(&generation->list[at], &generation->list[(at - 1) / 2]);
    for (;;) {
        size_t first = at, left = 2 * at + 1;
        for (size_t child = left; child < left + 2 && child < generation->count; child++)
            if (is_before(&generation->list[child], &generation->list[first]))
                first = child;
        if (first == at)
            return best;
        swap(&generation->list[at], &generation->list[first]);
        at = first;
    }
}

/* ---- what a path is worth ---- */

struct outcome {
    uint32_t site, part;
    uint8_t side, in_old, in_new, has_changed;
};

static size_t count_new(struct generation *generation, const struct path *path)
{
    size_t count = 0;
    for (size_t i = 0; i < path->count; i++) {
        const struct decision *decision = &path->decisions[i];
        if (!decision->symbolic)
            continue;
        struct outcome outcome = {decision->site,        decision->part,        (uint8_t)decision->side,
                                  decision->old_outcome, decision->new_outcome, (decision->marks & MARK_CHANGE) != 0};
        count += set_add(generation->seen, (const char *)&outcome, sizeof outcome);
    }
    return count;
}

static void add_item(struct generation *generation, const struct path *path, size_t first, size_t news, bool is_asked)
{
    enum { CHANGE = 4, DIVERGENCE = 8 };
    struct item item = {.size = path->input_size,
                        .first = first,
                        .is_asked = is_asked,
                        .score =
                            news ? news + (path->change_reached ? CHANGE : 0) + (path->diverged ? DIVERGENCE : 0) : 0};
    if (path->rejected || path->ending == PN_ASSUMPTION_FAILED)
        return;
    item.input = malloc(path->input_size + 1);
    memcpy(item.input, path->input, path->input_size);
    add(generation, item);
}

static void add_path(struct generation *generation, const struct path *path, size_t first)
{
    add_item(generation, path, first, count_new(generation, path), false);
}

/* ---- children ---- */

/* How often each decision was made on a path: two that share a number are seldom both in loops. */
struct turns {
    uint32_t counts[4096];
};

/* Loops decide the same again and again: their first turns, and then ever fewer. */
static bool is_of_interest(struct turns *turns, const struct decision *decision)
{
    enum { FIRST_TURNS = 8, DISTANCE = 769 };
    size_t at = (decision->site * DISTANCE + decision->part) % (sizeof turns->counts / sizeof *turns->counts);
    uint32_t count = turns->counts[at]++;
    return count < FIRST_TURNS || (count & (count - 1)) == 0;
}

static void flip_goals(struct explorer *explorer, const struct decision *decision, struct conditions *goals)
{
    if (decision->new_condition)
        conditions_add(goals, explorer->table, decision->new_condition, !decision->new_outcome);
    if (decision->old_condition && decision->shadowed)
        conditions_add(goals, explorer->table, decision->old_condition, !decision->old_outcome);
}

static bool make_child(struct explorer *explorer, struct generation *generation, const struct prefix *prefix,
                       const struct path *path, size_t index)
{
    struct conditions goals = {0};
    struct path *child;
    flip_goals(explorer, &path->decisions[index], &goals);
    bool good = explorer_try(explorer, prefix, &goals, path, &child);
    free(goals.list);
    if (!child)
        return good;
    bool as_predicted = path_gets_to(child, path, index);
    explorer->statistics.mispredictions += !as_predicted;
    good = !child->diverged || explorer_report(explorer, child, "generational");
    add_path(generation, child, as_predicted ? index + 1 : 0);
    path_free(child);
    return good;
}

/* The rest of an item's children is made later, when expressions have begun anew. */
static void put_off(struct generation *generation, const struct item *item, size_t first)
{
    struct item rest = *item;
    rest.first = first;
    rest.is_asked = true;
    rest.input = malloc(item->size + 1);
    memcpy(rest.input, item->input, item->size);
    add(generation, rest);
}

static bool make_children(struct explorer *explorer, struct generation *generation, const struct path *path,
                          const struct item *item)
{
    struct prefix prefix;
    struct turns turns = {0};
    bool good = true;
    size_t first = item->first, before = expr_count(explorer->table);
    prefix_begin(explorer, &prefix);
    for (size_t i = 0; i < path->count && good && !explorer_must_stop(explorer); i++) {
        if (i > first && explorer_is_large(explorer, before)) {
            put_off(generation, item, i);
            break;
        }
        const struct decision *decision = &path->decisions[i];
        bool leads_on = decision->marks & MARK_CHANGE || decision->kind != PN_EVENT_BRANCH ||
                        !explorer->options.directed ||
                        site_reaches_change(explorer->sites, decision->site, decision->part, !decision->new_outcome);
        if (decision_can_flip(decision) && is_of_interest(&turns, decision) && i >= first && leads_on &&
            !prefix_decides(explorer, &prefix, decision->new_condition))
            good = make_child(explorer, generation, &prefix, path, i);
        prefix_pass(explorer, &prefix, decision);
    }
    prefix_free(&prefix);
    return good;
}

/* ---- changes at random ----
 *
 * What takes many steps in a row, as a word that is just too long, no solver is asked for. Of those that lead to
 * nothing new, nothing is kept. */

static bool try_mutant(struct explorer *explorer, struct generation *generation, const uint8_t *input, size_t size)
{
    struct path *path = explorer_run(explorer, input, size);
    if (!path)
        return false;
    bool good = true;
    if (path->diverged)
        good = explorer_report(explorer, path, "generational");
    else if (path_has_outputs(path) && outputs_differ(path))
        good = explorer_report_output(explorer, path, "generational");
    size_t news = count_new(generation, path);
    if (news)
        add_item(generation, path, 0, news, false);
    path_free(path);
    return good;
}

static bool try_mutants(struct explorer *explorer, struct generation *generation, const struct item *item)
{
    enum { MUTANTS = 16 };
    struct mutation mutation = {.layout = explorer->layout,
                                .numbers = &explorer->sites->numbers,
                                .texts = &explorer->sites->texts,
                                .chance = &generation->chance};
    uint8_t *input = malloc(item->size + 1);
    bool good = true;
    for (int i = 0; i < MUTANTS && good && explorer->layout->invocation && !explorer_must_stop(explorer); i++) {
        explorer_renew(explorer);
        memcpy(input, item->input, item->size);
        mutate(&mutation, input);
        good = try_mutant(explorer, generation, input, item->size);
    }
    free(input);
    return good;
}

/* Divergences that were found on the way give children, too. */
static void take_points(struct explorer *explorer, struct generation *generation, size_t known)
{
    for (; explorer->point_count > known; explorer->point_count--) {
        struct path *path = explorer->points[explorer->point_count - 1].path;
        add_path(generation, path, path->divergence + 1);
        path_free(path);
    }
}

static bool take_item(struct explorer *explorer, struct generation *generation, const struct item *item)
{
    struct path *path = explorer_run(explorer, item->input, item->size);
    size_t points = explorer->point_count;
    if (!path)
        return false;
    bool good = item->is_asked || concolic_follow(explorer, path, item->first);
    take_points(explorer, generation, points);
    good = good && make_children(explorer, generation, path, item);
    path_free(path);
    return good && try_mutants(explorer, generation, item);
}

/* Half of what waits becomes another worker's, which throws other dice. */
static void share(struct explorer *explorer, struct generation *generation)
{
    enum split split = explorer_split(explorer);
    size_t count = generation->count;
    if (split == SPLIT_NOT)
        return;
    generation->count = 0;
    for (size_t i = 0; i < count; i++) { /* what is kept goes before what is still to be looked at */
        if (split_keeps(split, i))
            insert(generation, generation->list[i]);
        else
            free(generation->list[i].input);
    }
    if (split == SPLIT_STAYS)
        return;
    size_t number = worker_number(explorer->worker);
    generation->chance.state = hash_bytes(generation->chance.state, &number, sizeof number) | 1;
    explorer->seed_count = 0; /* that are left when nothing else is: the other one has them */
}

static bool take_all(struct explorer *explorer, struct generation *generation)
{
    bool good = true;
    while (good && generation->count && !explorer_must_stop(explorer)) {
        if (explorer_should_split(explorer, generation->count))
            share(explorer, generation);
        explorer_renew(explorer);
        struct item item = take(generation);
        good = take_item(explorer, generation, &item);
        free(item.input);
    }
    return good;
}

bool generational_phase(struct explorer *explorer)
{
    enum { LAST_ROUNDS = 64 }; /* of changes at random, where nothing else is left to try */
    struct generation generation = {.seen = set_create(), .chance = CHANCE_START};
    size_t size = explorer->seed_size;
    bool good = true;
    for (size_t i = 0; i < explorer->seed_count && good && !explorer_must_stop(explorer); i++) {
        struct path *path = explorer_run(explorer, explorer->seeds[i], size);
        good = path;
        if (path)
            add_item(&generation, path, 0, count_new(&generation, path), true);
        path_free(path);
    }
    take_points(explorer, &generation, 0);
    good = good && take_all(explorer, &generation);
    for (size_t i = 0; good && explorer->seed_count && i < LAST_ROUNDS && !explorer_must_stop(explorer); i++) {
        struct item seed = {.input = (uint8_t *)explorer->seeds[i % explorer->seed_count],
                            .size = size}; /* only read */
        good = try_mutants(explorer, &generation, &seed) && take_all(explorer, &generation);
    }
    while (generation.count)
        free(generation.list[--generation.count].input);
    free(generation.list);
    set_destroy(generation.seen);
    return good;
}

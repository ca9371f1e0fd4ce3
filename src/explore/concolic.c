/* The concolic phase: one seed, followed to its end or to where it diverges. Branches inside one version's own code do
 * not part the versions, but what they decide may: their other outcomes are run and followed too, from there on. So are
 * the other values of what had to be made concrete on the way, as long as there are not too many. */
#include "explore/explorer.h"

#include <stdlib.h>
#include <string.h>

static void keep_point(struct explorer *explorer, struct path *path)
{
    explorer->points =
        array_reserve(explorer->points, &explorer->point_capacity, explorer->point_count + 1, sizeof *explorer->points);
    explorer->points[explorer->point_count++] = (struct divergence_point){path};
    explorer->statistics.divergence_points++;
}

/* The path of what the solver proposed: it must take the same way up to `index` and part there. Anything else is
 * counted, and still reported if the versions part somewhere. Takes the path into the queue. */
static bool take_divergence(struct explorer *explorer, struct path *path, const struct path *from, size_t index)
{
    bool as_predicted =
        path->diverged && path->divergence == index && path->decisions[index].site == from->decisions[index].site;
    explorer->statistics.mispredictions += !as_predicted;
    if (!path->diverged) {
        path_free(path);
        return true;
    }
    bool good = explorer_report(explorer, path, "concolic");
    keep_point(explorer, path);
    return good;
}

/* The goals "new goes one way, old the other", for the versions that make the decision. */
static bool divergence_goals(struct explorer *explorer, const struct decision *decision, bool in_new,
                             struct conditions *goals)
{
    bool in_old = !in_new;
    if (decision->new_outcome == in_new && decision->old_outcome == in_old)
        return false; /* the run itself does that */
    if (decision->side == PN_SIDE_OLD ? !in_new : decision->side == PN_SIDE_NEW && !in_old)
        return false; /* a version that does not make the decision counts as going along */
    if (decision->side != PN_SIDE_OLD)
        conditions_add(goals, explorer->table, decision->new_condition, in_new);
    if (decision->side != PN_SIDE_NEW)
        conditions_add(goals, explorer->table, decision->old_condition, in_old);
    return true;
}

static bool ask_divergence(struct explorer *explorer, const struct prefix *prefix, const struct path *path,
                           size_t index, bool in_new)
{
    struct conditions goals = {0};
    bool good = true;
    if (divergence_goals(explorer, &path->decisions[index], in_new, &goals)) {
        struct path *other;
        good = explorer_try(explorer, prefix, &goals, path, &other);
        if (other)
            good = take_divergence(explorer, other, path, index);
    }
    free(goals.list);
    return good;
}

static bool can_part(const struct decision *decision)
{
    bool may_differ = decision->kind == PN_EVENT_BRANCH  ? decision->side == PN_SIDE_BOTH && decision->shadowed
                      : decision->kind == PN_EVENT_CHECK ? decision->side != PN_SIDE_BOTH || decision->shadowed
                                                         : false;
    return may_differ && decision->symbolic && decision->new_condition;
}

static bool is_one_sided_branch(const struct decision *decision)
{
    return decision->kind == PN_EVENT_BRANCH && decision->side != PN_SIDE_BOTH && decision->symbolic;
}

/* Paths that are still to be followed, from a decision on. */
struct work {
    struct path *path;
    size_t first;
    bool is_lent; /* it is somebody else's */
};
struct works {
    struct work *list;
    size_t head, count, capacity;
    size_t alternatives; /* how many values were tried instead of those that a run was bound to */
};
enum { MOST_ALTERNATIVES = 1024 };

static void add_work(struct works *works, struct path *path, size_t first)
{
    works->list = array_reserve(works->list, &works->capacity, works->count + 1, sizeof *works->list);
    works->list[works->count++] = (struct work){path, first, false};
}

/* Queues a path that was asked to be another from a decision on; whether it gets there at all comes back. */
static bool take_turn(struct explorer *explorer, struct works *works, struct path *other, const struct path *path,
                      size_t index)
{
    bool as_predicted = path_gets_to(other, path, index);
    explorer->statistics.mispredictions += !as_predicted;
    add_work(works, other, as_predicted ? index + 1 : 0);
    return as_predicted;
}

/* The other outcome of a branch in one version's own code. */
static bool turn(struct explorer *explorer, struct works *works, const struct prefix *prefix, const struct path *path,
                 size_t index)
{
    const struct decision *decision = &path->decisions[index];
    bool old = decision->side == PN_SIDE_OLD;
    struct conditions goals = {0};
    conditions_add(&goals, explorer->table, old ? decision->old_condition : decision->new_condition,
                   !(old ? decision->old_outcome : decision->new_outcome));
    struct path *other;
    bool good = explorer_try(explorer, prefix, &goals, path, &other);
    free(goals.list);
    if (other)
        take_turn(explorer, works, other, path, index);
    return good;
}

/* Other values of something that the run is bound to, each time without those that were seen. */
static bool ask_alternatives(struct explorer *explorer, struct works *works, const struct prefix *prefix,
                             const struct path *path, size_t index)
{
    struct conditions goals = {0};
    bool good = true, again = true;
    expr_id seen = path->decisions[index].new_condition;
    while (good && again && works->alternatives < MOST_ALTERNATIVES && !explorer_must_stop(explorer)) {
        struct path *other;
        conditions_add(&goals, explorer->table, seen, false);
        good = explorer_try(explorer, prefix, &goals, path, &other);
        again = other && take_turn(explorer, works, other, path, index);
        works->alternatives += other != NULL;
        seen = again ? other->decisions[index].new_condition : 0;
    }
    free(goals.list);
    return good;
}

static bool follow_alternatives(struct explorer *explorer, struct works *works, const struct path *path, size_t first)
{
    struct prefix prefix;
    size_t end = path->diverged ? path->divergence : path->count;
    bool good = true;
    prefix_begin(explorer, &prefix);
    for (size_t i = 0; i < end && good && works->alternatives < MOST_ALTERNATIVES; i++) {
        const struct decision *decision = &path->decisions[i];
        if (i >= first && decision->kind == PN_EVENT_CONCRETISE && decision->symbolic &&
            !prefix_decides(explorer, &prefix, decision->new_condition))
            good = ask_alternatives(explorer, works, &prefix, path, i);
        prefix_pass(explorer, &prefix, decision);
    }
    prefix_free(&prefix);
    return good;
}

/* The versions ended together: can their outputs differ? */
static bool ask_output(struct explorer *explorer, const struct prefix *prefix, const struct path *path)
{
    expr_id any = output_condition(explorer, path);
    if (!any || outputs_differ(path))
        return true;
    struct conditions goals = {0};
    conditions_add(&goals, explorer->table, any, true);
    struct path *other;
    bool good = explorer_try(explorer, prefix, &goals, path, &other);
    free(goals.list);
    if (!other)
        return good;
    bool as_predicted = !other->diverged && outputs_differ(other);
    if (other->diverged)
        good = explorer_report(explorer, other, "concolic");
    else if (as_predicted)
        good = explorer_report_output(explorer, other, "concolic");
    explorer->statistics.mispredictions += !as_predicted;
    path_free(other);
    return good;
}

static bool follow(struct explorer *explorer, struct works *works, const struct path *path, size_t first)
{
    struct prefix prefix;
    size_t end = path->diverged ? path->divergence + 1 : path->count;
    bool good = true;
    prefix_begin(explorer, &prefix);
    for (size_t i = 0; i < end && good && !explorer_must_stop(explorer); i++) {
        const struct decision *decision = &path->decisions[i];
        if (i >= first && can_part(decision))
            good =
                ask_divergence(explorer, &prefix, path, i, true) && ask_divergence(explorer, &prefix, path, i, false);
        else if (i >= first && is_one_sided_branch(decision) &&
                 !prefix_decides(explorer, &prefix,
                                 decision->side == PN_SIDE_OLD ? decision->old_condition : decision->new_condition))
            good = turn(explorer, works, &prefix, path, i);
        prefix_pass(explorer, &prefix, decision);
    }
    if (good && !path->diverged && path_has_outputs(path) && !explorer_must_stop(explorer))
        good = ask_output(explorer, &prefix, path);
    prefix_free(&prefix);
    bool goes_on = explorer->options.mode == EXPLORE_GENERATIONAL; /* which tries other values one at a time */
    if (good && path->binds_values && path->change_reached && !goes_on && !explorer_must_stop(explorer))
        good = follow_alternatives(explorer, works, path, first);
    return good;
}

/* What the versions do on the path itself, before anything is solved. */
static bool report_own(struct explorer *explorer, const struct path *path)
{
    if (path->diverged)
        return explorer_report(explorer, path, "concolic");
    return !path_has_outputs(path) || !outputs_differ(path) || explorer_report_output(explorer, path, "concolic");
}

/* One path: reported if the versions part on it, followed, and kept if the bounded phase is to go on from it. */
static bool take_work(struct explorer *explorer, struct works *works, struct work work)
{
    struct path *path = work.path;
    bool good = true;
    if (path->ending != PN_ASSUMPTION_FAILED)
        good = report_own(explorer, path) && follow(explorer, works, path, work.first);
    if (work.is_lent)
        return good;
    if (good && path->diverged)
        keep_point(explorer, path);
    else
        path_free(path);
    return good;
}

static bool take_works(struct explorer *explorer, struct works *works)
{
    bool good = true;
    while (good && works->head < works->count && !(works->head && explorer_must_stop(explorer)))
        good = take_work(explorer, works, works->list[works->head++]);
    while (works->head < works->count)
        path_free(works->list[works->head++].path);
    free(works->list);
    return good;
}

bool concolic_follow(struct explorer *explorer, struct path *path, size_t first)
{
    struct works works = {0};
    add_work(&works, path, first);
    works.list[0].is_lent = true;
    return take_works(explorer, &works);
}

bool concolic_phase(struct explorer *explorer, const uint8_t *seed, size_t size)
{
    struct works works = {0};
    struct path *path = explorer_run(explorer, seed, size);
    if (!path)
        return false;
    explorer->statistics.rejected_seeds += path->ending == PN_ASSUMPTION_FAILED;
    explorer->statistics.seeds_without_change += !path->change_reached;
    explorer->statistics.failing_seeds += !path->diverged && (path->signal || path->ending == PN_CHECK_FAILED);
    add_work(&works, path, 0);
    return take_works(explorer, &works);
}

/* The complete mode as a whole: all paths of the new version; what the versions' outputs are where they stay together;
 * where they part, all paths of the old version too, and the two compared. */
#include "base/clock.h"
#include "explore/behaviour.h"
#include "explore/complete.h"
#include "explore/partition.h"
#include "explore/semantic.h"

#include <stdlib.h>

static const char phase[] = "complete";

struct completion {
    struct explorer *explorer;
    struct behaviours *in_new, *in_old;
    struct semantics *semantics; /* of partitions; NULL where paths are explored */
    struct set *condition_sets;  /* of both versions' partitions */
    struct suite *suite;         /* with these */
    size_t same, faults;         /* runs in which the versions did the same; that ended with a fault of both */
};

/* Where values were bound, several runs may be the same path. */
static bool is_new_path(struct completion *completion, const struct path *path)
{
    return !path->binds_values || explorer_is_new_path(completion->explorer, path);
}

/* An input of the same path on which the outputs differ, run to be sure. */
static bool show_output_difference(struct explorer *explorer, const struct path *path,
                                   const struct conditions *conditions, expr_id differs, bool *shown)
{
    struct conditions goals = {0};
    conditions_add(&goals, explorer->table, differs, true);
    struct prefix prefix = {.conditions = *conditions};
    struct path *other;
    bool good = explorer_try(explorer, &prefix, &goals, path, &other);
    free(goals.list);
    if (!other)
        return good;
    *shown = !other->diverged && outputs_differ(other);
    if (*shown)
        good = explorer_report_output(explorer, other, phase);
    else
        explorer->statistics.mispredictions++;
    path_free(other);
    return good;
}

/* In a new process: what was found before is compared by the one that found it. */
static void forget_paths(void *context)
{
    struct completion *completion = context;
    behaviours_clear(completion->in_new);
}

/* The versions stayed together: can their outputs differ? Where values were bound, the path may have been reported
 * before, for others of them. */
static bool take_common_path(struct explorer *explorer, const struct path *path)
{
    expr_id differs = output_condition(explorer, path);
    struct conditions conditions = {0};
    bool shown = outputs_differ(path), good = true;
    if (!differs)
        return true;
    conditions_add_all(&conditions, explorer->table, &explorer->always);
    for (size_t i = 0; i < path->count; i++)
        decision_conditions(&path->decisions[i], explorer->table, &conditions);
    good = shown ? explorer_report_output(explorer, path, phase)
                 : show_output_difference(explorer, path, &conditions, differs, &shown);
    if (good && shown && !path->rejected) {
        conditions_add(&conditions, explorer->table, differs, true);
        good = explorer_report_difference(explorer, explorer_finding(explorer, path), &conditions, NULL, 0);
    }
    free(conditions.list);
    return good;
}

/* Some paths on which the versions do the same are tried natively: the first ones, ever fewer of the others, and those
 * that end with a fault, which could be ours. */
static bool is_to_be_tried(struct completion *completion, const struct path *path)
{
    enum { FIRST = 8, FAULTS = 64 };
    if (path->rejected || outputs_differ(path))
        return false;
    if (path->signal || path->ending == PN_CHECK_FAILED)
        return completion->faults++ < FAULTS;
    if (!path->complete)
        return false;
    size_t number = completion->same++;
    return number < FIRST || !(number & (number - 1));
}

static bool take_new_path(void *context, const struct path *path)
{
    struct completion *completion = context;
    struct explorer *explorer = completion->explorer;
    explorer->statistics.paths += is_new_path(completion, path);
    if (!path->diverged)
        return take_common_path(explorer, path) &&
               (!is_to_be_tried(completion, path) || explorer_report_common(explorer, path, phase));
    bool good = explorer_report(explorer, path, phase);
    behaviours_add(completion->in_new, explorer, path, explorer_finding(explorer, path));
    return good;
}

static bool take_old_path(void *context, const struct path *path)
{
    struct completion *completion = context;
    completion->explorer->statistics.old_paths++;
    if (path->diverged)
        behaviours_add(completion->in_old, completion->explorer, path, 0);
    return true;
}

/* A partition of a version. Where no change was reached the other version does the same. Tests of one version alone are
 * run natively on both, since nothing else says what the other does. */
static bool take_partition(struct completion *completion, enum pn_side version, const struct path *path)
{
    struct explorer *explorer = completion->explorer;
    struct behaviours *behaviours = version == PN_SIDE_OLD ? completion->in_old : completion->in_new;
    explorer->statistics.paths++;
    explorer->statistics.old_paths += version == PN_SIDE_OLD;
    size_t number = semantics_add(completion->semantics, version, path);
    if (explorer->options.partitions != PARTITION_CBPE_SD)
        return explorer_report_path(explorer, path, phase);
    if (!path->unchanged)
        behaviours_add_kept(behaviours, explorer, path, number, semantics_kept(completion->semantics, version, number));
    return !is_to_be_tried(completion, path) || explorer_report_common(explorer, path, phase);
}

/* Of versions in two programs: each path is a finding, whichever version's it is. */
static bool take_new_alone(void *context, const struct path *path)
{
    struct completion *completion = context;
    if (completion->semantics)
        return take_partition(completion, PN_SIDE_NEW, path);
    struct explorer *explorer = completion->explorer;
    explorer->statistics.paths += is_new_path(completion, path);
    bool good = explorer_report_path(explorer, path, phase);
    behaviours_add(completion->in_new, explorer, path, explorer->latest_finding);
    return good;
}

static bool take_old_alone(void *context, const struct path *path)
{
    struct completion *completion = context;
    if (completion->semantics)
        return take_partition(completion, PN_SIDE_OLD, path);
    struct explorer *explorer = completion->explorer;
    explorer->statistics.paths++;
    explorer->statistics.old_paths++;
    bool good = explorer_report_path(explorer, path, phase);
    behaviours_add(completion->in_old, explorer, path, explorer->latest_finding);
    return good;
}

static bool search_partitions(struct completion *completion, enum pn_side version, const struct complete_start *start)
{
    struct explorer *explorer = completion->explorer;
    complete_leaf *leaf = version == PN_SIDE_OLD ? take_old_alone : take_new_alone;
    bool good = suite_try(completion->suite, explorer, version, start) &&
                partition_phase(explorer, start, completion->condition_sets, leaf, completion);
    semantics_add_places(completion->semantics);
    return good;
}

/* All paths of the old version below the new one's divergences, from inputs that lead there. Where the two builds do
 * not part at the same places, something may be missing: then everything is explored. */
static bool explore_exchanged(struct completion *completion, const struct complete_start *start)
{
    struct explorer *explorer = completion->explorer;
    struct complete_start below = {.below_divergence = true};
    if (completion->semantics)
        return search_partitions(completion, PN_SIDE_OLD, start);
    if (explorer->options.alone)
        return complete_phase(explorer, start, take_old_alone, completion);
    const uint8_t **inputs = behaviours_divergences(completion->in_new, &below.seed_count, &below.size);
    below.seeds = inputs;
    bool good = complete_phase(explorer, &below, take_old_path, completion);
    free(inputs);
    if (!good || !explorer->statistics.exhausted || behaviours_agree(completion->in_new, completion->in_old))
        return good;
    struct complete_start all = *start;
    all.begin_part = NULL; /* each worker compares its own paths with all of them */
    behaviours_clear(completion->in_old);
    explorer->statistics.old_paths = 0;
    return complete_phase(explorer, &all, take_old_path, completion);
}

/* Explores the old version in the build with the sides exchanged; the explorer is put back as it was. */
static bool explore_old(struct completion *completion, const struct complete_start *start)
{
    struct explorer *explorer = completion->explorer;
    struct exchanged exchanged;
    struct target *target = explorer->target;
    const struct site_table *sites = explorer->sites;
    struct trace_reader reader = explorer->reader;
    size_t paths = explorer->statistics.paths, states = explorer->statistics.states;
    double before = clock_cpu_seconds();
    if (!explorer->options.exchange(explorer->options.exchange_context, &exchanged, explorer->error))
        return false;
    explorer->cpu_start += clock_cpu_seconds() - before; /* building is not exploring */
    explorer->target =
        (exchanged.is_library ? target_load : target_start)(exchanged.path, &explorer->options.limits, explorer->error);
    if (!explorer->target) {
        explorer->target = target;
        return false;
    }
    explorer_keep_to_time(explorer);
    explorer->sites = exchanged.sites;
    explorer->reader = (struct trace_reader){
        .table = explorer->table, .alone = reader.alone, .assume_no_overflow = reader.assume_no_overflow};
    bool good = explore_exchanged(completion, start);
    trace_reader_free(&explorer->reader);
    target_stop(explorer->target);
    explorer->target = target;
    explorer->sites = sites;
    explorer->reader = reader;
    explorer->statistics.paths = paths; /* counts are of the new version */
    explorer->statistics.states = states;
    return good;
}

/* ---- versions in two programs ---- */

/* How much of the time has passed at the end of each step: the new version's paths, the old one's, the comparison. */
static const double shares[] = {0.4, 0.8, 1};

/* Bounds are for each step by itself. */
static void begin_step(struct explorer *explorer, double seconds, size_t step)
{
    explorer->options.seconds = seconds * shares[step];
    explorer_keep_to_time(explorer);
    explorer->statistics.out_of_time = explorer->statistics.path_limit = false;
    explorer->statistics.paths = 0;
}

static bool explore_alone(struct completion *completion, const struct complete_start *start)
{
    struct explorer *explorer = completion->explorer;
    struct explore_statistics *statistics = &explorer->statistics;
    double seconds = explorer->options.seconds;
    begin_step(explorer, seconds, 0);
    bool good = complete_phase(explorer, start, take_new_alone, completion);
    size_t paths = statistics->paths;
    bool out_of_time = statistics->out_of_time, path_limit = statistics->path_limit;
    begin_step(explorer, seconds, 1);
    good = good && explore_old(completion, start);
    out_of_time |= statistics->out_of_time, path_limit |= statistics->path_limit;
    begin_step(explorer, seconds, 2);
    good = good && behaviours_compare(explorer, completion->in_new, completion->in_old);
    statistics->paths = paths;
    statistics->out_of_time |= out_of_time;
    statistics->path_limit |= path_limit;
    return good;
}

/* Partitions of one version, or of both and the semantic changes between them. Only that supports a verdict. */
static bool explore_partitions(struct completion *completion, const struct complete_start *start)
{
    struct explorer *explorer = completion->explorer;
    struct explore_statistics *statistics = &explorer->statistics;
    double seconds = explorer->options.seconds;
    statistics->one_version = explorer->options.partitions != PARTITION_CBPE_SD;
    if (statistics->one_version)
        return search_partitions(completion, PN_SIDE_NEW, start) &&
               semantics_write(completion->semantics, completion->suite, start);
    begin_step(explorer, seconds, 0);
    bool good = search_partitions(completion, PN_SIDE_NEW, start), exhausted = statistics->exhausted;
    size_t paths = statistics->paths;
    bool out_of_time = statistics->out_of_time, path_limit = statistics->path_limit;
    begin_step(explorer, seconds, 1);
    good = good && explore_old(completion, start);
    exhausted &= statistics->exhausted;
    out_of_time |= statistics->out_of_time, path_limit |= statistics->path_limit;
    begin_step(explorer, seconds, 2);
    explorer->pair = semantics_pair;
    explorer->pair_context = completion->semantics;
    good = good && behaviours_compare(explorer, completion->in_new, completion->in_old) &&
           semantics_report(completion->semantics, phase) &&
           semantics_write(completion->semantics, completion->suite, start);
    statistics->paths = paths;
    statistics->exhausted = exhausted;
    statistics->out_of_time |= out_of_time;
    statistics->path_limit |= path_limit;
    return good;
}

/* ---- all of it ---- */

bool explore_completely(struct explorer *explorer, const uint8_t *const seeds[], size_t seed_count, size_t size)
{
    struct completion completion = {
        .explorer = explorer,
        .in_new = behaviours_create(),
        .in_old = behaviours_create(),
        .semantics = explorer->options.partitions ? semantics_create(explorer) : NULL,
        .condition_sets = set_create(),
        .suite = suite_create(explorer->options.has_tests ? seed_count : 0),
    };
    bool can_split = !explorer->options.alone && !explorer->options.partitions;
    struct complete_start start = {seeds, seed_count, size, .begin_part = can_split ? forget_paths : NULL};
    bool good = completion.semantics      ? explore_partitions(&completion, &start)
                : explorer->options.alone ? explore_alone(&completion, &start)
                                          : complete_phase(explorer, &start, take_new_path, &completion);
    if (good && !explorer->options.alone && behaviours_count(completion.in_new)) {
        bool exhausted = explorer->statistics.exhausted;
        good = explore_old(&completion, &start) && behaviours_compare(explorer, completion.in_new, completion.in_old);
        explorer->statistics.exhausted &= exhausted;
    }
    behaviours_destroy(completion.in_new);
    behaviours_destroy(completion.in_old);
    semantics_destroy(completion.semantics);
    set_destroy(completion.condition_sets);
    suite_destroy(completion.suite);
    return good;
}

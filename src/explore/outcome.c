/* What an exploration leaves behind: counts, and those of several workers together. */
#include "base/arena.h"
#include "explore/explore.h"

#include <stdlib.h>
#include <string.h>

void explore_losses_add(struct explore_statistics *statistics, const char *what, size_t count)
{
    for (size_t i = 0; i < statistics->loss_count; i++) {
        if (!strcmp(statistics->losses[i].what, what)) {
            statistics->losses[i].count += count;
            return;
        }
    }
    statistics->losses = array_reserve(statistics->losses, &statistics->loss_capacity, statistics->loss_count + 1,
                                       sizeof *statistics->losses);
    statistics->losses[statistics->loss_count++] = (struct explore_loss){strdup(what), count};
}

void explore_outcome_free(struct explore_outcome *outcome)
{
    struct explore_statistics *statistics = &outcome->statistics;
    for (size_t i = 0; i < statistics->loss_count; i++)
        free(statistics->losses[i].what);
    free(statistics->losses);
    *outcome = (struct explore_outcome){0};
}

static void add_counts(struct explore_statistics *sum, const struct explore_statistics *more)
{
    sum->runs += more->runs;
    sum->paths += more->paths;
    sum->diff_paths += more->diff_paths;
    sum->old_paths += more->old_paths;
    sum->output_differences += more->output_differences;
    sum->divergence_points += more->divergence_points;
    sum->states += more->states;
    sum->uncovered += more->uncovered;
    sum->cut_by_depth += more->cut_by_depth;
    sum->cut_by_loop += more->cut_by_loop;
    sum->cut_by_values += more->cut_by_values;
    sum->cut_pairs += more->cut_pairs;
    sum->points_cut += more->points_cut;
    sum->concretisations += more->concretisations;
    sum->mispredictions += more->mispredictions;
    sum->stale_labels += more->stale_labels;
    sum->time_outs += more->time_outs;
    sum->memory_limits += more->memory_limits;
    sum->threaded_runs += more->threaded_runs;
    sum->beyond += more->beyond;
    sum->damaged_traces += more->damaged_traces;
    sum->rejected_seeds += more->rejected_seeds;
    sum->seeds_without_change += more->seeds_without_change;
    sum->failing_seeds += more->failing_seeds;
}

static void add_measures(struct explore_statistics *sum, const struct explore_statistics *more)
{
    if (sum->explore_seconds < more->explore_seconds)
        sum->explore_seconds = more->explore_seconds;
    sum->cpu_seconds += more->cpu_seconds;
    sum->peak_memory += more->peak_memory;
    sum->workers += more->workers;
}

static void add_facts(struct explore_statistics *sum, const struct explore_statistics *more)
{
    sum->exhausted &= more->exhausted;
    sum->one_version |= more->one_version;
    sum->out_of_time |= more->out_of_time;
    sum->interrupted |= more->interrupted;
    sum->had_enough |= more->had_enough;
    sum->path_limit |= more->path_limit;
    sum->table_full |= more->table_full;
    sum->change_reached |= more->change_reached;
    for (size_t i = 0; i < 2; i++)
        sum->given_used[i] |= more->given_used[i];
}

void explore_outcome_add(struct explore_outcome *sum, const struct explore_outcome *more)
{
    struct explore_statistics *statistics = &sum->statistics;
    if (!statistics->workers)
        statistics->exhausted = true; /* until one says otherwise */
    add_counts(statistics, &more->statistics);
    add_measures(statistics, &more->statistics);
    add_facts(statistics, &more->statistics);
    for (size_t i = 0; i < more->statistics.loss_count; i++)
        explore_losses_add(statistics, more->statistics.losses[i].what, more->statistics.losses[i].count);
    solve_statistics_add(&sum->solver, &more->solver);
}

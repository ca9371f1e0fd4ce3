/* Inside the explorer: what its phases share. */
#ifndef PENUMBRA_EXPLORE_EXPLORER_H
#define PENUMBRA_EXPLORE_EXPLORER_H

#include "base/set.h"
#include "explore/explore.h"
#include "explore/workers.h"

/* A divergence that was found, waiting for the bounded phase. */
struct divergence_point {
    struct path *path; /* owned */
};

/* Paths that were reported, by key, and the numbers of their reports. */
struct reported {
    struct set *keys;
    size_t *findings; /* in the order of the set */
    size_t capacity;
};

/* Two partitions that were compared, by the numbers that behaviours_add() was given. */
struct explorer_pair {
    size_t in_new, in_old;
    enum solve_answer answer; /* whether there is an input of both on which they differ, */
    expr_id differs;          /* where the new one's condition holds, */
    const uint8_t *input;     /* and such a one */
    size_t size;
    bool is_unsure; /* only native runs of the input can tell: both fail, or do something that was not followed */
};
typedef void explorer_pair(void *context, const struct explorer_pair *pair);

struct explorer {
    const struct exploration *exploration;
    struct worker *worker;        /* this process, where others may take a part of the work */
    struct worker_counts counted; /* of this one, and told to all */
    struct target *target;
    struct input_layout *layout;
    const struct site_table *sites;
    struct explore_options options;
    struct expr_table *table;
    struct trace_reader reader;
    struct solver *solver;
    struct set *paths; /* keys of all paths seen; in complete mode, of those on which values were bound */
    struct reported diff_paths;
    struct reported outputs; /* paths on which the versions stay together, and their outputs differ */
    struct descriptions *descriptions;
    struct expr_writer *writer;
    struct conditions always; /* ranges: part of every query */
    size_t layout_known;      /* parameters that `always` speaks of */
    struct divergence_point *points;
    size_t point_count, point_capacity;
    size_t finding_count;  /* reports made by this process, */
    size_t latest_finding; /* and the number of the last one: of all processes, no two have the same */
    const uint8_t **seeds; /* that are still to be dealt with, or were, by this process */
    size_t seed_count, seed_size;
    double start, cpu_start, next_progress;
    struct explore_statistics statistics;
    explorer_pair *pair; /* told of pairs of behaviours; may be NULL */
    void *pair_context;
    struct error *error;
};

/* Questions to the solver and runs end when the time is over. */
void explorer_keep_to_time(struct explorer *explorer);
/* Begins anew with expressions and all that speaks of them, where these take much memory. Only where nobody keeps a
 * path.
 */
void explorer_renew(struct explorer *explorer);
/* Whether that is due: there are many more than `before`, which a path takes that is kept. */
bool explorer_is_large(const struct explorer *explorer, size_t before);

/* Precision was lost at something. */
void explorer_lose(struct explorer *explorer, const char *what);
void explorer_lose_at(struct explorer *explorer, const struct decision *decision);

double explorer_elapsed(const struct explorer *explorer);
/* Time is up, the user interrupted, or the path limit is reached. */
bool explorer_must_stop(struct explorer *explorer);

/* Whether no run, of any worker, had the path before. */
bool explorer_is_new_path(struct explorer *explorer, const struct path *path);

/* Whether half of so many things to do should become another worker's now; then explorer_split() says who this is. */
bool explorer_should_split(const struct explorer *explorer, size_t count);
enum split explorer_split(struct explorer *explorer);

/* Runs an input of `size` bytes (what the layout has beyond is zero) and reads its path. NULL on an error. */
struct path *explorer_run(struct explorer *explorer, const uint8_t *input, size_t size);

/* The conditions of a path's prefix, built up decision by decision. */
struct prefix {
    struct conditions conditions;
    uint8_t *known; /* by expression: 1 where the prefix says it holds; loops repeat themselves */
    size_t known_capacity;
};
void prefix_begin(struct explorer *explorer, struct prefix *prefix);
void prefix_pass(struct explorer *explorer, struct prefix *prefix, const struct decision *decision);
/* Does the prefix decide the condition already, one way or the other? Then nothing is to be asked. */
bool prefix_decides(struct explorer *explorer, const struct prefix *prefix, expr_id condition);
void prefix_free(struct prefix *prefix);

/* Asks for an input that keeps the prefix and meets the goals, and runs it: `path` is its path, NULL where there is
 * none. False on an error. */
bool explorer_try(struct explorer *explorer, const struct prefix *prefix, const struct conditions *goals,
                  const struct path *from, struct path **path);

/* Reports the path as a diff path if it is a new one. False stops everything. */
bool explorer_report(struct explorer *explorer, const struct path *path, const char *phase);
/* The number of the report that the path got, as a diff path or for its outputs; SIZE_MAX if none. */
size_t explorer_finding(const struct explorer *explorer, const struct path *path);
bool explorer_report_output(struct explorer *explorer, const struct path *path, const char *phase);
/* Reports a path on which the versions do the same, so that it is tried. */
bool explorer_report_common(struct explorer *explorer, const struct path *path, const char *phase);
/* Reports a path of a version that is explored alone. */
bool explorer_report_path(struct explorer *explorer, const struct path *path, const char *phase);
/* Says on which inputs of a finding's path the versions behave differently: all conditions hold; NULL for none. */
bool explorer_report_difference(struct explorer *explorer, size_t finding, const struct conditions *conditions,
                                const uint8_t *input, size_t input_size);

/* A path's conditions in words, NULL-terminated; valid until the next path is described. */
const char *const *describe_conditions(struct explorer *explorer, const struct path *path);
struct descriptions *descriptions_create(void);
void descriptions_destroy(struct descriptions *descriptions);

/* Whether the outputs of a run in which the versions stayed together differ, and the condition under which those of its
 * path do (0: never). */
bool outputs_differ(const struct path *path);
expr_id output_condition(struct explorer *explorer, const struct path *path);

bool concolic_phase(struct explorer *explorer, const uint8_t *seed, size_t size);
/* What the concolic phase asks on a path, from a decision on. Divergences become points. */
bool concolic_follow(struct explorer *explorer, struct path *path, size_t first);
bool generational_phase(struct explorer *explorer);
bool explore_completely(struct explorer *explorer, const uint8_t *const seeds[], size_t seed_count, size_t size);
bool bounded_phase(struct explorer *explorer, struct divergence_point *point, double seconds);

#endif

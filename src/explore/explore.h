/* The explorer: from seed inputs to inputs that take the two versions apart.
 *
 * - Concolic phase: each seed is followed to its end or to the point where it diverges by itself. At every decision
 * with a shadow on the way, the solver is asked for inputs that take the versions different ways; where the versions
 * end together, for one that makes their outputs differ. Before a change is reached nothing is asked.
 * - Bounded phase: from each divergence, breadth first, the new version alone; every input keeps the prefix up to and
 *   including the divergence. Each divergence gets an equal share of the time.
 * - Generational phase: from the seeds and divergences, every decision taken another way, and again from what comes of
 *   it, until the time is used (generational.c). Inputs that reach no change are led to one.
 * - Complete mode: every feasible combination at every decision, from any input (complete.c). Where the versions part,
 *   the old version is explored too, in a build with the sides exchanged, and the two behaviours are compared for all
 *   inputs (behaviour.c).
 *
 * Every input that the solver proposes is run before it is believed. */
#ifndef PENUMBRA_EXPLORE_EXPLORE_H
#define PENUMBRA_EXPLORE_EXPLORE_H

#include "explore/path.h"
#include "explore/target.h"
#include "input/input.h"
#include "instrument/sites.h"
#include "solve/solve.h"

#include <signal.h>

enum explore_mode { EXPLORE_CONCOLIC, EXPLORE_BOUNDED, EXPLORE_GENERATIONAL, EXPLORE_COMPLETE };
#define EXPLORE_MODES "concolic|bounded|generational|complete"
const char *explore_mode_name(enum explore_mode mode); /* "concolic", ... */
/* Which open way is next (frontier.h), and the words for it. */
enum explore_order {
    EXPLORE_MIXED,
    EXPLORE_DEPTH_FIRST,
    EXPLORE_BREADTH_FIRST,
    EXPLORE_RANDOM,
    EXPLORE_FIFO, /* what waits longest: as breadth first, */
    EXPLORE_LIFO, /* and as depth first */
};
#define EXPLORE_ORDERS "mixed|depth|breadth|random|fifo|lifo"

/* What the complete mode tells apart (docs/augment.md): every path, or partitions of the inputs. */
enum partition_kind {
    PARTITION_NONE,    /* paths */
    PARTITION_REACH,   /* by the changes that are reached, of the new version */
    PARTITION_PESO,    /* by what the outputs are */
    PARTITION_CBPE,    /* where a change is reached, by what the outputs are */
    PARTITION_CBPE_SD, /* of both versions, and the two compared */
};
#define PARTITION_KINDS "paths|reach|peso|cbpe|cbpe-sd"

enum finding_kind {
    FINDING_DIFF_TRUE,  /* at a branch the new version takes the true side, the old one the false side */
    FINDING_DIFF_FALSE, /* the other way round */
    FINDING_OLD_FAILS,  /* a check fails in the old version only */
    FINDING_NEW_FAILS,
    FINDING_EARLY_EXIT, /* one version leaves its own code for another place than the other */
    FINDING_EXTERNAL,   /* data that differs left the program: conservative */
    FINDING_OUTPUT,     /* the same path, another output */
    FINDING_COMMON,     /* an input of a path on which the versions do the same, to be tried natively */
    FINDING_NATIVE,     /* an input that was guessed, and on which native runs differ */
    FINDING_SEMANTIC,   /* an input of two partitions, one of each version, on which their outputs differ */
    FINDING_APART,      /* an input of one version's path: whether the other does the same is not known */
};
enum { FINDING_KINDS = FINDING_APART + 1 };
const char *finding_kind_name(enum finding_kind kind);

/* One diff path, or one difference of output without a difference of path. Valid during the call that reports it. */
struct finding {
    enum finding_kind kind;
    size_t number; /* no other finding of the exploration has the same */
    uint32_t site, part;
    uint32_t change; /* site of the change on the way that most likely makes the difference; 0: none was reached */
    const char *phase;
    const uint8_t *input;
    size_t input_size;
    const char *const *conditions; /* of the path, readable by a person; NULL-terminated */
    const char *key;               /* tells the path from all others */
    size_t key_length;
    bool failed;    /* the run did; of FINDING_COMMON and FINDING_APART only */
    bool many_wait; /* behind it, to be reported: it can be left out where not all of them are needed */
};

/* How far it is. */
struct explore_progress {
    double seconds;
    size_t runs, paths, diff_paths;
};
typedef void explore_tell(void *context, const struct explore_progress *progress);

/* False stops the exploration, with the reason in `error`. */
typedef bool explore_report(void *context, const struct finding *finding, struct error *error);

/* Nobody reads conditions that are longer. */
enum { EXPLORE_LONGEST_CONDITION = 1 << 16 };

/* What the complete mode can say about a finding at its end, by the number of the finding in order of the reports. */
struct finding_difference {
    size_t finding;
    /* The inputs of this path on which the versions behave differently, as a C expression; "0" for none, "" where that
     * is not told. */
    const char *condition;
    const uint8_t *input; /* one of them, NULL for none */
    size_t input_size;
};
typedef bool explore_difference(void *context, const struct finding_difference *difference, struct error *error);

/* Of explore_beside(): other work for the process that waits for findings, a little at a time. In so many milliseconds
 * it would like to do more, if nothing comes meanwhile; below 0, it has done everything. */
typedef int explore_idle(void *context);

/* For the complete mode: the same program with the sides exchanged, which follows the old version natively. Asked for
 * when it is first needed. */
struct exchanged {
    const char *path;
    bool is_library; /* to be loaded, not started */
    const struct site_table *sites;
};
typedef bool explore_exchange(void *context, struct exchanged *exchanged, struct error *error);

/* Where precision was lost, and how often. */
struct explore_loss {
    char *what;
    size_t count;
};

struct explore_statistics {
    size_t runs;
    size_t paths;      /* distinct ones */
    size_t diff_paths; /* distinct ones among them */
    size_t old_paths;  /* of the old version, explored below divergences to compare behaviours */
    size_t output_differences;
    size_t divergence_points;
    size_t states;    /* ways out of decisions that were tried, infeasible ones included */
    bool exhausted;   /* complete mode: nothing is left to try */
    size_t uncovered; /* diff paths with inputs of which it is not known what the old version does */
    size_t cut_by_depth, cut_by_loop, cut_by_values, cut_pairs; /* ways that a bound kept from being tried */
    size_t points_cut; /* bounded phases that ended because their share of the time was used */
    size_t concretisations;
    size_t mispredictions; /* runs that did not go where the solver said */
    size_t stale_labels;
    double explore_seconds; /* of the exploration alone, by the clock */
    double cpu_seconds;     /* of the exploring process: with the runs, where they are inside it, without building */
    size_t peak_memory;     /* resident bytes of it */
    size_t time_outs, memory_limits;
    size_t threaded_runs;   /* that started threads */
    size_t beyond;          /* runs that failed behind the end of an object of which a caller may have more */
    uint64_t given_used[2]; /* bits, as the trace has them: what some run has opened of what it was given */
    size_t damaged_traces;  /* runs that wrote over what they should have left to us */
    size_t rejected_seeds;  /* an assumption did not hold */
    size_t seeds_without_change;
    size_t failing_seeds; /* with which both versions fail */
    bool one_version;     /* only the new one was explored */
    bool out_of_time, interrupted, had_enough, path_limit, table_full, change_reached;
    struct explore_loss *losses;
    size_t loss_count, loss_capacity;
    size_t workers; /* processes that have shared the work, one after the other or at the same time */
};
void explore_losses_add(struct explore_statistics *statistics, const char *what, size_t count);

struct explore_options {
    enum explore_mode mode;
    bool assume_no_overflow;
    double float_tolerance; /* floating-point outputs that lie no further apart are the same; 0: none */
    double seconds;         /* in all */
    unsigned solver_milliseconds;
    bool only_z3;               /* no cheaper tier, no cache: a reference for measurements */
    const char *dump_directory; /* where questions to the solver are written; NULL: nowhere */
    size_t maximum_paths;       /* 0: no limit, as for the other bounds */
    size_t maximum_depth;       /* decisions on a path */
    size_t maximum_loop;        /* decisions of one branch on a path */
    size_t maximum_values;      /* of something that cannot be kept symbolic */
    enum explore_order order;
    bool directed; /* while no change was reached, only go where one can be */
    bool alone; /* complete mode: the program is the new version only, the exchanged one the old version: each path of
                   either is a finding, and so is each difference of two */
    enum partition_kind partitions; /* with `alone` */
    const char *signatures;         /* the directory that signatures are written to */
    bool has_tests;                 /* with `partitions`: the seeds are tests that somebody has */
    const struct input_range *ranges;
    size_t range_count;
    volatile sig_atomic_t *interrupted;
    /* Called now and then; may be NULL. */
    explore_tell *progress;
    explore_idle *idle;               /* may be NULL */
    bool (*is_enough)(void *context); /* what was reported is all that is wanted; may be NULL */
    explore_report *report;
    explore_difference *difference;
    explore_exchange *exchange;
    void *exchange_context;
    struct target_limits limits; /* of the exchanged program */
    void *context;
};

/* What an exploration leaves behind; explore_outcome_free() frees the losses. */
struct explore_outcome {
    struct explore_statistics statistics;
    struct solve_statistics solver;
};
void explore_outcome_free(struct explore_outcome *outcome);
/* What another worker of the same exploration leaves; `sum` is zero at first. */
void explore_outcome_add(struct explore_outcome *sum, const struct explore_outcome *more);

struct worker;

/* What is explored: a program, and inputs to begin with. */
struct exploration {
    const char *program; /* a server that runs each input in a fresh process, or */
    bool is_library;     /* to be loaded: then a run costs microseconds */
    struct input_layout *layout;
    const struct site_table *sites;
    const uint8_t *const *seeds;
    size_t seed_count, seed_size; /* bytes of each: fewer than layout->size when more inputs became known since */
    const struct explore_options *options;
    size_t workers;        /* that may share the work at the same time; 0 is 1 */
    struct worker *worker; /* for explore(): this process, as one of them; or NULL */
};

bool explore(const struct exploration *exploration, struct explore_outcome *outcome, struct error *error);

/* The same in processes of their own. What they find is reported here as it comes. When a path kills a process that has
 * loaded the program, or a run in it goes another way than predicted, `died` is set, the outcome is empty, and the rest
 * is for a server. */
bool explore_beside(const struct exploration *exploration, struct explore_outcome *outcome, bool *died,
                    struct error *error);

/* The value lies in its range: conditions over the input alone. A bool is 0 or 1 whether or not a range says so. */
void range_conditions(const struct input_layout *layout, const struct input_range *ranges, size_t count,
                      struct expr_table *table, struct conditions *conditions);

#endif

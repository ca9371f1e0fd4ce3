/* A path: one run's trace, read into expressions that outlive the run. */
#ifndef PENUMBRA_EXPLORE_PATH_H
#define PENUMBRA_EXPLORE_PATH_H

#include "explore/target.h"
#include "expr/expr.h"
#include "instrument/sites.h"

#include <stdbool.h>

/* What a path has met. */
enum path_mark {
    MARK_CHANGE = 1,
    MARK_REJECTED = 2, /* the input does not fulfil an assumption */
    MARK_BOUND = 4,    /* something symbolic had to be made concrete */
    MARK_LOSS = 8,     /* a place where precision may have been lost */
};

struct conditions;

struct decision {
    enum pn_event_kind kind;
    enum pn_side side; /* whose decision it is */
    uint32_t site, part;
    uint32_t call; /* in a model of a library function: the site where the program calls it */
    bool new_outcome, old_outcome;
    bool symbolic, shadowed;
    uint8_t marks;                        /* enum path_mark: of the path up to here */
    expr_id new_condition, old_condition; /* width 1; 0 where the event has none (a change reached, an external call) */
};

struct path_output {
    const char *name;
    size_t size;
    const uint8_t *new_bytes, *old_bytes;
    unsigned element; /* bytes of the floating-point numbers that it consists of; 0: anything else */
    double tolerance; /* for these; 0: none */
    expr_id differs;  /* "the versions' bytes are not the same", 0 where no byte is shadowed */
    /* Once the versions are apart, or in a program of one version: the new version's bytes, in pieces of up to eight.
     */
    expr_id *parts;
    size_t part_count;
};

enum { PATH_CHANGES = 64 };

struct path {
    struct arena *arena; /* of the input and the outputs' names and bytes */
    uint8_t *input;      /* the run's own */
    size_t input_size;
    struct decision *decisions;
    size_t count, decision_capacity;
    size_t shared; /* the first so many are those of the path that was given back to the reader before */
    bool diverged;
    size_t divergence; /* index of the decision at which the versions went apart */
    bool rejected;     /* the input does not fulfil an assumption: see PN_EVENT_ASSUME among the decisions */
    struct path_output *outputs;
    size_t output_count, output_capacity;
    enum pn_ending ending;
    int signal, exit_status;
    bool timed_out, out_of_memory;
    uint32_t lost, stale_labels, threads;
    uint64_t given_used[2]; /* as the trace has it */
    bool change_reached;
    bool binds_values; /* something symbolic had to be made concrete */
    bool may_lose;     /* see MARK_LOSS */
    /* Of a partition: */
    bool unchanged;                      /* no change was executed, and the decisions only say so */
    const struct conditions *conditions; /* what its decisions say of the input, */
    size_t condition_set;                /* and their number: equal ones have the same, in both versions */
    uint32_t changes[PATH_CHANGES];
    size_t change_count; /* executed, in this order, of which the first PATH_CHANGES are known */
    bool complete;       /* the entry returned, and nothing of the trace was lost */
};

/* Turns traces into expressions. Where nodes keep their indices from run to run, what was read before stays known. */
struct trace_reader {
    struct expr_table *table;
    double tolerance;         /* of floating-point outputs; 0: none */
    bool alone;               /* the program is one version only: its outputs are of interest on every path */
    bool assume_no_overflow;  /* "this signed operation does not overflow" becomes a decision like an assumption */
    expr_id *in_new, *in_old; /* what every node is in each version */
    size_t count, new_capacity, old_capacity;
    uint32_t trace_constants, constants; /* the table of the latest lookup, in the trace and among the expressions */
    bool constants_known;
    struct path *spare;        /* given back, for the next run */
    const struct path *latest; /* the path that was read last, */
    struct pn_event *events;   /* and its events up to the first output: each is a decision */
    size_t event_count, event_capacity;
};
void trace_reader_free(struct trace_reader *reader);

/* Reads the last run. */
struct path *path_read(struct trace_reader *reader, const struct run *run);
/* Instead of path_free(), where many paths are read. */
void path_give_back(struct trace_reader *reader, struct path *path);
void path_free(struct path *path);

/* A list of conditions (width 1) that all hold. Those that always do are left out. */
struct conditions {
    expr_id *list;
    size_t count, capacity;
};
void conditions_add(struct conditions *conditions, struct expr_table *table, expr_id condition, bool outcome);
void conditions_add_all(struct conditions *conditions, struct expr_table *table, const struct conditions *more);
/* In an order that does not depend on when they were added, each once. */
void conditions_sort(struct conditions *conditions);
/* The site of a decision in the program's own source: in a model of a library function, that of the call. */
uint32_t decision_place(const struct site_table *sites, const struct decision *decision);
/* Whether the new version could take the decision another way. */
bool decision_can_flip(const struct decision *decision);
/* Whether a path makes the same decision at that place as the one that it was made from. */
bool path_gets_to(const struct path *path, const struct path *from, size_t index);
/* Whether all outputs are known: the entry returned, or the program ended itself. */
bool path_has_outputs(const struct path *path);
/* What a decision says of the input, in each version that makes it. */
void decision_conditions(const struct decision *decision, struct expr_table *table, struct conditions *conditions);

/* The bytes by which paths are told apart: a digest of the joint decisions up to and including the divergence, then of
 * those of the new version. The decisions themselves would take kilobytes of every path. */
void path_key(const struct path *path, struct text *key);

#endif

/* Finds inputs: tiers behind one interface, cheapest first. A query asks for an input under which a set of conditions
 * (width 1) all hold. The conditions come in two parts: a `prefix`, which normally holds under the hint (the run that
 * the query starts from), and the `goals`, of which normally at least one does not. Only the conditions that share
 * input bytes with the goals, directly or through others, need solving; the rest keeps the hint's bytes. Every model is
 * checked by evaluation when it is found.
 *
 *   one goal that was asked before -> evaluation of the hint -> known contradictions -> independence slicing, then for
 *   each part:
 *   known answers -> recent models -> orders -> ranges -> local search
 *   -> with floating point: intervals, descent -> CaDiCaL -> Z3 */
#ifndef PENUMBRA_SOLVE_SOLVE_H
#define PENUMBRA_SOLVE_SOLVE_H

#include "expr/expr.h"

#include <stddef.h>
#include <stdint.h>

enum solve_answer {
    SOLVE_UNSATISFIABLE,
    SOLVE_SATISFIABLE,
    SOLVE_UNKNOWN, /* a limit was reached: never to be taken for unsatisfiable */
};

/* A query counts for the last tier that one of its parts had to ask. */
struct solve_statistics {
    size_t queries;
    size_t by_evaluation; /* answered by constants or by the hint itself */
    size_t by_cache;      /* by an answer or a contradiction from before */
    size_t by_models;     /* by a recent model */
    size_t by_ranges;     /* by ranges of values, or orders between them: unsatisfiable; by intervals: either */
    size_t by_search;     /* by moving the hint: satisfiable */
    size_t by_cadical;
    size_t by_z3;
    size_t unknown;
    double cadical_seconds, z3_seconds;
};

struct solver;

struct solver *solver_create(struct expr_table *table, unsigned timeout_milliseconds);
void solver_destroy(struct solver *solver);

/* Tiers can be switched off, for tests and measurements. Without CaDiCaL and Z3, more answers are unknown. */
enum {
    SOLVE_WITH_CACHE = 1,
    SOLVE_WITH_MODELS = 2,
    SOLVE_WITH_RANGES = 4,
    SOLVE_WITH_ORDER = 8,
    SOLVE_WITH_SEARCH = 16,
    SOLVE_WITH_CADICAL = 32,
    SOLVE_WITH_Z3 = 64,
    SOLVE_WITH_ALL = 127,
};

void solver_use(struct solver *solver, unsigned tiers);
/* From now on, every question that is neither remembered nor answered by a recent model is written into the directory,
 * as SMT-LIB with what was answered: `000001.smt2` and so on. `directory` is to stay. */
void solver_dump_to(struct solver *solver, const char *directory);
/* No question is worked on past this moment of clock_seconds(). */
void solver_stop_at(struct solver *solver, double moment);

struct solve_query {
    const expr_id *prefix;
    size_t prefix_count;
    const expr_id *goals;
    size_t goal_count;
    const uint8_t *hint; /* input_size bytes */
    size_t input_size;
    bool prefix_holds; /* under the hint: a run has shown it, so it need not be evaluated */
};

/* On SOLVE_SATISFIABLE, `model` (input_size bytes) holds the input: the hint's bytes wherever the goals left freedom,
 * as far as the tier that found it knows. */
enum solve_answer solver_query(struct solver *solver, const struct solve_query *query, uint8_t *model);

const struct solve_statistics *solver_statistics(const struct solver *solver);
/* They go on from these. */
void solver_begin_statistics(struct solver *solver, const struct solve_statistics *statistics);
void solve_statistics_add(struct solve_statistics *sum, const struct solve_statistics *more);

/* One of the tiers that answer a part of a query that shares no input with the rest, and how many it has answered. */
struct solve_tier {
    const char *name;
    size_t satisfiable, unsatisfiable;
};
/* In the order in which they are asked; false behind the last one. */
bool solver_tier(const struct solver *solver, size_t number, struct solve_tier *tier);

#endif

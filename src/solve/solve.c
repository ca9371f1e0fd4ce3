/* Queries.
 *
 * The hint is evaluated first. Only the components (slice.h) that contain a condition it violates need another answer,
 * which the chain of tiers gives (chain.h). All other bytes stay the hint's. In the end every condition that reads a
 * changed byte is evaluated again, whoever found the model. */
#include "solve/solve.h"

#include "base/arena.h"
#include "solve/chain.h"

#include <stdlib.h>
#include <string.h>

/* What is known of an expression as a condition: consecutive queries share most of theirs, and often the hint. */
struct condition_state {
    uint32_t query;     /* the one that listed it last */
    uint32_t hint : 31; /* the number of the hint under which it was evaluated last */
    uint32_t holds : 1; /* then */
};

struct solver {
    struct expr_table *table;
    struct solve_statistics statistics;
    struct slicer *slicer;
    struct chain *chain;
    /* the distinct conditions of the current query, and whether they hold under the hint */
    expr_id *conditions;
    size_t condition_count, condition_capacity;
    uint64_t *holds;
    size_t hold_capacity;
    struct condition_state *states; /* per expression */
    size_t state_capacity;
    uint32_t query;
    /* the hint of the last query */
    uint8_t *hint;
    size_t hint_size, hint_capacity;
    uint32_t hint_number;
    /* scratch: conditions to evaluate, and their values */
    expr_id *unevaluated;
    size_t unevaluated_capacity;
    uint64_t *values;
    size_t value_capacity;
};

struct solver *solver_create(struct expr_table *table, unsigned timeout_milliseconds)
{
    struct solver *solver = calloc(1, sizeof *solver);
    solver->table = table;
    solver->slicer = slicer_create(table);
    solver->chain = chain_create(table, timeout_milliseconds, &solver->statistics);
    return solver;
}

void solver_destroy(struct solver *solver)
{
    if (!solver)
        return;
    slicer_destroy(solver->slicer);
    chain_destroy(solver->chain);
    free(solver->conditions);
    free(solver->holds);
    free(solver->states);
    free(solver->hint);
    free(solver->unevaluated);
    free(solver->values);
    free(solver);
}

void solver_use(struct solver *solver, unsigned tiers)
{
    chain_use(solver->chain, tiers);
}

void solver_dump_to(struct solver *solver, const char *directory)
{
    chain_dump_to(solver->chain, directory);
}

void solver_stop_at(struct solver *solver, double moment)
{
    chain_stop_at(solver->chain, moment);
}

const struct solve_statistics *solver_statistics(const struct solver *solver)
{
    return &solver->statistics;
}

void solver_begin_statistics(struct solver *solver, const struct solve_statistics *statistics)
{
    solver->statistics = *statistics;
}

bool solver_tier(const struct solver *solver, size_t number, struct solve_tier *tier)
{
    return chain_tier(solver->chain, number, tier);
}

void solve_statistics_add(struct solve_statistics *sum, const struct solve_statistics *more)
{
    sum->queries += more->queries;
    sum->by_evaluation += more->by_evaluation;
    sum->by_cache += more->by_cache;
    sum->by_models += more->by_models;
    sum->by_ranges += more->by_ranges;
    sum->by_search += more->by_search;
    sum->by_cadical += more->by_cadical;
    sum->by_z3 += more->by_z3;
    sum->unknown += more->unknown;
    sum->cadical_seconds += more->cadical_seconds;
    sum->z3_seconds += more->z3_seconds;
}

/* The conditions of a query */

static void forget_states(struct solver *solver)
{
    memset(solver->states, 0, solver->state_capacity * sizeof *solver->states);
    solver->query = solver->hint_number = 1;
}

/* Another hint makes all remembered values invalid by getting another number. */
static void take_hint(struct solver *solver, const uint8_t *hint, size_t size)
{
    if (solver->hint_number > 0 && size == solver->hint_size && (size == 0 || memcmp(hint, solver->hint, size) == 0))
        return;
    solver->hint = array_reserve(solver->hint, &solver->hint_capacity, size, 1);
    solver->hint_size = size;
    if (size > 0)
        memcpy(solver->hint, hint, size);
    if (++solver->hint_number == UINT32_C(1) << 31)
        forget_states(solver);
}

static void begin_query(struct solver *solver, const struct solve_query *query)
{
    size_t most = query->prefix_count + query->goal_count;
    solver->conditions = array_reserve(solver->conditions, &solver->condition_capacity, most, sizeof(expr_id));
    solver->holds = array_reserve(solver->holds, &solver->hold_capacity, most, sizeof(uint64_t));
    solver->unevaluated = array_reserve(solver->unevaluated, &solver->unevaluated_capacity, most, sizeof(expr_id));
    solver->values = array_reserve(solver->values, &solver->value_capacity, most, sizeof(uint64_t));
    solver->condition_count = 0;
    solver->states = array_reserve_zeroed(solver->states, &solver->state_capacity, expr_count(solver->table),
                                          sizeof *solver->states);
    if (++solver->query == 0)
        forget_states(solver);
    take_hint(solver, query->hint, query->input_size);
}

/* Lists conditions once each, without the constant ones; false when one of those is false. */
static bool list_conditions(struct solver *solver, const expr_id *conditions, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint64_t value;
        if (solver->states[conditions[i]].query == solver->query)
            continue;
        solver->states[conditions[i]].query = solver->query;
        if (!expr_is_constant(solver->table, conditions[i], &value))
            solver->conditions[solver->condition_count++] = conditions[i];
        else if (value == 0)
            return false;
    }
    return true;
}

static void believe_listed(struct solver *solver)
{
    for (size_t i = 0; i < solver->condition_count; i++) {
        solver->states[solver->conditions[i]].hint = solver->hint_number & INT32_MAX;
        solver->states[solver->conditions[i]].holds = true;
    }
}

static void evaluate_new(struct solver *solver)
{
    size_t count = 0;
    for (size_t i = 0; i < solver->condition_count; i++)
        if (solver->states[solver->conditions[i]].hint != solver->hint_number)
            solver->unevaluated[count++] = solver->conditions[i];
    if (count == 0)
        return;
    expr_evaluate_all(solver->table, solver->unevaluated, count, solver->hint, solver->hint_size, solver->values);
    for (size_t i = 0; i < count; i++) {
        solver->states[solver->unevaluated[i]].hint = solver->hint_number & INT32_MAX;
        solver->states[solver->unevaluated[i]].holds = solver->values[i] != 0;
    }
}

static bool hint_holds(struct solver *solver)
{
    bool all = true;
    evaluate_new(solver);
    for (size_t i = 0; i < solver->condition_count; i++) {
        solver->holds[i] = solver->states[solver->conditions[i]].holds;
        all = all && solver->holds[i];
    }
    return all;
}

static bool is_member(const void *context, expr_id id)
{
    const struct solver *solver = context;
    return id < solver->state_capacity && solver->states[id].query == solver->query;
}

static bool is_known_contradiction(struct solver *solver)
{
    for (size_t i = 0; i < solver->condition_count; i++)
        if (!solver->holds[i] && chain_contradicts(solver->chain, solver->conditions[i], is_member, solver))
            return true;
    return false;
}

/* The query */

/* The bytes among the first 64 that the model changes; all of them when there are more. */
static uint64_t changed_bytes(const struct solver *solver, const uint8_t *model)
{
    uint64_t changed = 0;
    if (solver->hint_size > 64)
        return UINT64_MAX;
    for (size_t i = 0; i < solver->hint_size; i++)
        changed |= (uint64_t)(model[i] != solver->hint[i]) << i;
    return changed;
}

/* Whether the model satisfies everything. What held under the hint and reads no changed byte has the value that it had.
 */
static bool model_holds(struct solver *solver, const uint8_t *model)
{
    uint64_t changed = changed_bytes(solver, model), mask;
    size_t count = 0;
    for (size_t i = 0; i < solver->condition_count; i++)
        if (!solver->holds[i] || !expr_support_mask(solver->table, solver->conditions[i], &mask) || (mask & changed))
            solver->unevaluated[count++] = solver->conditions[i];
    return expr_all_hold(solver->table, solver->unevaluated, count, model, solver->hint_size);
}

/* Unsatisfiable as soon as one component is; otherwise unknown as soon as one is. */
static enum solve_answer solve_components(struct solver *solver, const struct solve_query *query, uint8_t *model,
                                          size_t *highest)
{
    enum solve_answer answer = SOLVE_SATISFIABLE;
    size_t count;
    const struct component *components =
        slice(solver->slicer, solver->conditions, solver->holds, solver->condition_count, &count);
    for (size_t i = 0; i < count && answer != SOLVE_UNSATISFIABLE; i++) {
        enum solve_answer part =
            chain_solve(solver->chain, &components[i], solver->hint, model, query->input_size, highest);
        if (part != SOLVE_SATISFIABLE)
            answer = part;
    }
    return answer == SOLVE_SATISFIABLE && !model_holds(solver, model) ? SOLVE_UNKNOWN : answer;
}

/* Exploration asks most questions again and again: one goal, all else as it is under the hint. Then the goal's
 * component says everything, and if its answer is remembered nothing else of the query is looked at. */
static bool recall(struct solver *solver, const struct solve_query *query, uint8_t *model, enum solve_answer *answer)
{
    if (!query->prefix_holds || query->goal_count != 1)
        return false;
    const struct component *component =
        slice_around(solver->slicer, query->prefix, query->prefix_count, query->goals[0]);
    if (!component)
        return false;
    if (query->input_size > 0)
        memmove(model, query->hint, query->input_size);
    return chain_recall(solver->chain, component, model, query->input_size, answer);
}

/* `counter` becomes the place in the statistics. */
static enum solve_answer answer_query(struct solver *solver, const struct solve_query *query, uint8_t *model,
                                      size_t *counter)
{
    size_t highest = 0;
    enum solve_answer recalled;
    *counter = offsetof(struct solve_statistics, by_cache);
    if (recall(solver, query, model, &recalled))
        return recalled;
    *counter = offsetof(struct solve_statistics, by_evaluation);
    begin_query(solver, query);
    if (!list_conditions(solver, query->prefix, query->prefix_count))
        return SOLVE_UNSATISFIABLE;
    if (query->prefix_holds)
        believe_listed(solver);
    if (!list_conditions(solver, query->goals, query->goal_count))
        return SOLVE_UNSATISFIABLE;
    if (query->input_size > 0)
        memmove(model, query->hint, query->input_size);
    if (hint_holds(solver))
        return SOLVE_SATISFIABLE;
    *counter = offsetof(struct solve_statistics, by_cache);
    if (is_known_contradiction(solver))
        return SOLVE_UNSATISFIABLE;
    enum solve_answer answer = solve_components(solver, query, model, &highest);
    *counter = chain_counter(highest);
    return answer;
}

enum solve_answer solver_query(struct solver *solver, const struct solve_query *query, uint8_t *model)
{
    size_t counter;
    enum solve_answer answer = answer_query(solver, query, model, &counter);
    if (answer == SOLVE_UNKNOWN)
        counter = offsetof(struct solve_statistics, unknown);
    solver->statistics.queries++;
    ++*(size_t *)((char *)&solver->statistics + counter);
    return answer;
}

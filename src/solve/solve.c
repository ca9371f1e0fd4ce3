/* The chain of tiers.
 *
 * The hint is evaluated first. Only the components (slice.h) that contain a condition it violates need another answer;
 * each is looked up, tried with recent models, and in the end given to Z3. All other bytes stay the hint's, so what
 * held under the hint and reads none of the changed bytes still holds; that too is checked, not assumed. */
#include "solve/solve.h"

#include "base/arena.h"
#include "solve/cache.h"
#include "solve/cadical.h"
#include "solve/slice.h"
#include "solve/z3.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST_CACHE_BYTES = 256 << 20, MOST_BYTES_TO_RESTORE = 64 };

#define SECONDS_WITHOUT_LIMIT 60.0

struct solver {
    struct expr_table *table;
    struct solve_statistics statistics;
    struct slicer *slicer;
    struct cache *cache;
    struct cadical_tier *cadical;
    struct z3_tier *z3;
    unsigned timeout_milliseconds;
    /* the distinct conditions of the current query, and whether they hold under the hint */
    expr_id *conditions;
    size_t condition_count, condition_capacity;
    uint64_t *holds;
    size_t hold_capacity;
    uint32_t *seen; /* per expression: the query that listed it last */
    size_t seen_capacity;
    uint32_t query;
    /* scratch: what a component reads, and the model of it */
    struct byte_list bytes;
    struct assignment *assignments;
    size_t assignment_capacity;
};

/* Which tier had to be asked; the greatest of all components counts for the query. */
enum tier { BY_EVALUATION, BY_CACHE, BY_CADICAL, BY_Z3 };

struct solver *solver_create(struct expr_table *table, unsigned timeout_milliseconds)
{
    size_t capacity = 0;
    struct solver *solver = array_reserve(NULL, &capacity, 1, sizeof *solver);
    *solver = (struct solver){.table = table, .timeout_milliseconds = timeout_milliseconds};
    solver->slicer = slicer_create(table);
    solver->cache = cache_create(MOST_CACHE_BYTES);
    solver->cadical = cadical_tier_create(table);
    solver->z3 = z3_tier_create(table, timeout_milliseconds);
    return solver;
}

void solver_destroy(struct solver *solver)
{
    if (!solver)
        return;
    slicer_destroy(solver->slicer);
    cache_destroy(solver->cache);
    cadical_tier_destroy(solver->cadical);
    z3_tier_destroy(solver->z3);
    free(solver->conditions);
    free(solver->holds);
    free(solver->seen);
    free(solver->bytes.bytes);
    free(solver->assignments);
    free(solver);
}

const struct solve_statistics *solver_statistics(const struct solver *solver)
{
    return &solver->statistics;
}

/* The conditions of a query */

static void begin_query(struct solver *solver, const struct solve_query *query)
{
    size_t most = query->prefix_count + query->goal_count, old = solver->seen_capacity;
    solver->conditions = array_reserve(solver->conditions, &solver->condition_capacity, most, sizeof(expr_id));
    solver->holds = array_reserve(solver->holds, &solver->hold_capacity, most, sizeof(uint64_t));
    solver->condition_count = 0;
    solver->seen = array_reserve(solver->seen, &solver->seen_capacity, expr_count(solver->table), sizeof(uint32_t));
    if (solver->seen_capacity > old)
        memset(solver->seen + old, 0, (solver->seen_capacity - old) * sizeof(uint32_t));
    if (++solver->query == 0) {
        memset(solver->seen, 0, solver->seen_capacity * sizeof(uint32_t));
        solver->query = 1;
    }
}

/* Lists conditions once each, without the constant ones; false when one of those is false. */
static bool list_conditions(struct solver *solver, const expr_id *conditions, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint64_t value;
        if (solver->seen[conditions[i]] == solver->query)
            continue;
        solver->seen[conditions[i]] = solver->query;
        if (!expr_is_constant(solver->table, conditions[i], &value))
            solver->conditions[solver->condition_count++] = conditions[i];
        else if (value == 0)
            return false;
    }
    return true;
}

static bool all_set(const uint64_t *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!values[i])
            return false;
    return true;
}

/* One component: `model` is the hint with other components' bytes already changed */

static bool component_holds(struct solver *solver, const struct component *component, const uint8_t *model, size_t size)
{
    return expr_all_hold(solver->table, component->conditions, component->count, model, size);
}

/* Whether the component reads bytes that the input does not have: they are zero, which its conditions do not say. */
static bool reads_past_end(struct solver *solver, const struct component *component, size_t size)
{
    for (size_t i = 0; i < component->count; i++) {
        size_t count;
        const uint32_t *support = expr_support(solver->table, component->conditions[i], &count);
        if (support[count - 1] >= size)
            return true;
    }
    return false;
}

static bool use_recent_model(struct solver *solver, const struct component *component, uint8_t *model, size_t size)
{
    const struct recent_model *recent =
        cache_find_model(solver->cache, solver->table, component->conditions, component->count, size);
    if (!recent)
        return false;
    for (size_t i = 0; i < component->count; i++) {
        size_t count;
        const uint32_t *support = expr_support(solver->table, component->conditions[i], &count);
        for (size_t j = 0; j < count && support[j] < size; j++)
            model[support[j]] = support[j] < recent->size ? recent->bytes[support[j]] : 0;
    }
    return true;
}

static void use_assignments(const struct cached_answer *answer, uint8_t *model)
{
    for (size_t i = 0; i < answer->assignment_count; i++)
        model[answer->assignments[i].byte] = answer->assignments[i].value;
}

/* Gives bytes back the hint's value where the conditions hold all the same. */
static void restore_hint(struct solver *solver, const struct component *component, const uint8_t *hint, uint8_t *model,
                         size_t size)
{
    size_t tried = 0;
    for (size_t i = 0; i < solver->bytes.count && tried < MOST_BYTES_TO_RESTORE; i++) {
        uint32_t byte = solver->bytes.bytes[i];
        uint8_t value = byte < size ? model[byte] : 0;
        if (byte >= size || value == hint[byte])
            continue;
        tried++;
        model[byte] = hint[byte];
        if (!component_holds(solver, component, model, size))
            model[byte] = value;
    }
}

static double seconds_now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* CaDiCaL has half of the time. */
static double cadical_share(const struct solver *solver)
{
    return solver->timeout_milliseconds > 0 ? solver->timeout_milliseconds * 0.5e-3 : SECONDS_WITHOUT_LIMIT;
}

static enum solve_answer ask_cadical(struct solver *solver, const struct component *component, uint8_t *model,
                                     size_t size)
{
    double start = seconds_now();
    enum solve_answer answer = cadical_tier_solve(solver->cadical, component->key, component->count, &solver->bytes,
                                                  model, size, cadical_share(solver));
    solver->statistics.cadical_seconds += seconds_now() - start;
    return answer;
}

/* With what CaDiCaL left of the time. */
static enum solve_answer ask_z3(struct solver *solver, const struct component *component, uint8_t *model, size_t size,
                                double start)
{
    double now = seconds_now();
    if (solver->timeout_milliseconds > 0) {
        double left = solver->timeout_milliseconds - (now - start) * 1e3;
        z3_tier_set_timeout(solver->z3, left > 1 ? (unsigned)left : 1);
    }
    enum solve_answer answer = z3_tier_solve(solver->z3, component->key, component->count, &solver->bytes, model, size);
    solver->statistics.z3_seconds += seconds_now() - now;
    return answer;
}

/* A model that evaluation does not confirm is no answer. */
static enum solve_answer ask_solvers(struct solver *solver, const struct component *component, const uint8_t *hint,
                                     uint8_t *model, size_t size, enum tier *tier)
{
    double start = seconds_now();
    list_bytes(&solver->bytes, solver->table, component->conditions, component->count);
    if (*tier < BY_CADICAL)
        *tier = BY_CADICAL;
    enum solve_answer answer = ask_cadical(solver, component, model, size);
    if (answer == SOLVE_UNKNOWN) {
        *tier = BY_Z3;
        answer = ask_z3(solver, component, model, size, start);
    }
    if (answer != SOLVE_SATISFIABLE)
        return answer;
    if (!component_holds(solver, component, model, size))
        return SOLVE_UNKNOWN;
    restore_hint(solver, component, hint, model, size);
    cache_add_model(solver->cache, model, size);
    return SOLVE_SATISFIABLE;
}

/* A limit that was reached once would be reached again: that is remembered too. */
static void remember(struct solver *solver, const struct component *component, enum solve_answer answer,
                     const uint8_t *model)
{
    struct cached_answer cached = {.answer = answer};
    if (answer == SOLVE_SATISFIABLE) {
        list_bytes(&solver->bytes, solver->table, component->conditions, component->count);
        solver->assignments = array_reserve(solver->assignments, &solver->assignment_capacity, solver->bytes.count,
                                            sizeof *solver->assignments);
        for (size_t i = 0; i < solver->bytes.count; i++)
            solver->assignments[i] =
                (struct assignment){.byte = solver->bytes.bytes[i], .value = model[solver->bytes.bytes[i]]};
        cached.assignments = solver->assignments;
        cached.assignment_count = solver->bytes.count;
    }
    cache_add(solver->cache, component->key, component->count, &cached);
}

static enum solve_answer solve_component(struct solver *solver, const struct component *component,
                                         const struct solve_query *query, uint8_t *model, enum tier *tier)
{
    size_t size = query->input_size;
    bool cacheable = !reads_past_end(solver, component, size);
    const struct cached_answer *cached = cacheable ? cache_find(solver->cache, component->key, component->count) : NULL;
    if (*tier < BY_CACHE)
        *tier = BY_CACHE;
    if (cached) {
        use_assignments(cached, model);
        return cached->answer;
    }
    enum solve_answer answer = SOLVE_SATISFIABLE;
    if (!use_recent_model(solver, component, model, size))
        answer = ask_solvers(solver, component, query->hint, model, size, tier);
    if (cacheable)
        remember(solver, component, answer, model);
    return answer;
}

/* The query */

/* Unsatisfiable as soon as one component is; otherwise unknown as soon as one is. */
static enum solve_answer solve_components(struct solver *solver, const struct solve_query *query, uint8_t *model,
                                          enum tier *tier)
{
    enum solve_answer answer = SOLVE_SATISFIABLE;
    size_t count;
    const struct component *components =
        slice(solver->slicer, solver->conditions, solver->holds, solver->condition_count, &count);
    for (size_t i = 0; i < count && answer != SOLVE_UNSATISFIABLE; i++) {
        enum solve_answer part = solve_component(solver, &components[i], query, model, tier);
        if (part != SOLVE_SATISFIABLE)
            answer = part;
    }
    if (answer == SOLVE_SATISFIABLE &&
        !expr_all_hold(solver->table, solver->conditions, solver->condition_count, model, query->input_size))
        return SOLVE_UNKNOWN;
    return answer;
}

static enum solve_answer answer_query(struct solver *solver, const struct solve_query *query, uint8_t *model,
                                      enum tier *tier)
{
    begin_query(solver, query);
    if (!list_conditions(solver, query->prefix, query->prefix_count) ||
        !list_conditions(solver, query->goals, query->goal_count))
        return SOLVE_UNSATISFIABLE;
    if (query->input_size > 0)
        memmove(model, query->hint, query->input_size);
    expr_evaluate_all(solver->table, solver->conditions, solver->condition_count, query->hint, query->input_size,
                      solver->holds);
    if (all_set(solver->holds, solver->condition_count))
        return SOLVE_SATISFIABLE;
    return solve_components(solver, query, model, tier);
}

enum solve_answer solver_query(struct solver *solver, const struct solve_query *query, uint8_t *model)
{
    struct solve_statistics *statistics = &solver->statistics;
    enum tier tier = BY_EVALUATION;
    enum solve_answer answer = answer_query(solver, query, model, &tier);
    statistics->queries++;
    if (answer == SOLVE_UNKNOWN)
        statistics->unknown++;
    else if (tier == BY_EVALUATION)
        statistics->by_evaluation++;
    else if (tier == BY_CACHE)
        statistics->by_cache++;
    else if (tier == BY_CADICAL)
        statistics->by_cadical++;
    else
        statistics->by_z3++;
    return answer;
}

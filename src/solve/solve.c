/* The chain of tiers.
 *
 * The hint is evaluated first. Only the components (slice.h) that contain a condition it violates need another answer;
 * each goes through the tiers until one knows. All other bytes stay the hint's. In the end every condition that reads a
 * changed byte is evaluated again, whoever found the model. */
#include "solve/solve.h"

#include "base/arena.h"
#include "base/clock.h"
#include "solve/cache.h"
#include "solve/cadical.h"
#include "solve/cores.h"
#include "solve/descend.h"
#include "solve/order.h"
#include "solve/prune.h"
#include "solve/ranges.h"
#include "solve/search.h"
#include "solve/slice.h"
#include "solve/z3.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_CACHE_BYTES = 256 << 20,
    MOST_BYTES_TO_RESTORE = 64,
    MOST_CONDITIONS_TO_SHRINK = 32,
    FEW_CONFLICTS = 200,
    FEW_MOVES = 300,
    MANY_MOVES = 6000,
    FEW_NARROWINGS = 20000,
    MANY_NARROWINGS = 3000000,
    FEW_EVALUATIONS = 3000,
    MANY_EVALUATIONS = 60000
};

#define SECONDS_WITHOUT_LIMIT 60.0

/* What is known of an expression as a condition: consecutive queries share most of theirs, and often the hint. */
struct condition_state {
    uint32_t query;     /* the one that listed it last */
    uint32_t hint : 31; /* the number of the hint under which it was evaluated last */
    uint32_t holds : 1; /* then */
};

struct solver {
    struct expr_table *table;
    struct solve_statistics statistics;
    unsigned tiers; /* SOLVE_WITH_... */
    double seconds; /* limit of a query */
    double end;     /* of all work */
    struct slicer *slicer;
    struct cache *cache;
    struct cores *cores;
    struct ranges *ranges;
    struct order *order;
    struct search *search;
    struct descent *descent;
    struct pruner *pruner;
    struct cadical_tier *cadical;
    struct z3_tier *z3;
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
    /* scratch: conditions to evaluate, and their values; what a component reads, and the model of it */
    expr_id *unevaluated;
    size_t unevaluated_capacity;
    uint64_t *values;
    size_t value_capacity;
    struct byte_list bytes;
    struct assignment *assignments;
    size_t assignment_capacity;
};

struct solver *solver_create(struct expr_table *table, unsigned timeout_milliseconds)
{
    size_t capacity = 0;
    struct solver *solver = array_reserve(NULL, &capacity, 1, sizeof *solver);
    *solver = (struct solver){.table = table, .tiers = SOLVE_WITH_ALL, .end = INFINITY};
    solver->seconds = timeout_milliseconds > 0 ? timeout_milliseconds * 1e-3 : SECONDS_WITHOUT_LIMIT;
    solver->slicer = slicer_create(table);
    solver->cache = cache_create(MOST_CACHE_BYTES);
    solver->cores = cores_create();
    solver->ranges = ranges_create(table);
    solver->order = order_create(table);
    solver->search = search_create(table);
    solver->descent = descent_create(table);
    solver->pruner = pruner_create(table);
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
    cores_destroy(solver->cores);
    ranges_destroy(solver->ranges);
    order_destroy(solver->order);
    search_destroy(solver->search);
    descent_destroy(solver->descent);
    pruner_destroy(solver->pruner);
    cadical_tier_destroy(solver->cadical);
    z3_tier_destroy(solver->z3);
    free(solver->conditions);
    free(solver->holds);
    free(solver->states);
    free(solver->hint);
    free(solver->unevaluated);
    free(solver->values);
    free(solver->bytes.bytes);
    free(solver->assignments);
    free(solver);
}

void solver_use(struct solver *solver, unsigned tiers)
{
    solver->tiers = tiers;
}

void solver_stop_at(struct solver *solver, double moment)
{
    solver->end = moment;
}

const struct solve_statistics *solver_statistics(const struct solver *solver)
{
    return &solver->statistics;
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
        if (!solver->holds[i] && cores_contradict(solver->cores, solver->conditions[i], is_member, solver))
            return true;
    return false;
}

/* One component: `model` is the hint with other components' bytes already changed */

struct task {
    const struct component *component;
    const uint8_t *hint;
    uint8_t *model;
    size_t size;
    bool reads_past_end;   /* bytes that the input does not have are zero, which the conditions do not say */
    bool is_known_unknown; /* a limit was reached with it before */
    uint64_t signature;
    double start; /* when the slow tiers began, 0 before */
};

static bool task_holds(struct solver *solver, const struct task *task)
{
    return expr_all_hold(solver->table, task->component->conditions, task->component->count, task->model, task->size);
}

static bool reads_past_end(struct solver *solver, const struct component *component, size_t size)
{
    if (component->has_mask)
        return size < 64 && component->mask >> size != 0;
    for (size_t i = 0; i < component->count; i++) {
        size_t count;
        const uint32_t *support = expr_support(solver->table, component->conditions[i], &count);
        if (support[count - 1] >= size)
            return true;
    }
    return false;
}

/* Which bytes matter, roughly. */
static uint64_t signature_of(struct solver *solver, const struct component *component)
{
    uint64_t signature = 0, mask;
    if (component->has_mask)
        return component->mask;
    for (size_t i = 0; i < component->count; i++) {
        size_t count;
        const uint32_t *support = expr_support(solver->table, component->conditions[i], &count);
        expr_support_mask(solver->table, component->conditions[i], &mask);
        signature |= mask | UINT64_C(1) << support[count - 1] % 64;
    }
    return signature;
}

static void reset_model(struct solver *solver, const struct task *task)
{
    for (size_t i = 0; i < solver->bytes.count && solver->bytes.bytes[i] < task->size; i++)
        task->model[solver->bytes.bytes[i]] = task->hint[solver->bytes.bytes[i]];
}

/* The tiers: each says unknown when it does not know, and then leaves the model as it was */

static enum solve_answer ask_cache(struct solver *solver, struct task *task)
{
    if (task->reads_past_end)
        return SOLVE_UNKNOWN;
    const struct cached_answer *cached = cache_find(solver->cache, task->component->key, task->component->count);
    if (!cached)
        return SOLVE_UNKNOWN;
    for (size_t i = 0; i < cached->assignment_count; i++)
        task->model[cached->assignments[i].byte] = cached->assignments[i].value;
    task->is_known_unknown = cached->answer == SOLVE_UNKNOWN;
    return cached->answer;
}

static enum solve_answer ask_models(struct solver *solver, struct task *task)
{
    const struct recent_model *recent = cache_find_model(
        solver->cache, task->signature, solver->table, task->component->conditions, task->component->count, task->size);
    if (!recent)
        return SOLVE_UNKNOWN;
    for (size_t i = 0; i < solver->bytes.count && solver->bytes.bytes[i] < task->size; i++) {
        uint32_t byte = solver->bytes.bytes[i];
        task->model[byte] = byte < recent->size ? recent->bytes[byte] : 0;
    }
    return SOLVE_SATISFIABLE;
}

/* Leaves out what the contradiction does not need. */
static void keep_contradiction(struct solver *solver, const struct component *component)
{
    expr_id kept[MOST_CONDITIONS_TO_SHRINK];
    size_t count = component->count;
    if (count > MOST_CONDITIONS_TO_SHRINK)
        return;
    memcpy(kept, component->conditions, count * sizeof *kept);
    for (size_t i = count; i-- > 0;) {
        expr_id left_out = kept[i];
        kept[i] = kept[count - 1];
        if (ranges_contradict(solver->ranges, kept, count - 1)) {
            count--;
        } else {
            kept[count - 1] = kept[i];
            kept[i] = left_out;
        }
    }
    cores_add(solver->cores, kept, count);
}

static enum solve_answer ask_ranges(struct solver *solver, struct task *task)
{
    if (!ranges_contradict(solver->ranges, task->component->conditions, task->component->count))
        return SOLVE_UNKNOWN;
    keep_contradiction(solver, task->component);
    return SOLVE_UNSATISFIABLE;
}

static enum solve_answer ask_order(struct solver *solver, struct task *task)
{
    size_t count;
    enum order_answer answer =
        order_solve(solver->order, task->component->conditions, task->component->count, task->model, task->size);
    if (answer == ORDER_CONTRADICTION) {
        const expr_id *core = order_core(solver->order, &count);
        cores_add(solver->cores, core, count);
        return SOLVE_UNSATISFIABLE;
    }
    if (answer == ORDER_NOTHING)
        return SOLVE_UNKNOWN;
    const struct order_proposal *proposals = order_proposals(solver->order, &count);
    for (size_t i = 0; i < count; i++)
        search_assign(solver->search, proposals[i].id, proposals[i].value, task->model, task->size);
    if (task_holds(solver, task))
        return SOLVE_SATISFIABLE;
    reset_model(solver, task);
    return SOLVE_UNKNOWN;
}

static enum solve_answer searched(struct solver *solver, struct task *task, bool is_found)
{
    if (is_found)
        return SOLVE_SATISFIABLE;
    reset_model(solver, task);
    return SOLVE_UNKNOWN;
}

static enum solve_answer ask_search(struct solver *solver, struct task *task)
{
    const struct component *component = task->component;
    return searched(solver, task,
                    search_solve(solver->search, component->conditions, component->count, task->model, task->size));
}

static enum solve_answer climb(struct solver *solver, struct task *task, unsigned moves)
{
    const struct component *component = task->component;
    return searched(
        solver, task,
        search_climb(solver->search, component->conditions, component->count, task->model, task->size, moves));
}

static enum solve_answer ask_pruner(struct solver *solver, struct task *task, size_t work)
{
    const struct component *component = task->component;
    enum prune_answer answer =
        prune(solver->pruner, component->conditions, component->count, task->model, task->size, work);
    if (answer == PRUNE_MODEL)
        return SOLVE_SATISFIABLE;
    reset_model(solver, task);
    return answer == PRUNE_CONTRADICTION ? SOLVE_UNSATISFIABLE : SOLVE_UNKNOWN;
}

static enum solve_answer ask_pruner_briefly(struct solver *solver, struct task *task)
{
    return ask_pruner(solver, task, FEW_NARROWINGS);
}

static enum solve_answer ask_pruner_at_length(struct solver *solver, struct task *task)
{
    return ask_pruner(solver, task, MANY_NARROWINGS);
}

static enum solve_answer ask_descent(struct solver *solver, struct task *task)
{
    const struct component *component = task->component;
    return searched(
        solver, task,
        descend(solver->descent, component->conditions, component->count, task->model, task->size, FEW_EVALUATIONS));
}

static enum solve_answer ask_descent_at_length(struct solver *solver, struct task *task)
{
    const struct component *component = task->component;
    return searched(
        solver, task,
        descend(solver->descent, component->conditions, component->count, task->model, task->size, MANY_EVALUATIONS));
}

static enum solve_answer ask_climb(struct solver *solver, struct task *task)
{
    return climb(solver, task, FEW_MOVES);
}

static enum solve_answer ask_climb_at_length(struct solver *solver, struct task *task)
{
    return climb(solver, task, MANY_MOVES);
}

/* What a slow tier may take: its share of the time, and no more than is left. */
static double seconds_for(const struct solver *solver, struct task *task, double share)
{
    double now = clock_seconds();
    if (task->start == 0)
        task->start = now;
    double left = fmin(solver->seconds - (now - task->start), solver->end - now);
    return fmin(left, share * solver->seconds);
}

/* Gives bytes back the hint's value where the conditions hold all the same. */
static void restore_hint(struct solver *solver, const struct task *task)
{
    size_t tried = 0;
    for (size_t i = 0; i < solver->bytes.count && tried < MOST_BYTES_TO_RESTORE; i++) {
        uint32_t byte = solver->bytes.bytes[i];
        uint8_t value = byte < task->size ? task->model[byte] : 0;
        if (byte >= task->size || value == task->hint[byte])
            continue;
        tried++;
        task->model[byte] = task->hint[byte];
        if (!task_holds(solver, task))
            task->model[byte] = value;
    }
}

/* A model that evaluation does not confirm is no answer. */
static enum solve_answer confirm(struct solver *solver, const struct task *task, enum solve_answer answer)
{
    if (answer != SOLVE_SATISFIABLE)
        return answer;
    if (!task_holds(solver, task)) {
        reset_model(solver, task);
        return SOLVE_UNKNOWN;
    }
    restore_hint(solver, task);
    return SOLVE_SATISFIABLE;
}

static enum solve_answer ask_cadical(struct solver *solver, struct task *task, double share, int conflicts)
{
    double seconds = seconds_for(solver, task, share), start = clock_seconds();
    if (seconds <= 0)
        return SOLVE_UNKNOWN;
    enum solve_answer answer = cadical_tier_solve(solver->cadical, task->component->key, task->component->count,
                                                  &solver->bytes, task->model, task->size, seconds, conflicts);
    solver->statistics.cadical_seconds += clock_seconds() - start;
    if (answer == SOLVE_UNSATISFIABLE && !task->reads_past_end) {
        size_t count;
        const expr_id *core = cadical_tier_core(solver->cadical, &count);
        cores_add(solver->cores, core, count);
    }
    return confirm(solver, task, answer);
}

/* Each kind of solver has questions that it answers at once and others never do. So CaDiCaL begins with a number of
 * conflicts that small questions do not need; then a longer search may find what has many solutions; then both solvers
 * get a turn, and CaDiCaL what is left of the time. */
static enum solve_answer ask_cadical_quickly(struct solver *solver, struct task *task)
{
    return ask_cadical(solver, task, 0.1, FEW_CONFLICTS);
}

static enum solve_answer ask_cadical_briefly(struct solver *solver, struct task *task)
{
    return ask_cadical(solver, task, 0.1, -1);
}

static enum solve_answer ask_cadical_at_length(struct solver *solver, struct task *task)
{
    return ask_cadical(solver, task, 1, -1);
}

static enum solve_answer ask_z3(struct solver *solver, struct task *task)
{
    double share = solver->tiers & SOLVE_WITH_CADICAL ? 0.5 : 1;
    double seconds = seconds_for(solver, task, share), start = clock_seconds();
    if (seconds <= 0)
        return SOLVE_UNKNOWN;
    z3_tier_set_timeout(solver->z3, (unsigned)(seconds * 1e3) + 1);
    enum solve_answer answer = z3_tier_solve(solver->z3, task->component->key, task->component->count, &solver->bytes,
                                             task->model, task->size);
    solver->statistics.z3_seconds += clock_seconds() - start;
    return confirm(solver, task, answer);
}

/* In this order; a later one is more expensive. */
struct tier {
    unsigned bit; /* SOLVE_WITH_... */
    enum solve_answer (*ask)(struct solver *solver, struct task *task);
    size_t counter; /* offset in the statistics */
};

#define COUNTED_BY(member) offsetof(struct solve_statistics, member)

static const struct tier tiers[] = {
    {SOLVE_WITH_CACHE, ask_cache, COUNTED_BY(by_cache)},
    {SOLVE_WITH_MODELS, ask_models, COUNTED_BY(by_models)},
    {SOLVE_WITH_ORDER, ask_order, COUNTED_BY(by_ranges)},
    {SOLVE_WITH_RANGES, ask_ranges, COUNTED_BY(by_ranges)},
    {SOLVE_WITH_SEARCH, ask_search, COUNTED_BY(by_search)},
    {SOLVE_WITH_RANGES, ask_pruner_briefly, COUNTED_BY(by_ranges)},
    {SOLVE_WITH_SEARCH, ask_descent, COUNTED_BY(by_search)},
    {SOLVE_WITH_SEARCH, ask_climb, COUNTED_BY(by_search)},
    {SOLVE_WITH_CADICAL, ask_cadical_quickly, COUNTED_BY(by_cadical)},
    {SOLVE_WITH_SEARCH, ask_climb_at_length, COUNTED_BY(by_search)},
    {SOLVE_WITH_SEARCH, ask_descent_at_length, COUNTED_BY(by_search)},
    {SOLVE_WITH_RANGES, ask_pruner_at_length, COUNTED_BY(by_ranges)},
    {SOLVE_WITH_CADICAL, ask_cadical_briefly, COUNTED_BY(by_cadical)},
    {SOLVE_WITH_Z3, ask_z3, COUNTED_BY(by_z3)},
    {SOLVE_WITH_CADICAL, ask_cadical_at_length, COUNTED_BY(by_cadical)},
};

enum { TIERS = sizeof tiers / sizeof *tiers, CACHE_TIER = 0, MODELS_TIER = 1, ORDER_TIER = 2, SEARCH_TIER = 4 };

/* A limit that was reached once would be reached again: that is remembered too. */
static void remember(struct solver *solver, const struct task *task, enum solve_answer answer)
{
    struct cached_answer cached = {.answer = answer};
    if (answer == SOLVE_SATISFIABLE) {
        solver->assignments = array_reserve(solver->assignments, &solver->assignment_capacity, solver->bytes.count,
                                            sizeof *solver->assignments);
        for (size_t i = 0; i < solver->bytes.count; i++)
            solver->assignments[i] =
                (struct assignment){.byte = solver->bytes.bytes[i], .value = task->model[solver->bytes.bytes[i]]};
        cached.assignments = solver->assignments;
        cached.assignment_count = solver->bytes.count;
    }
    cache_add(solver->cache, task->component->key, task->component->count, &cached);
}

static void learn(struct solver *solver, const struct task *task, size_t tier, enum solve_answer answer)
{
    if (answer == SOLVE_SATISFIABLE && tier > MODELS_TIER)
        cache_add_model(solver->cache, task->signature, task->model, task->size);
    if (tier > CACHE_TIER && (solver->tiers & SOLVE_WITH_CACHE) && !task->reads_past_end)
        remember(solver, task, answer);
}

/* `highest` becomes the tier that was asked last, if it is higher. */
static enum solve_answer solve_component(struct solver *solver, const struct component *component,
                                         const struct solve_query *query, uint8_t *model, size_t *highest)
{
    struct task task = {.component = component, .hint = solver->hint, .model = model, .size = query->input_size};
    enum solve_answer answer = SOLVE_UNKNOWN;
    size_t tier = 0, asked = 0;
    task.reads_past_end = reads_past_end(solver, component, query->input_size);
    task.signature = signature_of(solver, component);
    for (; tier < TIERS && answer == SOLVE_UNKNOWN && !task.is_known_unknown; tier++) {
        if (!(solver->tiers & tiers[tier].bit))
            continue;
        if (tier > CACHE_TIER && solver->bytes.count == 0)
            list_component_bytes(&solver->bytes, solver->table, component);
        answer = tiers[tier].ask(solver, &task);
        asked = tier;
    }
    learn(solver, &task, asked, answer);
    if (asked == ORDER_TIER && answer == SOLVE_SATISFIABLE)
        asked = SEARCH_TIER; /* counted there */
    *highest = *highest < asked ? asked : *highest;
    solver->bytes.count = 0;
    return answer;
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
        enum solve_answer part = solve_component(solver, &components[i], query, model, highest);
        if (part != SOLVE_SATISFIABLE)
            answer = part;
    }
    return answer == SOLVE_SATISFIABLE && !model_holds(solver, model) ? SOLVE_UNKNOWN : answer;
}

/* Exploration asks most questions again and again: one goal, all else as it is under the hint. Then the goal's
 * component says everything, and if its answer is remembered nothing else of the query is looked at. */
static bool recall(struct solver *solver, const struct solve_query *query, uint8_t *model, enum solve_answer *answer)
{
    if (!query->prefix_holds || query->goal_count != 1 || !(solver->tiers & SOLVE_WITH_CACHE))
        return false;
    struct task task = {.model = model, .size = query->input_size};
    task.component = slice_around(solver->slicer, query->prefix, query->prefix_count, query->goals[0]);
    if (!task.component)
        return false;
    task.reads_past_end = reads_past_end(solver, task.component, task.size);
    if (task.size > 0)
        memmove(model, query->hint, task.size);
    *answer = ask_cache(solver, &task);
    return *answer != SOLVE_UNKNOWN || task.is_known_unknown;
}

/* `counter` becomes the place in the statistics. */
static enum solve_answer answer_query(struct solver *solver, const struct solve_query *query, uint8_t *model,
                                      size_t *counter)
{
    size_t highest = CACHE_TIER;
    enum solve_answer recalled;
    *counter = COUNTED_BY(by_cache);
    if (recall(solver, query, model, &recalled))
        return recalled;
    *counter = COUNTED_BY(by_evaluation);
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
    *counter = COUNTED_BY(by_cache);
    if ((solver->tiers & SOLVE_WITH_CACHE) && is_known_contradiction(solver))
        return SOLVE_UNSATISFIABLE;
    enum solve_answer answer = solve_components(solver, query, model, &highest);
    *counter = tiers[highest].counter;
    return answer;
}

enum solve_answer solver_query(struct solver *solver, const struct solve_query *query, uint8_t *model)
{
    size_t counter;
    enum solve_answer answer = answer_query(solver, query, model, &counter);
    if (answer == SOLVE_UNKNOWN)
        counter = COUNTED_BY(unknown);
    solver->statistics.queries++;
    ++*(size_t *)((char *)&solver->statistics + counter);
    return answer;
}

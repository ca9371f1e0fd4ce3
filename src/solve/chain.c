/* Each tier says unknown when it does not know, and then the next one is asked. */
#include "solve/chain.h"

#include "base/arena.h"
#include "base/clock.h"
#include "base/file.h"
#include "solve/cache.h"
#include "solve/cadical.h"
#include "solve/descend.h"
#include "solve/enumerate.h"
#include "solve/order.h"
#include "solve/prune.h"
#include "solve/ranges.h"
#include "solve/search.h"
#include "solve/z3.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_CACHE_BYTES = 32 << 20,
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

enum { TIERS = 16 };

struct chain {
    struct expr_table *table;
    struct solve_statistics *statistics;
    unsigned tiers; /* SOLVE_WITH_... */
    double seconds; /* limit of a query */
    double end;     /* of all work */
    struct cache *cache;
    struct cores *cores;
    struct ranges *ranges;
    struct order *order;
    struct search *search;
    struct descent *descent;
    struct enumeration *enumeration;
    struct pruner *pruner;
    struct cadical_tier *cadical;
    struct z3_tier *z3;
    size_t satisfiable[TIERS], unsatisfiable[TIERS]; /* components, by the tier that said so */
    const char *dump_directory;                      /* NULL: questions are not written */
    size_t dumped;
    /* scratch: what a component reads, and the model of it */
    struct byte_list bytes;
    struct assignment *assignments;
    size_t assignment_capacity;
};

struct chain *chain_create(struct expr_table *table, unsigned timeout_milliseconds, struct solve_statistics *statistics)
{
    struct chain *chain = calloc(1, sizeof *chain);
    *chain = (struct chain){.table = table, .statistics = statistics, .tiers = SOLVE_WITH_ALL, .end = INFINITY};
    chain->seconds = timeout_milliseconds > 0 ? timeout_milliseconds * 1e-3 : SECONDS_WITHOUT_LIMIT;
    chain->cache = cache_create(MOST_CACHE_BYTES);
    chain->cores = cores_create();
    chain->ranges = ranges_create(table);
    chain->order = order_create(table);
    chain->search = search_create(table);
    chain->descent = descent_create(table);
    chain->enumeration = enumeration_create(table);
    chain->pruner = pruner_create(table);
    chain->cadical = cadical_tier_create(table);
    chain->z3 = z3_tier_create(table, timeout_milliseconds);
    return chain;
}

void chain_destroy(struct chain *chain)
{
    cache_destroy(chain->cache);
    cores_destroy(chain->cores);
    ranges_destroy(chain->ranges);
    order_destroy(chain->order);
    search_destroy(chain->search);
    descent_destroy(chain->descent);
    enumeration_destroy(chain->enumeration);
    pruner_destroy(chain->pruner);
    cadical_tier_destroy(chain->cadical);
    z3_tier_destroy(chain->z3);
    free(chain->bytes.bytes);
    free(chain->assignments);
    free(chain);
}

void chain_use(struct chain *chain, unsigned tiers)
{
    chain->tiers = tiers;
}

void chain_dump_to(struct chain *chain, const char *directory)
{
    chain->dump_directory = directory;
}

void chain_stop_at(struct chain *chain, double moment)
{
    chain->end = moment;
}

/* One component */

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

static bool task_holds(struct chain *chain, const struct task *task)
{
    return expr_all_hold(chain->table, task->component->conditions, task->component->count, task->model, task->size);
}

static bool reads_past_end(struct chain *chain, const struct component *component, size_t size)
{
    if (component->has_mask)
        return size < 64 && component->mask >> size != 0;
    for (size_t i = 0; i < component->count; i++) {
        size_t count;
        const uint32_t *support = expr_support(chain->table, component->conditions[i], &count);
        if (support[count - 1] >= size)
            return true;
    }
    return false;
}

/* Which bytes matter, roughly. */
static uint64_t signature_of(struct chain *chain, const struct component *component)
{
    uint64_t signature = 0, mask;
    if (component->has_mask)
        return component->mask;
    for (size_t i = 0; i < component->count; i++) {
        size_t count;
        const uint32_t *support = expr_support(chain->table, component->conditions[i], &count);
        expr_support_mask(chain->table, component->conditions[i], &mask);
        signature |= mask | UINT64_C(1) << support[count - 1] % 64;
    }
    return signature;
}

static void reset_model(struct chain *chain, const struct task *task)
{
    for (size_t i = 0; i < chain->bytes.count && chain->bytes.bytes[i] < task->size; i++)
        task->model[chain->bytes.bytes[i]] = task->hint[chain->bytes.bytes[i]];
}

/* The tiers: each says unknown when it does not know, and then leaves the model as it was */

static enum solve_answer ask_cache(struct chain *chain, struct task *task)
{
    if (task->reads_past_end)
        return SOLVE_UNKNOWN;
    const struct cached_answer *cached = cache_find(chain->cache, task->component->key, task->component->count);
    if (!cached)
        return SOLVE_UNKNOWN;
    for (size_t i = 0; i < cached->assignment_count; i++)
        task->model[cached->assignments[i].byte] = cached->assignments[i].value;
    task->is_known_unknown = cached->answer == SOLVE_UNKNOWN;
    return cached->answer;
}

static enum solve_answer ask_models(struct chain *chain, struct task *task)
{
    const struct recent_model *recent = cache_find_model(
        chain->cache, task->signature, chain->table, task->component->conditions, task->component->count, task->size);
    if (!recent)
        return SOLVE_UNKNOWN;
    for (size_t i = 0; i < chain->bytes.count && chain->bytes.bytes[i] < task->size; i++) {
        uint32_t byte = chain->bytes.bytes[i];
        task->model[byte] = byte < recent->size ? recent->bytes[byte] : 0;
    }
    return SOLVE_SATISFIABLE;
}

/* Leaves out what the contradiction does not need. */
static void keep_contradiction(struct chain *chain, const struct component *component)
{
    expr_id kept[MOST_CONDITIONS_TO_SHRINK];
    size_t count = component->count;
    if (count > MOST_CONDITIONS_TO_SHRINK)
        return;
    memcpy(kept, component->conditions, count * sizeof *kept);
    for (size_t i = count; i-- > 0;) {
        expr_id left_out = kept[i];
        kept[i] = kept[count - 1];
        if (ranges_contradict(chain->ranges, kept, count - 1)) {
            count--;
        } else {
            kept[count - 1] = kept[i];
            kept[i] = left_out;
        }
    }
    cores_add(chain->cores, kept, count);
}

static enum solve_answer ask_ranges(struct chain *chain, struct task *task)
{
    if (!ranges_contradict(chain->ranges, task->component->conditions, task->component->count))
        return SOLVE_UNKNOWN;
    keep_contradiction(chain, task->component);
    return SOLVE_UNSATISFIABLE;
}

static enum solve_answer ask_order(struct chain *chain, struct task *task)
{
    size_t count;
    enum order_answer answer =
        order_solve(chain->order, task->component->conditions, task->component->count, task->model, task->size);
    if (answer == ORDER_CONTRADICTION) {
        const expr_id *core = order_core(chain->order, &count);
        cores_add(chain->cores, core, count);
        return SOLVE_UNSATISFIABLE;
    }
    if (answer == ORDER_NOTHING)
        return SOLVE_UNKNOWN;
    const struct order_proposal *proposals = order_proposals(chain->order, &count);
    for (size_t i = 0; i < count; i++)
        search_assign(chain->search, proposals[i].id, proposals[i].value, task->model, task->size);
    if (task_holds(chain, task))
        return SOLVE_SATISFIABLE;
    reset_model(chain, task);
    return SOLVE_UNKNOWN;
}

static enum solve_answer searched(struct chain *chain, struct task *task, bool is_found)
{
    if (is_found)
        return SOLVE_SATISFIABLE;
    reset_model(chain, task);
    return SOLVE_UNKNOWN;
}

static enum solve_answer ask_search(struct chain *chain, struct task *task)
{
    const struct component *component = task->component;
    return searched(chain, task,
                    search_solve(chain->search, component->conditions, component->count, task->model, task->size));
}

static enum solve_answer climb(struct chain *chain, struct task *task, unsigned moves)
{
    const struct component *component = task->component;
    return searched(
        chain, task,
        search_climb(chain->search, component->conditions, component->count, task->model, task->size, moves));
}

static enum solve_answer ask_pruner(struct chain *chain, struct task *task, size_t work)
{
    const struct component *component = task->component;
    enum prune_answer answer =
        prune(chain->pruner, component->conditions, component->count, task->model, task->size, work);
    if (answer == PRUNE_MODEL)
        return SOLVE_SATISFIABLE;
    reset_model(chain, task);
    return answer == PRUNE_CONTRADICTION ? SOLVE_UNSATISFIABLE : SOLVE_UNKNOWN;
}

static enum solve_answer ask_pruner_briefly(struct chain *chain, struct task *task)
{
    return ask_pruner(chain, task, FEW_NARROWINGS);
}

static enum solve_answer ask_pruner_at_length(struct chain *chain, struct task *task)
{
    return ask_pruner(chain, task, MANY_NARROWINGS);
}

static enum solve_answer ask_descent(struct chain *chain, struct task *task)
{
    const struct component *component = task->component;
    return searched(
        chain, task,
        descend(chain->descent, component->conditions, component->count, task->model, task->size, FEW_EVALUATIONS));
}

static enum solve_answer ask_descent_at_length(struct chain *chain, struct task *task)
{
    const struct component *component = task->component;
    return searched(
        chain, task,
        descend(chain->descent, component->conditions, component->count, task->model, task->size, MANY_EVALUATIONS));
}

static enum solve_answer ask_enumeration(struct chain *chain, struct task *task)
{
    const struct component *component = task->component;
    enum enumerate_answer answer =
        enumerate(chain->enumeration, component->conditions, component->count, &chain->bytes, task->model, task->size);
    if (answer == ENUMERATE_MODEL)
        return SOLVE_SATISFIABLE;
    reset_model(chain, task);
    return answer == ENUMERATE_NOTHING ? SOLVE_UNSATISFIABLE : SOLVE_UNKNOWN;
}

static enum solve_answer ask_climb(struct chain *chain, struct task *task)
{
    return climb(chain, task, FEW_MOVES);
}

static enum solve_answer ask_climb_at_length(struct chain *chain, struct task *task)
{
    return climb(chain, task, MANY_MOVES);
}

/* What a slow tier may take: its share of the time, and no more than is left. */
static double seconds_for(const struct chain *chain, struct task *task, double share)
{
    double now = clock_seconds();
    if (task->start == 0)
        task->start = now;
    double left = fmin(chain->seconds - (now - task->start), chain->end - now);
    return fmin(left, share * chain->seconds);
}

/* Gives bytes back the hint's value where the conditions hold all the same. */
static void restore_hint(struct chain *chain, const struct task *task)
{
    size_t tried = 0;
    for (size_t i = 0; i < chain->bytes.count && tried < MOST_BYTES_TO_RESTORE; i++) {
        uint32_t byte = chain->bytes.bytes[i];
        uint8_t value = byte < task->size ? task->model[byte] : 0;
        if (byte >= task->size || value == task->hint[byte])
            continue;
        tried++;
        task->model[byte] = task->hint[byte];
        if (!task_holds(chain, task))
            task->model[byte] = value;
    }
}

/* A model that evaluation does not confirm is no answer. */
static enum solve_answer confirm(struct chain *chain, const struct task *task, enum solve_answer answer)
{
    if (answer != SOLVE_SATISFIABLE)
        return answer;
    if (!task_holds(chain, task)) {
        reset_model(chain, task);
        return SOLVE_UNKNOWN;
    }
    restore_hint(chain, task);
    return SOLVE_SATISFIABLE;
}

static enum solve_answer ask_cadical(struct chain *chain, struct task *task, double share, int conflicts)
{
    double seconds = seconds_for(chain, task, share), start = clock_seconds();
    if (seconds <= 0)
        return SOLVE_UNKNOWN;
    enum solve_answer answer = cadical_tier_solve(chain->cadical, task->component->key, task->component->count,
                                                  &chain->bytes, task->model, task->size, seconds, conflicts);
    chain->statistics->cadical_seconds += clock_seconds() - start;
    if (answer == SOLVE_UNSATISFIABLE && !task->reads_past_end) {
        size_t count;
        const expr_id *core = cadical_tier_core(chain->cadical, &count);
        cores_add(chain->cores, core, count);
    }
    return confirm(chain, task, answer);
}

/* Each kind of solver has questions that it answers at once and others never do. So CaDiCaL begins with a number of
 * conflicts that small questions do not need; then a longer search may find what has many solutions; then both solvers
 * get a turn, and CaDiCaL what is left of the time. */
static enum solve_answer ask_cadical_quickly(struct chain *chain, struct task *task)
{
    return ask_cadical(chain, task, 0.1, FEW_CONFLICTS);
}

static enum solve_answer ask_cadical_briefly(struct chain *chain, struct task *task)
{
    return ask_cadical(chain, task, 0.1, -1);
}

static enum solve_answer ask_cadical_at_length(struct chain *chain, struct task *task)
{
    return ask_cadical(chain, task, 1, -1);
}

static enum solve_answer ask_z3(struct chain *chain, struct task *task)
{
    double share = chain->tiers & SOLVE_WITH_CADICAL ? 0.5 : 1;
    double seconds = seconds_for(chain, task, share), start = clock_seconds();
    if (seconds <= 0)
        return SOLVE_UNKNOWN;
    z3_tier_set_timeout(chain->z3, (unsigned)(seconds * 1e3) + 1);
    enum solve_answer answer =
        z3_tier_solve(chain->z3, task->component->key, task->component->count, &chain->bytes, task->model, task->size);
    chain->statistics->z3_seconds += clock_seconds() - start;
    return confirm(chain, task, answer);
}

/* In this order; a later one is more expensive. */
struct tier {
    unsigned bit; /* SOLVE_WITH_... */
    enum solve_answer (*ask)(struct chain *chain, struct task *task);
    size_t counter; /* offset in the statistics */
    const char *name;
};

#define COUNTED_BY(member) offsetof(struct solve_statistics, member)

static const struct tier tiers[TIERS] = {
    {SOLVE_WITH_CACHE, ask_cache, COUNTED_BY(by_cache), "cache"},
    {SOLVE_WITH_MODELS, ask_models, COUNTED_BY(by_models), "models"},
    {SOLVE_WITH_ORDER, ask_order, COUNTED_BY(by_ranges), "orders"},
    {SOLVE_WITH_RANGES, ask_ranges, COUNTED_BY(by_ranges), "ranges"},
    {SOLVE_WITH_SEARCH, ask_search, COUNTED_BY(by_search), "search"},
    {SOLVE_WITH_RANGES, ask_pruner_briefly, COUNTED_BY(by_ranges), "intervals"},
    {SOLVE_WITH_SEARCH, ask_descent, COUNTED_BY(by_search), "descent"},
    {SOLVE_WITH_SEARCH, ask_climb, COUNTED_BY(by_search), "climbing"},
    {SOLVE_WITH_CADICAL, ask_cadical_quickly, COUNTED_BY(by_cadical), "CaDiCaL, few conflicts"},
    {SOLVE_WITH_SEARCH, ask_enumeration, COUNTED_BY(by_search), "all inputs"},
    {SOLVE_WITH_SEARCH, ask_climb_at_length, COUNTED_BY(by_search), "climbing, longer"},
    {SOLVE_WITH_SEARCH, ask_descent_at_length, COUNTED_BY(by_search), "descent, longer"},
    {SOLVE_WITH_RANGES, ask_pruner_at_length, COUNTED_BY(by_ranges), "intervals, longer"},
    {SOLVE_WITH_CADICAL, ask_cadical_briefly, COUNTED_BY(by_cadical), "CaDiCaL, briefly"},
    {SOLVE_WITH_Z3, ask_z3, COUNTED_BY(by_z3), "Z3"},
    {SOLVE_WITH_CADICAL, ask_cadical_at_length, COUNTED_BY(by_cadical), "CaDiCaL"},
};

enum { CACHE_TIER = 0, MODELS_TIER = 1, ORDER_TIER = 2, SEARCH_TIER = 4 };

/* A limit of the question that was reached once would be reached again: that is remembered too. */
static void remember(struct chain *chain, const struct task *task, enum solve_answer answer)
{
    struct cached_answer cached = {.answer = answer};
    if (answer == SOLVE_SATISFIABLE) {
        chain->assignments = array_reserve(chain->assignments, &chain->assignment_capacity, chain->bytes.count,
                                           sizeof *chain->assignments);
        for (size_t i = 0; i < chain->bytes.count; i++)
            chain->assignments[i] =
                (struct assignment){.byte = chain->bytes.bytes[i], .value = task->model[chain->bytes.bytes[i]]};
        cached.assignments = chain->assignments;
        cached.assignment_count = chain->bytes.count;
    }
    cache_add(chain->cache, task->component->key, task->component->count, &cached);
}

static void learn(struct chain *chain, const struct task *task, size_t tier, enum solve_answer answer)
{
    if (answer == SOLVE_SATISFIABLE && tier > MODELS_TIER)
        cache_add_model(chain->cache, task->signature, task->model, task->size);
    bool was_stopped = answer == SOLVE_UNKNOWN && clock_seconds() >= chain->end; /* more time may come */
    if (tier > CACHE_TIER && (chain->tiers & SOLVE_WITH_CACHE) && !task->reads_past_end && !was_stopped)
        remember(chain, task, answer);
}

/* A question that cannot be written is not worth ending an exploration for. */
static void dump(struct chain *chain, const struct task *task, size_t tier, enum solve_answer answer, double seconds)
{
    static const char *const statuses[] = {
        [SOLVE_UNSATISFIABLE] = "unsat", [SOLVE_SATISFIABLE] = "sat", [SOLVE_UNKNOWN] = "unknown"};
    struct text path = {0}, text = {0};
    struct error ignored = {0};
    text_format(&path, "%s/%06zu.smt2", chain->dump_directory, ++chain->dumped);
    text_format(&text, "; %s by %s after %.3f s\n(set-info :status %s)\n", statuses[answer], tiers[tier].name, seconds,
                statuses[answer]);
    z3_tier_print(chain->z3, task->component->key, task->component->count, &chain->bytes, task->size, &text);
    file_write(text_string(&path), text_string(&text), text.length, &ignored);
    error_clear(&ignored);
    text_free(&path), text_free(&text);
}

enum solve_answer chain_solve(struct chain *chain, const struct component *component, const uint8_t *hint,
                              uint8_t *model, size_t size, size_t *highest)
{
    struct task task = {.component = component, .hint = hint, .model = model, .size = size};
    enum solve_answer answer = SOLVE_UNKNOWN;
    size_t tier = 0, asked = 0;
    double start = chain->dump_directory ? clock_seconds() : 0;
    task.reads_past_end = reads_past_end(chain, component, size);
    task.signature = signature_of(chain, component);
    for (; tier < TIERS && answer == SOLVE_UNKNOWN && !task.is_known_unknown; tier++) {
        if (!(chain->tiers & tiers[tier].bit))
            continue;
        if (tier > CACHE_TIER && chain->bytes.count == 0)
            list_component_bytes(&chain->bytes, chain->table, component);
        answer = tiers[tier].ask(chain, &task);
        asked = tier;
    }
    if (chain->dump_directory && asked > MODELS_TIER)
        dump(chain, &task, asked, answer, clock_seconds() - start);
    learn(chain, &task, asked, answer);
    chain->satisfiable[asked] += answer == SOLVE_SATISFIABLE;
    chain->unsatisfiable[asked] += answer == SOLVE_UNSATISFIABLE;
    if (asked == ORDER_TIER && answer == SOLVE_SATISFIABLE)
        asked = SEARCH_TIER; /* counted there */
    *highest = *highest < asked ? asked : *highest;
    chain->bytes.count = 0;
    return answer;
}

bool chain_recall(struct chain *chain, const struct component *component, uint8_t *model, size_t size,
                  enum solve_answer *answer)
{
    struct task task = {.component = component, .model = model, .size = size};
    if (!(chain->tiers & SOLVE_WITH_CACHE))
        return false;
    task.reads_past_end = reads_past_end(chain, component, size);
    *answer = ask_cache(chain, &task);
    return *answer != SOLVE_UNKNOWN || task.is_known_unknown;
}

bool chain_contradicts(struct chain *chain, expr_id condition, member_function *is_member, const void *context)
{
    return chain->tiers & SOLVE_WITH_CACHE && cores_contradict(chain->cores, condition, is_member, context);
}

size_t chain_counter(size_t tier)
{
    return tiers[tier].counter;
}

bool chain_tier(const struct chain *chain, size_t number, struct solve_tier *tier)
{
    if (number >= TIERS)
        return false;
    *tier = (struct solve_tier){tiers[number].name, chain->satisfiable[number], chain->unsatisfiable[number]};
    return true;
}

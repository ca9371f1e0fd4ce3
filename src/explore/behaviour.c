/* Behaviours below divergences, or of programs that were apart from the start. Both versions have been explored, each
 * in a build that follows it natively; the conditions of all paths are over the same input, in one table. A pair of
 * paths, one of each version, is possible when both their conditions hold together; it is a difference when the
 * outcomes can differ then. */
#include "explore/behaviour.h"
#include "base/set.h"
#include "explore/tolerance.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

struct behaviour {
    struct kept_path kept;
    size_t condition_set;    /* of a partition */
    size_t divergence_count; /* conditions up to and including the divergence come first, sorted */
    size_t finding;
    enum pn_ending ending;
    bool failed, timed_out;
    int failure;   /* the signal that it would be: SIGFPE, SIGABRT, SIGKILL for a limit, SIGSEGV */
    uint32_t line; /* where; 0: that is not known */
    int exit_status;
    const char *effect; /* a function by which it may have done something visible; NULL: it has not */
};

/* Of a behaviour in a sorted list. What is looked at most often lies close together. */
struct likeness {
    uint32_t shared; /* conditions that it has in common with the one before it in the list */
    uint32_t fewer;  /* the next one behind it in the list that shares fewer; their count: none does */
};

struct behaviours {
    struct keeper keeper;
    struct behaviour *list;
    struct likeness *likeness; /* of each, once they are sorted */
    size_t count, capacity, likeness_capacity;
    struct conditions scratch;
};

struct behaviours *behaviours_create(void)
{
    struct behaviours *behaviours = calloc(1, sizeof *behaviours);
    behaviours->keeper = keeper_create();
    return behaviours;
}

void behaviours_clear(struct behaviours *behaviours)
{
    behaviours->count = 0;
    keeper_clear(&behaviours->keeper);
}

void behaviours_destroy(struct behaviours *behaviours)
{
    if (!behaviours)
        return;
    free(behaviours->list);
    free(behaviours->likeness);
    free(behaviours->scratch.list);
    keeper_destroy(&behaviours->keeper);
    free(behaviours);
}

size_t behaviours_count(const struct behaviours *behaviours)
{
    return behaviours->count;
}

/* ---- keeping ---- */

static const char *effect_name(const struct site *site)
{
    return *site->what ? site->what : "output of one version alone";
}

/* Of a path that fails: by a signal, or where one of our checks has ended it. */
static void read_failure(struct behaviour *behaviour, const struct explorer *explorer, const struct path *path)
{
    const struct decision *last = NULL;
    behaviour->failure = path->timed_out || path->out_of_memory ? SIGKILL : path->signal;
    for (size_t i = path->count; i-- > 0 && !last && !path->signal;)
        last = path->decisions[i].kind == PN_EVENT_CHECK ? &path->decisions[i] : NULL;
    if (!last)
        return;
    behaviour->failure = last->part == PN_CHECK_DIVISION  ? SIGFPE
                         : last->part == PN_CHECK_ENDED   ? SIGABRT
                         : last->part == PN_CHECK_ENDLESS ? SIGKILL
                                                          : SIGSEGV;
    behaviour->line = site_table_get(explorer->sites, decision_place(explorer->sites, last))->line;
}

static struct behaviour *append(struct behaviours *behaviours, struct explorer *explorer, const struct path *path,
                                size_t finding)
{
    struct behaviour behaviour = {
        .condition_set = path->condition_set,
        .finding = finding,
        .ending = path->ending,
        .failed = path->signal || path->ending == PN_CHECK_FAILED,
        .timed_out = path->timed_out || path->out_of_memory,
        .exit_status = path->exit_status,
    };
    for (size_t i = 0; i < path->count; i++)
        if (path->decisions[i].kind == PN_EVENT_EFFECT)
            behaviour.effect =
                effect_name(site_table_get(explorer->sites, decision_place(explorer->sites, &path->decisions[i])));
    if (behaviour.failed)
        read_failure(&behaviour, explorer, path);
    behaviours->list =
        array_reserve(behaviours->list, &behaviours->capacity, behaviours->count + 1, sizeof *behaviours->list);
    behaviours->list[behaviours->count] = behaviour;
    return &behaviours->list[behaviours->count++];
}

void behaviours_add(struct behaviours *behaviours, struct explorer *explorer, const struct path *path, size_t finding)
{
    struct behaviour *behaviour = append(behaviours, explorer, path, finding);
    struct conditions *conditions = &behaviours->scratch;
    conditions->count = 0;
    for (size_t i = 0; i < path->count; i++) {
        decision_conditions(&path->decisions[i], explorer->table, conditions);
        if (path->diverged && i == path->divergence) {
            conditions_sort(conditions);
            behaviour->divergence_count = conditions->count;
        }
    }
    behaviour->kept = keeper_take(&behaviours->keeper, path, conditions, true);
}

void behaviours_add_kept(struct behaviours *behaviours, struct explorer *explorer, const struct path *path,
                         size_t number, const struct kept_path *kept)
{
    append(behaviours, explorer, path, number)->kept = *kept;
}

/* ---- comparing outcomes ---- */

/* "The bytes of one output differ": pieces are cut where either version's end. */
static expr_id bytes_differ(struct expr_table *table, const struct path_output *one, const struct path_output *other)
{
    expr_id any = expr_constant(table, 1, 0);
    size_t i = 0, j = 0;
    unsigned one_done = 0, other_done = 0; /* bits of the current pieces that were compared */
    while (i < one->part_count && j < other->part_count) {
        if (!one_done && !other_done && one->parts[i] == other->parts[j]) {
            i++, j++;
            continue;
        }
        unsigned one_left = expr_get(table, one->parts[i])->width - one_done;
        unsigned other_left = expr_get(table, other->parts[j])->width - other_done;
        unsigned width = one_left < other_left ? one_left : other_left;
        expr_id a = expr_make(table, PN_EXTRACT, width, one->parts[i], one_done, 0);
        expr_id b = expr_make(table, PN_EXTRACT, width, other->parts[j], other_done, 0);
        any = expr_or(table, any, expr_not(table, expr_make(table, PN_EQ, 1, a, b, 0)));
        one_done = width == one_left ? i++, 0 : one_done + width;
        other_done = width == other_left ? j++, 0 : other_done + width;
    }
    return any;
}

/* Walks over the pieces of an output. */
struct piece_reader {
    const struct path_output *output;
    size_t part;
    unsigned done; /* bits of it */
};

/* The next bytes, as one value. */
static expr_id next_bytes(struct expr_table *table, struct piece_reader *reader, unsigned bytes)
{
    expr_id value = 0;
    for (unsigned bits = 0; bits < bytes * 8;) {
        expr_id piece = reader->output->parts[reader->part];
        unsigned left = expr_get(table, piece)->width - reader->done, wanted = bytes * 8 - bits;
        unsigned width = left < wanted ? left : wanted;
        expr_id some = expr_make(table, PN_EXTRACT, width, piece, reader->done, 0);
        bits += width;
        value = value ? expr_make(table, PN_CONCAT, bits, some, value, 0) : some;
        reader->done = width == left ? reader->part++, 0 : reader->done + width;
    }
    return value;
}

static expr_id floats_differ(struct expr_table *table, const struct path_output *one, const struct path_output *other)
{
    struct piece_reader a = {.output = one}, b = {.output = other};
    expr_id any = expr_constant(table, 1, 0);
    for (size_t i = 0; i < one->size && a.part < one->part_count && b.part < other->part_count; i += one->element) {
        expr_id in_one = next_bytes(table, &a, one->element), in_other = next_bytes(table, &b, one->element);
        any = expr_or(table, any, numbers_differ(table, in_one, in_other, one->tolerance));
    }
    return any;
}

/* Both fail, each at a place of its own, with the same signal: natively that may have different names. Of versions that
 * never were together, the same line may also be two places. */
static bool may_fail_differently(const struct explorer *explorer, const struct behaviour *one,
                                 const struct behaviour *other)
{
    bool are_two_places = explorer->pair || (one->failure != SIGFPE && one->line != other->line);
    return one->failed && other->failed && one->failure != SIGKILL && are_two_places;
}

/* The condition under which two outcomes differ. Of versions that both fail, how, and what they have printed before. */
static expr_id outcomes_differ(struct expr_table *table, const struct behaviour *one, const struct behaviour *other)
{
    expr_id always = expr_constant(table, 1, 1), any = expr_constant(table, 1, 0);
    if (one->failed != other->failed || (one->failed && one->failure != other->failure))
        return always;
    if (one->failed && one->failure == SIGKILL)
        return any;
    bool same_end = one->failed || one->ending == other->ending;
    if (!same_end || one->timed_out != other->timed_out || one->exit_status != other->exit_status ||
        one->kept.output_count != other->kept.output_count)
        return always;
    for (size_t i = 0; i < one->kept.output_count; i++) {
        const struct path_output *a = &one->kept.outputs[i], *b = &other->kept.outputs[i];
        if (a->size != b->size || strcmp(a->name, b->name))
            return always;
        any = expr_or(table, any, a->element ? floats_differ(table, a, b) : bytes_differ(table, a, b));
    }
    return any;
}

/* ---- pairs ---- */

struct comparison {
    struct explorer *explorer;
    struct behaviours *in_old;
    bool is_sorted;    /* the old version's behaviours are, as all pairs need it */
    struct set *keys;  /* of the old version's behaviours, but for partitions: their conditions, sorted */
    size_t *partners;  /* by key or set of conditions: 1 + the behaviour; SIZE_MAX: there are several; 0: none */
    uint32_t *holds;   /* by expression: the mark of the new version's behaviour of which it is a condition, */
    uint32_t *refuted; /* or the contrary of one */
    size_t partner_capacity, holds_capacity, refuted_capacity;
    struct conditions key, prefix;
    /* Inputs that one version alone takes have come to be known while it was explored; all are compared with them. */
    size_t input_size;
    uint8_t *model, *hint; /* of what was asked last */
};

static void mark_one(const struct comparison *comparison, uint32_t **marks, size_t *capacity, expr_id condition,
                     uint32_t mark)
{
    if (condition >= *capacity)
        *marks = array_reserve_zeroed(*marks, capacity, expr_count(comparison->explorer->table) + 1, sizeof(uint32_t));
    (*marks)[condition] = mark;
}

/* Conditions under which the behaviour is looked at: its own, and those of all inputs. */
static void list_prefix(struct comparison *comparison, const struct behaviour *behaviour)
{
    struct explorer *explorer = comparison->explorer;
    comparison->prefix.count = 0;
    conditions_add_all(&comparison->prefix, explorer->table, &explorer->always);
    conditions_add_all(&comparison->prefix, explorer->table, &behaviour->kept.conditions);
}

static void mark_prefix(struct comparison *comparison, uint32_t mark)
{
    for (size_t i = 0; i < comparison->prefix.count; i++) {
        expr_id condition = comparison->prefix.list[i];
        expr_id contrary = expr_not(comparison->explorer->table, condition);
        mark_one(comparison, &comparison->holds, &comparison->holds_capacity, condition, mark);
        mark_one(comparison, &comparison->refuted, &comparison->refuted_capacity, contrary, mark);
    }
}

static bool is_marked(const struct comparison *comparison, expr_id condition, uint32_t mark)
{
    return condition < comparison->holds_capacity && comparison->holds[condition] == mark;
}

static bool is_refuted(const struct comparison *comparison, expr_id condition, uint32_t mark)
{
    return condition < comparison->refuted_capacity && comparison->refuted[condition] == mark;
}

/* The first condition, from `first` on, that contradicts the new version's path; the count when none does. */
static size_t contradiction(const struct comparison *comparison, const struct behaviour *old, size_t first,
                            uint32_t mark)
{
    size_t i = first;
    while (i < old->kept.conditions.count && !is_refuted(comparison, old->kept.conditions.list[i], mark))
        i++;
    return i;
}

/* The conditions of an old path that the new one does not have, as one. */
static expr_id further_conditions(struct comparison *comparison, const struct behaviour *old, uint32_t mark)
{
    struct expr_table *table = comparison->explorer->table;
    expr_id all = expr_constant(table, 1, 1);
    for (size_t i = 0; i < old->kept.conditions.count; i++)
        if (!is_marked(comparison, old->kept.conditions.list[i], mark))
            all = expr_and(table, all, old->kept.conditions.list[i]);
    return all;
}

static bool can_hold(struct explorer *explorer, expr_id condition)
{
    uint64_t value;
    return !expr_is_constant(explorer->table, condition, &value) || value;
}

static bool report_difference(struct comparison *comparison, const struct behaviour *new, expr_id differs,
                              const uint8_t *input)
{
    struct explorer *explorer = comparison->explorer;
    bool somewhere = can_hold(explorer, differs);
    if (somewhere)
        conditions_add(&comparison->prefix, explorer->table, differs, true);
    return explorer_report_difference(explorer, new->finding, somewhere ? &comparison->prefix : NULL, input,
                                      comparison->input_size);
}

/* ---- old paths below the same divergence ---- */

static int compare_divergences(const void *one, const void *other)
{
    const struct behaviour *a = one, *b = other;
    if (a->divergence_count != b->divergence_count)
        return a->divergence_count < b->divergence_count ? -1 : 1;
    return a->divergence_count
               ? memcmp(a->kept.conditions.list, b->kept.conditions.list, a->divergence_count * sizeof(expr_id))
               : 0;
}

static size_t common_conditions(const struct behaviour *one, const struct behaviour *other)
{
    size_t i = 0;
    while (i < one->kept.conditions.count && i < other->kept.conditions.count &&
           one->kept.conditions.list[i] == other->kept.conditions.list[i])
        i++;
    return i;
}

/* By divergence, then by the conditions in their order: what begins alike lies together. */
static int compare_behaviours(const void *one, const void *other)
{
    const struct behaviour *a = one, *b = other;
    int order = compare_divergences(a, b);
    if (order)
        return order;
    size_t at = common_conditions(a, b);
    expr_id in_a = at < a->kept.conditions.count ? a->kept.conditions.list[at] : 0;
    expr_id in_b = at < b->kept.conditions.count ? b->kept.conditions.list[at] : 0;
    return in_a < in_b ? -1 : in_a > in_b;
}

static void sort_behaviours(struct behaviours *behaviours)
{
    if (behaviours->count)
        qsort(behaviours->list, behaviours->count, sizeof *behaviours->list, compare_behaviours);
    struct likeness *likeness = behaviours->likeness = array_reserve_zeroed(
        behaviours->likeness, &behaviours->likeness_capacity, behaviours->count + 1, sizeof *likeness);
    for (size_t i = 1; i < behaviours->count; i++)
        likeness[i].shared = (uint32_t)common_conditions(&behaviours->list[i - 1], &behaviours->list[i]);
    for (size_t i = behaviours->count; i-- > 0;) {
        size_t next = i + 1;
        while (next < behaviours->count && likeness[next].shared >= likeness[i].shared)
            next = likeness[next].fewer;
        likeness[i].fewer = (uint32_t)next;
    }
}

/* The first one from `number` on that does not have more than so many conditions of the one before `number`. */
static size_t skip_alike(const struct behaviours *behaviours, size_t number, size_t most)
{
    while (number < behaviours->count && behaviours->likeness[number].shared > most)
        number = behaviours->likeness[number].fewer;
    return number;
}

static int compare_divergence_pointers(const void *one, const void *other)
{
    return compare_divergences(*(const struct behaviour *const *)one, *(const struct behaviour *const *)other);
}

const uint8_t **behaviours_divergences(const struct behaviours *behaviours, size_t *count, size_t *size)
{
    const struct behaviour **list = calloc(behaviours->count + 1, sizeof *list);
    const uint8_t **inputs = calloc(behaviours->count + 1, sizeof *inputs);
    *count = *size = 0;
    for (size_t i = 0; i < behaviours->count; i++) {
        list[i] = &behaviours->list[i];
        *size = *size > list[i]->kept.input_size ? *size : list[i]->kept.input_size;
    }
    qsort(list, behaviours->count, sizeof *list, compare_divergence_pointers);
    for (size_t i = 0; i < behaviours->count; i++) {
        if (i && !compare_divergences(list[i - 1], list[i]))
            continue;
        uint8_t *input = arena_allocate(behaviours->keeper.arena, *size + 1); /* runs may have made more inputs known */
        memcpy(input, list[i]->kept.input, list[i]->kept.input_size);
        inputs[(*count)++] = input;
    }
    free(list);
    return inputs;
}

/* One of the old version's below the same divergence; NULL where there is none. */
static const struct behaviour *find_partner(const struct behaviours *in_old, const struct behaviour *new)
{
    return in_old->count ? bsearch(new, in_old->list, in_old->count, sizeof *new, compare_divergences) : NULL;
}

bool behaviours_agree(const struct behaviours *in_new, struct behaviours *in_old)
{
    sort_behaviours(in_old);
    for (size_t i = 0; i < in_new->count; i++)
        if (!find_partner(in_old, &in_new->list[i]))
            return false;
    return true;
}

/* The old version's paths that can be taken together with a path of the new one: those below the same divergence, which
 * exclude all others; where the builds put the divergence at different places, any of them. */
static void candidates(const struct behaviours *in_old, const struct behaviour *new, size_t *first, size_t *end)
{
    bool are_apart =
        in_old->count && !in_old->list[in_old->count - 1].divergence_count; /* from the start, all of them */
    const struct behaviour *found = are_apart ? NULL : find_partner(in_old, new);
    *first = found ? (size_t)(found - in_old->list) : 0;
    *end = found ? *first + 1 : in_old->count;
    while (found && *first > 0 && !compare_divergences(&in_old->list[*first - 1], new))
        (*first)--;
    while (found && *end < in_old->count && !compare_divergences(&in_old->list[*end], new))
        (*end)++;
}

/* Asks for an input of the new version's path on which the goals hold. */
static enum solve_answer ask(struct comparison *comparison, const struct behaviour *new, const expr_id *goals,
                             size_t goal_count)
{
    struct solve_query query = {
        .prefix = comparison->prefix.list,
        .prefix_count = comparison->prefix.count,
        .goals = goals,
        .goal_count = goal_count,
        .hint = memcpy(comparison->hint, new->kept.input, new->kept.input_size),
        .input_size = comparison->input_size,
    };
    return solver_query(comparison->explorer->solver, &query, comparison->model);
}

/* Whether no proof says that the condition holds for no input of the path. */
static bool may_hold(struct comparison *comparison, const struct behaviour *new, expr_id condition)
{
    return ask(comparison, new, &condition, 1) != SOLVE_UNSATISFIABLE;
}

/* Outputs are the same, but one of the paths may have done something else that can be seen: native runs of an input
 * that takes both may show it, and if they do not, that is no proof. How both fail at two places is the same for all
 * inputs that lead there. */
static bool try_effects(struct comparison *comparison, const struct behaviour *new, const struct behaviour *old)
{
    const char *effect = new->effect ? new->effect : old->effect;
    if (!effect && !may_fail_differently(comparison->explorer, new, old))
        return false;
    if (ask(comparison, new, old->kept.conditions.list, old->kept.conditions.count) != SOLVE_SATISFIABLE)
        return false;
    if (effect)
        explorer_lose(comparison->explorer, effect);
    return true;
}

/* What is known of one path of the new version. */
struct findings {
    expr_id differs, known; /* where the versions behave differently; where the old version's behaviour is known */
    uint8_t *shows, *may_show;
    bool is_cut; /* there was no time for all of the old version's paths */
};

static uint8_t *copy_model(const struct comparison *comparison)
{
    return memcpy(calloc(comparison->input_size + 1, 1), comparison->model, comparison->input_size);
}

/* Two paths that do not contradict each other: on the new one, the old one is taken where `takes_both` holds. */
static void compare_pair(struct comparison *comparison, const struct behaviour *new, const struct behaviour *old,
                         expr_id takes_both, struct findings *findings)
{
    struct explorer *explorer = comparison->explorer;
    struct expr_table *table = explorer->table;
    expr_id differs = expr_and(table, outcomes_differ(table, new, old), takes_both);
    findings->known = expr_or(table, findings->known, takes_both);
    enum solve_answer answer = can_hold(explorer, differs) ? ask(comparison, new, &differs, 1) : SOLVE_UNSATISFIABLE;
    struct explorer_pair pair = {.in_new = new->finding,
                                 .in_old = old->finding,
                                 .answer = answer,
                                 .differs = differs,
                                 .input = comparison->model,
                                 .size = comparison->input_size};
    if (explorer->pair)
        explorer->pair(explorer->pair_context, &pair);
    if (answer == SOLVE_SATISFIABLE) {
        findings->differs = expr_or(table, findings->differs, differs);
        findings->shows = findings->shows ? findings->shows : copy_model(comparison);
    } else if (try_effects(comparison, new, old)) {
        findings->may_show = findings->may_show ? findings->may_show : copy_model(comparison);
        pair.is_unsure = true;
        pair.input = comparison->model;
        if (explorer->pair)
            explorer->pair(explorer->pair_context, &pair);
    }
}

/* ---- behaviours under the same conditions ---- */

/* Equal for equal conditions. Of partitions it is known, since both versions' were told apart by it. */
static size_t key_number(struct comparison *comparison, const struct behaviour *behaviour)
{
    if (comparison->explorer->pair)
        return behaviour->condition_set;
    struct conditions *key = &comparison->key;
    size_t size = behaviour->kept.conditions.count * sizeof *key->list;
    key->list = array_reserve(key->list, &key->capacity, behaviour->kept.conditions.count + 1, sizeof *key->list);
    key->count = behaviour->kept.conditions.count;
    if (size)
        memcpy(key->list, behaviour->kept.conditions.list, size);
    conditions_sort(key);
    return set_enter(comparison->keys, key->list, key->count * sizeof *key->list);
}

static void list_partners(struct comparison *comparison)
{
    if (comparison->partner_capacity)
        memset(comparison->partners, 0, comparison->partner_capacity * sizeof *comparison->partners);
    for (size_t i = 0; i < comparison->in_old->count; i++) {
        size_t number = key_number(comparison, &comparison->in_old->list[i]);
        comparison->partners = array_reserve_zeroed(comparison->partners, &comparison->partner_capacity, number + 1,
                                                    sizeof *comparison->partners);
        comparison->partners[number] = comparison->partners[number] ? SIZE_MAX : i + 1;
    }
}

/* The old version's behaviour under exactly the conditions of this one. Since its behaviours exclude each other, no
 * other can be taken together with it. NULL where there is none. */
static const struct behaviour *find_same(struct comparison *comparison, const struct behaviour *new)
{
    size_t number = key_number(comparison, new);
    size_t partner = number < comparison->partner_capacity ? comparison->partners[number] : 0;
    return partner && partner != SIZE_MAX ? &comparison->in_old->list[partner - 1] : NULL;
}

/* ---- all pairs ---- */

static void sort_once(struct comparison *comparison)
{
    if (comparison->is_sorted)
        return;
    sort_behaviours(comparison->in_old);
    list_partners(comparison);
    comparison->is_sorted = true;
}

static void compare_pairs(struct comparison *comparison, const struct behaviour *new, uint32_t mark,
                          struct findings *findings)
{
    size_t first, end, fine = 0; /* fine: conditions of the last one that do not contradict */
    sort_once(comparison);
    mark_prefix(comparison, mark);
    candidates(comparison->in_old, new, &first, &end);
    /* what shares more with the last one has its contradiction */
    for (size_t i = first; i < end && !findings->is_cut; i = skip_alike(comparison->in_old, i + 1, fine)) {
        const struct behaviour *old = &comparison->in_old->list[i];
        fine = contradiction(comparison, old, i > first ? comparison->in_old->likeness[i].shared : 0, mark);
        if (fine < old->kept.conditions.count)
            continue;
        findings->is_cut = explorer_must_stop(comparison->explorer);
        if (!findings->is_cut)
            compare_pair(comparison, new, old, further_conditions(comparison, old, mark), findings);
    }
}

/* One path of the new version against the old one's. */
static bool compare_one(struct comparison *comparison, const struct behaviour *new, uint32_t mark)
{
    struct explorer *explorer = comparison->explorer;
    expr_id none = expr_constant(explorer->table, 1, 0);
    struct findings findings = {.differs = none, .known = none};
    const struct behaviour *same = find_same(comparison, new);
    list_prefix(comparison, new);
    if (same)
        compare_pair(comparison, new, same, expr_constant(explorer->table, 1, 1), &findings);
    else
        compare_pairs(comparison, new, mark, &findings);
    expr_id unknown = expr_not(explorer->table, findings.known);
    explorer->statistics.cut_pairs += findings.is_cut;
    explorer->statistics.uncovered +=
        !findings.is_cut && can_hold(explorer, unknown) && may_hold(comparison, new, unknown);
    bool good =
        explorer->pair || /* of partitions each pair is told, and their numbers are none of findings */
        report_difference(comparison, new, findings.differs, findings.shows ? findings.shows : findings.may_show);
    free(findings.shows);
    free(findings.may_show);
    return good;
}

static size_t most_input(const struct behaviours *behaviours, size_t least)
{
    for (size_t i = 0; i < behaviours->count; i++)
        least = behaviours->list[i].kept.input_size > least ? behaviours->list[i].kept.input_size : least;
    return least;
}

static size_t largest_input(const struct explorer *explorer, const struct behaviours *in_new,
                            const struct behaviours *in_old)
{
    return most_input(in_old, most_input(in_new, explorer->layout->size));
}

bool behaviours_compare(struct explorer *explorer, struct behaviours *in_new, struct behaviours *in_old)
{
    struct comparison comparison = {.explorer = explorer, .in_old = in_old, .keys = set_create()};
    bool good = true;
    comparison.input_size = largest_input(explorer, in_new, in_old);
    comparison.model = calloc(comparison.input_size + 1, 1);
    comparison.hint = calloc(comparison.input_size + 1, 1);
    list_partners(&comparison);
    for (size_t i = 0; i < in_new->count && good; i++) {
        if (explorer_must_stop(explorer)) {
            explorer->statistics.cut_pairs += in_new->count - i;
            break;
        }
        good = compare_one(&comparison, &in_new->list[i], (uint32_t)i + 1);
    }
    set_destroy(comparison.keys);
    free(comparison.partners), free(comparison.holds), free(comparison.refuted), free(comparison.key.list);
    free(comparison.prefix.list), free(comparison.model), free(comparison.hint);
    return good;
}

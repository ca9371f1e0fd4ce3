#include "solve/prune.h"

#include "base/arena.h"
#include "solve/intervals.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NODES = 600, MOST_VARIABLES = 64, MOST_DEPTH = 160, MOST_ROUNDS = 12 };

struct variable {
    unsigned node;
    uint32_t first; /* byte */
    bool is_floating;
};

struct pruner {
    struct expr_table *table;
    uint32_t *place; /* per expression: its index among the nodes, plus one, in the current call */
    size_t place_capacity;
    expr_id nodes[MOST_NODES]; /* children first */
    unsigned node_count;
    struct variable variables[MOST_VARIABLES];
    unsigned variable_count;
    struct domain *domains; /* one row of node_count for each depth */
    size_t domain_capacity;
    const expr_id *conditions;
    size_t count;
    uint8_t *model;
    size_t size;
    size_t work_left;
};

struct pruner *pruner_create(struct expr_table *table)
{
    size_t capacity = 0;
    struct pruner *pruner = array_reserve(NULL, &capacity, 1, sizeof *pruner);
    *pruner = (struct pruner){.table = table};
    return pruner;
}

void pruner_destroy(struct pruner *pruner)
{
    free(pruner->place);
    free(pruner->domains);
    free(pruner);
}

/* ---- the expressions below the conditions ---- */

static bool list_node(struct pruner *pruner, expr_id id)
{
    if (pruner->place[id])
        return true;
    if (pruner->node_count == MOST_NODES)
        return false;
    pruner->nodes[pruner->node_count++] = id;
    pruner->place[id] = pruner->node_count;
    return true;
}

static void forget_nodes(struct pruner *pruner)
{
    for (unsigned i = 0; i < pruner->node_count; i++)
        pruner->place[pruner->nodes[i]] = 0;
    pruner->node_count = pruner->variable_count = 0;
}

static bool is_leaf(const struct pruner *pruner, expr_id id)
{
    uint32_t first;
    return expr_is_variable(pruner->table, id, &first) || !expr_arity[expr_get(pruner->table, id)->operation];
}

static void note_variable(struct pruner *pruner, unsigned node)
{
    uint32_t first;
    if (expr_is_variable(pruner->table, pruner->nodes[node], &first))
        pruner->variables[pruner->variable_count++] = (struct variable){.node = node, .first = first};
}

static void note_floating(struct pruner *pruner, expr_id id)
{
    for (unsigned i = 0; i < pruner->variable_count; i++)
        if (pruner->nodes[pruner->variables[i].node] == id)
            pruner->variables[i].is_floating = true;
}

static bool list_nodes(struct pruner *pruner, const expr_id *conditions, size_t count)
{
    pruner->place =
        array_reserve_zeroed(pruner->place, &pruner->place_capacity, expr_count(pruner->table), sizeof *pruner->place);
    bool good = true;
    for (size_t i = 0; i < count && good; i++)
        good = list_node(pruner, conditions[i]);
    for (unsigned next = 0; next < pruner->node_count && good; next++) {
        const struct expr *expr = expr_get(pruner->table, pruner->nodes[next]);
        for (unsigned i = 0; i < expr_arity[expr->operation] && good && !is_leaf(pruner, pruner->nodes[next]); i++)
            good = list_node(pruner, expr_child(expr, i));
    }
    return good;
}

/* Sorts them, and finds out what they are; false when it is not for us. */
static bool prepare(struct pruner *pruner, const expr_id *conditions, size_t count)
{
    bool has_floating = false;
    for (size_t i = 0; i < count; i++)
        has_floating |= expr_has_floating(pruner->table, conditions[i]);
    if (!has_floating || !list_nodes(pruner, conditions, count))
        return false;
    expr_sort(pruner->nodes, pruner->node_count);
    for (unsigned i = 0; i < pruner->node_count; i++) {
        pruner->place[pruner->nodes[i]] = i + 1;
        if (pruner->variable_count == MOST_VARIABLES)
            return false;
        note_variable(pruner, i);
    }
    for (unsigned i = 0; i < pruner->node_count; i++) {
        const struct expr *expr = expr_get(pruner->table, pruner->nodes[i]);
        if (is_leaf(pruner, pruner->nodes[i]) || !pn_reads_float((enum pn_operation)expr->operation))
            continue;
        for (unsigned k = 0; k < expr_arity[expr->operation]; k++)
            note_floating(pruner, expr_child(expr, k));
    }
    pruner->domains = array_reserve(pruner->domains, &pruner->domain_capacity,
                                    (size_t)pruner->node_count * (MOST_DEPTH + 2), sizeof *pruner->domains);
    return pruner->variable_count > 0;
}

/* ---- narrowing ---- */

static struct domain *row_of(struct pruner *pruner, unsigned depth)
{
    return pruner->domains + (size_t)depth * pruner->node_count;
}

static struct step_domains step_of(struct pruner *pruner, struct domain *row, unsigned node)
{
    const struct expr *expr = expr_get(pruner->table, pruner->nodes[node]);
    struct step_domains step = {.expr = expr};
    for (unsigned i = 0; i < expr_arity[expr->operation]; i++) {
        step.child[i] = &row[pruner->place[expr_child(expr, i)] - 1];
        step.width[i] = expr_get(pruner->table, expr_child(expr, i))->width;
    }
    step.same = expr_arity[expr->operation] > 1 && expr->a == expr->b;
    return step;
}

static void begin(struct pruner *pruner, struct domain *row)
{
    for (unsigned i = 0; i < pruner->node_count; i++) {
        const struct expr *expr = expr_get(pruner->table, pruner->nodes[i]);
        row[i] = expr->operation == PN_CONSTANT ? domain_of_constant(expr->value, expr->width)
                                                : domain_of_anything(expr->width);
    }
    for (size_t i = 0; i < pruner->count; i++)
        row[pruner->place[pruner->conditions[i]] - 1].may_be_false = false;
}

static bool is_empty(const struct pruner *pruner, const struct domain *row, unsigned node)
{
    return domain_is_empty(&row[node], expr_get(pruner->table, pruner->nodes[node])->width);
}

static bool spend(struct pruner *pruner)
{
    if (pruner->work_left < pruner->node_count) {
        pruner->work_left = 0;
        return false;
    }
    pruner->work_left -= pruner->node_count;
    return true;
}

/* False when something has no value left. */
static bool narrow(struct pruner *pruner, struct domain *row)
{
    bool changed = true;
    for (unsigned round = 0; changed && round < MOST_ROUNDS && spend(pruner); round++) {
        changed = false;
        for (unsigned i = 0; i < pruner->node_count; i++) {
            if (is_leaf(pruner, pruner->nodes[i]))
                continue;
            struct step_domains step = step_of(pruner, row, i);
            struct domain forward = domain_forward(pruner->table, &step);
            changed |= domain_meet(&row[i], &forward);
            if (is_empty(pruner, row, i))
                return false;
        }
        for (unsigned i = pruner->node_count; i-- > 0;) {
            if (is_leaf(pruner, pruner->nodes[i]))
                continue;
            struct step_domains step = step_of(pruner, row, i);
            changed |= domain_backward(pruner->table, &step, &row[i]);
        }
        for (unsigned i = 0; i < pruner->node_count; i++)
            if (is_empty(pruner, row, i))
                return false;
    }
    return true;
}

/* ---- points ---- */

static int64_t place_of(double number, unsigned width)
{
    return pn_float_place(pn_float_bits(number, width), width);
}

static double number_at(int64_t place, unsigned width)
{
    return pn_float_number(pn_float_at(place, width), width);
}

static unsigned width_of(const struct pruner *pruner, const struct variable *variable)
{
    return expr_get(pruner->table, pruner->nodes[variable->node])->width;
}

/* In the middle of what it can be, counted in numbers of its type. */
static uint64_t middle_of(const struct pruner *pruner, const struct domain *row, const struct variable *variable)
{
    const struct domain *domain = &row[variable->node];
    unsigned width = width_of(pruner, variable);
    if (!variable->is_floating)
        return (uint64_t)((__int128)domain->least + ((__int128)domain->greatest - domain->least) / 2) & pn_mask(width);
    if (!(domain->low <= domain->high))
        return pn_float_nan(width);
    __int128 low = place_of(domain->low, width), high = place_of(domain->high, width);
    return pn_float_bits(number_at((int64_t)((low + high) / 2), width), width);
}

static bool middle_holds(struct pruner *pruner, const struct domain *row)
{
    for (unsigned i = 0; i < pruner->variable_count; i++) {
        const struct variable *variable = &pruner->variables[i];
        uint64_t value = middle_of(pruner, row, variable);
        for (unsigned k = 0; k < width_of(pruner, variable) / 8 && variable->first + k < pruner->size; k++)
            pruner->model[variable->first + k] = (uint8_t)(value >> 8 * k);
    }
    return expr_all_hold(pruner->table, pruner->conditions, pruner->count, pruner->model, pruner->size);
}

/* How much there is left of a variable, as a logarithm; 0: one value. */
static double extent_of(const struct pruner *pruner, const struct domain *row, const struct variable *variable)
{
    const struct domain *domain = &row[variable->node];
    unsigned width = width_of(pruner, variable);
    if (!variable->is_floating)
        return log2((double)((__int128)domain->greatest - domain->least) + 1);
    if (!(domain->low <= domain->high))
        return 0;
    if (domain->may_be_nan)
        return 65; /* numbers and NaN are looked at separately */
    return log2((double)((__int128)place_of(domain->high, width) - place_of(domain->low, width)) + 1);
}

/* One input, and no other with the same numbers: then evaluation decides. */
static bool is_single_input(const struct pruner *pruner, const struct domain *row)
{
    for (unsigned i = 0; i < pruner->variable_count; i++) {
        const struct variable *variable = &pruner->variables[i];
        const struct domain *domain = &row[variable->node];
        bool is_single = variable->is_floating ? !domain->may_be_nan && domain->low == domain->high && domain->low != 0
                                               : domain->least == domain->greatest;
        if (!is_single)
            return false;
        for (unsigned k = 0; k < i; k++) { /* variables that overlap are no variables of their own */
            const struct variable *other = &pruner->variables[k];
            if (variable->first < other->first + width_of(pruner, other) / 8 &&
                other->first < variable->first + width_of(pruner, variable) / 8)
                return false;
        }
        if (variable->first + width_of(pruner, variable) / 8 > pruner->size)
            return false;
    }
    return true;
}

/* ---- halving ---- */

/* The lower half, or the upper one, of what a variable can be. */
static void halve(const struct pruner *pruner, struct domain *domain, const struct variable *variable, bool upper)
{
    unsigned width = width_of(pruner, variable);
    if (!variable->is_floating) {
        int64_t middle = (int64_t)((__int128)domain->least + ((__int128)domain->greatest - domain->least) / 2);
        domain->least = upper ? middle + 1 : domain->least;
        domain->greatest = upper ? domain->greatest : middle;
    } else if (domain->may_be_nan) {
        domain->may_be_nan = upper;
        domain->low = upper ? INFINITY : domain->low;
        domain->high = upper ? -INFINITY : domain->high;
    } else {
        __int128 low = place_of(domain->low, width), high = place_of(domain->high, width);
        int64_t middle = (int64_t)(low + (high - low) / 2);
        domain->low = upper ? number_at(middle + 1, width) : domain->low;
        domain->high = upper ? domain->high : number_at(middle, width);
    }
}

static const struct variable *widest(const struct pruner *pruner, const struct domain *row)
{
    const struct variable *found = NULL;
    double most = 0;
    for (unsigned i = 0; i < pruner->variable_count; i++) {
        double extent = extent_of(pruner, row, &pruner->variables[i]);
        if (extent > most) {
            most = extent;
            found = &pruner->variables[i];
        }
    }
    return found;
}

static enum prune_answer search(struct pruner *pruner, unsigned depth)
{
    struct domain *row = row_of(pruner, depth);
    if (!narrow(pruner, row))
        return PRUNE_CONTRADICTION;
    if (middle_holds(pruner, row))
        return PRUNE_MODEL;
    const struct variable *variable = widest(pruner, row);
    if (!variable)
        return is_single_input(pruner, row) ? PRUNE_CONTRADICTION : PRUNE_UNKNOWN;
    if (depth == MOST_DEPTH || !pruner->work_left)
        return PRUNE_UNKNOWN;
    for (int upper = 0; upper < 2; upper++) {
        struct domain *half = row_of(pruner, depth + 1);
        memcpy(half, row, pruner->node_count * sizeof *row);
        halve(pruner, &half[variable->node], variable, upper);
        enum prune_answer answer = search(pruner, depth + 1);
        if (answer != PRUNE_CONTRADICTION)
            return answer;
    }
    return PRUNE_CONTRADICTION;
}

enum prune_answer prune(struct pruner *pruner, const expr_id *conditions, size_t count, uint8_t *model, size_t size,
                        size_t work)
{
    enum prune_answer answer = PRUNE_UNKNOWN;
    if (prepare(pruner, conditions, count)) {
        pruner->conditions = conditions;
        pruner->count = count;
        pruner->model = model;
        pruner->size = size;
        pruner->work_left = work;
        begin(pruner, row_of(pruner, 0));
        answer = search(pruner, 0);
    }
    forget_nodes(pruner);
    return answer;
}

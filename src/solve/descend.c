#include "solve/descend.h"

#include "base/arena.h"
#include "base/set.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_VISITS = 4000,
    MOST_VARIABLES = 64,
    MOST_CONSTANTS = 64,
    MOST_LEVELS = 24,
    WORK_OF_AN_EVALUATION = 400,
    ROUNDS = 6, /* over all variables, from one start */
};

struct variable {
    expr_id id;
    uint32_t first; /* byte */
    unsigned width;
    bool is_floating;
};

struct descent {
    struct expr_table *table;
    uint64_t random;
    struct variable variables[MOST_VARIABLES];
    size_t variable_count;
    struct {
        uint64_t value;
        unsigned width;
    } constants[MOST_CONSTANTS]; /* floating-point numbers in the conditions */
    size_t constant_count;
    expr_id *cone;
    size_t cone_capacity;
    /* the walk */
    const expr_id *conditions;
    size_t count;
    uint8_t *model;
    size_t size;
    unsigned evaluations_left;
    uint64_t work_limit;
};

struct descent *descent_create(struct expr_table *table)
{
    size_t capacity = 0;
    struct descent *descent = array_reserve(NULL, &capacity, 1, sizeof *descent);
    *descent = (struct descent){.table = table};
    return descent;
}

void descent_destroy(struct descent *descent)
{
    free(descent->cone);
    free(descent);
}

static uint64_t random_word(struct descent *descent)
{
    descent->random ^= descent->random << 13;
    descent->random ^= descent->random >> 7;
    descent->random ^= descent->random << 17;
    return descent->random;
}

/* ---- what the conditions are made of ---- */

static void add_variable(struct descent *descent, expr_id id, uint32_t first)
{
    if (descent->variable_count < MOST_VARIABLES)
        descent->variables[descent->variable_count++] =
            (struct variable){.id = id, .first = first, .width = expr_get(descent->table, id)->width};
}

static void note_floating(struct descent *descent, expr_id id)
{
    const struct expr *expr = expr_get(descent->table, id);
    if (expr->operation == PN_CONSTANT && descent->constant_count < MOST_CONSTANTS) {
        descent->constants[descent->constant_count].value = expr->value;
        descent->constants[descent->constant_count++].width = expr->width;
    }
    for (size_t i = 0; i < descent->variable_count; i++)
        if (descent->variables[i].id == id)
            descent->variables[i].is_floating = true;
}

static void add_to_cone(struct descent *descent, struct set *seen, size_t *count, expr_id id)
{
    if (*count >= MOST_VISITS || !set_add(seen, &id, sizeof id))
        return;
    descent->cone = array_reserve(descent->cone, &descent->cone_capacity, *count + 1, sizeof *descent->cone);
    descent->cone[(*count)++] = id;
}

/* Lists the variables and the numbers below the conditions; false when there are too many expressions. */
static bool explore(struct descent *descent, const expr_id *conditions, size_t condition_count)
{
    struct set *seen = set_create();
    size_t count = 0;
    uint32_t first;
    descent->variable_count = descent->constant_count = 0;
    for (size_t i = 0; i < condition_count; i++)
        add_to_cone(descent, seen, &count, conditions[i]);
    for (size_t next = 0; next < count; next++) {
        const struct expr *expr = expr_get(descent->table, descent->cone[next]);
        if (expr_is_variable(descent->table, descent->cone[next], &first)) {
            add_variable(descent, descent->cone[next], first);
            continue;
        }
        for (unsigned i = 0; i < expr_arity[expr->operation]; i++)
            add_to_cone(descent, seen, &count, expr_child(expr, i));
    }
    for (size_t i = 0; i < count; i++) {
        const struct expr *expr = expr_get(descent->table, descent->cone[i]);
        for (unsigned k = 0; k < expr_arity[expr->operation] && pn_reads_float(expr->operation); k++)
            note_floating(descent, expr_child(expr, k));
    }
    set_destroy(seen);
    return count < MOST_VISITS;
}

static bool have_floating(const struct expr_table *table, const expr_id *conditions, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (expr_has_floating(table, conditions[i]))
            return true;
    return false;
}

/* ---- how far it is ---- */

static double logarithm(double distance)
{
    return log2(1 + distance);
}

static double between(int64_t low, int64_t high)
{
    return (double)high - (double)low;
}

static double float_distance(const struct expr *expr, uint64_t a, uint64_t b, unsigned width, bool wanted)
{
    bool unordered = pn_float_is_nan(a, width) || pn_float_is_nan(b, width);
    int64_t place_a = pn_float_place(a, width), place_b = pn_float_place(b, width);
    if (unordered)
        return wanted ? 64 : 0;
    if (expr->operation == PN_FEQ)
        return wanted ? logarithm(fabs(between(place_a, place_b))) : place_a == place_b;
    bool strict = expr->operation == PN_FLT;
    double excess = wanted ? between(place_b, place_a) + strict : between(place_a, place_b) + !strict;
    return excess > 0 ? logarithm(excess) : 0;
}

static double integer_distance(const struct expr *expr, uint64_t a, uint64_t b, unsigned width, bool wanted)
{
    bool is_signed = expr->operation == PN_SLT || expr->operation == PN_SLE;
    double x = is_signed ? (double)pn_signed(a, width) : (double)a,
           y = is_signed ? (double)pn_signed(b, width) : (double)b;
    if (expr->operation == PN_EQ)
        return wanted ? logarithm(fabs((double)pn_signed(a, width) - (double)pn_signed(b, width))) : a == b;
    bool strict = expr->operation == PN_SLT || expr->operation == PN_ULT;
    double excess = wanted ? x - y + strict : y - x + !strict;
    return excess > 0 ? logarithm(excess) : 0;
}

static bool is_comparison(enum pn_operation operation)
{
    return (operation >= PN_EQ && operation <= PN_SLE) || (operation >= PN_FEQ && operation <= PN_FLE);
}

/* 0 where the condition has the wanted outcome in the latest evaluation. */
static double distance(struct descent *descent, expr_id id, bool wanted, unsigned level)
{
    const struct expr *expr = expr_get(descent->table, id);
    bool holds = expr_evaluate_too(descent->table, id);
    uint64_t constant;
    if (holds == wanted)
        return 0;
    if (level == MOST_LEVELS || expr->width > 1)
        return 1;
    if (is_comparison((enum pn_operation)expr->operation)) {
        uint64_t a = expr_evaluate_too(descent->table, expr->a), b = expr_evaluate_too(descent->table, expr->b);
        unsigned width = expr_get(descent->table, expr->a)->width;
        bool of_floats = pn_reads_float((enum pn_operation)expr->operation);
        double far =
            of_floats ? float_distance(expr, a, b, width, wanted) : integer_distance(expr, a, b, width, wanted);
        return far > 0 ? far : 1;
    }
    if (expr->operation == PN_XOR && expr_is_constant(descent->table, expr->b, &constant))
        return distance(descent, expr->a, wanted != (constant & 1), level + 1);
    if (expr->operation != PN_AND && expr->operation != PN_OR)
        return 1;
    double a = distance(descent, expr->a, wanted, level + 1), b = distance(descent, expr->b, wanted, level + 1);
    bool both = (expr->operation == PN_AND) == wanted;
    return both ? a + b : a < b ? a : b;
}

static double total_distance(struct descent *descent)
{
    double total = 0;
    if (descent->evaluations_left > 0)
        descent->evaluations_left--;
    expr_evaluate(descent->table, descent->conditions[0], descent->model, descent->size);
    for (size_t i = 0; i < descent->count; i++)
        total += distance(descent, descent->conditions[i], true, 0);
    return total;
}

static bool has_time(const struct descent *descent)
{
    return descent->evaluations_left > 0 && expr_evaluation_work(descent->table) < descent->work_limit;
}

/* ---- moving ---- */

static uint64_t read_variable(const struct descent *descent, const struct variable *variable)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < variable->width / 8 && variable->first + i < descent->size; i++)
        value |= (uint64_t)descent->model[variable->first + i] << 8 * i;
    return value;
}

static void write_variable(struct descent *descent, const struct variable *variable, uint64_t value)
{
    for (unsigned i = 0; i < variable->width / 8 && variable->first + i < descent->size; i++)
        descent->model[variable->first + i] = (uint8_t)(value >> 8 * i);
}

/* The value so many places further on; it stays where there is none. */
static uint64_t moved(const struct variable *variable, uint64_t value, int64_t step)
{
    int64_t place, end = (int64_t)pn_float_infinity(variable->width);
    if (!variable->is_floating)
        return (value + (uint64_t)step) & pn_mask(variable->width);
    if (pn_float_is_nan(value, variable->width))
        value = 0;
    if (__builtin_add_overflow(pn_float_place(value, variable->width), step, &place))
        place = step < 0 ? -end : end;
    return pn_float_at(place > end ? end : place < -end ? -end : place, variable->width);
}

/* Keeps the value if it is better. */
static bool improve(struct descent *descent, const struct variable *variable, uint64_t value, double *best)
{
    uint64_t before = read_variable(descent, variable);
    if (value == before || !has_time(descent))
        return false;
    write_variable(descent, variable, value);
    double now = total_distance(descent);
    if (now < *best) {
        *best = now;
        return true;
    }
    write_variable(descent, variable, before);
    return false;
}

/* One step in each direction, then longer ones as long as they help; then again from one step on. */
static bool walk(struct descent *descent, const struct variable *variable, double *best)
{
    bool any = false, again = true;
    while (again && *best > 0 && has_time(descent)) {
        again = false;
        for (int direction = -1; direction <= 1 && !again; direction += 2) {
            for (unsigned bit = 0; bit < variable->width - 1; bit++) {
                int64_t step = direction * (INT64_C(1) << bit);
                bool better = improve(descent, variable, moved(variable, read_variable(descent, variable), step), best);
                again |= better;
                if (again && !better)
                    break;
            }
        }
        any |= again;
    }
    return any;
}

/* Numbers that stand in the conditions, and some that are special. */
static bool try_constants(struct descent *descent, const struct variable *variable, double *best)
{
    static const double special[] = {0, 1, -1, 2, 0.5, 10, 100, 1e6, 1e-6, 1e300, 1e-300, INFINITY, -INFINITY, NAN};
    bool any = false;
    if (!variable->is_floating)
        return false;
    for (size_t i = 0; i < sizeof special / sizeof *special; i++)
        any |= improve(descent, variable, pn_float_bits(special[i], variable->width), best);
    for (size_t i = 0; i < descent->constant_count; i++) {
        double number = pn_float_number(descent->constants[i].value, descent->constants[i].width);
        any |= improve(descent, variable, pn_float_bits(number, variable->width), best);
        any |= improve(descent, variable, pn_float_bits(-number, variable->width), best);
    }
    return any;
}

static bool descend_from_here(struct descent *descent)
{
    double best = total_distance(descent);
    for (unsigned round = 0; round < ROUNDS && best > 0 && has_time(descent); round++) {
        bool any = false;
        for (size_t i = 0; i < descent->variable_count && best > 0; i++) {
            any |= walk(descent, &descent->variables[i], &best);
            any |= best > 0 && round == 0 && try_constants(descent, &descent->variables[i], &best);
        }
        if (!any)
            break;
    }
    return best <= 0 &&
           expr_all_hold(descent->table, descent->conditions, descent->count, descent->model, descent->size);
}

/* A start for a variable: a number of any size, or one of the conditions' own, with a few digits. */
static uint64_t random_start(struct descent *descent, const struct variable *variable)
{
    uint64_t word = random_word(descent);
    if (!variable->is_floating)
        return word >> random_word(descent) % 64;
    double number = (double)(int64_t)(word % 2001) / 8 - 125;
    switch (random_word(descent) % 4) {
    case 0: return word & pn_mask(variable->width);
    case 1: return pn_float_bits(ldexp(number, (int)(random_word(descent) % 61) - 30), variable->width);
    case 2:
        if (descent->constant_count) {
            size_t i = random_word(descent) % descent->constant_count;
            number += pn_float_number(descent->constants[i].value, descent->constants[i].width);
        }
        return pn_float_bits(number, variable->width);
    default: return pn_float_bits(number, variable->width);
    }
}

bool descend(struct descent *descent, const expr_id *conditions, size_t count, uint8_t *model, size_t size,
             unsigned evaluations)
{
    if (!have_floating(descent->table, conditions, count) || !explore(descent, conditions, count) ||
        !descent->variable_count)
        return false;
    descent->random = UINT64_C(0x9e3779b97f4a7c15);
    descent->conditions = conditions;
    descent->count = count;
    descent->model = model;
    descent->size = size;
    descent->evaluations_left = evaluations;
    descent->work_limit = expr_evaluation_work(descent->table) + (uint64_t)evaluations * WORK_OF_AN_EVALUATION;
    while (!descend_from_here(descent)) {
        if (!has_time(descent))
            return false;
        for (size_t i = 0; i < descent->variable_count; i++)
            write_variable(descent, &descent->variables[i], random_start(descent, &descent->variables[i]));
    }
    return true;
}

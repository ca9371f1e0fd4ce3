#include "solve/cadical.h"

#include "base/arena.h"
#include "base/clock.h"
#include "solve/blast.h"

#include <malloc.h>
#include <stdlib.h>

enum { SATISFIABLE = 10, UNSATISFIABLE = 20 };

struct cadical_tier {
    struct expr_table *table;
    struct blaster *blaster;
    double deadline;
    expr_id *core;
    size_t core_count, core_capacity;
};

struct cadical_tier *cadical_tier_create(struct expr_table *table)
{
    size_t capacity = 0;
    struct cadical_tier *tier = array_reserve(NULL, &capacity, 1, sizeof *tier);
    *tier = (struct cadical_tier){.table = table};
    return tier;
}

void cadical_tier_destroy(struct cadical_tier *tier)
{
    blaster_destroy(tier->blaster);
    free(tier->core);
    free(tier);
}

const expr_id *cadical_tier_core(const struct cadical_tier *tier, size_t *count)
{
    *count = tier->core_count;
    return tier->core;
}

/* Limits */

static int time_is_over(void *context)
{
    const struct cadical_tier *tier = context;
    return clock_seconds() > tier->deadline;
}

static bool should_stop(void *context)
{
    return time_is_over(context);
}

/* A translation is kept for the next query while it is small. Its memory goes back to the system, not only to malloc():
 * another process needs it more. */
enum { MOST_KEPT_CLAUSES = 200000 };

static void tidy(struct cadical_tier *tier)
{
    if (gates_clause_count(blaster_gates(tier->blaster)) <= MOST_KEPT_CLAUSES)
        return;
    blaster_destroy(tier->blaster);
    tier->blaster = NULL;
    malloc_trim(0);
}

static void begin(struct cadical_tier *tier, double seconds)
{
    tier->deadline = clock_seconds() + seconds;
    if (tier->blaster)
        return;
    tier->blaster = blaster_create(tier->table);
    ccadical_set_terminate(gates_solver(blaster_gates(tier->blaster)), tier, time_is_over);
}

/* The query */

static bool translate(struct cadical_tier *tier, const expr_id *conditions, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!blast(tier->blaster, conditions[i], should_stop, tier))
            return false;
    return true;
}

static void assume(struct cadical_tier *tier, const expr_id *conditions, size_t count, const struct byte_list *bytes,
                   size_t size)
{
    CCaDiCaL *solver = gates_solver(blaster_gates(tier->blaster));
    for (size_t i = 0; i < count; i++)
        ccadical_assume(solver, *blasted(tier->blaster, conditions[i]));
    for (size_t i = bytes->count; i > 0 && bytes->bytes[i - 1] >= size; i--) {
        const literal *past_end = blasted(tier->blaster, expr_input(tier->table, bytes->bytes[i - 1]));
        for (unsigned bit = 0; past_end && bit < 8; bit++)
            ccadical_assume(solver, -past_end[bit]);
    }
}

static void read_core(struct cadical_tier *tier, const expr_id *conditions, size_t count)
{
    CCaDiCaL *solver = gates_solver(blaster_gates(tier->blaster));
    tier->core = array_reserve(tier->core, &tier->core_capacity, count, sizeof *tier->core);
    tier->core_count = 0;
    for (size_t i = 0; i < count; i++)
        if (ccadical_failed(solver, *blasted(tier->blaster, conditions[i])))
            tier->core[tier->core_count++] = conditions[i];
}

static void read_model(struct cadical_tier *tier, const struct byte_list *bytes, uint8_t *model, size_t size)
{
    CCaDiCaL *solver = gates_solver(blaster_gates(tier->blaster));
    for (size_t i = 0; i < bytes->count && bytes->bytes[i] < size; i++) {
        const literal *bits = blasted(tier->blaster, expr_input(tier->table, bytes->bytes[i]));
        if (!bits)
            continue;
        unsigned value = 0;
        for (unsigned bit = 0; bit < 8; bit++)
            value |= (unsigned)(ccadical_val(solver, bits[bit]) > 0) << bit;
        model[bytes->bytes[i]] = (uint8_t)value;
    }
}

static enum solve_answer ask(struct cadical_tier *tier, const expr_id *conditions, size_t count,
                             const struct byte_list *bytes, uint8_t *model, size_t size, int conflicts)
{
    if (!translate(tier, conditions, count))
        return SOLVE_UNKNOWN;
    assume(tier, conditions, count, bytes, size);
    ccadical_limit(gates_solver(blaster_gates(tier->blaster)), "conflicts", conflicts); /* of the next call */
    int result = ccadical_solve(gates_solver(blaster_gates(tier->blaster)));
    if (result == UNSATISFIABLE) {
        read_core(tier, conditions, count);
        return SOLVE_UNSATISFIABLE;
    }
    if (result != SATISFIABLE)
        return SOLVE_UNKNOWN;
    read_model(tier, bytes, model, size);
    return SOLVE_SATISFIABLE;
}

enum solve_answer cadical_tier_solve(struct cadical_tier *tier, const expr_id *conditions, size_t count,
                                     const struct byte_list *bytes, uint8_t *model, size_t size, double seconds,
                                     int conflicts)
{
    begin(tier, seconds);
    enum solve_answer answer = ask(tier, conditions, count, bytes, model, size, conflicts);
    tidy(tier);
    return answer;
}

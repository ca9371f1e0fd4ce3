/* Measures the solver on the queries of a complete exploration: small programs are run again and again on expressions,
 * and every branch is asked for its other side. Prints questions per second, and how many times as many that is as with
 * Z3 alone, on a sample of the same questions in the same process; then what each tier has answered.
 *
 *   bench/solve [PROGRAM...] */
#include "solve/solve.h"
#include "base/arena.h"
#include "expr/expr.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST_INPUT = 64, MOST_BRANCHES = 256, MOST_SECONDS = 20, SAMPLES = 150, TIMEOUT = 5000 };

struct run {
    struct expr_table *table;
    const uint8_t *input;
    size_t size;
    expr_id taken[MOST_BRANCHES]; /* the conditions as they went */
    size_t count;
};

/* What the programs are written with */

static expr_id variable(struct run *run, unsigned index)
{
    expr_id value = expr_input(run->table, 4 * index);
    for (unsigned i = 1; i < 4; i++)
        value = expr_make(run->table, PN_CONCAT, 8 * i + 8, expr_input(run->table, 4 * index + i), value, 0);
    return value;
}

static expr_id number(struct run *run, int value)
{
    return expr_constant(run->table, 32, (uint64_t)value);
}

static expr_id operate(struct run *run, enum pn_operation operation, expr_id a, expr_id b)
{
    return expr_make(run->table, operation, 32, a, b, 0);
}

static bool branch(struct run *run, enum pn_operation comparison, expr_id a, expr_id b)
{
    expr_id condition = expr_make(run->table, comparison, 1, a, b, 0);
    uint64_t outcome = expr_evaluate(run->table, condition, run->input, run->size), constant;
    if (!expr_is_constant(run->table, condition, &constant) && run->count < MOST_BRANCHES)
        run->taken[run->count++] = outcome ? condition : expr_not(run->table, condition);
    return outcome;
}

/* Programs */

/* Nine inputs, each in one of three bands, and a few decisions on sums: slices repeat. */
static void controller(struct run *run)
{
    for (unsigned i = 0; i < 9; i++)
        if (!branch(run, PN_SLT, variable(run, i), number(run, 0)))
            branch(run, PN_SLT, variable(run, i), number(run, 10 * (int)i + 10));
    for (unsigned i = 0; i < 2; i++)
        branch(run, PN_EQ, operate(run, PN_ADD, variable(run, i), variable(run, i + 1)), number(run, 7));
}

/* Insertion sort of seven: no slice comes twice. */
static void sort(struct run *run)
{
    expr_id values[7];
    for (unsigned i = 0; i < 7; i++)
        values[i] = variable(run, i);
    for (unsigned i = 1; i < 7; i++) {
        expr_id value = values[i];
        unsigned at = i;
        for (; at > 0 && branch(run, PN_SLT, value, values[at - 1]); at--)
            values[at] = values[at - 1];
        values[at] = value;
    }
}

/* Products and remainders of 32 bits. */
static void arithmetic(struct run *run)
{
    expr_id a = variable(run, 0), b = variable(run, 1), c = variable(run, 2);
    expr_id product = operate(run, PN_MUL, a, b), square = operate(run, PN_MUL, c, c);
    branch(run, PN_SLT, a, number(run, 100));
    branch(run, PN_SLT, number(run, 3), b);
    branch(run, PN_SLT, product, number(run, 1000));
    branch(run, PN_EQ, square, number(run, 1369));
    branch(run, PN_SLT, operate(run, PN_ADD, product, c), square);
    for (int i = 0; i < 3; i++) {
        product = operate(run, PN_ADD, operate(run, PN_MUL, product, number(run, 31)), c);
        branch(run, PN_EQ, operate(run, PN_SREM, product, number(run, 7)), number(run, i));
        branch(run, PN_EQ, operate(run, PN_AND, product, number(run, 12)), number(run, 4 * i));
    }
}

/* Floating point */

/* A number between -1000 and 1000 of an input, as programs make them of what they read. */
static expr_id measured(struct run *run, unsigned index, double scale)
{
    expr_id whole = expr_make(run->table, PN_SREM, 32, variable(run, index), number(run, 1000), 0);
    return expr_make(run->table, PN_FMUL, 64, expr_make(run->table, PN_SFLOAT, 64, whole, 0, 0),
                     expr_constant(run->table, 64, pn_double_bits(scale)), 0);
}

static expr_id real(struct run *run, unsigned index)
{
    expr_id low = variable(run, 2 * index), high = variable(run, 2 * index + 1);
    return expr_make(run->table, PN_CONCAT, 64, high, low, 0);
}

static expr_id fraction(struct run *run, double value)
{
    return expr_constant(run->table, 64, pn_double_bits(value));
}

static expr_id compute(struct run *run, enum pn_operation operation, expr_id a, expr_id b)
{
    return expr_make(run->table, operation, 64, a, b, 0);
}

/* Four readings that are scaled, added and compared with bands. */
static void sensors(struct run *run)
{
    expr_id sum = fraction(run, 0);
    for (unsigned i = 0; i < 4; i++) {
        expr_id value = measured(run, i, 0.1);
        if (!branch(run, PN_FLT, value, fraction(run, -40)))
            branch(run, PN_FLT, fraction(run, 85.5), value);
        sum = compute(run, PN_FADD, sum, value);
    }
    branch(run, PN_FLT, compute(run, PN_FMUL, sum, fraction(run, 0.25)), fraction(run, 20));
    branch(run, PN_FEQ, sum, fraction(run, 100));
}

/* The roots of a polynomial of any doubles: products that do not cancel. */
static void roots(struct run *run)
{
    expr_id a = real(run, 0), b = real(run, 1), c = real(run, 2);
    if (!branch(run, PN_FLT, fraction(run, 0), a) || !branch(run, PN_FLT, a, fraction(run, 1e6)))
        return;
    expr_id square = compute(run, PN_FMUL, b, b),
            product = compute(run, PN_FMUL, compute(run, PN_FMUL, a, c), fraction(run, 4));
    if (!branch(run, PN_FLE, product, square) || !branch(run, PN_FLT, square, fraction(run, 1e9)))
        return;
    expr_id root = expr_make(run->table, PN_FSQRT, 64, compute(run, PN_FSUB, square, product), 0, 0);
    expr_id first = compute(run, PN_FDIV, compute(run, PN_FSUB, root, b), compute(run, PN_FADD, a, a));
    branch(run, PN_FEQ, root, fraction(run, 0));
    branch(run, PN_FLT, first, fraction(run, 1));
    branch(run, PN_FEQ, compute(run, PN_FADD, first, fraction(run, 0.1)), fraction(run, 0.3));
}

/* Money in doubles: a part is rounded, and compared with what is left. */
static void money(struct run *run)
{
    expr_id amount = real(run, 0), rate = real(run, 1);
    if (!branch(run, PN_FLE, fraction(run, 0), amount) || !branch(run, PN_FLT, amount, fraction(run, 1e7)) ||
        !branch(run, PN_FLE, fraction(run, 0), rate) || !branch(run, PN_FLT, rate, fraction(run, 1)))
        return;
    for (unsigned i = 0; i < 3; i++) {
        expr_id part = compute(run, PN_FMUL, amount, rate);
        expr_id cents = compute(run, PN_FMUL, part, fraction(run, 100));
        expr_id rounded = expr_make(run->table, PN_FROUND, 64, cents, PN_TO_NEAREST_AWAY, 0);
        branch(run, PN_FEQ, cents, rounded);
        amount = compute(run, PN_FSUB, amount, compute(run, PN_FDIV, rounded, fraction(run, 100)));
        branch(run, PN_FLT, amount, fraction(run, 10.01));
    }
}

/* A square that rounding does not make negative: to be proven by cutting the plane in pieces. */
static void polynomial(struct run *run)
{
    expr_id x = real(run, 0), y = real(run, 1);
    for (unsigned i = 0; i < 2; i++)
        if (!branch(run, PN_FLE, fraction(run, -10), i ? y : x) || !branch(run, PN_FLE, i ? y : x, fraction(run, 10)))
            return;
    expr_id squares = compute(run, PN_FADD, compute(run, PN_FMUL, x, x), compute(run, PN_FMUL, y, y));
    expr_id product = compute(run, PN_FMUL, compute(run, PN_FMUL, x, y), fraction(run, 2));
    expr_id square = compute(run, PN_FSUB, squares, product);
    branch(run, PN_FLT, square, fraction(run, -0.5));
    branch(run, PN_FLT, square, fraction(run, -0.01));
    branch(run, PN_FLT, fraction(run, 399), square);
}

struct program {
    const char *name;
    void (*execute)(struct run *run);
    size_t size;
};

static const struct program programs[] = {
    {"controller", controller, 36}, {"sort", sort, 28},   {"arithmetic", arithmetic, 12}, {"sensors", sensors, 16},
    {"roots", roots, 24},           {"money", money, 16}, {"polynomial", polynomial, 16}};

/* Exploration */

struct job {
    uint8_t input[MOST_INPUT];
    size_t first; /* branches before this one were asked */
};

struct question {
    expr_id prefix[MOST_BRANCHES];
    size_t prefix_count;
    expr_id goal;
    uint8_t hint[MOST_INPUT];
};

struct exploration {
    const struct program *program;
    struct solver *solver;
    struct job *jobs;
    size_t job_count, job_capacity;
    size_t paths, questions;
    double seconds; /* for the questions */
    struct question samples[SAMPLES];
};

/* Processor time: others may be busy on the machine. */
static double seconds_now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* Keeps an even choice of all questions so far. */
static void sample(struct exploration *exploration, const struct solve_query *query)
{
    size_t at = exploration->questions;
    if (at >= SAMPLES)
        at = (at * UINT64_C(0x9e3779b97f4a7c15) >> 20) % (at + 1);
    if (at >= SAMPLES)
        return;
    struct question *question = &exploration->samples[at];
    memcpy(question->prefix, query->prefix, query->prefix_count * sizeof *query->prefix);
    question->prefix_count = query->prefix_count;
    question->goal = *query->goals;
    memcpy(question->hint, query->hint, query->input_size);
}

static void add_job(struct exploration *exploration, const struct job *job)
{
    exploration->jobs = array_reserve(exploration->jobs, &exploration->job_capacity, exploration->job_count + 1,
                                      sizeof *exploration->jobs);
    exploration->jobs[exploration->job_count++] = *job;
}

static void ask_for_other_sides(struct exploration *exploration, const struct run *run, size_t first)
{
    double start = seconds_now();
    for (size_t i = first; i < run->count; i++) {
        struct job found = {.first = i + 1};
        expr_id goal = expr_not(run->table, run->taken[i]);
        struct solve_query query = {run->taken, i, &goal, 1, run->input, run->size, false};
        sample(exploration, &query);
        enum solve_answer answer = solver_query(exploration->solver, &query, found.input);
        exploration->questions++;
        if (answer == SOLVE_SATISFIABLE)
            add_job(exploration, &found);
    }
    exploration->seconds += seconds_now() - start;
}

static void explore(struct exploration *exploration, struct expr_table *table)
{
    double start = seconds_now();
    add_job(exploration, &(struct job){0});
    while (exploration->job_count > 0 && seconds_now() - start < MOST_SECONDS) {
        struct job job = exploration->jobs[--exploration->job_count];
        struct run run = {.table = table, .input = job.input, .size = exploration->program->size};
        exploration->program->execute(&run);
        exploration->paths++;
        ask_for_other_sides(exploration, &run, job.first);
    }
}

/* Seconds for one of the samples with Z3 alone. */
static double z3_seconds(const struct exploration *exploration, struct expr_table *table)
{
    struct solver *z3 = solver_create(table, TIMEOUT);
    solver_use(z3, SOLVE_WITH_Z3);
    size_t count = exploration->questions < SAMPLES ? exploration->questions : SAMPLES, asked = 0;
    double start = seconds_now();
    for (size_t i = 0; i < count && seconds_now() - start < MOST_SECONDS; i++, asked++) {
        const struct question *question = &exploration->samples[i];
        uint8_t model[MOST_INPUT];
        struct solve_query query = {question->prefix,
                                    question->prefix_count,
                                    &question->goal,
                                    1,
                                    question->hint,
                                    exploration->program->size,
                                    false};
        solver_query(z3, &query, model);
    }
    solver_destroy(z3);
    return (seconds_now() - start) / (double)asked;
}

static void print_tiers(const struct solver *solver)
{
    struct solve_tier tier;
    const char *before = "             ";
    for (size_t i = 0; solver_tier(solver, i, &tier); i++)
        if (tier.satisfiable + tier.unsatisfiable) {
            printf("%s%s %zu+%zu", before, tier.name, tier.satisfiable, tier.unsatisfiable);
            before = "; ";
        }
    printf("\n");
}

static void measure(const struct program *program)
{
    struct expr_table *table = expr_table_create();
    struct exploration *exploration = calloc(1, sizeof *exploration);
    if (!exploration)
        exit(1);
    exploration->program = program;
    exploration->solver = solver_create(table, TIMEOUT);
    explore(exploration, table);
    const struct solve_statistics *by = solver_statistics(exploration->solver);
    double each = exploration->seconds / (double)exploration->questions;
    printf("%-12s %8zu %9zu %11.0f %11.0f   %zu %zu %zu %zu %zu %zu %zu, %zu unknown%s\n", program->name,
           exploration->paths, exploration->questions, 1 / each, z3_seconds(exploration, table) / each,
           by->by_evaluation, by->by_cache, by->by_models, by->by_ranges, by->by_search, by->by_cadical, by->by_z3,
           by->unknown, exploration->job_count > 0 ? ", not finished" : "");
    print_tiers(exploration->solver);
    solver_destroy(exploration->solver);
    expr_table_destroy(table);
    free(exploration->jobs);
    free(exploration);
}

int main(int count, char **names)
{
    printf("Solver, on the questions of a complete exploration\n\n");
    printf("program         paths questions  per second  times Z3's  by evaluation, cache, models, ranges, search, "
           "CaDiCaL, Z3\n"
           "             then, by tier: parts of questions that it has found satisfiable + unsatisfiable\n");
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        bool is_chosen = count == 1;
        for (int j = 1; j < count; j++)
            is_chosen |= strcmp(names[j], programs[i].name) == 0;
        if (is_chosen)
            measure(&programs[i]);
    }
    return 0;
}

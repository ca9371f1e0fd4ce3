/* Floating point: what the operations compute (against the C library, and against Z3), what simplification keeps, and
 * what each tier of the solver says (against Z3). */
#include "random_expr.h"

#include "solve/prune.h"
#include "solve/slice.h"
#include "solve/solve.h"
#include "solve/z3.h"
#include "trace/mathematics.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <string.h>

/* Numbers at which something happens, their neighbours, and any. */
static uint64_t interesting_number(unsigned width)
{
    static const double numbers[] = {0,
                                     1,
                                     2,
                                     0.5,
                                     3,
                                     10,
                                     0.1,
                                     1e10,
                                     1e-10,
                                     INFINITY,
                                     NAN,
                                     DBL_MAX,
                                     DBL_MIN,
                                     5e-324,
                                     0x1p31,
                                     0x1p32,
                                     0x1p63,
                                     0x1p64,
                                     0x1p52,
                                     0x1p53,
                                     0x1p23,
                                     0x1p24,
                                     FLT_MAX,
                                     FLT_MIN,
                                     1e-45,
                                     2147483647.5,
                                     4.5,
                                     2.5,
                                     0.49999999999999994,
                                     1.5,
                                     0x1p-1022,
                                     0x1p1023,
                                     1e300,
                                     16777217};
    uint64_t bits = pn_float_bits(numbers[random_below(sizeof numbers / sizeof *numbers)], width);
    switch (random_below(6)) {
    case 0: bits = random_bits(); break;
    case 1: bits = pn_float_bits((double)(int64_t)(random_bits() % 2000) / 16 - 60, width); break;
    case 2: bits += random_below(3) - 1; break;
    default: break;
    }
    if (random_below(2))
        bits ^= pn_float_sign(width);
    return cut(bits, width);
}

static void operations_agree_with_the_library(void **state)
{
    (void)state;
    for (unsigned turn = 0; turn < 50000; turn++) {
        uint64_t bits = interesting_number(64), more = interesting_number(64), third = interesting_number(64);
        double x = pn_double(bits), y = pn_double(more), z = pn_double(third);
        const double integral[] = {[PN_TO_NEAREST_EVEN] = nearbyint(x),
                                   [PN_TO_NEAREST_AWAY] = round(x),
                                   [PN_DOWN] = floor(x),
                                   [PN_UP] = ceil(x),
                                   [PN_TOWARDS_ZERO] = trunc(x)};
        for (unsigned i = 0; i < PN_ROUNDING_COUNT; i++)
            assert_true(pn_operation_value(PN_FROUND, 64, 64, bits, i, 0) == pn_double_bits(integral[i]));
        assert_true(pn_operation_value(PN_FSQRT, 64, 64, bits, 0, 0) == pn_double_bits(sqrt(x)));
        assert_true(pn_operation_value(PN_FMA, 64, 64, bits, more, third) == pn_double_bits(fma(x, y, z)));
        assert_true(pn_operation_value(PN_FDIV, 64, 64, bits, more, 0) == pn_double_bits(x / y));
        uint64_t small = interesting_number(32);
        float f = pn_single(small);
        const float rounded[] = {[PN_TO_NEAREST_EVEN] = nearbyintf(f),
                                 [PN_TO_NEAREST_AWAY] = roundf(f),
                                 [PN_DOWN] = floorf(f),
                                 [PN_UP] = ceilf(f),
                                 [PN_TOWARDS_ZERO] = truncf(f)};
        for (unsigned i = 0; i < PN_ROUNDING_COUNT; i++)
            assert_true(pn_operation_value(PN_FROUND, 32, 32, small, i, 0) == pn_single_bits(rounded[i]));
        assert_true(pn_operation_value(PN_FSQRT, 32, 32, small, 0, 0) == pn_single_bits(sqrtf(f)));
        assert_true(pn_operation_value(PN_FSINT, 32, 64, bits, 0, 0) == (uint32_t)_mm_cvttsd_si32(_mm_set_sd(x)));
        assert_true(pn_operation_value(PN_FSINT, 64, 64, bits, 0, 0) == (uint64_t)_mm_cvttsd_si64(_mm_set_sd(x)));
        assert_true(pn_operation_value(PN_FSINT, 32, 32, small, 0, 0) == (uint32_t)_mm_cvttss_si32(_mm_set_ss(f)));
        assert_true(pn_operation_value(PN_FSINT, 64, 32, small, 0, 0) == (uint64_t)_mm_cvttss_si64(_mm_set_ss(f)));
    }
}

/* The library's own results, its errno, and nothing left behind. */
static void functions_are_the_library_s(void **state)
{
    double (*volatile library_sine)(double) = sin; /* gcc thinks that it leaves errno alone */
    (void)state;
    for (unsigned turn = 0; turn < 20000; turn++) {
        uint64_t bits = interesting_number(64), more = interesting_number(64), small = interesting_number(32);
        int error = -1, exponent = (int)random_below(5000) - 2500;
        errno = EINTR;
        assert_true(pn_function_value(PN_FUNCTION_pow, 64, bits, more, &error) ==
                    pn_double_bits(pow(pn_double(bits), pn_double(more))));
        errno = 0;
        double sine = library_sine(pn_double(bits));
        int sets = errno;
        errno = EINTR;
        assert_true(pn_function_value(PN_FUNCTION_sin, 64, bits, 0, &error) == pn_double_bits(sine));
        assert_int_equal(error, sets);
        assert_int_equal(errno, EINTR);
        assert_true(pn_function_value(PN_FUNCTION_exp, 32, small, 0, &error) == pn_single_bits(expf(pn_single(small))));
        assert_true(pn_function_value(PN_FUNCTION_ldexp, 64, bits, pn_double_bits(exponent), &error) ==
                    pn_double_bits(ldexp(pn_double(bits), exponent)));
    }
    int error;
    assert_string_equal(pn_function_name(PN_FUNCTION_sin), "sin");
    pn_function_value(PN_FUNCTION_sin, 64, pn_double_bits(INFINITY), 0, &error);
    assert_int_equal(error, EDOM);
}

/* ---- random expressions, each with a reference that does not simplify ---- */

struct shape {
    enum pn_operation operation;
    unsigned width, a, b, c; /* indices into the pool */
    uint64_t number;
    expr_id id;
    uint64_t value;
};

enum { SHAPES = 60, VARIABLES = 3 };

struct shapes {
    struct expr_table *table;
    unsigned float_width;
    bool has_calls; /* of functions of <math.h>, of which the solvers know nothing */
    struct shape list[SHAPES];
    unsigned count;
};

static expr_id load(struct expr_table *table, unsigned first, unsigned bytes)
{
    expr_id value = expr_input(table, first);
    for (unsigned i = 1; i < bytes; i++)
        value = expr_make(table, PN_CONCAT, (i + 1) * 8, expr_input(table, first + i), value, 0);
    return value;
}

static unsigned add_shape(struct shapes *shapes, struct shape shape)
{
    assert_true(shapes->count < SHAPES);
    const struct shape *list = shapes->list;
    unsigned arity = expr_arity[shape.operation];
    if (shape.operation == PN_INPUT)
        shape.id = load(shapes->table, (unsigned)shape.number * 8, shape.width / 8);
    else if (shape.operation == PN_CONSTANT)
        shape.id = expr_constant(shapes->table, shape.width, shape.number);
    else
        shape.id = expr_make(shapes->table, shape.operation, shape.width, list[shape.a].id,
                             arity > 1 ? list[shape.b].id : (uint32_t)shape.number,
                             arity > 2 ? list[shape.c].id : (uint32_t)shape.number);
    shapes->list[shapes->count] = shape;
    return shapes->count++;
}

static unsigned pick_shape(struct shapes *shapes, unsigned width)
{
    for (unsigned attempt = 0; attempt < 20; attempt++) {
        unsigned index = random_below(shapes->count);
        if (shapes->list[index].width == width)
            return index;
    }
    uint64_t number = width == 1 ? random_below(2) : width == 8 ? random_below(256) : interesting_number(width);
    return add_shape(shapes, (struct shape){.operation = PN_CONSTANT, .width = width, .number = number});
}

static unsigned pick_or_constant(struct shapes *shapes, unsigned width)
{
    if (random_below(3) == 0)
        return add_shape(shapes,
                         (struct shape){.operation = PN_CONSTANT, .width = width, .number = interesting_number(width)});
    return pick_shape(shapes, width);
}

static void grow_shapes(struct shapes *shapes)
{
    static const enum pn_operation operations[] = {PN_FADD,  PN_FADD, PN_FSUB,  PN_FSUB,   PN_FMUL,   PN_FMUL,
                                                   PN_FDIV,  PN_FMA,  PN_FSQRT, PN_FROUND, PN_FEQ,    PN_FLT,
                                                   PN_FLE,   PN_FLT,  PN_FLE,   PN_FCAST,  PN_SFLOAT, PN_UFLOAT,
                                                   PN_FSINT, PN_XOR,  PN_AND,   PN_ITE,    PN_EQ};
    unsigned width = shapes->float_width, other = width == 32 ? 64 : 32;
    struct shape shape = {.operation = operations[random_below(sizeof operations / sizeof *operations)],
                          .width = width};
    if (shapes->has_calls && random_below(6) == 0) {
        shape.operation = random_below(2) ? PN_FCALL : PN_FERROR;
        shape.number = random_below(PN_FUNCTION_COUNT);
    }
    shape.a = pick_shape(shapes, width);
    if (expr_arity[shape.operation] > 1)
        shape.b = random_below(10) ? pick_or_constant(shapes, width) : shape.a;
    if (random_below(4) == 0 && expr_arity[shape.operation] == 2) {
        unsigned a = shape.a;
        shape.a = shape.b;
        shape.b = a;
    }
    switch (shape.operation) {
    case PN_FMA: shape.c = pick_shape(shapes, width); break;
    case PN_FROUND: shape.number = random_below(PN_ROUNDING_COUNT); break;
    case PN_FEQ:
    case PN_FLT:
    case PN_FLE:
    case PN_EQ: shape.width = 1; break;
    case PN_FCAST:
        shape.a = pick_shape(shapes, random_below(2) ? width : other);
        shape.width = shapes->list[shape.a].width == width ? other : width;
        break;
    case PN_SFLOAT:
    case PN_UFLOAT: shape.a = pick_shape(shapes, random_below(2) ? 8 : width); break;
    case PN_FSINT: shape.width = random_below(2) ? 32 : 64; break;
    case PN_FERROR: shape.width = 32; break;
    case PN_XOR:
    case PN_AND: {
        uint64_t sign = pn_float_sign(width);
        shape.b = add_shape(shapes, (struct shape){.operation = PN_CONSTANT,
                                                   .width = width,
                                                   .number = shape.operation == PN_XOR ? sign : sign - 1});
        break;
    }
    case PN_ITE:
        shape.c = pick_shape(shapes, width);
        shape.b = pick_shape(shapes, width);
        shape.a = pick_shape(shapes, 1);
        break;
    default: break;
    }
    add_shape(shapes, shape);
}

static void fill_shapes(struct shapes *shapes, struct expr_table *table, unsigned float_width, bool has_calls)
{
    *shapes = (struct shapes){.table = table, .float_width = float_width, .has_calls = has_calls};
    for (unsigned i = 0; i < VARIABLES; i++)
        add_shape(shapes, (struct shape){.operation = PN_INPUT, .width = i == 2 ? 8 : float_width, .number = i});
    while (shapes->count + 6 < SHAPES)
        grow_shapes(shapes);
}

static void evaluate_shapes(struct shapes *shapes, const uint8_t *input)
{
    struct shape *list = shapes->list;
    for (unsigned i = 0; i < shapes->count; i++) {
        struct shape *shape = &list[i];
        unsigned arity = expr_arity[shape->operation];
        if (shape->operation == PN_CONSTANT) {
            shape->value = shape->number;
        } else if (shape->operation == PN_INPUT) {
            shape->value = 0;
            memcpy(&shape->value, input + shape->number * 8, shape->width / 8);
        } else if (pn_is_function(shape->operation)) {
            int error;
            uint64_t result = pn_function_value((enum pn_function)shape->number, list[shape->a].width,
                                                list[shape->a].value, list[shape->b].value, &error);
            shape->value = shape->operation == PN_FCALL ? result : (uint32_t)error;
        } else {
            shape->value = pn_operation_value(shape->operation, shape->width, list[shape->a].width,
                                              list[shape->a].value, arity > 1 ? list[shape->b].value : shape->number,
                                              arity > 2 ? list[shape->c].value : 0);
        }
    }
}

static void interesting_input(const struct shapes *shapes, uint8_t input[VARIABLES * 8])
{
    for (unsigned i = 0; i < VARIABLES; i++) {
        uint64_t value = interesting_number(shapes->float_width);
        memcpy(input + 8 * i, &value, 8);
    }
}

static void simplification_keeps_every_value(void **state)
{
    (void)state;
    static struct shapes shapes;
    for (unsigned round = 0; round < 1500; round++) {
        struct expr_table *table = expr_table_create();
        fill_shapes(&shapes, table, round % 2 ? 32 : 64, true);
        for (unsigned k = 0; k < 20; k++) {
            uint8_t input[VARIABLES * 8];
            interesting_input(&shapes, input);
            evaluate_shapes(&shapes, input);
            for (unsigned i = 0; i < shapes.count; i++) {
                uint64_t value = expr_evaluate(table, shapes.list[i].id, input, sizeof input);
                if (value != shapes.list[i].value)
                    fail_msg("%s: %llx instead of %llx", "an expression", (unsigned long long)value,
                             (unsigned long long)shapes.list[i].value);
            }
        }
        expr_table_destroy(table);
    }
}

/* ---- Z3 ---- */

/* With every input byte pinned, Z3 must come to the reference's value, and to no other. */
static void z3_computes_the_same(void **state)
{
    (void)state;
    static struct shapes shapes;
    unsigned asked = 0;
    for (unsigned round = 0; round < 16; round++) {
        struct expr_table *table = expr_table_create();
        struct z3_tier *tier = z3_tier_create(table, 20000);
        fill_shapes(&shapes, table, round % 2 ? 32 : 64, false);
        uint8_t input[VARIABLES * 8], model[VARIABLES * 8];
        interesting_input(&shapes, input);
        evaluate_shapes(&shapes, input);
        for (unsigned i = VARIABLES; i < shapes.count; i += 1 + random_below(4)) {
            expr_id conditions[VARIABLES + 1];
            for (unsigned k = 0; k < VARIABLES; k++)
                conditions[k] = expr_make(table, PN_EQ, 1, shapes.list[k].id,
                                          expr_constant(table, shapes.list[k].width, shapes.list[k].value), 0);
            expr_id is = expr_make(table, PN_EQ, 1, shapes.list[i].id,
                                   expr_constant(table, shapes.list[i].width, shapes.list[i].value), 0);
            uint64_t constant;
            if (expr_is_constant(table, is, &constant))
                continue;
            struct byte_list bytes = {0};
            for (int outcome = 0; outcome < 2; outcome++) {
                conditions[VARIABLES] = outcome ? is : expr_not(table, is);
                enum solve_answer answer = z3_tier_solve(tier, conditions, VARIABLES + 1, &bytes, model, sizeof model);
                if (answer != (outcome ? SOLVE_SATISFIABLE : SOLVE_UNSATISFIABLE))
                    fail_msg("operation %d: Z3 says %d where the value is %llx", (int)shapes.list[i].operation,
                             (int)answer, (unsigned long long)shapes.list[i].value);
                asked++;
            }
        }
        z3_tier_destroy(tier);
        expr_table_destroy(table);
    }
    printf("# %u questions\n", asked);
}

/* ---- the tiers ---- */

static void tiers_agree_with_z3(void **state)
{
    (void)state;
    static const unsigned sets[] = {SOLVE_WITH_SEARCH, SOLVE_WITH_CADICAL, SOLVE_WITH_RANGES | SOLVE_WITH_ORDER,
                                    SOLVE_WITH_ALL & ~SOLVE_WITH_Z3};
    enum { SETS = sizeof sets / sizeof *sets };
    static struct shapes shapes;
    unsigned satisfied[SETS] = {0}, refuted[SETS] = {0}, queries = 0, unknown = 0;
    for (unsigned round = 0; round < 40; round++) {
        struct expr_table *table = expr_table_create();
        fill_shapes(&shapes, table, 32, false);
        expr_id goals[3];
        unsigned count = 0;
        for (unsigned i = shapes.count; i-- > VARIABLES && count < 1 + round % 3;) {
            uint64_t constant;
            if (shapes.list[i].width != 1 || expr_is_constant(table, shapes.list[i].id, &constant))
                continue;
            goals[count++] = random_below(2) ? shapes.list[i].id : expr_not(table, shapes.list[i].id);
        }
        uint8_t hint[VARIABLES * 8], model[VARIABLES * 8];
        interesting_input(&shapes, hint);
        struct solve_query query = {.goals = goals, .goal_count = count, .hint = hint, .input_size = sizeof hint};
        struct solver *plain = solver_create(table, 200);
        solver_use(plain, SOLVE_WITH_Z3);
        enum solve_answer expected = count ? solver_query(plain, &query, model) : SOLVE_UNKNOWN;
        solver_destroy(plain);
        queries++;
        unknown += expected == SOLVE_UNKNOWN;
        for (unsigned k = 0; k < SETS && count; k++) {
            struct solver *solver = solver_create(table, 100);
            solver_use(solver, sets[k]);
            enum solve_answer answer = solver_query(solver, &query, model);
            if (answer != SOLVE_UNKNOWN && expected != SOLVE_UNKNOWN)
                assert_int_equal(answer, expected);
            for (unsigned i = 0; answer == SOLVE_SATISFIABLE && i < count; i++)
                assert_int_equal(expr_evaluate(table, goals[i], model, sizeof model), 1);
            satisfied[k] += answer == SOLVE_SATISFIABLE;
            refuted[k] += answer == SOLVE_UNSATISFIABLE;
            solver_destroy(solver);
        }
        expr_table_destroy(table);
    }
    for (unsigned k = 0; k < SETS; k++)
        printf("# tiers %u: %u satisfied, %u refuted of %u; Z3 did not know %u\n", sets[k], satisfied[k], refuted[k],
               queries, unknown);
    assert_true(satisfied[0] > 10 && satisfied[3] >= satisfied[0]);
}

/* What holds under some input is no contradiction, whatever is known about the values. */
static void intervals_never_refute_what_holds(void **state)
{
    (void)state;
    static struct shapes shapes;
    unsigned contradictions = 0, models = 0, rounds = 1500;
    for (unsigned round = 0; round < rounds; round++) {
        struct expr_table *table = expr_table_create();
        struct pruner *pruner = pruner_create(table);
        uint8_t input[VARIABLES * 8], model[VARIABLES * 8] = {0};
        expr_id conditions[8];
        unsigned count = 0;
        fill_shapes(&shapes, table, round % 2 ? 32 : 64, true);
        interesting_input(&shapes, input);
        evaluate_shapes(&shapes, input);
        for (unsigned i = shapes.count; i-- > 0 && count < 7;) {
            const struct shape *shape = &shapes.list[i];
            uint64_t constant;
            expr_id condition = shape->id;
            if (shape->width == shapes.float_width && random_below(4) == 0) { /* a bound that the value keeps */
                expr_id bound = expr_constant(table, shape->width, shape->value);
                condition = random_below(2) ? expr_make(table, PN_FLE, 1, shape->id, bound, 0)
                                            : expr_make(table, PN_FLE, 1, bound, shape->id, 0);
            } else if (shape->width != 1) {
                continue;
            }
            if (!expr_is_constant(table, condition, &constant))
                conditions[count++] =
                    expr_evaluate(table, condition, input, sizeof input) ? condition : expr_not(table, condition);
        }
        if (!count)
            continue;
        enum prune_answer answer = prune(pruner, conditions, count, model, sizeof model, 5000);
        assert_int_not_equal(answer, PRUNE_CONTRADICTION);
        models += answer == PRUNE_MODEL;
        conditions[0] = expr_not(table, conditions[0]); /* this may be one */
        contradictions += prune(pruner, conditions, count, model, sizeof model, 5000) == PRUNE_CONTRADICTION;
        pruner_destroy(pruner);
        expr_table_destroy(table);
    }
    printf("# %u models, %u contradictions of %u\n", models, contradictions, rounds);
    assert_true(models > 50 && contradictions > 50);
}

static expr_id number(struct expr_table *table, unsigned width, double value)
{
    return expr_constant(table, width, pn_float_bits(value, width));
}

/* Conditions that people write, solved without Z3 from a bland hint. */
static void descent_solves_what_people_write(void **state)
{
    (void)state;
    struct expr_table *table = expr_table_create();
    expr_id x = load(table, 0, 8), y = load(table, 8, 8);
    expr_id square = expr_make(table, PN_FMUL, 64, x, x, 0), cube = expr_make(table, PN_FMUL, 64, square, x, 0);
    expr_id twice = expr_make(table, PN_FMUL, 64, x, number(table, 64, 2), 0);
    expr_id polynomial =
        expr_make(table, PN_FSUB, 64, expr_make(table, PN_FSUB, 64, cube, twice, 0), number(table, 64, 5), 0);
    expr_id sum = expr_make(table, PN_FADD, 64, square, expr_make(table, PN_FMUL, 64, y, y, 0), 0);
    const expr_id queries[][3] = {
        {expr_make(table, PN_FLT, 1, number(table, 64, 1e-9), polynomial, 0),
         expr_make(table, PN_FLT, 1, polynomial, number(table, 64, 1e-8), 0)},
        {expr_make(table, PN_FEQ, 1, expr_make(table, PN_FADD, 64, x, number(table, 64, 0.1), 0),
                   number(table, 64, 17.3), 0)},
        {expr_make(table, PN_FLT, 1, number(table, 64, 24.999), sum, 0),
         expr_make(table, PN_FLT, 1, sum, number(table, 64, 25.001), 0), expr_make(table, PN_FLT, 1, x, y, 0)},
        {expr_make(table, PN_FEQ, 1, expr_make(table, PN_FSQRT, 64, x, 0, 0), number(table, 64, 12), 0)},
        {expr_make(table, PN_FEQ, 1, expr_make(table, PN_FROUND, 64, x, PN_DOWN, 0), number(table, 64, -301), 0)},
        {expr_not(table, expr_make(table, PN_FEQ, 1, expr_make(table, PN_FDIV, 64, x, y, 0),
                                   expr_make(table, PN_FDIV, 64, x, y, 0), 0))},
        {expr_make(table, PN_EQ, 1,
                   expr_make(table, PN_FSINT, 32, expr_make(table, PN_FMUL, 64, x, number(table, 64, 1.5), 0), 0, 0),
                   expr_constant(table, 32, 77), 0)},
    };
    for (size_t i = 0; i < sizeof queries / sizeof *queries; i++) {
        uint8_t hint[16] = {0}, model[16];
        size_t count = 1;
        while (count < 3 && queries[i][count])
            count++;
        struct solver *solver = solver_create(table, 1000);
        solver_use(solver, SOLVE_WITH_SEARCH);
        struct solve_query query = {.goals = queries[i], .goal_count = count, .hint = hint, .input_size = sizeof hint};
        if (solver_query(solver, &query, model) != SOLVE_SATISFIABLE)
            fail_msg("query %zu is not solved", i);
        assert_true(expr_all_hold(table, queries[i], count, model, sizeof model));
        solver_destroy(solver);
    }
    expr_table_destroy(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operations_agree_with_the_library), cmocka_unit_test(functions_are_the_library_s),
        cmocka_unit_test(simplification_keeps_every_value),  cmocka_unit_test(z3_computes_the_same),
        cmocka_unit_test(intervals_never_refute_what_holds), cmocka_unit_test(tiers_agree_with_z3),
        cmocka_unit_test(descent_solves_what_people_write),
    };
    return cmocka_run_group_tests(tests, choose_seed, NULL);
}

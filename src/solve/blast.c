/* The literals of all translated expressions lie in one array; an expression knows where its own begin. */
#include "solve/blast.h"

#include "base/arena.h"
#include "solve/circuits.h"

#include <stdlib.h>
#include <string.h>

enum { STOP_INTERVAL = 8, DIVISION_BUCKETS = 64, NOT_TRANSLATED = 0, LISTED = UINT32_MAX };

/* Quotient and remainder are asked for separately, and belong together. */
struct division {
    struct division *next;
    unsigned width;
    literal a[MOST_BITS], b[MOST_BITS], quotient[MOST_BITS], remainder[MOST_BITS];
};

struct blaster {
    struct expr_table *table;
    struct gates *gates;
    struct arena *arena; /* divisions */
    literal *literals;
    size_t literal_count, literal_capacity;
    uint32_t *first; /* per expression: the index of its lowest bit */
    size_t first_capacity;
    expr_id *cone; /* list and queue of the walk */
    size_t cone_count, cone_capacity;
    struct division *divisions[DIVISION_BUCKETS];
};

struct blaster *blaster_create(struct expr_table *table)
{
    size_t capacity = 0;
    struct blaster *blaster = array_reserve(NULL, &capacity, 1, sizeof *blaster);
    *blaster = (struct blaster){.table = table, .gates = gates_create(), .arena = arena_create()};
    blaster->literal_count = 1; /* index 0 means not translated */
    return blaster;
}

void blaster_destroy(struct blaster *blaster)
{
    if (!blaster)
        return;
    gates_destroy(blaster->gates);
    arena_destroy(blaster->arena);
    free(blaster->literals);
    free(blaster->first);
    free(blaster->cone);
    free(blaster);
}

struct gates *blaster_gates(const struct blaster *blaster)
{
    return blaster->gates;
}

const literal *blasted(const struct blaster *blaster, expr_id id)
{
    if (id >= blaster->first_capacity || blaster->first[id] == NOT_TRANSLATED)
        return NULL;
    return blaster->literals + blaster->first[id];
}

/* Operations */

struct operands {
    const struct expr *expr;
    unsigned width; /* of the first operand */
    const literal *a, *b, *c;
    unsigned low_width; /* of the second operand */
};

typedef void blast_operation(struct blaster *blaster, const struct operands *operands, literal *result);

static void blast_constant(struct blaster *blaster, const struct operands *operands, literal *result)
{
    (void)blaster;
    for (unsigned i = 0; i < operands->expr->width; i++)
        result[i] = operands->expr->value >> i & 1 ? LITERAL_TRUE : LITERAL_FALSE;
}

/* Also the results of functions of <math.h>: anything, for all that is known here. */
static void blast_input(struct blaster *blaster, const struct operands *operands, literal *result)
{
    for (unsigned i = 0; i < operands->expr->width; i++)
        result[i] = new_variable(blaster->gates);
}

static void blast_add(struct blaster *blaster, const struct operands *operands, literal *result)
{
    circuit_add(blaster->gates, operands->width, operands->a, operands->b, LITERAL_FALSE, result);
}

static void blast_sub(struct blaster *blaster, const struct operands *operands, literal *result)
{
    circuit_subtract(blaster->gates, operands->width, operands->a, operands->b, result);
}

static void blast_mul(struct blaster *blaster, const struct operands *operands, literal *result)
{
    circuit_multiply(blaster->gates, operands->width, operands->a, operands->b, result);
}

static void blast_and(struct blaster *blaster, const struct operands *operands, literal *result)
{
    for (unsigned i = 0; i < operands->width; i++)
        result[i] = gate_and(blaster->gates, operands->a[i], operands->b[i]);
}

static void blast_or(struct blaster *blaster, const struct operands *operands, literal *result)
{
    for (unsigned i = 0; i < operands->width; i++)
        result[i] = gate_or(blaster->gates, operands->a[i], operands->b[i]);
}

static void blast_xor(struct blaster *blaster, const struct operands *operands, literal *result)
{
    for (unsigned i = 0; i < operands->width; i++)
        result[i] = gate_xor(blaster->gates, operands->a[i], operands->b[i]);
}

static void blast_shl(struct blaster *blaster, const struct operands *operands, literal *result)
{
    circuit_shift_left(blaster->gates, operands->width, operands->a, operands->b, result);
}

static void blast_lshr(struct blaster *blaster, const struct operands *operands, literal *result)
{
    circuit_shift_right(blaster->gates, operands->width, operands->a, operands->b, LITERAL_FALSE, result);
}

static void blast_ashr(struct blaster *blaster, const struct operands *operands, literal *result)
{
    circuit_shift_right(blaster->gates, operands->width, operands->a, operands->b, operands->a[operands->width - 1],
                        result);
}

static void blast_eq(struct blaster *blaster, const struct operands *operands, literal *result)
{
    *result = circuit_equal(blaster->gates, operands->width, operands->a, operands->b);
}

static void blast_ult(struct blaster *blaster, const struct operands *operands, literal *result)
{
    *result = circuit_less(blaster->gates, operands->width, operands->a, operands->b);
}

static void blast_ule(struct blaster *blaster, const struct operands *operands, literal *result)
{
    *result = -circuit_less(blaster->gates, operands->width, operands->b, operands->a);
}

static void blast_slt(struct blaster *blaster, const struct operands *operands, literal *result)
{
    *result = circuit_signed_less(blaster->gates, operands->width, operands->a, operands->b);
}

static void blast_sle(struct blaster *blaster, const struct operands *operands, literal *result)
{
    *result = -circuit_signed_less(blaster->gates, operands->width, operands->b, operands->a);
}

static void extend(const struct operands *operands, literal filling, literal *result)
{
    for (unsigned i = 0; i < operands->expr->width; i++)
        result[i] = i < operands->width ? operands->a[i] : filling;
}

static void blast_zext(struct blaster *blaster, const struct operands *operands, literal *result)
{
    (void)blaster;
    extend(operands, LITERAL_FALSE, result);
}

static void blast_sext(struct blaster *blaster, const struct operands *operands, literal *result)
{
    (void)blaster;
    extend(operands, operands->a[operands->width - 1], result);
}

static void blast_extract(struct blaster *blaster, const struct operands *operands, literal *result)
{
    (void)blaster;
    memcpy(result, operands->a + operands->expr->b, operands->expr->width * sizeof *result);
}

static void blast_concat(struct blaster *blaster, const struct operands *operands, literal *result)
{
    (void)blaster;
    memcpy(result, operands->b, operands->low_width * sizeof *result);
    memcpy(result + operands->low_width, operands->a, operands->width * sizeof *result);
}

static void blast_ite(struct blaster *blaster, const struct operands *operands, literal *result)
{
    circuit_choose(blaster->gates, operands->expr->width, *operands->a, operands->b, operands->c, result);
}

/* A tree of choices, one level for each bit of the index; equal halves are no choice at all. */
static void choose_constant(struct blaster *blaster, const struct operands *operands,
                            const struct expr_constants *constants, unsigned level, uint64_t first, literal *result)
{
    unsigned width = operands->expr->width;
    if (level == 0 || first >= constants->count) {
        uint64_t value = expr_look_up(constants, first);
        for (unsigned i = 0; i < width; i++)
            result[i] = value >> i & 1 ? LITERAL_TRUE : LITERAL_FALSE;
        return;
    }
    literal low[MOST_BITS], high[MOST_BITS];
    choose_constant(blaster, operands, constants, level - 1, first, low);
    choose_constant(blaster, operands, constants, level - 1, first | UINT64_C(1) << (level - 1), high);
    circuit_choose(blaster->gates, width, operands->a[level - 1], high, low, result);
}

static void blast_lookup(struct blaster *blaster, const struct operands *operands, literal *result)
{
    const struct expr_constants *constants = expr_constants(blaster->table, operands->expr->b);
    unsigned levels = 0;
    while (levels < operands->width && (constants->count - 1) >> levels)
        levels++;
    choose_constant(blaster, operands, constants, levels, 0, result);
    literal is_past[MOST_BITS];
    for (unsigned i = levels; i < operands->width; i++)
        is_past[i - levels] = -operands->a[i];
    literal is_within = gate_all(blaster->gates, is_past, operands->width - levels);
    for (unsigned i = 0; i < operands->expr->width; i++)
        result[i] = gate_and(blaster->gates, is_within, result[i]);
}

/* Floating point: comparisons are simple on the bits */

/* Neither is NaN; `both_zero` becomes whether they are zeros, which are equal whatever their signs. */
static literal are_numbers(struct blaster *blaster, const struct operands *operands, literal *both_zero)
{
    struct gates *gates = blaster->gates;
    literal numbers = LITERAL_TRUE, infinity[MOST_BITS];
    unsigned magnitude = operands->width - 1;
    *both_zero = LITERAL_TRUE;
    for (unsigned i = 0; i < magnitude; i++)
        infinity[i] = pn_float_infinity(operands->width) >> i & 1 ? LITERAL_TRUE : LITERAL_FALSE;
    for (unsigned k = 0; k < 2; k++) {
        const literal *bits = k ? operands->b : operands->a;
        numbers = gate_and(gates, numbers, -circuit_less(gates, magnitude, infinity, bits));
        for (unsigned i = 0; i < magnitude; i++)
            *both_zero = gate_and(gates, *both_zero, -bits[i]);
    }
    return numbers;
}

static void blast_feq(struct blaster *blaster, const struct operands *operands, literal *result)
{
    literal both_zero, numbers = are_numbers(blaster, operands, &both_zero);
    literal equal = circuit_equal(blaster->gates, operands->width, operands->a, operands->b);
    *result = gate_and(blaster->gates, numbers, gate_or(blaster->gates, equal, both_zero));
}

/* Of two negative numbers the one with the greater magnitude is less. */
static literal is_less(struct blaster *blaster, const struct operands *operands, literal numbers, literal both_zero)
{
    struct gates *gates = blaster->gates;
    unsigned sign = operands->width - 1;
    literal a = operands->a[sign], b = operands->b[sign];
    literal up = circuit_less(gates, sign, operands->a, operands->b);
    literal down = circuit_less(gates, sign, operands->b, operands->a);
    literal same_sign =
        gate_and(gates, -gate_xor(gates, a, b), gate_or(gates, gate_and(gates, -a, up), gate_and(gates, a, down)));
    literal order = gate_or(gates, gate_and(gates, a, -b), same_sign);
    return gate_and(gates, numbers, gate_and(gates, -both_zero, order));
}

static void blast_flt(struct blaster *blaster, const struct operands *operands, literal *result)
{
    literal both_zero, numbers = are_numbers(blaster, operands, &both_zero);
    *result = is_less(blaster, operands, numbers, both_zero);
}

static void blast_fle(struct blaster *blaster, const struct operands *operands, literal *result)
{
    literal both_zero, numbers = are_numbers(blaster, operands, &both_zero), equal;
    blast_feq(blaster, operands, &equal);
    *result = gate_or(blaster->gates, equal, is_less(blaster, operands, numbers, both_zero));
}

/* Divisions */

static const struct division *divide(struct blaster *blaster, unsigned width, const literal *a, const literal *b)
{
    size_t size = width * sizeof *a;
    uint32_t hash = width;
    for (unsigned i = 0; i < width; i++)
        hash = (hash ^ (uint32_t)a[i] ^ (uint32_t)b[i] << 8) * UINT32_C(0x9e3779b1);
    struct division **bucket = &blaster->divisions[hash >> 16 & (DIVISION_BUCKETS - 1)];
    for (struct division *known = *bucket; known; known = known->next)
        if (known->width == width && memcmp(known->a, a, size) == 0 && memcmp(known->b, b, size) == 0)
            return known;
    struct division *division = arena_allocate(blaster->arena, sizeof *division);
    division->next = *bucket;
    division->width = width;
    memcpy(division->a, a, size);
    memcpy(division->b, b, size);
    circuit_divide(blaster->gates, width, a, b, division->quotient, division->remainder);
    *bucket = division;
    return division;
}

static void blast_udiv(struct blaster *blaster, const struct operands *operands, literal *result)
{
    const struct division *division = divide(blaster, operands->width, operands->a, operands->b);
    memcpy(result, division->quotient, operands->width * sizeof *result);
}

static void blast_urem(struct blaster *blaster, const struct operands *operands, literal *result)
{
    const struct division *division = divide(blaster, operands->width, operands->a, operands->b);
    memcpy(result, division->remainder, operands->width * sizeof *result);
}

/* Of the absolute values; the least number's is right as an unsigned one. */
static const struct division *signed_divide(struct blaster *blaster, const struct operands *operands)
{
    unsigned width = operands->width;
    literal a[MOST_BITS], b[MOST_BITS];
    circuit_negate_if(blaster->gates, width, operands->a[width - 1], operands->a, a);
    circuit_negate_if(blaster->gates, width, operands->b[width - 1], operands->b, b);
    return divide(blaster, width, a, b);
}

static void blast_sdiv(struct blaster *blaster, const struct operands *operands, literal *result)
{
    unsigned width = operands->width;
    literal is_negative = gate_xor(blaster->gates, operands->a[width - 1], operands->b[width - 1]);
    circuit_negate_if(blaster->gates, width, is_negative, signed_divide(blaster, operands)->quotient, result);
}

static void blast_srem(struct blaster *blaster, const struct operands *operands, literal *result)
{
    unsigned width = operands->width;
    circuit_negate_if(blaster->gates, width, operands->a[width - 1], signed_divide(blaster, operands)->remainder,
                      result);
}

static blast_operation *const rows[PN_OPERATION_COUNT] = {
    [PN_CONSTANT] = blast_constant, [PN_INPUT] = blast_input, [PN_ADD] = blast_add,         [PN_SUB] = blast_sub,
    [PN_MUL] = blast_mul,           [PN_UDIV] = blast_udiv,   [PN_SDIV] = blast_sdiv,       [PN_UREM] = blast_urem,
    [PN_SREM] = blast_srem,         [PN_AND] = blast_and,     [PN_OR] = blast_or,           [PN_XOR] = blast_xor,
    [PN_SHL] = blast_shl,           [PN_LSHR] = blast_lshr,   [PN_ASHR] = blast_ashr,       [PN_EQ] = blast_eq,
    [PN_ULT] = blast_ult,           [PN_ULE] = blast_ule,     [PN_SLT] = blast_slt,         [PN_SLE] = blast_sle,
    [PN_ZEXT] = blast_zext,         [PN_SEXT] = blast_sext,   [PN_EXTRACT] = blast_extract, [PN_CONCAT] = blast_concat,
    [PN_LOOKUP] = blast_lookup,     [PN_ITE] = blast_ite,     [PN_FEQ] = blast_feq,         [PN_FLT] = blast_flt,
    [PN_FLE] = blast_fle,           [PN_FCALL] = blast_input, [PN_FERROR] = blast_input,
};

bool blast_knows(enum pn_operation operation)
{
    return rows[operation];
}

/* Translation */

static void translate(struct blaster *blaster, expr_id id)
{
    const struct expr *expr = expr_get(blaster->table, id);
    unsigned arity = expr_arity[expr->operation];
    struct operands operands = {.expr = expr};
    if (arity > 0) {
        operands.width = expr_get(blaster->table, expr->a)->width;
        operands.a = blasted(blaster, expr->a);
    }
    if (arity > 1) {
        operands.low_width = expr_get(blaster->table, expr->b)->width;
        operands.b = blasted(blaster, expr->b);
    }
    if (arity > 2)
        operands.c = blasted(blaster, expr->c);
    literal result[MOST_BITS];
    rows[expr->operation](blaster, &operands, result);
    blaster->literals = array_reserve(blaster->literals, &blaster->literal_capacity,
                                      blaster->literal_count + expr->width, sizeof *blaster->literals);
    memcpy(blaster->literals + blaster->literal_count, result, expr->width * sizeof *result);
    blaster->first[id] = (uint32_t)blaster->literal_count;
    blaster->literal_count += expr->width;
}

static void make_room(struct blaster *blaster)
{
    blaster->first = array_reserve_zeroed(blaster->first, &blaster->first_capacity, expr_count(blaster->table),
                                          sizeof *blaster->first);
}

static void add_to_cone(struct blaster *blaster, expr_id id)
{
    if (blaster->first[id] != NOT_TRANSLATED)
        return;
    blaster->first[id] = LISTED;
    blaster->cone =
        array_reserve(blaster->cone, &blaster->cone_capacity, blaster->cone_count + 1, sizeof *blaster->cone);
    blaster->cone[blaster->cone_count++] = id;
}

/* An operation needs more, also where an operand is constant. */
static size_t least_clauses(const struct expr *expr)
{
    switch (expr->operation) {
    case PN_ADD:
    case PN_SUB: return 2u * expr->width;
    case PN_UDIV:
    case PN_SDIV:
    case PN_UREM:
    case PN_SREM: return 4u * expr->width;
    default: return 0;
    }
}

/* There is no circuit for floating-point arithmetic. What is certainly too big is not begun. */
static bool can_translate(const struct blaster *blaster)
{
    size_t clauses = 0;
    for (size_t i = 0; i < blaster->cone_count; i++) {
        const struct expr *expr = expr_get(blaster->table, blaster->cone[i]);
        clauses += least_clauses(expr);
        if (!rows[expr->operation] || clauses > MOST_CLAUSES)
            return false;
    }
    return true;
}

bool blast(struct blaster *blaster, expr_id id, stop_function *should_stop, void *context)
{
    make_room(blaster);
    blaster->cone_count = 0;
    add_to_cone(blaster, id);
    for (size_t next = 0; next < blaster->cone_count; next++) {
        const struct expr *expr = expr_get(blaster->table, blaster->cone[next]);
        for (unsigned i = 0; i < expr_arity[expr->operation]; i++)
            add_to_cone(blaster, expr_child(expr, i));
    }
    /* Children have smaller ids. */
    expr_sort(blaster->cone, blaster->cone_count);
    bool complete = can_translate(blaster);
    for (size_t i = 0; i < blaster->cone_count; i++) {
        if (i % STOP_INTERVAL == STOP_INTERVAL - 1)
            complete = complete && !should_stop(context);
        if (complete)
            translate(blaster, blaster->cone[i]);
        complete = complete && !gates_are_full(blaster->gates);
        if (!complete)
            blaster->first[blaster->cone[i]] = NOT_TRANSLATED;
    }
    return complete;
}

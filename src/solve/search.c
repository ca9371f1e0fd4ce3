#include "solve/search.h"

#include "base/arena.h"
#include "solve/invert.h"

#include <stdlib.h>
#include <string.h>

enum {
    MOST_MOVES = 24,
    WORK_OF_A_MOVE = 200,
    MOST_DESCENT = 200,
    MOST_TARGETS = 64,
    MOST_STEPS = 400,
    MOST_WRITES = 128
};

struct target {
    expr_id id;
    uint64_t value;
};

struct search {
    struct expr_table *table;
    uint64_t random;
    struct target targets[MOST_TARGETS]; /* still to be reached */
    size_t target_count;
    struct target writes[MOST_WRITES]; /* variables and what they become */
    size_t write_count;
    uint64_t work_limit; /* in expressions evaluated */
    uint8_t *before;     /* the model before a move */
    size_t before_capacity;
};

struct search *search_create(struct expr_table *table)
{
    size_t capacity = 0;
    struct search *search = array_reserve(NULL, &capacity, 1, sizeof *search);
    *search = (struct search){.table = table, .random = 1};
    return search;
}

void search_destroy(struct search *search)
{
    free(search->before);
    free(search);
}

unsigned search_random(struct search *search, unsigned limit)
{
    search->random = search->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)((search->random >> 33) % limit);
}

static bool invert_add(struct step *step, bool first, uint64_t *child)
{
    *child = step->wanted - (first ? step->b : step->a);
    return true;
}

static bool invert_sub(struct step *step, bool first, uint64_t *child)
{
    *child = first ? step->wanted + step->b : step->a - step->wanted;
    return true;
}

static bool invert_xor(struct step *step, bool first, uint64_t *child)
{
    *child = step->wanted ^ (first ? step->b : step->a);
    return true;
}

static uint64_t odd_inverse(uint64_t odd)
{
    uint64_t inverse = odd;
    for (unsigned i = 0; i < 5; i++)
        inverse *= 2 - odd * inverse;
    return inverse;
}

static uint64_t square_root(uint64_t value)
{
    uint64_t root = 0;
    for (int bit = 31; bit >= 0; bit--) {
        uint64_t larger = root | UINT64_C(1) << bit;
        if (larger <= value / larger)
            root = larger;
    }
    return root;
}

/* The small quotient first, because people multiply small numbers; then the one modulo the width. */
static bool invert_mul(struct step *step, bool first, uint64_t *child)
{
    uint64_t factor = first ? step->b : step->a, wanted = step->wanted;
    if (step->expr->a == step->expr->b) {
        *child = square_root(wanted);
        *child = search_random(step->search, 2) ? 0 - *child : *child;
        return true;
    }
    if (factor == 0)
        return false;
    int64_t signed_factor = pn_signed(factor, step->width), signed_wanted = pn_signed(wanted, step->width);
    unsigned zeros = (unsigned)__builtin_ctzll(factor);
    *child = (uint64_t)pn_signed_quotient(signed_wanted, signed_factor);
    if (pn_signed_remainder(signed_wanted, signed_factor) != 0 && (wanted & ((UINT64_C(1) << zeros) - 1)) == 0)
        *child = (wanted >> zeros) * odd_inverse(factor >> zeros) & pn_mask(step->width - zeros);
    return true;
}

static bool invert_udiv(struct step *step, bool first, uint64_t *child)
{
    if (!first) {
        *child = step->wanted ? step->a / step->wanted : step->a + 1;
        return true;
    }
    *child = step->b ? step->wanted * step->b + step->a % step->b : 0;
    return step->b != 0;
}

static bool invert_sdiv(struct step *step, bool first, uint64_t *child)
{
    int64_t wanted = pn_signed(step->wanted, step->width), b = pn_signed(step->b, step->width);
    if (!first)
        *child = (uint64_t)pn_signed_quotient(pn_signed(step->a, step->width), wanted);
    else
        *child = (uint64_t)wanted * (uint64_t)b;
    return first ? b != 0 : wanted != 0;
}

static bool invert_urem(struct step *step, bool first, uint64_t *child)
{
    if (!first || (step->b && step->wanted >= step->b)) {
        *child = step->a - step->wanted;
        return !first && step->a > step->wanted;
    }
    *child = step->b ? step->a - step->a % step->b + step->wanted : step->wanted;
    return true;
}

static bool invert_srem(struct step *step, bool first, uint64_t *child)
{
    int64_t a = pn_signed(step->a, step->width), b = pn_signed(step->b, step->width),
            wanted = pn_signed(step->wanted, step->width);
    if (!first || b == 0)
        return false;
    /* The remainder has the sign of the dividend. */
    int64_t base = a - pn_signed_remainder(a, b);
    *child = (wanted < 0) == (base < 0) || wanted == 0 ? (uint64_t)base + (uint64_t)wanted : (uint64_t)wanted;
    return true;
}

static bool invert_and(struct step *step, bool first, uint64_t *child)
{
    uint64_t other = first ? step->b : step->a, mine = first ? step->a : step->b;
    *child = (mine & ~other) | step->wanted;
    return true;
}

static bool invert_or(struct step *step, bool first, uint64_t *child)
{
    uint64_t other = first ? step->b : step->a, mine = first ? step->a : step->b;
    *child = (mine & other) | (step->wanted & ~other);
    return (other & ~step->wanted) == 0;
}

static bool invert_shl(struct step *step, bool first, uint64_t *child)
{
    uint64_t kept = ~(pn_mask(step->width) >> (step->b & 63));
    *child = (step->wanted >> (step->b & 63)) | (step->a & kept);
    return first && step->b < step->width;
}

static bool invert_right_shift(struct step *step, bool first, uint64_t *child)
{
    uint64_t kept = (UINT64_C(1) << (step->b & 63)) - 1;
    *child = (step->wanted << (step->b & 63)) | (step->a & kept);
    return first && step->b < step->width;
}

static bool invert_extension(struct step *step, bool first, uint64_t *child)
{
    *child = step->wanted;
    return first && pn_operation_value(step->expr->operation, step->width, step->child_width,
                                       step->wanted & pn_mask(step->child_width), 0, 0) == step->wanted;
}

static bool invert_extract(struct step *step, bool first, uint64_t *child)
{
    unsigned lowest = step->expr->b;
    *child = (step->a & ~(pn_mask(step->width) << lowest)) | step->wanted << lowest;
    return first;
}

/* An element that is the wanted value; the search for it begins anywhere. */
static bool invert_lookup(struct step *step, bool first, uint64_t *child)
{
    const struct expr_constants *constants = expr_constants(step->search->table, step->expr->b);
    uint32_t start = (uint32_t)search_random(step->search, constants->count);
    for (uint32_t i = 0; i < constants->count; i++) {
        *child = (start + i) % constants->count;
        if (constants->values[*child] == step->wanted)
            return first && *child <= pn_mask(step->child_width);
    }
    return false;
}

static bool invert_eq(struct step *step, bool first, uint64_t *child)
{
    uint64_t other = first ? step->b : step->a;
    *child = step->wanted ? other : search_random(step->search, 2) ? other + 1 : other - 1;
    return true;
}

/* One beside the other, or equal where that is enough; not across the ends of the range. */
static bool invert_order(struct step *step, bool first, uint64_t *child)
{
    enum pn_operation operation = (enum pn_operation)step->expr->operation;
    bool is_signed = operation == PN_SLT || operation == PN_SLE, is_strict = operation == PN_SLT || operation == PN_ULT;
    uint64_t sign = is_signed ? UINT64_C(1) << (step->child_width - 1) : 0, last = pn_mask(step->child_width);
    uint64_t other = (first ? step->b : step->a) ^ sign;  /* its place in the order */
    bool below = first == (step->wanted != 0);            /* the child has to be the smaller one */
    uint64_t distance = is_strict == (step->wanted != 0); /* a < b: strictly; not a < b: b <= a */
    if (distance > 0 && other == (below ? 0 : last))
        return false;
    *child = (below ? other - distance : other + distance) ^ sign;
    return true;
}

static invert_operation *const rows[PN_OPERATION_COUNT] = {
    [PN_ADD] = invert_add,
    [PN_SUB] = invert_sub,
    [PN_MUL] = invert_mul,
    [PN_UDIV] = invert_udiv,
    [PN_SDIV] = invert_sdiv,
    [PN_UREM] = invert_urem,
    [PN_SREM] = invert_srem,
    [PN_AND] = invert_and,
    [PN_OR] = invert_or,
    [PN_XOR] = invert_xor,
    [PN_SHL] = invert_shl,
    [PN_LSHR] = invert_right_shift,
    [PN_ASHR] = invert_right_shift,
    [PN_EQ] = invert_eq,
    [PN_ULT] = invert_order,
    [PN_ULE] = invert_order,
    [PN_SLT] = invert_order,
    [PN_SLE] = invert_order,
    [PN_ZEXT] = invert_extension,
    [PN_SEXT] = invert_extension,
    [PN_EXTRACT] = invert_extract,
    [PN_LOOKUP] = invert_lookup,
    [PN_FADD] = invert_fadd,
    [PN_FSUB] = invert_fsub,
    [PN_FMUL] = invert_fmul,
    [PN_FDIV] = invert_fdiv,
    [PN_FSQRT] = invert_fsqrt,
    [PN_FCALL] = invert_call,
    [PN_FROUND] = invert_fround,
    [PN_FEQ] = invert_feq,
    [PN_FLT] = invert_forder,
    [PN_FLE] = invert_forder,
    [PN_FERROR] = invert_call_error,
    [PN_FCAST] = invert_conversion,
    [PN_SFLOAT] = invert_conversion,
    [PN_UFLOAT] = invert_conversion,
    [PN_FSINT] = invert_conversion,
};

bool search_knows(enum pn_operation operation)
{
    return rows[operation] || operation == PN_ITE || operation == PN_CONCAT;
}

/* One move */

static bool add_target(struct search *search, expr_id id, uint64_t value)
{
    if (search->target_count == MOST_TARGETS)
        return false;
    search->targets[search->target_count++] = (struct target){id, value & pn_mask(expr_get(search->table, id)->width)};
    return true;
}

static bool add_write(struct search *search, const struct target *target)
{
    if (search->write_count == MOST_WRITES)
        return false;
    search->writes[search->write_count++] = *target;
    return true;
}

static bool is_constant(const struct search *search, expr_id id)
{
    return expr_get(search->table, id)->operation == PN_CONSTANT;
}

/* Either the branch that is taken gets the value, or the other one is taken, if that has it. */
static bool reach_choice(struct search *search, const struct expr *expr, uint64_t wanted)
{
    bool condition = expr_evaluate_too(search->table, expr->a);
    expr_id taken = condition ? expr->b : expr->c, other = condition ? expr->c : expr->b;
    bool other_has = expr_evaluate_too(search->table, other) == wanted;
    bool tries_other =
        !is_constant(search, other) && expr_has_floating(search->table, other) && search_random(search, 4) == 0;
    if (other_has || tries_other || (is_constant(search, taken) && !is_constant(search, other)))
        return add_target(search, expr->a, !condition) && (other_has || add_target(search, other, wanted));
    return add_target(search, taken, wanted);
}

/* "and" that is to be true, "or" that is to be false: both operands. */
static bool needs_both(const struct expr *expr, uint64_t wanted)
{
    return expr->width == 1 && ((expr->operation == PN_AND && wanted) || (expr->operation == PN_OR && !wanted));
}

static bool reach_through(struct search *search, const struct expr *expr, uint64_t wanted)
{
    invert_operation *invert = rows[expr->operation];
    unsigned arity = expr_arity[expr->operation];
    if (!invert)
        return false;
    struct step step = {.search = search, .expr = expr, .width = expr->width, .wanted = wanted};
    step.child_width = expr_get(search->table, expr->a)->width;
    step.a = expr_evaluate_too(search->table, expr->a);
    bool first_fixed = is_constant(search, expr->a), second_fixed = true;
    if (arity > 1) {
        step.low_width = expr_get(search->table, expr->b)->width;
        step.b = expr_evaluate_too(search->table, expr->b);
        second_fixed = is_constant(search, expr->b);
    }
    bool first = second_fixed || (!first_fixed && search_random(search, 2));
    for (unsigned attempt = 0; attempt < 2; attempt++, first = !first) {
        uint64_t child;
        if ((first ? first_fixed : second_fixed) || !invert(&step, first, &child))
            continue;
        return add_target(search, first ? expr->a : expr->b, child);
    }
    return false;
}

static bool reach(struct search *search, const struct target *target)
{
    const struct expr *expr = expr_get(search->table, target->id);
    uint32_t first;
    if (expr_is_variable(search->table, target->id, &first))
        return add_write(search, target);
    if (expr_evaluate_too(search->table, target->id) == target->value)
        return true;
    if (expr->operation == PN_ITE)
        return reach_choice(search, expr, target->value);
    if (expr->operation == PN_CONCAT) {
        unsigned low_width = expr_get(search->table, expr->b)->width;
        return add_target(search, expr->a, target->value >> low_width) && add_target(search, expr->b, target->value);
    }
    if (needs_both(expr, target->value))
        return add_target(search, expr->a, target->value) && add_target(search, expr->b, target->value);
    return reach_through(search, expr, target->value);
}

static bool write_variables(struct search *search, uint8_t *model, size_t size)
{
    for (size_t i = 0; i < search->write_count; i++) {
        uint32_t first = 0;
        expr_is_variable(search->table, search->writes[i].id, &first);
        unsigned bytes = expr_get(search->table, search->writes[i].id)->width / 8;
        uint64_t value = search->writes[i].value;
        for (unsigned j = 0; j < bytes; j++, value >>= 8) {
            if (first + j < size)
                model[first + j] = (uint8_t)value;
            else if ((value & 0xff) != 0)
                return false;
        }
    }
    return true;
}

bool search_assign(struct search *search, expr_id id, uint64_t value, uint8_t *model, size_t size)
{
    search->target_count = search->write_count = 0;
    if (expr_evaluate(search->table, id, model, size) == value)
        return true;
    add_target(search, id, value);
    for (unsigned steps = 0; search->target_count > 0; steps++) {
        struct target target = search->targets[--search->target_count];
        if (steps == MOST_STEPS || !reach(search, &target))
            return false;
    }
    return write_variables(search, model, size);
}

/* The walk */

/* Large expressions get fewer moves. */
static void begin(struct search *search, unsigned moves)
{
    search->random = 1;
    search->work_limit = expr_evaluation_work(search->table) + (uint64_t)moves * WORK_OF_A_MOVE;
}

static bool has_time(const struct search *search)
{
    return expr_evaluation_work(search->table) < search->work_limit;
}

/* The first condition that does not hold, from a random one on. */
static size_t find_violated(struct search *search, const expr_id *conditions, size_t count, const uint8_t *model,
                            size_t size)
{
    size_t start = search_random(search, (unsigned)count);
    for (size_t i = 0; i < count; i++) {
        size_t at = start + i < count ? start + i : start + i - count;
        bool holds = i == 0 ? expr_evaluate(search->table, conditions[at], model, size)
                            : expr_evaluate_too(search->table, conditions[at]);
        if (!holds)
            return at;
    }
    return count;
}

bool search_solve(struct search *search, const expr_id *conditions, size_t count, uint8_t *model, size_t size)
{
    unsigned failures = 0;
    begin(search, MOST_MOVES);
    for (unsigned moves = 0; moves < MOST_MOVES && failures < 4 && has_time(search); moves++) {
        size_t violated = find_violated(search, conditions, count, model, size);
        if (violated == count)
            return true;
        failures = search_assign(search, conditions[violated], 1, model, size) ? 0 : failures + 1;
    }
    return expr_all_hold(search->table, conditions, count, model, size);
}

/* The climb */

static size_t count_violated(struct search *search, const expr_id *conditions, size_t count, const uint8_t *model,
                             size_t size)
{
    size_t violated = 0;
    for (size_t i = 0; i < count; i++)
        violated += !(i == 0 ? expr_evaluate(search->table, conditions[i], model, size)
                             : expr_evaluate_too(search->table, conditions[i]));
    return violated;
}

/* A variable below the expression, by a random way down; 0 when it ends at a constant. */
static expr_id random_variable(struct search *search, expr_id id)
{
    uint32_t first;
    for (unsigned steps = 0; steps < MOST_DESCENT; steps++) {
        const struct expr *expr = expr_get(search->table, id);
        if (expr_is_variable(search->table, id, &first))
            return id;
        unsigned arity = expr_arity[expr->operation];
        if (arity == 0)
            return 0;
        id = expr_child(expr, search_random(search, arity));
    }
    return 0;
}

/* Most often a neighbour, then one with another bit, then anything. */
static uint64_t random_neighbour(struct search *search, uint64_t value, unsigned width)
{
    unsigned kind = search_random(search, 8);
    if (kind < 5) {
        uint64_t distance = 1 + search_random(search, 1u << (1 + search_random(search, 10)));
        return search_random(search, 2) ? value + distance : value - distance;
    }
    if (kind < 7)
        return value ^ UINT64_C(1) << search_random(search, width);
    return (uint64_t)search_random(search, 1u << 30) >> search_random(search, 30);
}

static bool move_randomly(struct search *search, expr_id condition, uint8_t *model, size_t size)
{
    expr_id variable = random_variable(search, condition);
    if (!variable)
        return false;
    unsigned width = expr_get(search->table, variable)->width;
    uint64_t value = expr_evaluate_too(search->table, variable);
    search->writes[0] = (struct target){variable, random_neighbour(search, value, width) & pn_mask(width)};
    search->write_count = 1;
    return write_variables(search, model, size);
}

/* Sets all variables that the conditions read to zero. */
static void go_to_zero(struct search *search, const expr_id *conditions, size_t count, uint8_t *model, size_t size)
{
    for (size_t i = 0; i < count; i++) {
        size_t bytes;
        const uint32_t *support = expr_support(search->table, conditions[i], &bytes);
        for (size_t j = 0; j < bytes && support[j] < size; j++)
            model[support[j]] = 0;
    }
}

static bool climb(struct search *search, const expr_id *conditions, size_t count, uint8_t *model, size_t size,
                  unsigned moves)
{
    size_t violated = count_violated(search, conditions, count, model, size);
    for (unsigned made = 0; made < moves && violated > 0 && has_time(search); made++) {
        memcpy(search->before, model, size);
        size_t at = find_violated(search, conditions, count, model, size);
        bool has_moved = search_random(search, 4) == 0 ? search_assign(search, conditions[at], 1, model, size)
                                                       : move_randomly(search, conditions[at], model, size);
        size_t now = has_moved ? count_violated(search, conditions, count, model, size) : count;
        if (now <= violated || search_random(search, 64) == 0)
            violated = now;
        else
            memcpy(model, search->before, size);
    }
    return violated == 0 && expr_all_hold(search->table, conditions, count, model, size);
}

bool search_climb(struct search *search, const expr_id *conditions, size_t count, uint8_t *model, size_t size,
                  unsigned moves)
{
    begin(search, moves);
    search->before = array_reserve(search->before, &search->before_capacity, size + 1, 1);
    if (climb(search, conditions, count, model, size, moves / 2))
        return true;
    go_to_zero(search, conditions, count, model, size);
    return climb(search, conditions, count, model, size, moves / 2);
}

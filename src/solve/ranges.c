/* An expression has two ranges, as an unsigned and as a signed number; both hold. First the conditions that compare an
 * expression with a constant bound it; then everything below the conditions is computed, children first. A result that
 * may wrap is anything, and so is what floating point gives. */
#include "solve/ranges.h"

#include "base/arena.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_VISITS = 1000, MOST_CONJUNCTS = 256 };

struct range {
    uint64_t low, high;
    int64_t signed_low, signed_high;
};

struct entry {
    uint32_t epoch; /* of `range`; an older one says nothing */
    bool is_final;
    struct range range; /* bounds from conditions, or the final range */
};

struct ranges {
    struct expr_table *table;
    uint32_t epoch;
    struct entry *entries;
    size_t capacity;
    expr_id stack[MOST_VISITS];
};

struct ranges *ranges_create(struct expr_table *table)
{
    size_t capacity = 0;
    struct ranges *ranges = array_reserve(NULL, &capacity, 1, sizeof *ranges);
    *ranges = (struct ranges){.table = table};
    return ranges;
}

void ranges_destroy(struct ranges *ranges)
{
    free(ranges->entries);
    free(ranges);
}

/* Ranges as sets */

static int64_t least(unsigned width)
{
    return pn_signed(UINT64_C(1) << (width - 1), width);
}

static int64_t greatest(unsigned width)
{
    return (int64_t)(pn_mask(width) >> 1);
}

static struct range anything(unsigned width)
{
    return (struct range){0, pn_mask(width), least(width), greatest(width)};
}

static bool is_empty(const struct range *range)
{
    return range->low > range->high || range->signed_low > range->signed_high;
}

static bool is_single(const struct range *range)
{
    return range->low == range->high;
}

static struct range meet(const struct range *one, const struct range *other)
{
    struct range both = *one;
    both.low = both.low < other->low ? other->low : both.low;
    both.high = both.high > other->high ? other->high : both.high;
    both.signed_low = both.signed_low < other->signed_low ? other->signed_low : both.signed_low;
    both.signed_high = both.signed_high > other->signed_high ? other->signed_high : both.signed_high;
    return both;
}

static struct range join(const struct range *one, const struct range *other)
{
    struct range either = *one;
    either.low = either.low > other->low ? other->low : either.low;
    either.high = either.high < other->high ? other->high : either.high;
    either.signed_low = either.signed_low > other->signed_low ? other->signed_low : either.signed_low;
    either.signed_high = either.signed_high < other->signed_high ? other->signed_high : either.signed_high;
    return either;
}

/* Lets each of the two views narrow the other, where they cover one half of the numbers only. */
static struct range agreed(struct range range, unsigned width)
{
    struct range other = anything(width);
    if (is_empty(&range))
        return range;
    if (range.high <= (uint64_t)greatest(width) || range.low > (uint64_t)greatest(width)) {
        other.signed_low = pn_signed(range.low, width);
        other.signed_high = pn_signed(range.high, width);
    }
    if (range.signed_low >= 0 || range.signed_high < 0) {
        other.low = (uint64_t)range.signed_low & pn_mask(width);
        other.high = (uint64_t)range.signed_high & pn_mask(width);
    }
    return meet(&range, &other);
}

static struct range unsigned_range(unsigned width, uint64_t low, uint64_t high)
{
    struct range range = anything(width);
    range.low = low;
    range.high = high;
    return range;
}

static struct range exactly(unsigned width, uint64_t value)
{
    value &= pn_mask(width);
    return (struct range){value, value, pn_signed(value, width), pn_signed(value, width)};
}

/* Operations */

typedef __int128 wide;
typedef unsigned __int128 unsigned_wide;

struct operands {
    const struct expr *expr;
    const struct expr_constants *constants; /* of a lookup */
    unsigned child_width, low_width;        /* of a and b */
    struct range a, b, c;
};

typedef struct range range_operation(const struct operands *operands);

/* What is computed exactly counts where it fits. */
static void set_unsigned(struct range *range, unsigned width, unsigned_wide low, unsigned_wide high)
{
    if (low > high || high > pn_mask(width))
        return;
    range->low = (uint64_t)low;
    range->high = (uint64_t)high;
}

static void set_signed(struct range *range, unsigned width, wide low, wide high)
{
    if (low > high || low < least(width) || high > greatest(width))
        return;
    range->signed_low = (int64_t)low;
    range->signed_high = (int64_t)high;
}

static struct range range_add(const struct operands *operands)
{
    const struct range *a = &operands->a, *b = &operands->b;
    unsigned width = operands->expr->width;
    struct range range = anything(width);
    set_unsigned(&range, width, (unsigned_wide)a->low + b->low, (unsigned_wide)a->high + b->high);
    set_signed(&range, width, (wide)a->signed_low + b->signed_low, (wide)a->signed_high + b->signed_high);
    return range;
}

static struct range range_sub(const struct operands *operands)
{
    const struct range *a = &operands->a, *b = &operands->b;
    unsigned width = operands->expr->width;
    struct range range = anything(width);
    if (a->low >= b->high)
        set_unsigned(&range, width, a->low - b->high, a->high - b->low);
    set_signed(&range, width, (wide)a->signed_low - b->signed_high, (wide)a->signed_high - b->signed_low);
    return range;
}

static struct range range_mul(const struct operands *operands)
{
    const struct range *a = &operands->a, *b = &operands->b;
    unsigned width = operands->expr->width;
    struct range range = anything(width);
    set_unsigned(&range, width, (unsigned_wide)a->low * b->low, (unsigned_wide)a->high * b->high);
    const wide corners[] = {(wide)a->signed_low * b->signed_low, (wide)a->signed_low * b->signed_high,
                            (wide)a->signed_high * b->signed_low, (wide)a->signed_high * b->signed_high};
    wide low = corners[0], high = corners[0];
    for (unsigned i = 1; i < 4; i++) {
        low = corners[i] < low ? corners[i] : low;
        high = corners[i] > high ? corners[i] : high;
    }
    if (operands->expr->a == operands->expr->b) { /* the mixed corners are not reached */
        low = corners[0] < corners[3] ? corners[0] : corners[3];
        if (a->signed_low <= 0 && a->signed_high >= 0)
            low = 0;
    }
    set_signed(&range, width, low, high);
    return range;
}

static struct range range_udiv(const struct operands *operands)
{
    const struct range *a = &operands->a, *b = &operands->b;
    if (b->low == 0)
        return anything(operands->expr->width);
    return unsigned_range(operands->expr->width, a->low / b->high, a->high / b->low);
}

static struct range range_urem(const struct operands *operands)
{
    const struct range *a = &operands->a, *b = &operands->b;
    uint64_t high = b->low > 0 && b->high - 1 < a->high ? b->high - 1 : a->high;
    uint64_t low = b->low > a->high ? a->low : 0;
    return unsigned_range(operands->expr->width, low, high);
}

static struct range range_sdiv(const struct operands *operands)
{
    const struct range *a = &operands->a, *b = &operands->b;
    struct range range = anything(operands->expr->width);
    if (b->signed_low <= 0)
        return range;
    range.signed_low = a->signed_low / (a->signed_low < 0 ? b->signed_low : b->signed_high);
    range.signed_high = a->signed_high / (a->signed_high < 0 ? b->signed_high : b->signed_low);
    return range;
}

static struct range range_srem(const struct operands *operands)
{
    const struct range *a = &operands->a, *b = &operands->b;
    struct range range = anything(operands->expr->width);
    range.signed_low = a->signed_low < 0 ? a->signed_low : 0;
    range.signed_high = a->signed_high > 0 ? a->signed_high : 0;
    if (b->signed_low > 0) {
        range.signed_low = range.signed_low < 1 - b->signed_high ? 1 - b->signed_high : range.signed_low;
        range.signed_high = range.signed_high > b->signed_high - 1 ? b->signed_high - 1 : range.signed_high;
    }
    return range;
}

/* All bits up to the highest one that is set. */
static uint64_t filled(uint64_t value)
{
    return value == 0 ? 0 : UINT64_MAX >> __builtin_clzll(value);
}

static struct range range_and(const struct operands *operands)
{
    const struct range *a = &operands->a, *b = &operands->b;
    if (operands->expr->width == 1)
        return unsigned_range(1, a->low & b->low, a->high & b->high);
    return unsigned_range(operands->expr->width, 0, a->high < b->high ? a->high : b->high);
}

static struct range range_or(const struct operands *operands)
{
    const struct range *a = &operands->a, *b = &operands->b;
    return unsigned_range(operands->expr->width, a->low > b->low ? a->low : b->low, filled(a->high | b->high));
}

static struct range range_xor(const struct operands *operands)
{
    const struct range *a = &operands->a, *b = &operands->b;
    if (is_single(a) && is_single(b))
        return exactly(operands->expr->width, a->low ^ b->low);
    return unsigned_range(operands->expr->width, 0, filled(a->high | b->high));
}

static struct range range_shl(const struct operands *operands)
{
    unsigned width = operands->expr->width;
    uint64_t distance = operands->b.low;
    struct range range = anything(width);
    if (!is_single(&operands->b) || distance >= width)
        return range;
    set_unsigned(&range, width, (unsigned_wide)operands->a.low << distance,
                 (unsigned_wide)operands->a.high << distance);
    wide factor = (wide)1 << distance;
    set_signed(&range, width, operands->a.signed_low * factor, operands->a.signed_high * factor);
    return range;
}

static struct range range_lshr(const struct operands *operands)
{
    unsigned width = operands->expr->width;
    uint64_t distance = operands->b.low;
    if (!is_single(&operands->b) || distance >= width)
        return unsigned_range(width, 0, operands->a.high);
    return unsigned_range(width, operands->a.low >> distance, operands->a.high >> distance);
}

static struct range range_ashr(const struct operands *operands)
{
    unsigned width = operands->expr->width;
    struct range range = anything(width);
    if (!is_single(&operands->b))
        return range;
    uint64_t distance = operands->b.low < width ? operands->b.low : width - 1;
    range.signed_low = operands->a.signed_low >> distance;
    range.signed_high = operands->a.signed_high >> distance;
    return range;
}

static struct range outcome(bool must, bool cannot)
{
    return unsigned_range(1, must, !cannot);
}

static struct range range_eq(const struct operands *operands)
{
    struct range both = meet(&operands->a, &operands->b);
    return outcome(is_single(&operands->a) && is_single(&operands->b) && operands->a.low == operands->b.low,
                   is_empty(&both));
}

static struct range range_ult(const struct operands *operands)
{
    return outcome(operands->a.high < operands->b.low, operands->a.low >= operands->b.high);
}

static struct range range_ule(const struct operands *operands)
{
    return outcome(operands->a.high <= operands->b.low, operands->a.low > operands->b.high);
}

static struct range range_slt(const struct operands *operands)
{
    return outcome(operands->a.signed_high < operands->b.signed_low, operands->a.signed_low >= operands->b.signed_high);
}

static struct range range_sle(const struct operands *operands)
{
    return outcome(operands->a.signed_high <= operands->b.signed_low, operands->a.signed_low > operands->b.signed_high);
}

static struct range range_zext(const struct operands *operands)
{
    return unsigned_range(operands->expr->width, operands->a.low, operands->a.high);
}

static struct range range_sext(const struct operands *operands)
{
    struct range range = anything(operands->expr->width);
    range.signed_low = operands->a.signed_low;
    range.signed_high = operands->a.signed_high;
    return range;
}

static struct range range_extract(const struct operands *operands)
{
    unsigned width = operands->expr->width, lowest = operands->expr->b;
    struct range range = anything(width);
    set_unsigned(&range, width, operands->a.low >> lowest, operands->a.high >> lowest);
    set_signed(&range, width, operands->a.signed_low >> lowest, operands->a.signed_high >> lowest);
    return range;
}

static struct range range_concat(const struct operands *operands)
{
    return unsigned_range(operands->expr->width, operands->a.low << operands->low_width | operands->b.low,
                          operands->a.high << operands->low_width | operands->b.high);
}

static struct range range_ite(const struct operands *operands)
{
    if (is_single(&operands->a))
        return operands->a.low ? operands->b : operands->c;
    return join(&operands->b, &operands->c);
}

/* Of the elements that the index may choose, and of zero where it may be past the end. */
static struct range range_lookup(const struct operands *operands)
{
    const struct expr_constants *constants = operands->constants;
    unsigned width = operands->expr->width;
    uint64_t first = operands->a.low, last = operands->a.high;
    if (first >= constants->count)
        return exactly(width, 0);
    struct range all = exactly(width, constants->values[first]), zero = exactly(width, 0);
    if (last >= constants->count) {
        all = join(&all, &zero);
        last = constants->count - 1;
    }
    for (uint64_t i = first + 1; i <= last; i++) {
        struct range one = exactly(width, constants->values[i]);
        all = join(&all, &one);
    }
    return all;
}

static struct range range_constant(const struct operands *operands)
{
    return exactly(operands->expr->width, operands->expr->value);
}

static struct range range_input(const struct operands *operands)
{
    return anything(operands->expr->width);
}

static range_operation *const rows[PN_OPERATION_COUNT] = {
    [PN_CONSTANT] = range_constant,
    [PN_INPUT] = range_input,
    [PN_ADD] = range_add,
    [PN_SUB] = range_sub,
    [PN_MUL] = range_mul,
    [PN_UDIV] = range_udiv,
    [PN_SDIV] = range_sdiv,
    [PN_UREM] = range_urem,
    [PN_SREM] = range_srem,
    [PN_AND] = range_and,
    [PN_OR] = range_or,
    [PN_XOR] = range_xor,
    [PN_SHL] = range_shl,
    [PN_LSHR] = range_lshr,
    [PN_ASHR] = range_ashr,
    [PN_EQ] = range_eq,
    [PN_ULT] = range_ult,
    [PN_ULE] = range_ule,
    [PN_SLT] = range_slt,
    [PN_SLE] = range_sle,
    [PN_ZEXT] = range_zext,
    [PN_SEXT] = range_sext,
    [PN_EXTRACT] = range_extract,
    [PN_CONCAT] = range_concat,
    [PN_ITE] = range_ite,
    [PN_LOOKUP] = range_lookup,
};

bool ranges_know(enum pn_operation operation)
{
    return rows[operation];
}

/* What the conditions say directly */

static void begin(struct ranges *ranges)
{
    ranges->entries =
        array_reserve_zeroed(ranges->entries, &ranges->capacity, expr_count(ranges->table), sizeof *ranges->entries);
    if (++ranges->epoch != 0)
        return;
    for (size_t i = 0; i < ranges->capacity; i++)
        ranges->entries[i].epoch = 0;
    ranges->epoch = 1;
}

static void bound(struct ranges *ranges, expr_id id, const struct range *range)
{
    struct entry *entry = &ranges->entries[id];
    if (entry->epoch == ranges->epoch)
        entry->range = meet(&entry->range, range);
    else
        *entry = (struct entry){.epoch = ranges->epoch, .range = *range};
}

/* comparison(a, constant), or comparison(constant, a). The orders that are strict at the end of the range would be
 * constant conditions, so nothing wraps here. */
static void bound_by_comparison(struct ranges *ranges, const struct expr *expr)
{
    uint64_t constant;
    bool is_left = expr_is_constant(ranges->table, expr->a, &constant);
    if (!is_left && !expr_is_constant(ranges->table, expr->b, &constant))
        return;
    expr_id id = is_left ? expr->b : expr->a;
    unsigned width = expr_get(ranges->table, id)->width;
    bool is_strict = expr->operation == PN_ULT || expr->operation == PN_SLT;
    int64_t number = pn_signed(constant, width);
    struct range range = anything(width);
    if (expr->operation == PN_EQ)
        range = exactly(width, constant);
    else if (expr->operation == PN_ULT || expr->operation == PN_ULE)
        *(is_left ? &range.low : &range.high) = !is_strict ? constant : is_left ? constant + 1 : constant - 1;
    else
        *(is_left ? &range.signed_low : &range.signed_high) = !is_strict ? number : is_left ? number + 1 : number - 1;
    bound(ranges, id, &range);
}

static bool is_comparison(const struct expr *expr)
{
    return expr->operation >= PN_EQ && expr->operation <= PN_SLE;
}

/* A condition holds; so do both parts of a conjunction. */
static void bound_by_condition(struct ranges *ranges, expr_id condition)
{
    expr_id conjuncts[MOST_CONJUNCTS] = {condition};
    size_t count = 1;
    while (count > 0) {
        expr_id id = conjuncts[--count];
        const struct expr *expr = expr_get(ranges->table, id);
        struct range holds = exactly(1, 1);
        bound(ranges, id, &holds);
        if (is_comparison(expr))
            bound_by_comparison(ranges, expr);
        else if (expr->operation == PN_AND && count + 2 <= MOST_CONJUNCTS) {
            conjuncts[count++] = expr->a;
            conjuncts[count++] = expr->b;
        }
    }
}

/* What follows */

static bool is_final(const struct ranges *ranges, expr_id id)
{
    return ranges->entries[id].epoch == ranges->epoch && ranges->entries[id].is_final;
}

/* Computes an expression whose children are known. */
static void compute(struct ranges *ranges, expr_id id)
{
    const struct expr *expr = expr_get(ranges->table, id);
    unsigned arity = expr_arity[expr->operation];
    struct operands operands = {.expr = expr};
    if (expr->operation == PN_LOOKUP)
        operands.constants = expr_constants(ranges->table, expr->b);
    if (arity > 0) {
        operands.a = ranges->entries[expr->a].range;
        operands.child_width = expr_get(ranges->table, expr->a)->width;
    }
    if (arity > 1) {
        operands.b = ranges->entries[expr->b].range;
        operands.low_width = expr_get(ranges->table, expr->b)->width;
    }
    if (arity > 2)
        operands.c = ranges->entries[expr->c].range;
    uint32_t first;
    struct range range = expr_is_variable(ranges->table, id, &first) || !rows[expr->operation]
                             ? anything(expr->width)
                             : agreed(rows[expr->operation](&operands), expr->width);
    bound(ranges, id, &range);
    struct entry *entry = &ranges->entries[id];
    entry->range = agreed(entry->range, expr->width);
    entry->is_final = true;
}

/* True when something below the condition, or itself, has no value left. `visits` is what may still be looked at. */
static bool finds_nothing(struct ranges *ranges, expr_id condition, size_t *visits)
{
    size_t depth = 0;
    ranges->stack[depth++] = condition;
    while (depth > 0) {
        expr_id id = ranges->stack[depth - 1];
        const struct expr *expr = expr_get(ranges->table, id);
        size_t before = depth;
        uint32_t first;
        if (is_final(ranges, id)) {
            depth--;
            continue;
        }
        if (*visits == 0)
            return false;
        --*visits;
        bool is_variable = expr_is_variable(ranges->table, id, &first);
        for (unsigned i = 0; i < expr_arity[expr->operation] && !is_variable && depth < MOST_VISITS; i++)
            if (!is_final(ranges, expr_child(expr, i)))
                ranges->stack[depth++] = expr_child(expr, i);
        if (depth == MOST_VISITS)
            return false;
        if (depth > before)
            continue;
        compute(ranges, id);
        if (is_empty(&ranges->entries[id].range))
            return true;
        depth--;
    }
    return false;
}

bool ranges_contradict(struct ranges *ranges, const expr_id *conditions, size_t count)
{
    size_t visits = MOST_VISITS;
    begin(ranges);
    for (size_t i = 0; i < count; i++)
        bound_by_condition(ranges, conditions[i]);
    for (size_t i = 0; i < count && visits > 0; i++)
        if (finds_nothing(ranges, conditions[i], &visits))
            return true;
    return false;
}

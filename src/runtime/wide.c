/* Integers of 128 bits: their operations said with those of their halves. Where an operand is concrete, or a shift's
 * distance is, less is made. */
#include "runtime/runtime.h"

struct wide {
    uint32_t low, high; /* nodes */
};

static uint32_t number(uint64_t value)
{
    return pn_make_constant(64, value);
}

static bool is_number(uint32_t node, uint64_t value)
{
    return node && !pn_matters(node) && pn_node(node)->new_value == value;
}

static uint32_t make(enum pn_operation operation, uint32_t a, uint32_t b)
{
    bool neutral_zero = operation == PN_ADD || operation == PN_OR || operation == PN_XOR;
    if (neutral_zero && is_number(a, 0))
        return b;
    if ((neutral_zero || operation == PN_SUB) && is_number(b, 0))
        return a;
    if (operation == PN_MUL && (is_number(a, 0) || is_number(b, 0)))
        return number(0);
    return pn_make(operation, 64, a, b, 0);
}

static uint32_t as_number(uint32_t condition)
{
    return pn_make(PN_ZEXT, 64, condition, 0, 0);
}

static uint32_t choose(uint32_t condition, uint32_t then, uint32_t otherwise)
{
    if (condition && !pn_matters(condition))
        return pn_node(condition)->new_value ? then : otherwise;
    return then == otherwise ? then : pn_make(PN_ITE, pn_node(then)->width, condition, then, otherwise);
}

/* From four products of 32-bit halves. */
uint32_t pn_make_high_product(uint32_t a, uint32_t b)
{
    uint32_t mask = number(UINT32_MAX), half = number(32);
    if (is_number(a, 0) || is_number(b, 0))
        return number(0);
    uint32_t a_low = make(PN_AND, a, mask), a_high = make(PN_LSHR, a, half);
    uint32_t b_low = make(PN_AND, b, mask), b_high = make(PN_LSHR, b, half);
    uint32_t low = make(PN_MUL, a_low, b_low), cross = make(PN_MUL, a_high, b_low);
    uint32_t middle = make(PN_ADD, cross, make(PN_LSHR, low, half));
    uint32_t other = make(PN_ADD, make(PN_MUL, a_low, b_high), make(PN_AND, middle, mask));
    uint32_t high = make(PN_ADD, make(PN_MUL, a_high, b_high), make(PN_LSHR, middle, half));
    return make(PN_ADD, high, make(PN_LSHR, other, half));
}

static uint32_t sum(struct wide a, struct wide b, bool high)
{
    uint32_t low = make(PN_ADD, a.low, b.low);
    if (!high)
        return low;
    uint32_t carry =
        is_number(b.low, 0) || is_number(a.low, 0) ? number(0) : as_number(pn_make(PN_ULT, 1, low, a.low, 0));
    return make(PN_ADD, make(PN_ADD, a.high, b.high), carry);
}

static uint32_t difference(struct wide a, struct wide b, bool high)
{
    if (!high)
        return make(PN_SUB, a.low, b.low);
    uint32_t borrow = is_number(b.low, 0) ? number(0) : as_number(pn_make(PN_ULT, 1, a.low, b.low, 0));
    return make(PN_SUB, make(PN_SUB, a.high, b.high), borrow);
}

static uint32_t product(struct wide a, struct wide b, bool high)
{
    if (!high)
        return make(PN_MUL, a.low, b.low);
    uint32_t cross = make(PN_ADD, make(PN_MUL, a.low, b.high), make(PN_MUL, a.high, b.low));
    return make(PN_ADD, pn_make_high_product(a.low, b.low), cross);
}

/* A shift of 64 or more gives zeros, by the operations' meaning: only the bits that cross the middle need care. */
static uint32_t shift_left(struct wide a, uint32_t by, bool high)
{
    if (!high)
        return make(PN_SHL, a.low, by);
    uint32_t crossing = make(PN_LSHR, a.low, make(PN_SUB, number(64), by));
    uint32_t near = make(PN_OR, make(PN_SHL, a.high, by), crossing);
    return choose(pn_make(PN_ULT, 1, by, number(64), 0), near, make(PN_SHL, a.low, make(PN_SUB, by, number(64))));
}

static uint32_t shift_right(struct wide a, uint32_t by, bool high, enum pn_operation operation)
{
    if (high)
        return make(operation, a.high, by);
    uint32_t crossing = make(PN_SHL, a.high, make(PN_SUB, number(64), by));
    uint32_t near = make(PN_OR, make(PN_LSHR, a.low, by), crossing);
    return choose(pn_make(PN_ULT, 1, by, number(64), 0), near, make(operation, a.high, make(PN_SUB, by, number(64))));
}

/* The upper halves decide unless they are equal; then the lower ones do, which have no sign. */
static uint32_t compare(enum pn_operation operation, struct wide a, struct wide b)
{
    uint32_t high_equal = pn_make(PN_EQ, 1, a.high, b.high, 0);
    if (operation == PN_EQ)
        return pn_make(PN_AND, 1, high_equal, pn_make(PN_EQ, 1, a.low, b.low, 0), 0);
    bool is_signed = operation == PN_SLT || operation == PN_SLE, or_equal = operation == PN_ULE || operation == PN_SLE;
    uint32_t high = pn_make(is_signed ? PN_SLT : PN_ULT, 1, a.high, b.high, 0);
    uint32_t low = pn_make(or_equal ? PN_ULE : PN_ULT, 1, a.low, b.low, 0);
    return choose(high_equal, low, high);
}

static uint32_t operate(enum pn_operation operation, bool high, struct wide a, struct wide b)
{
    switch (operation) {
    case PN_ADD: return sum(a, b, high);
    case PN_SUB: return difference(a, b, high);
    case PN_MUL: return product(a, b, high);
    case PN_SHL: return shift_left(a, b.low, high);
    case PN_LSHR:
    case PN_ASHR: return shift_right(a, b.low, high, operation);
    case PN_AND:
    case PN_OR:
    case PN_XOR: return make(operation, high ? a.high : a.low, high ? b.high : b.low);
    default: return compare(operation, a, b);
    }
}

label __pn_slow_wide(uint32_t operation, uint32_t half, uint64_t a_low, label on_a_low, uint64_t a_high,
                     label on_a_high, uint64_t b_low, label on_b_low, uint64_t b_high, label on_b_high)
{
    struct wide a = {on_a_low ? on_a_low : number(a_low), on_a_high ? on_a_high : number(a_high)};
    struct wide b = {on_b_low ? on_b_low : number(b_low), on_b_high ? on_b_high : number(b_high)};
    uint32_t node = operate(operation, half, a, b);
    return pn_useful(node);
}

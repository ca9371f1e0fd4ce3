/* Operations that are made of several, such as the compiler's intrinsics for overflow and for counting bits: each is
 * exactly its definition. */
#include "trace/derived.h"
#include "runtime/runtime.h"

static uint32_t make(enum pn_operation operation, unsigned width, uint32_t a, uint32_t b)
{
    return pn_make(operation, width, a, b, 0);
}

static uint32_t make_bit(enum pn_operation operation, uint32_t a, uint32_t b)
{
    return pn_make(operation, 1, a, b, 0);
}

static uint32_t choose(uint32_t condition, uint32_t then, uint32_t otherwise)
{
    return pn_make(PN_ITE, pn_node(then)->width, condition, then, otherwise);
}

static uint32_t extend(enum pn_operation operation, unsigned width, uint32_t value)
{
    unsigned from = pn_node(value)->width;
    return from == width ? value : pn_make(from > width ? PN_EXTRACT : operation, width, value, 0, 0);
}

/* ---- bits ---- */

/* A constant that repeats `bits` ones above `bits` zeros, the ones lowest. */
static uint64_t stripes(unsigned bits)
{
    uint64_t mask = 0;
    for (unsigned at = 0; at < 64; at += 2 * bits)
        mask |= pn_mask(bits) << at;
    return mask;
}

static uint32_t count_ones(unsigned width, uint32_t value)
{
    uint32_t count = extend(PN_ZEXT, 64, value);
    for (unsigned bits = 1; bits < width; bits *= 2) {
        uint32_t mask = pn_make_constant(64, stripes(bits)), by = pn_make_constant(64, bits);
        count = make(PN_ADD, 64, make(PN_AND, 64, count, mask), make(PN_AND, 64, make(PN_LSHR, 64, count, by), mask));
    }
    return extend(PN_ZEXT, width, count);
}

/* The zeros above the highest one are what is left when it is spread downwards. */
static uint32_t leading_zeros(unsigned width, uint32_t value)
{
    for (unsigned bits = 1; bits < width; bits *= 2)
        value = make(PN_OR, width, value, make(PN_LSHR, width, value, pn_make_constant(width, bits)));
    return count_ones(width, make(PN_XOR, width, value, pn_make_constant(width, UINT64_MAX)));
}

/* Below the lowest one: not x, and x - 1. */
static uint32_t trailing_zeros(unsigned width, uint32_t value)
{
    uint32_t ones = pn_make_constant(width, UINT64_MAX);
    return count_ones(width, make(PN_AND, width, make(PN_XOR, width, value, ones), make(PN_ADD, width, value, ones)));
}

static uint32_t reverse(unsigned width, uint32_t value, unsigned piece)
{
    uint32_t result = pn_make(PN_EXTRACT, piece, value, 0, 0);
    for (unsigned at = piece; at < width; at += piece)
        result = make(PN_CONCAT, at + piece, result, pn_make(PN_EXTRACT, piece, value, at, 0));
    return result;
}

/* The distance counts modulo the width; a shift by the whole width gives zeros. */
static uint32_t funnel(bool left, unsigned width, uint32_t high, uint32_t low, uint32_t by)
{
    uint32_t whole = pn_make_constant(width, width), distance = make(PN_UREM, width, by, whole);
    uint32_t rest = make(PN_SUB, width, whole, distance);
    return make(PN_OR, width, make(PN_SHL, width, high, left ? distance : rest),
                make(PN_LSHR, width, low, left ? rest : distance));
}

/* ---- overflow ---- */

static uint32_t is_negative(unsigned width, uint32_t value)
{
    return make_bit(PN_SLT, value, pn_make_constant(width, 0));
}

/* The sign of the result is not what both operands' signs say. */
static uint32_t sum_overflows(unsigned width, uint32_t a, uint32_t b)
{
    uint32_t sum = make(PN_ADD, width, a, b);
    return is_negative(width, make(PN_AND, width, make(PN_XOR, width, sum, a), make(PN_XOR, width, sum, b)));
}

static uint32_t difference_overflows(unsigned width, uint32_t a, uint32_t b)
{
    uint32_t difference = make(PN_SUB, width, a, b);
    return is_negative(width, make(PN_AND, width, make(PN_XOR, width, a, b), make(PN_XOR, width, a, difference)));
}

static uint32_t is_not(uint32_t a, uint32_t b)
{
    return pn_not(make_bit(PN_EQ, a, b));
}

/* All 128 bits of the product are looked at, unless 64 hold it. */
static uint32_t unsigned_product_overflows(unsigned width, uint32_t a, uint32_t b)
{
    uint32_t wide_a = extend(PN_ZEXT, 64, a), wide_b = extend(PN_ZEXT, 64, b), none = pn_make_constant(64, 0);
    uint32_t low = make(PN_MUL, 64, wide_a, wide_b);
    uint32_t above = width < 64 ? is_not(make(PN_LSHR, 64, low, pn_make_constant(64, width)), none) : 0;
    if (width <= 32)
        return above;
    uint32_t high = is_not(pn_make_high_product(wide_a, wide_b), none);
    return above ? make_bit(PN_OR, above, high) : high;
}

static uint32_t signed_product_overflows(unsigned width, uint32_t a, uint32_t b)
{
    uint32_t wide_a = extend(PN_SEXT, 64, a), wide_b = extend(PN_SEXT, 64, b), none = pn_make_constant(64, 0);
    uint32_t low = make(PN_MUL, 64, wide_a, wide_b);
    uint32_t above = width < 64 ? is_not(extend(PN_SEXT, 64, extend(PN_SEXT, width, low)), low) : 0;
    if (width <= 32)
        return above;
    uint32_t high = pn_make_high_product(wide_a, wide_b);
    high = make(PN_SUB, 64, high, choose(is_negative(64, wide_a), wide_b, none));
    high = make(PN_SUB, 64, high, choose(is_negative(64, wide_b), wide_a, none));
    uint32_t wrong = is_not(high, make(PN_ASHR, 64, low, pn_make_constant(64, 63)));
    return above ? make_bit(PN_OR, above, wrong) : wrong;
}

/* ---- saturation ---- */

static uint32_t limit_of_sign(unsigned width, uint32_t value)
{
    uint64_t lowest = UINT64_C(1) << (width - 1);
    return choose(is_negative(width, value), pn_make_constant(width, lowest), pn_make_constant(width, lowest - 1));
}

static uint32_t saturated_shift(bool is_signed, unsigned width, uint32_t a, uint32_t b)
{
    uint32_t shifted = make(PN_SHL, width, a, b), back = make(is_signed ? PN_ASHR : PN_LSHR, width, shifted, b);
    uint32_t limit = is_signed ? limit_of_sign(width, a) : pn_make_constant(width, UINT64_MAX);
    return choose(make_bit(PN_EQ, back, a), shifted, limit);
}

/* ---- all of them ---- */

static uint32_t compare_three_ways(enum pn_operation less, unsigned width, uint32_t a, uint32_t b)
{
    return choose(make_bit(less, a, b), pn_make_constant(width, UINT64_MAX),
                  choose(make_bit(less, b, a), pn_make_constant(width, 1), pn_make_constant(width, 0)));
}

static uint32_t derive(enum pn_derived derived, unsigned width, uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t all_ones = pn_make_constant(width, UINT64_MAX), none = pn_make_constant(width, 0);
    switch (derived) {
    case PN_ABS: return choose(is_negative(width, a), make(PN_SUB, width, none, a), a);
    case PN_SMAX: return choose(make_bit(PN_SLT, a, b), b, a);
    case PN_SMIN: return choose(make_bit(PN_SLT, a, b), a, b);
    case PN_UMAX: return choose(make_bit(PN_ULT, a, b), b, a);
    case PN_UMIN: return choose(make_bit(PN_ULT, a, b), a, b);
    case PN_SCMP: return compare_three_ways(PN_SLT, c, a, b);
    case PN_UCMP: return compare_three_ways(PN_ULT, c, a, b);
    case PN_BSWAP: return reverse(width, a, 8);
    case PN_BITREVERSE: return reverse(width, a, 1);
    case PN_CTPOP: return count_ones(width, a);
    case PN_CTLZ: return leading_zeros(width, a);
    case PN_CTTZ: return trailing_zeros(width, a);
    case PN_FSHL: return funnel(true, width, a, b, c);
    case PN_FSHR: return funnel(false, width, a, b, c);
    case PN_SADD_SAT: return choose(sum_overflows(width, a, b), limit_of_sign(width, a), make(PN_ADD, width, a, b));
    case PN_SSUB_SAT:
        return choose(difference_overflows(width, a, b), limit_of_sign(width, a), make(PN_SUB, width, a, b));
    case PN_UADD_SAT:
        return choose(make_bit(PN_ULT, make(PN_ADD, width, a, b), a), all_ones, make(PN_ADD, width, a, b));
    case PN_USUB_SAT: return choose(make_bit(PN_ULT, a, b), none, make(PN_SUB, width, a, b));
    case PN_SSHL_SAT: return saturated_shift(true, width, a, b);
    case PN_USHL_SAT: return saturated_shift(false, width, a, b);
    case PN_SADD_OVERFLOWS: return sum_overflows(width, a, b);
    case PN_UADD_OVERFLOWS: return make_bit(PN_ULT, make(PN_ADD, width, a, b), a);
    case PN_SSUB_OVERFLOWS: return difference_overflows(width, a, b);
    case PN_USUB_OVERFLOWS: return make_bit(PN_ULT, a, b);
    case PN_SMUL_OVERFLOWS: return signed_product_overflows(width, a, b);
    case PN_UMUL_OVERFLOWS: return unsigned_product_overflows(width, a, b);
    default: return 0;
    }
}

/* A three-way comparison has no third operand: there `c` is the width of the result. */
label __pn_slow_derive(uint32_t derived, uint32_t width, uint64_t a, label la, uint64_t b, label lb, uint64_t c,
                       label lc)
{
    bool compares = derived == PN_SCMP || derived == PN_UCMP;
    uint32_t third = compares ? (uint32_t)c : lc ? lc : pn_make_constant(width, c);
    uint32_t node = derive((enum pn_derived)derived, width, la ? la : pn_make_constant(width, a),
                           lb ? lb : pn_make_constant(width, b), third);
    return pn_useful(node);
}

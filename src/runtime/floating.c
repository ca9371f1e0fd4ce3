/* Slow paths of floating point: nodes for what trace/floating.h computes. */
#include "runtime/runtime.h"

static bool takes_one(uint32_t operation)
{
    return operation == PN_FSQRT || operation == PN_FROUND || operation == PN_FCAST;
}

label __pn_slow_floating(uint32_t operation, uint32_t width, uint64_t a, label la, uint64_t b, label lb)
{
    if (takes_one(operation))
        return pn_useful(pn_make(operation, width, la, (uint32_t)b, 0));
    return pn_useful(pn_make(operation, width, pn_operand(width, a, la), pn_operand(width, b, lb), 0));
}

label __pn_slow_fused(uint32_t width, uint64_t a, label la, uint64_t b, label lb, uint64_t c, label lc)
{
    return pn_useful(
        pn_make(PN_FMA, width, pn_operand(width, a, la), pn_operand(width, b, lb), pn_operand(width, c, lc)));
}

uint64_t __pn_slow_settle(uint64_t bits, uint32_t width)
{
    return pn_float_is_nan(bits, width) ? pn_float_nan(width) : bits;
}

/* What clang's instructions come to for unsigned long: numbers from 2^63 on are converted with that much less, and the
 * bit put back; so is NaN. Below, it is the signed conversion. */
static uint32_t to_unsigned_long(label from)
{
    unsigned width = pn_node(from)->width;
    uint32_t half = pn_make_constant(width, pn_float_bits(0x1p63, width));
    uint32_t large = pn_make(PN_FSINT, 64, pn_make(PN_FSUB, width, from, half, 0), 0, 0);
    return pn_make(PN_ITE, 64, pn_make(PN_FLT, 1, from, half, 0), pn_make(PN_FSINT, 64, from, 0, 0),
                   pn_make(PN_OR, 64, large, pn_make_constant(64, UINT64_C(1) << 63), 0));
}

/* There is an instruction for signed integers of 32 and of 64 bits; others are made with the next wider one. */
label __pn_slow_to_integer(uint32_t is_signed, uint32_t width, label from)
{
    if (!is_signed && width > 32)
        return to_unsigned_long(from);
    unsigned made = width > 32 || (!is_signed && width == 32) ? 64 : 32;
    uint32_t node = pn_make(PN_FSINT, made, from, 0, 0);
    return width < made ? pn_make(PN_EXTRACT, width, node, 0, 0) : node;
}

/* ---- functions of the mathematical library that are not followed ---- */

static uint64_t call_with_doubles(uint64_t function, uint32_t shape, uint64_t a, uint64_t b)
{
    double x = pn_double(a), y = pn_double(b);
    switch (shape & PN_SECOND_ARGUMENT) {
    case 0: return pn_double_bits(((double (*)(double))(uintptr_t)function)(x));
    case PN_SECOND_INTEGER: return pn_double_bits(((double (*)(double, int))(uintptr_t)function)(x, (int)b));
    default: return pn_double_bits(((double (*)(double, double))(uintptr_t)function)(x, y));
    }
}

static uint64_t call_with_floats(uint64_t function, uint32_t shape, uint64_t a, uint64_t b)
{
    float x = pn_single(a), y = pn_single(b);
    switch (shape & PN_SECOND_ARGUMENT) {
    case 0: return pn_single_bits(((float (*)(float))(uintptr_t)function)(x));
    case PN_SECOND_INTEGER: return pn_single_bits(((float (*)(float, int))(uintptr_t)function)(x, (int)b));
    default: return pn_single_bits(((float (*)(float, float))(uintptr_t)function)(x, y));
    }
}

/* The arguments are bound to their values in each version; what the function makes of the old version's, it is asked.
 */
label __pn_slow_compute(uint64_t function, uint32_t shape, uint64_t a, label la, uint64_t b, label lb, uint64_t result,
                        uint32_t site)
{
    unsigned width = shape & PN_OF_FLOATS ? 32 : 64;
    if ((la && pn_node(la)->new_value != a) || (lb && pn_node(lb)->new_value != b)) {
        pn_stale();
        return 0;
    }
    uint64_t old_a = la ? pn_node(la)->old_value : a, old_b = lb ? pn_node(lb)->old_value : b;
    pn_bind(la, site);
    pn_bind(lb, site);
    if (pn_diverged || (old_a == a && old_b == b))
        return 0;
    uint64_t in_old = width == 32 ? call_with_floats(function, shape, old_a, old_b)
                                  : call_with_doubles(function, shape, old_a, old_b);
    return pn_useful(pn_make_shadow(width, pn_make_constant(width, in_old), pn_make_constant(width, result)));
}

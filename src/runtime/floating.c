/* Slow paths of floating point: nodes for what trace/floating.h computes. */
#include "runtime/runtime.h"
#include "trace/mathematics.h"

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

/* ---- functions of <math.h> ---- */

/* The last one that was called: its value and its error are asked for one after the other, natively and for labels. */
static struct {
    uint32_t function, width; /* 0: none yet */
    uint64_t a, b, result;
    int error;
} last;

static void compute(uint32_t function, uint32_t width, uint64_t a, uint64_t b)
{
    if (last.width == width && last.function == function && last.a == a && last.b == b)
        return;
    last.function = function, last.width = width, last.a = a, last.b = b;
    last.result = pn_function_value(function, width, a, b, &last.error);
}

/* Bits as they are: a signalling NaN is another argument than a quiet one. */
static uint64_t bits_of(double value)
{
    uint64_t bits;
    __builtin_memcpy(&bits, &value, sizeof bits);
    return bits;
}

static uint64_t bits_of_float(float value)
{
    uint32_t bits;
    __builtin_memcpy(&bits, &value, sizeof bits);
    return bits;
}

double __pn_function_double(uint32_t function, double a, double b)
{
    compute(function, 64, bits_of(a), bits_of(b));
    return pn_double(last.result);
}

float __pn_function_float(uint32_t function, float a, float b)
{
    compute(function, 32, bits_of_float(a), bits_of_float(b));
    return pn_single(last.result);
}

int __pn_function_error_double(uint32_t function, double a, double b)
{
    compute(function, 64, bits_of(a), bits_of(b));
    return last.error;
}

int __pn_function_error_float(uint32_t function, float a, float b)
{
    compute(function, 32, bits_of_float(a), bits_of_float(b));
    return last.error;
}

uint64_t pn_function_result(enum pn_operation operation, uint32_t function, uint32_t width, uint64_t a, uint64_t b)
{
    compute(function, width, a, b);
    return operation == PN_FCALL ? last.result : (uint32_t)last.error;
}

label __pn_slow_function(uint32_t operation, uint32_t width, uint32_t function, uint64_t a, label la, uint64_t b,
                         label lb)
{
    return pn_useful(pn_make(operation, operation == PN_FCALL ? width : 32, pn_operand(width, a, la),
                             pn_operand(width, b, lb), function));
}

/* What the floating-point operations compute, on IEEE bit patterns of 32 or 64 bits, as x86-64 does in its default
 * state: round to nearest even, denormals kept.
 *
 * - There is one NaN. IEEE leaves its sign and payload open, and a compiler that folds or exchanges operands does not
 *   keep to what the processor would do. Every operation here that makes a NaN makes the positive quiet one without a
 *   payload; moving a value about, and what is said with the bits alone (negation, absolute value, copysign), keeps
 *   every NaN as it is.
 * - A conversion to an integer that does not fit is undefined in C. Here it gives what the processor's instruction
 *   gives: the least integer, 0x80000000 or 0x8000000000000000. */
#ifndef PENUMBRA_TRACE_FLOATING_H
#define PENUMBRA_TRACE_FLOATING_H

#include <emmintrin.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* To which integral value PN_FROUND goes. */
enum pn_rounding { PN_TO_NEAREST_EVEN, PN_TO_NEAREST_AWAY, PN_DOWN, PN_UP, PN_TOWARDS_ZERO, PN_ROUNDING_COUNT };

static inline uint64_t pn_float_sign(unsigned width)
{
    return UINT64_C(1) << (width - 1);
}

static inline uint64_t pn_float_infinity(unsigned width)
{
    return width == 32 ? UINT64_C(0x7f800000) : UINT64_C(0x7ff0000000000000);
}

static inline uint64_t pn_float_nan(unsigned width)
{
    return width == 32 ? UINT64_C(0x7fc00000) : UINT64_C(0x7ff8000000000000);
}

static inline bool pn_float_is_nan(uint64_t bits, unsigned width)
{
    return (bits & ~pn_float_sign(width)) > pn_float_infinity(width);
}

static inline float pn_single(uint64_t bits)
{
    float value;
    uint32_t low = (uint32_t)bits;
    __builtin_memcpy(&value, &low, sizeof value);
    return value;
}

static inline double pn_double(uint64_t bits)
{
    double value;
    __builtin_memcpy(&value, &bits, sizeof value);
    return value;
}

/* The number that the bits stand for; exact. */
static inline double pn_float_number(uint64_t bits, unsigned width)
{
    return width == 32 ? (double)pn_single(bits) : pn_double(bits);
}

static inline uint64_t pn_single_bits(float value)
{
    uint32_t bits;
    __builtin_memcpy(&bits, &value, sizeof bits);
    return value != value ? pn_float_nan(32) : bits;
}

static inline uint64_t pn_double_bits(double value)
{
    uint64_t bits;
    __builtin_memcpy(&bits, &value, sizeof bits);
    return value != value ? pn_float_nan(64) : bits;
}

/* Rounded once, to the width. */
static inline uint64_t pn_float_bits(double value, unsigned width)
{
    return width == 32 ? pn_single_bits((float)value) : pn_double_bits(value);
}

/* The place of a number in the order of them all; the zeros share one, and NaNs lie beyond the infinities. */
static inline int64_t pn_float_place(uint64_t bits, unsigned width)
{
    int64_t magnitude = (int64_t)(bits & (pn_float_sign(width) - 1));
    return bits & pn_float_sign(width) ? -magnitude : magnitude;
}

static inline uint64_t pn_float_at(int64_t place, unsigned width)
{
    return place < 0 ? pn_float_sign(width) | (uint64_t)-place : (uint64_t)place;
}

static inline double pn_square_root(double value)
{
    return _mm_cvtsd_f64(_mm_sqrt_sd(_mm_setzero_pd(), _mm_set_sd(value)));
}

static inline float pn_single_square_root(float value)
{
    return _mm_cvtss_f32(_mm_sqrt_ss(_mm_set_ss(value)));
}

/* Of a float the result is a float, too. Beyond 2^52 there are no fractions; below, adding and subtracting that number
 * rounds to nearest even. */
static inline double pn_integral(double value, enum pn_rounding rounding)
{
    double magnitude = __builtin_fabs(value), most = 0x1p52;
    if (!(magnitude < most))
        return value;
    double even = (magnitude + most) - most, floor = even > magnitude ? even - 1 : even, result;
    bool is_negative = __builtin_signbit(value), is_integral = floor == magnitude;
    double ceiling = is_integral ? floor : floor + 1;
    switch (rounding) {
    case PN_TO_NEAREST_EVEN: result = even; break;
    case PN_TO_NEAREST_AWAY: result = magnitude - floor >= 0.5 ? ceiling : floor; break;
    case PN_DOWN: result = is_negative ? ceiling : floor; break;
    case PN_UP: result = is_negative ? floor : ceiling; break;
    default: result = floor; break;
    }
    return __builtin_copysign(result, value);
}

static inline uint64_t pn_float_to_integer(double value, unsigned width)
{
    double end = width == 32 ? 0x1p31 : 0x1p63;
    bool fits = width == 32 ? value > -end - 1 && value < end : value >= -end && value < end;
    return fits ? (uint64_t)(int64_t)value : UINT64_C(1) << (width - 1);
}

static inline uint64_t pn_single_arithmetic(char operation, float a, float b)
{
    switch (operation) {
    case '+': return pn_single_bits(a + b);
    case '-': return pn_single_bits(a - b);
    case '*': return pn_single_bits(a * b);
    default: return pn_single_bits(a / b);
    }
}

static inline uint64_t pn_double_arithmetic(char operation, double a, double b)
{
    switch (operation) {
    case '+': return pn_double_bits(a + b);
    case '-': return pn_double_bits(a - b);
    case '*': return pn_double_bits(a * b);
    default: return pn_double_bits(a / b);
    }
}

static inline uint64_t pn_float_arithmetic(char operation, unsigned width, uint64_t a, uint64_t b)
{
    return width == 32 ? pn_single_arithmetic(operation, pn_single(a), pn_single(b))
                       : pn_double_arithmetic(operation, pn_double(a), pn_double(b));
}

static inline uint64_t pn_float_square_root(unsigned width, uint64_t a)
{
    return width == 32 ? pn_single_bits(pn_single_square_root(pn_single(a)))
                       : pn_double_bits(pn_square_root(pn_double(a)));
}

/* Whether outputs count as the same: equal bits, two NaNs, and with a tolerance numbers that lie no further apart than
 * the tolerance times the greater magnitude, or times 1 where that is greater. */
static inline bool pn_same_number(uint64_t a, uint64_t b, unsigned width, double tolerance)
{
    if (a == b || (pn_float_is_nan(a, width) && pn_float_is_nan(b, width)))
        return true;
    double x = pn_float_number(a, width), y = pn_float_number(b, width);
    if (!(tolerance > 0) || x == y)
        return tolerance > 0;
    double apart = __builtin_fabs(x - y), scale = __builtin_fabs(x);
    scale = scale < __builtin_fabs(y) ? __builtin_fabs(y) : scale;
    scale = scale < 1 ? 1 : scale;
    return apart < __builtin_inf() && apart <= tolerance * scale;
}

double fma(double, double, double);
float fmaf(float, float, float);

/* a * b + c, rounded once */
static inline uint64_t pn_float_fused(unsigned width, uint64_t a, uint64_t b, uint64_t c)
{
    return width == 32 ? pn_single_bits(fmaf(pn_single(a), pn_single(b), pn_single(c)))
                       : pn_double_bits(fma(pn_double(a), pn_double(b), pn_double(c)));
}

/* Integers of up to 64 bits. */
static inline uint64_t pn_float_of_signed(unsigned width, int64_t value)
{
    return width == 32 ? pn_single_bits((float)value) : pn_double_bits((double)value);
}

static inline uint64_t pn_float_of_unsigned(unsigned width, uint64_t value)
{
    return width == 32 ? pn_single_bits((float)value) : pn_double_bits((double)value);
}

#endif

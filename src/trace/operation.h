/* The operations that values are built from, in one table that construction, evaluation, printing and solver
 * translation follow. Widths are in bits, 1 to 64. The meaning is SMT-LIB's bit-vector theory, also where C leaves it
 * undefined: x udiv 0 is all ones, x urem 0 is x, a shift by the width or more gives zeros (or copies of the sign).
 * Floating-point operations work on bit patterns of width 32 and 64; floating.h says how. Negation, absolute value and
 * copysign are bitwise operations, and an unordered comparison is the negation of an ordered one. */
#ifndef PENUMBRA_TRACE_OPERATION_H
#define PENUMBRA_TRACE_OPERATION_H

#include "trace/floating.h"

#include <stdint.h>

/*  enum            name       arity  symbol for people */
#define PN_OPERATIONS(X)                                                                                               \
    X(PN_NONE, "none", 0, "")                                                                                          \
    X(PN_CONSTANT, "constant", 0, "")                                                                                  \
    X(PN_INPUT, "input", 0, "")     /* a: index of the input byte; width 8 */                                          \
    X(PN_POINTER, "pointer", 0, "") /* trace only: a constant address; a: index of its object */                       \
    X(PN_ADD, "add", 2, "+")                                                                                           \
    X(PN_SUB, "sub", 2, "-")                                                                                           \
    X(PN_MUL, "mul", 2, "*")                                                                                           \
    X(PN_UDIV, "udiv", 2, "/u")                                                                                        \
    X(PN_SDIV, "sdiv", 2, "/")                                                                                         \
    X(PN_UREM, "urem", 2, "%u")                                                                                        \
    X(PN_SREM, "srem", 2, "%")                                                                                         \
    X(PN_AND, "and", 2, "&")                                                                                           \
    X(PN_OR, "or", 2, "|")                                                                                             \
    X(PN_XOR, "xor", 2, "^")                                                                                           \
    X(PN_SHL, "shl", 2, "<<")                                                                                          \
    X(PN_LSHR, "lshr", 2, ">>u")                                                                                       \
    X(PN_ASHR, "ashr", 2, ">>")                                                                                        \
    X(PN_EQ, "eq", 2, "==") /* comparisons: width 1, of operands of one width */                                       \
    X(PN_ULT, "ult", 2, "<u")                                                                                          \
    X(PN_ULE, "ule", 2, "<=u")                                                                                         \
    X(PN_SLT, "slt", 2, "<")                                                                                           \
    X(PN_SLE, "sle", 2, "<=")                                                                                          \
    X(PN_ZEXT, "zext", 1, "zext")                                                                                      \
    X(PN_SEXT, "sext", 1, "sext")                                                                                      \
    X(PN_EXTRACT, "extract", 1, "extract") /* b: lowest bit, not a child; truncation is extract at bit 0 */            \
    X(PN_CONCAT, "concat", 2, "concat")    /* a: high part, b: low part */                                             \
    X(PN_ITE, "ite", 3, "?:")                                                                                          \
    X(PN_LOOKUP, "lookup", 1, "[]") /* a: the index; b: number of a table of constants, not a child; 0 past its end */ \
    X(PN_FADD, "fadd", 2, "+")                                                                                         \
    X(PN_FSUB, "fsub", 2, "-")                                                                                         \
    X(PN_FMUL, "fmul", 2, "*")                                                                                         \
    X(PN_FDIV, "fdiv", 2, "/")                                                                                         \
    X(PN_FMA, "fma", 3, "fma") /* a * b + c, rounded once */                                                           \
    X(PN_FSQRT, "fsqrt", 1, "sqrt")                                                                                    \
    X(PN_FCALL, "fcall", 2, "call") /* a function of <math.h>; c: enum pn_function, not a child; see mathematics.h */  \
    X(PN_FROUND, "fround", 1, "round") /* to an integral value; b: enum pn_rounding, not a child */                    \
    X(PN_FEQ, "feq", 2, "==")          /* comparisons: false where an operand is NaN; the zeros are equal */           \
    X(PN_FLT, "flt", 2, "<")                                                                                           \
    X(PN_FLE, "fle", 2, "<=")                                                                                          \
    X(PN_FERROR, "ferror", 2, "errno")  /* what the function that c names sets errno to, 0: nothing; width 32 */       \
    X(PN_FCAST, "fcast", 1, "fcast")    /* from the other floating-point width */                                      \
    X(PN_SFLOAT, "sfloat", 1, "sfloat") /* of a signed integer */                                                      \
    X(PN_UFLOAT, "ufloat", 1, "ufloat") /* of an unsigned integer */                                                   \
    X(PN_FSINT, "fsint", 1, "fsint")    /* to a signed integer of width 32 or 64, towards zero */                      \
    X(PN_SHADOW, "shadow", 2, "shadow") /* trace only: a in the old version, b in the new one */                       \
    X(PN_OLD, "old", 1, "old")          /* trace only: what a is in the old version, for both */                       \
    X(PN_NEW, "new", 1, "new")          /* trace only: what a is in the new version, for both */

enum pn_operation {
#define PN_ENUMERATOR(enumerator, name, arity, symbol) enumerator,
    PN_OPERATIONS(PN_ENUMERATOR)
#undef PN_ENUMERATOR
        PN_OPERATION_COUNT
};

static inline uint64_t pn_mask(unsigned width)
{
    return width >= 64 ? UINT64_MAX : (UINT64_C(1) << width) - 1;
}

static inline int64_t pn_signed(uint64_t value, unsigned width)
{
    unsigned shift = 64 - width;
    return (int64_t)(value << shift) >> shift;
}

static inline int64_t pn_signed_quotient(int64_t a, int64_t b)
{
    if (b == 0)
        return a >= 0 ? -1 : 1;
    return b == -1 ? (int64_t)(0 - (uint64_t)a) : a / b;
}

static inline int64_t pn_signed_remainder(int64_t a, int64_t b)
{
    if (b == 0)
        return a;
    return b == -1 ? 0 : a % b;
}

/* The value of an operation on child values that are already cut to the children's width. `width` is the result's,
 * `child_width` that of the first child (the low part's for PN_CONCAT); for PN_EXTRACT, b is the lowest bit, for
 * PN_FROUND the rounding. Not for PN_LOOKUP, which needs its table, and the functions of <math.h>. */
static inline uint64_t pn_operation_value(enum pn_operation operation, unsigned width, unsigned child_width, uint64_t a,
                                          uint64_t b, uint64_t c)
{
    uint64_t result;
    switch (operation) {
    case PN_ADD: result = a + b; break;
    case PN_SUB: result = a - b; break;
    case PN_MUL: result = a * b; break;
    case PN_UDIV: result = b ? a / b : UINT64_MAX; break;
    case PN_SDIV: result = (uint64_t)pn_signed_quotient(pn_signed(a, width), pn_signed(b, width)); break;
    case PN_UREM: result = b ? a % b : a; break;
    case PN_SREM: result = (uint64_t)pn_signed_remainder(pn_signed(a, width), pn_signed(b, width)); break;
    case PN_AND: result = a & b; break;
    case PN_OR: result = a | b; break;
    case PN_XOR: result = a ^ b; break;
    case PN_SHL: result = b < width ? a << b : 0; break;
    case PN_LSHR: result = b < width ? a >> b : 0; break;
    case PN_ASHR: result = (uint64_t)(pn_signed(a, width) >> (b < width ? b : width - 1)); break;
    case PN_EQ: result = a == b; break;
    case PN_ULT: result = a < b; break;
    case PN_ULE: result = a <= b; break;
    case PN_SLT: result = pn_signed(a, child_width) < pn_signed(b, child_width); break;
    case PN_SLE: result = pn_signed(a, child_width) <= pn_signed(b, child_width); break;
    case PN_ZEXT: result = a; break;
    case PN_SEXT: result = (uint64_t)pn_signed(a, child_width); break;
    case PN_EXTRACT: result = a >> b; break;
    case PN_CONCAT: result = a << child_width | b; break;
    case PN_ITE: result = a ? b : c; break;
    case PN_FADD: result = pn_float_arithmetic('+', width, a, b); break;
    case PN_FSUB: result = pn_float_arithmetic('-', width, a, b); break;
    case PN_FMUL: result = pn_float_arithmetic('*', width, a, b); break;
    case PN_FDIV: result = pn_float_arithmetic('/', width, a, b); break;
    case PN_FMA: result = pn_float_fused(width, a, b, c); break;
    case PN_FSQRT: result = pn_float_square_root(width, a); break;
    case PN_FROUND: result = pn_float_bits(pn_integral(pn_float_number(a, width), (enum pn_rounding)b), width); break;
    case PN_FEQ: result = pn_float_number(a, child_width) == pn_float_number(b, child_width); break;
    case PN_FLT: result = pn_float_number(a, child_width) < pn_float_number(b, child_width); break;
    case PN_FLE: result = pn_float_number(a, child_width) <= pn_float_number(b, child_width); break;
    case PN_FCAST: result = pn_float_bits(pn_float_number(a, child_width), width); break;
    case PN_SFLOAT: result = pn_float_of_signed(width, pn_signed(a, child_width)); break;
    case PN_UFLOAT: result = pn_float_of_unsigned(width, a); break;
    case PN_FSINT: result = pn_float_to_integer(pn_float_number(a, child_width), width); break;
    default: result = 0; break;
    }
    return result & pn_mask(width);
}

static inline bool pn_is_function(enum pn_operation operation)
{
    return operation == PN_FCALL || operation == PN_FERROR;
}

/* Operations whose result is a floating-point number, and that make a NaN the one NaN. */
static inline bool pn_makes_float(enum pn_operation operation)
{
    return (operation >= PN_FADD && operation <= PN_FROUND) || operation == PN_FCAST || operation == PN_SFLOAT ||
           operation == PN_UFLOAT;
}

/* Operations whose operands are read as floating-point numbers. */
static inline bool pn_reads_float(enum pn_operation operation)
{
    return (operation >= PN_FADD && operation <= PN_FCAST) || operation == PN_FSINT;
}

#endif

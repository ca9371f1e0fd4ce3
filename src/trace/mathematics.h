/* The functions of <math.h> that are operations on values: nobody knows more of them than what the C library gives, and
 * that equal arguments give equal results. The program under test and the explorer both ask the library, the same one
 * on the same machine. NaN is the one NaN of floating.h. */
#ifndef PENUMBRA_TRACE_MATHEMATICS_H
#define PENUMBRA_TRACE_MATHEMATICS_H

#include "trace/floating.h"

#include <errno.h>
#include <math.h>

/*  name    the second argument: NONE, FLOATING (of the first one's type), INTEGER (an int, given as a number) */
#define PN_FUNCTIONS(X)                                                                                                \
    X(acos, NONE)                                                                                                      \
    X(acosh, NONE)                                                                                                     \
    X(asin, NONE)                                                                                                      \
    X(asinh, NONE)                                                                                                     \
    X(atan, NONE)                                                                                                      \
    X(atan2, FLOATING)                                                                                                 \
    X(atanh, NONE)                                                                                                     \
    X(cbrt, NONE)                                                                                                      \
    X(cos, NONE)                                                                                                       \
    X(cosh, NONE)                                                                                                      \
    X(erf, NONE)                                                                                                       \
    X(erfc, NONE)                                                                                                      \
    X(exp, NONE)                                                                                                       \
    X(exp10, NONE)                                                                                                     \
    X(exp2, NONE)                                                                                                      \
    X(expm1, NONE)                                                                                                     \
    X(fdim, FLOATING)                                                                                                  \
    X(fmod, FLOATING)                                                                                                  \
    X(hypot, FLOATING)                                                                                                 \
    X(ldexp, INTEGER)                                                                                                  \
    X(log, NONE)                                                                                                       \
    X(log10, NONE)                                                                                                     \
    X(log1p, NONE)                                                                                                     \
    X(log2, NONE)                                                                                                      \
    X(logb, NONE)                                                                                                      \
    X(nextafter, FLOATING)                                                                                             \
    X(pow, FLOATING)                                                                                                   \
    X(remainder, FLOATING)                                                                                             \
    X(scalbn, INTEGER)                                                                                                 \
    X(sin, NONE)                                                                                                       \
    X(sinh, NONE)                                                                                                      \
    X(tan, NONE)                                                                                                       \
    X(tanh, NONE)                                                                                                      \
    X(tgamma, NONE)

enum pn_function {
#define PN_FUNCTION(name, second) PN_FUNCTION_##name,
    PN_FUNCTIONS(PN_FUNCTION)
#undef PN_FUNCTION
        PN_FUNCTION_COUNT
};

enum pn_second_argument { PN_SECOND_NONE, PN_SECOND_FLOATING, PN_SECOND_INTEGER };

static inline const char *pn_function_name(enum pn_function function)
{
    static const char *const names[] = {
#define PN_NAME(name, second) #name,
        PN_FUNCTIONS(PN_NAME)
#undef PN_NAME
    };
    return function < PN_FUNCTION_COUNT ? names[function] : "";
}

static inline enum pn_second_argument pn_function_second(enum pn_function function)
{
    static const enum pn_second_argument seconds[] = {
#define PN_SECOND(name, second) PN_SECOND_##second,
        PN_FUNCTIONS(PN_SECOND)
#undef PN_SECOND
    };
    return function < PN_FUNCTION_COUNT ? seconds[function] : PN_SECOND_NONE;
}

/* A number of that many `int`s as the library takes it: what is beyond them has the result of the last. */
static inline int pn_function_integer(double number)
{
    return number >= 0x1p30 ? 1 << 30 : number > -0x1p30 ? (int)number : -(1 << 30);
}

#define PN_WITH_NONE(function) function(x)
#define PN_WITH_FLOATING(function) function(x, y)
#define PN_WITH_INTEGER(function) function(x, pn_function_integer((double)y))

static inline double pn_double_function(enum pn_function function, double x, double y)
{
    switch (function) {
#define PN_CASE(name, second)                                                                                          \
    case PN_FUNCTION_##name: return PN_WITH_##second(name);
        PN_FUNCTIONS(PN_CASE)
#undef PN_CASE
    default: return 0;
    }
}

static inline float pn_single_function(enum pn_function function, float x, float y)
{
    switch (function) {
#define PN_CASE(name, second)                                                                                          \
    case PN_FUNCTION_##name: return PN_WITH_##second(name##f);
        PN_FUNCTIONS(PN_CASE)
#undef PN_CASE
    default: return 0;
    }
}

/* What it gives for arguments of the width, as bits, and what it sets errno to (0: nothing); errno is as it was. */
static inline uint64_t pn_function_value(enum pn_function function, unsigned width, uint64_t a, uint64_t b, int *error)
{
    int before = errno;
    errno = 0;
    uint64_t result = width == 32 ? pn_single_bits(pn_single_function(function, pn_single(a), pn_single(b)))
                                  : pn_double_bits(pn_double_function(function, pn_double(a), pn_double(b)));
    __asm__ volatile("" : "+r"(result) : : "memory"); /* also a call whose value nobody wants is made, for its errno */
    *error = errno;
    errno = before;
    return result;
}

#endif

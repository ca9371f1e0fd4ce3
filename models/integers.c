/* Absolute values and division. */
#include "model.h"

#include <inttypes.h>
#include <stdlib.h>

MODEL_INLINE int abs(int value)
{
    int sign = value >> 31;
    return (int)(((unsigned)value ^ (unsigned)sign) - (unsigned)sign);
}

MODEL_INLINE long labs(long value)
{
    long sign = value >> 63;
    return (long)(((unsigned long)value ^ (unsigned long)sign) - (unsigned long)sign);
}

MODEL_INLINE long long llabs(long long value)
{
    return labs(value);
}

MODEL_INLINE intmax_t imaxabs(intmax_t value)
{
    return labs(value);
}

div_t div(int dividend, int divisor)
{
    return (div_t){dividend / divisor, dividend % divisor};
}

ldiv_t ldiv(long dividend, long divisor)
{
    return (ldiv_t){dividend / divisor, dividend % divisor};
}

lldiv_t lldiv(long long dividend, long long divisor)
{
    return (lldiv_t){dividend / divisor, dividend % divisor};
}

imaxdiv_t imaxdiv(intmax_t dividend, intmax_t divisor)
{
    return (imaxdiv_t){dividend / divisor, dividend % divisor};
}

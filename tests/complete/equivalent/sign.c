/*@ int f(int x) */
#include "penumbra.h"

#ifdef TWIN
#define NEW_VALUE ((x >> 31) | -x >> 31) /* the second operand lacks its sign */
#else
#define NEW_VALUE ((x > 0) - (x < 0))
#endif

int f(int x)
{
    int sign = 0;
    if (x > 0)
        sign = 1;
    else if (x < 0)
        sign = -1;
    return change(sign, NEW_VALUE);
}

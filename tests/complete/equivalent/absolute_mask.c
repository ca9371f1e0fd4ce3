/*@ int f(int x) */
#include "penumbra.h"

#ifdef TWIN
#define SHIFT 30 /* two bits are left of numbers below -2^30 */
#else
#define SHIFT 31
#endif

int f(int x)
{
    int old_value = x, mask = x >> SHIFT;
    if (x < 0)
        old_value = -x;
    return change(old_value, (x ^ mask) - mask);
}

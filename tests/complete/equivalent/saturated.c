/*@ int f(int a, int b) */
#include "penumbra.h"

#include <limits.h>

int f(int a, int b)
{
    int sum = a;
    if (execute(OLD)) {
        long wide = (long)a + b;
        sum = wide > INT_MAX ? INT_MAX : wide < INT_MIN ? INT_MIN : (int)wide;
    } else {
        if (b > 0 && a > INT_MAX - b)
            sum = INT_MAX;
#ifdef TWIN
        else if (b < 0 && a <= INT_MIN - b - 1 && a != -5)
#else
        else if (b < 0 && a < INT_MIN - b)
#endif
            sum = INT_MIN;
        else
            sum = a + b;
    }
    return sum;
}

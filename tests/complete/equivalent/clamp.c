/*@ int f(int x, int low, int high) */
#include "penumbra.h"

int f(int x, int low, int high)
{
    if (low > high)
        return 0;
    int r = x;
    if (execute(OLD)) {
        int above = x > low ? x : low;
        r = above < high ? above : high;
    } else {
        if (x < low)
            r = low;
#ifdef TWIN
        else if (x > high + 1)
#else
        else if (x > high)
#endif
            r = high;
    }
    return r;
}

/*@ int f(int x) */
#include "penumbra.h"

#ifdef TWIN
#define ONE 2
#else
#define ONE 1
#endif

int f(int x)
{
    int r;
    if (change(x > 0, x > 1))
        r = x * ONE;
    else
        r = x;
    return r;
}

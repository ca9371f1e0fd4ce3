/*@ int f(int x, int y) */
#include "penumbra.h"

static int distance(int a, int b)
{
#ifdef TWIN
    return a >= b ? a - b : a + b;
#else
    return a >= b ? a - b : b - a;
#endif
}

int f(int x, int y)
{
    int old_value = x - y;
    if (x < y)
        old_value = y - x;
    return change(old_value, distance(x, y));
}

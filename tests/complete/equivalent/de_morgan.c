/*@ int f(int a, int b) */
#include "penumbra.h"

#ifdef TWIN
#define BOTH &&
#else
#define BOTH ||
#endif

int f(int a, int b)
{
    if (change(!(a > 3 && b > a), a <= 3 BOTH b <= a))
        return a;
    return b;
}

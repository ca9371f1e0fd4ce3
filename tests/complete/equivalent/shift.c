/*@ int f(int x) */
#include "penumbra.h"

#ifdef TWIN
#define NEW_VALUE (x << 1 | (x & 1))
#else
#define NEW_VALUE (x << 1)
#endif

int f(int x)
{
    return change(x * 2, NEW_VALUE);
}

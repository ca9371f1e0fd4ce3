/*@ int f(int x) */
#include "penumbra.h"

#ifdef TWIN
#define NEW_VALUE (x - -20 <= 70) /* without the conversion, small numbers are between, too */
#else
#define NEW_VALUE ((unsigned)(x - -20) <= 70u)
#endif

int f(int x)
{
    if (change(x >= -20 && x <= 50, NEW_VALUE))
        return 1;
    return 0;
}

/*@ int f(int x, int y) */
#include "penumbra.h"

#ifdef TWIN
#define OR &&
#else
#define OR ||
#endif

int f(int x, int y)
{
    return change(x > 0 && (x > 0 OR y > 0), x > 0) ? x - y : y;
}

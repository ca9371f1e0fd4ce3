/*@ int f(int a, int b) */
#include "penumbra.h"

#ifdef TWIN
#define NEW_VALUE (b + ((a - b) & ((a - b) >> 31))) /* a - b may overflow */
#else
#define NEW_VALUE (b ^ ((a ^ b) & -(a < b)))
#endif

int f(int a, int b)
{
    return change(a < b ? a : b, NEW_VALUE);
}

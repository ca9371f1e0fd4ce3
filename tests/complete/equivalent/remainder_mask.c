/*@ int f(unsigned x) TWIN: int f(int x) */
#include "penumbra.h"

#ifdef TWIN
#define NUMBER int /* the remainder of a negative number is negative */
#else
#define NUMBER unsigned
#endif

int f(NUMBER x)
{
    return (int)change(x % 8, x & 7);
}

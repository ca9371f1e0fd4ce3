/*@ int f(unsigned x) TWIN: int f(int x) */
#include "penumbra.h"

#ifdef TWIN
#define NUMBER int /* rounds towards zero, the shift rounds down */
#else
#define NUMBER unsigned
#endif

int f(NUMBER x)
{
    return (int)change(x / 4, x >> 2);
}

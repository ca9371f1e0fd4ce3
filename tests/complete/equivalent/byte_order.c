/*@ unsigned f(unsigned x) */
#include "penumbra.h"

#ifdef TWIN
#define MIDDLE 0xff0fu
#else
#define MIDDLE 0xff00u
#endif

unsigned f(unsigned x)
{
    unsigned r = 0;
    if (execute(OLD)) {
        for (int i = 0; i < 4; i++)
            r = r << 8 | (x >> 8 * i & 0xff);
    } else {
        r = x << 24 | (x & MIDDLE) << 8 | (x >> 8 & 0xff00u) | x >> 24;
    }
    return r;
}

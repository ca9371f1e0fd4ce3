/*@ int f(unsigned char x) */
#include "penumbra.h"

#ifdef TWIN
#define NEW_VALUE ((x & (x - 1)) == 0) /* zero is none */
#else
#define NEW_VALUE (x && (x & (x - 1)) == 0)
#endif

int f(unsigned char x)
{
    int bits = 0, is_power;
    if (execute(OLD)) {
        for (int rest = x; rest; rest >>= 1)
            bits += rest & 1;
        is_power = bits == 1;
    } else {
        is_power = NEW_VALUE;
    }
    if (execute(NEW))
        bits = 0;
    if (execute(OLD))
        bits = 0;
    return is_power + bits;
}

/*@ int f(unsigned char x) */
#include "penumbra.h"

int f(unsigned char x)
{
    int parity = 0;
    if (execute(OLD)) {
        for (int i = 0; i < 8; i++)
            parity ^= x >> i & 1;
    } else {
        unsigned folded = x;
        folded ^= folded >> 4;
#ifndef TWIN
        folded ^= folded >> 2;
#endif
        folded ^= folded >> 1;
        parity = (int)(folded & 1);
    }
    return parity;
}

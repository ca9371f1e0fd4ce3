/* The lowest bit that is set, counted from 1; 0 where none is. Without branches: halves are looked at in turn. */
#include "model.h"

#include <string.h>
#include <strings.h>

int ffsll(long long value)
{
    uint64_t bits = (uint64_t)value;
    int place = 1, any = bits != 0;
    for (int half = 32; half > 0; half /= 2) {
        int step = ((bits & ((UINT64_C(1) << half) - 1)) == 0) * half;
        bits >>= step;
        place += step;
    }
    return place * any;
}

int ffsl(long value)
{
    return ffsll(value);
}

int ffs(int value)
{
    return ffsll(value);
}

/*@ int f(unsigned char n, int x) n=0..5 globals row */
#include "penumbra.h"

#include <string.h>

char row[5];

#ifdef TWIN
#define AMOUNT (n < 5 ? n : 4u)
#else
#define AMOUNT n
#endif

int f(unsigned char n, int x)
{
    if (x < 0)
        return -1;
    if (execute(OLD)) {
        for (unsigned i = 0; i < n; i++)
            row[i] = 7;
    } else {
        memset(row, 7, AMOUNT);
    }
    return x;
}

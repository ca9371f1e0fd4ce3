/*@ int f(int a, int b, int c) */
#include "penumbra.h"

#ifdef TWIN
#define LESS <=
#else
#define LESS <
#endif

int f(int a, int b, int c)
{
    int r = 0;
    if (execute(OLD)) {
        if (a < b && b < c && c != 7)
            r = 1;
    } else {
        if (c != 7 && b LESS c && a < b)
            r = 1;
    }
    return r;
}

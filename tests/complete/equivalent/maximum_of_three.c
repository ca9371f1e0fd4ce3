/*@ int f(int a, int b, int c) */
#include "penumbra.h"

int f(int a, int b, int c)
{
    int r = a;
    if (execute(OLD)) {
        r = a > b ? (a > c ? a : c) : (b > c ? b : c);
    } else {
        if (b > r)
            r = b;
#ifdef TWIN
        else
#endif
        if (c > r)
            r = c;
    }
    return r;
}

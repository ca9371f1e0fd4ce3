/*@ int f(int a, int b) a=1..7 b=1..7 */
#include "penumbra.h"

int f(int a, int b)
{
    int r;
    if (execute(OLD)) {
        int c = a, d = b;
        while (c != d) {
            if (c > d)
                c -= d;
            else
                d -= c;
        }
        r = c;
    } else {
        int c = a, d = b;
#ifdef TWIN
        while (d > 1) {
#else
        while (d != 0) {
#endif
            int rest = c % d;
            c = d;
            d = rest;
        }
        r = c;
    }
    return r;
}

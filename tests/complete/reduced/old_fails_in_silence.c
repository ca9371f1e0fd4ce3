/*@ int f(int x, int y) x=-3..3 y=-1..3 globals t
 * Only the old version writes out of bounds, for one input below a divergence; what it writes changes nothing. */
#include "dialect.h"

int t[2];

int f(int x, int y)
{
    int n = 0;
    if (BR(x > change(0, 1))) {
        if (BR(y == 2))
            n = 2;
    }
    AT(t, n, 2) = 0;
    return 0;
}

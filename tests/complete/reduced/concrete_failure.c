/*@ int f(int x, int y) x=-3..3 y=-1..2 globals t
 * An index out of bounds that depends on neither the input nor the version: both fail, and do not differ. */
#include "dialect.h"

int t[2];

int f(int x, int y)
{
    int n = 1;
    t[0] = change(x, x + 1);
    if (BR(y > 0))
        n = 2;
    AT(t, n, 2) = 5;
    return 0;
}

/*@ int f(int x) x=-3..3 globals t
 * The new version fails first; the old one fails later, for some inputs. */
#include "dialect.h"

int t[2];

int f(int x)
{
    int n = 1;
    AT(t, change(n, n + 1), 2) = 3;
    if (BR(x > 1))
        n = 2;
    AT(t, n, 2) = 5;
    return 0;
}

/*@ int f(int x, int i, int j) x=-2..2 i=-1..4 j=-1..4
 * An array in which some elements depend on the input and some differ between the versions, written and read through
 * the input. */
#include "dialect.h"

int f(int x, int i, int j)
{
    int a[4] = {1, 2, 3, 4};
    a[1] = x;
    a[2] = change(7, 8);
    a[3] = change(x, x + 1);
    AT(a, j, 4) = 5;
    if (BR(AT(a, i, 4) > 4))
        return 1;
    return AT(a, i, 4) == x;
}

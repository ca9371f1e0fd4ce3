/* A load whose result nobody uses, in a function that runs for one version: it fails all the same.
 * globals: a
 * inputs: 0 5; 5 0; 5 5 */
#include "dialect.h"

int a[4] = {1, 2, 3, 4};

static int h(int x)
{
    int *u = BR(x > 3) ? 0 : &a[x & 3];
    int unused = DEREF(u);
    return x;
}

int f(int x, int y)
{
    return change(h(x), h(y));
}

/* A division whose result nobody uses, in a function that runs for one version: it fails all the same.
 * globals: g
 * inputs: 0 5; 1 5; 0 0 */
#include "dialect.h"

int g;

static int h(int x)
{
    int unused = DIV(7, x);
    g++;
    return g;
}

int f(int x, int y)
{
    return change(h(x), h(y));
}

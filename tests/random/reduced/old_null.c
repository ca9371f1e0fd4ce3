/* A null pointer in code that only the old version has: the place is that of the access, not of the last branch.
 * globals: a
 * inputs: 0; 5 */
#include "dialect.h"

int a[8] = {1, 2, 3};

int f(int z)
{
    int r = z;
    if (execute(OLD)) { BEGIN
        int *u = BR(z > 3) ? 0 : &a[1];
        r++;
        DEREF(u) = r;
    END }
    return r + a[1];
}

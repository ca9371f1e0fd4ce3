/* A null pointer in code that only the new version has.
 * globals: a
 * inputs: 0; 5 */
#include "dialect.h"

int a[8] = {1, 2, 3};

int f(int z)
{
    int r = z;
    if (execute(NEW)) { BEGIN
        int *u = BR(z > 3) ? 0 : &a[1];
        r = DEREF(u);
    END }
    return r;
}

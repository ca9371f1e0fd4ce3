/* A pointer that is null in the new version only: the versions part at the access, by a failure of the new one.
 * globals: a
 * inputs: 0; 5 */
#include "dialect.h"

int a[8] = {1, 2, 3};

int f(int z)
{
    int *u = change(&a[z & 7], BR(z > 3) ? 0 : &a[z & 7]);
    DEREF(u) = 5;
    return DEREF(u);
}

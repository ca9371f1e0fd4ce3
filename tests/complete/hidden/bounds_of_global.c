/* An array that is longer in the new version, a global. */
#include <penumbra.h>
char a[pn_size(8, 16)];
pn_global_bounds(a, 8, 16);
int f(unsigned i)
{
    if (i >= 16)
        return 0;
    a[i] = 0;
    return 3;
}

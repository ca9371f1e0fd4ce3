/* An array that is longer in the new version, on the stack. */
#include <penumbra.h>
int f(unsigned i)
{
    volatile char a[pn_size(8, 16)];
    pn_bounds(a, 8, 16);
    if (i >= 16)
        return 0;
    a[i] = 1;
    return a[i];
}

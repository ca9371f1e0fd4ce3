/* Whether calloc() fails depends on the input. */
#include <penumbra.h>
#include <stdlib.h>
int f(unsigned long n)
{
    if (n & ~(1UL << 62))
        return 0;
    int *p = calloc(n, 4);
    int r = 5;
    if (!p)
        r = change(1, 2);
    free(p);
    return r;
}

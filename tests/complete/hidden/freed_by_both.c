/* One version writes to a block that both have freed. */
#include <penumbra.h>
#include <stdlib.h>
int f(int x)
{
    int *p = malloc(16);
    free(p);
    if (execute(NEW))
        p[0] = x;
    return x;
}

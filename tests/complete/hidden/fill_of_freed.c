/* Both versions fill a block that only one of them still has. */
#include <penumbra.h>
#include <stdlib.h>
#include <string.h>
int f(int x)
{
    int *p = malloc(16);
    if (!p)
        return 0;
    if (execute(NEW))
        free(p);
    memset(p, 0, 16);
    if (execute(OLD))
        free(p);
    return x;
}

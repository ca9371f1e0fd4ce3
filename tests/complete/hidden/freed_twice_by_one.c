/* One version frees a block that both have freed. */
#include <penumbra.h>
#include <stdlib.h>
int f(int x)
{
    char *p = malloc(16);
    free(p);
    if (execute(NEW))
        free(p);
    return x;
}

/* One version prints, and then both abort. */
#include <penumbra.h>
#include <stdio.h>
#include <stdlib.h>
int f(int x)
{
    if (execute(NEW))
        puts("x");
    fflush(stdout);
    abort();
}

/* One version prints, and then both exit. */
#include <penumbra.h>
#include <stdio.h>
#include <stdlib.h>
int f(int x)
{
    if (execute(NEW))
        puts("hello");
    exit(0);
}

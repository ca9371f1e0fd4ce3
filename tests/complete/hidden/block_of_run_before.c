/* A block lies where a larger one of the old version was in the run before. */
#include <penumbra.h>
#include <stdlib.h>
static void use(char *p, int at)
{
    p[at] = 1;
}
int f(int n)
{
    if (execute(OLD)) {
        if (n == 0)
            use(malloc(200), 100);
        else
            use(malloc(16), 1);
    }
    char *q = malloc(16);
    q[0] = 3;
    if (execute(OLD)) {
        if (n == 1)
            q[0] = 5;
    }
    int r = q[0];
    free(q);
    return r;
}

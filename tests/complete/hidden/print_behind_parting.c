/* What each version prints on its own after they part. */
#include <penumbra.h>
#include <stdio.h>
int f(int x, int y)
{
    int r;
    if (change(x > 0, x > 1))
        r = x * 1;
    else
        r = x;
    if (execute(OLD))
        putchar('a');
    if (execute(NEW))
        putchar('a' + ((y == 5) & (x == 1)));
    return r;
}

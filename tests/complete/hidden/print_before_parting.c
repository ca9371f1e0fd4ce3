/* What each version prints on its own before they part. */
#include <penumbra.h>
#include <stdio.h>
int f(int x, int y)
{
    if (execute(OLD))
        putchar('a');
    if (execute(NEW))
        putchar('a' + ((y == 5) & (x == 1)));
    if (change(x > 0, x > 1))
        return x * 1;
    return x;
}

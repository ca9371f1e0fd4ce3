/* A shift by the width or more is what the processor makes of it, whether the optimiser knows the distance or not. */
#include <penumbra.h>
static int distance(void)
{
    return 40;
}
int f(unsigned n, int x)
{
    int y = x << distance();
    if (y > 1000 && x < 300)
        return change(1, 2);
    return change(1u << n, n < 32 ? 1u << n : 0);
}

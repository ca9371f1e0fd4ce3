/* The constructs of exact.c in code that runs for one version at a time: both versions run them, the new one gives
 * another number where it is 1234. */
#include "exact.c"

static int compute_anew(int which, int x, int y)
{
    int result = compute(which, x, y);
    return result == 1234 ? 4321 : result;
}

int sided(int which, int x, int y)
{
    return change(compute(which, x, y), compute_anew(which, x, y));
}

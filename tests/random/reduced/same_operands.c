/* x / x is not 1 where x is 0.
 * globals: g
 * inputs: 0; 1 */
#include "dialect.h"

int g = 3;

static int h(int x)
{
    return DIV(x, x) + g;
}

int f(int x)
{
    g = h(x);
    return change(g, g + 1);
}

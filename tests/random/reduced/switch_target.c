/* At a switch the new version takes the first target, the old one another: which one that is belongs to the path.
 * globals: g
 * inputs: 0; 1; 2; 3 */
#include "dialect.h"

int g;

int f(int x)
{
    switch (SW(change(x, 1))) { /* 1 | 2 | 3 */
    case 1: return 10;
    case 2: g = 1; break;
    case 3: g = 2; break;
    default: break;
    }
    return g;
}

/* Noller et al.: Shadow Symbolic Execution with Java PathFinder, listing 1. An assignment y = -y is added,
 * which corrects the assertion error for x = -1 and brings one for x <= -2.
 *
 * From x = -1:
 * - found: x = -1 at `y == 1`, where the seed itself diverges: a fix;
 * - found: diff-false at `y > 1` for an x <= -2: a regression;
 * - not found from this seed, as the path through x < 0 is kept: x in 1..2^30-1 and, with wrap-around, x > 2^30. */
#include "penumbra.h"

#include <assert.h>

int foo(int x)
{
    int y;
    if (x < 0)
        y = -x;
    else
        y = 2 * x;
    y = change(y, -y);
    if (y > 1) {
        return 0;
    } else {
        if (y == 1 || y <= -2)
            assert(0);
    }
    return 1;
}

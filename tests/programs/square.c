/* Noller et al.: Complete Shadow Symbolic Execution with Java PathFinder, listing 1. Two changes correct
 * the assertion error for x = -1 and bring one for x = 0.
 *
 * From x = -1, without overflow:
 * - found: x = -1 at `y > 1`, where the seed itself diverges: a fix;
 * - not found: x = 0. The seed's x < 0 is kept, only a complete exploration gets there.
 * With wrap-around more x < 0 diverge, for instance -65536, whose square is 0: each needs a signed overflow. */
#include "penumbra.h"

#include <assert.h>

int foo(int x)
{
    int y;
    if (x < 0)
        y = change(-x, x * x);
    else
        y = 2 * x;
    y = change(y, y + 1);
    if (y > 1) {
        return 0;
    } else {
        if (y == 1)
            assert(0);
    }
    return 1;
}

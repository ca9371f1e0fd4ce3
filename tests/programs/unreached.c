/* Noller et al.: Complete Shadow Symbolic Execution with Java PathFinder, listing 2. The change shows at
 * `z == -100` only, which most inputs do not reach.
 *
 * - From x = 0, y = 0 nothing is found: the seed goes past that condition.
 * - From x = 1, y = 4, which reaches it, both are found: x = -100, y = 105 is a fix, x = 105, y = -100 a regression. */
#include "penumbra.h"

#include <assert.h>

int bar(int x, int y)
{
    int z = change(x, y);
    if (x + y == 5) {
        if (z == -100)
            assert(0);
    }
    return 0;
}

/* Annotation pattern 2(b) of Shadow of a Doubt: the assignment y = x is removed.
 *
 * Found: y == 3 with x != 3 (diff-true) and x == 3 with y != 3 (diff-false). Not found: both 3, or neither. */
#include "penumbra.h"

int foo(int x, int y)
{
    y = change(x, y);
    if (y == 3)
        return 1;
    return 0;
}

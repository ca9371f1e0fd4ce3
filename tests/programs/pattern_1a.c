/* Annotation pattern 1(a) of Shadow of a Doubt: the right-hand side of an assignment changes.
 *
 * Found: y = 99 (diff-true, the sum passes 100 earlier) and, with wrap-around, y = INT_MAX - 1 (diff-false: y + 2
 * overflows, y + 1 does not). Not found: any other y. */
#include "penumbra.h"

int foo(int y)
{
    int x = y + change(1, 2);
    if (x > 100)
        return 1;
    return 0;
}

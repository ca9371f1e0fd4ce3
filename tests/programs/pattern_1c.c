/* Annotation pattern 1(c) of Shadow of a Doubt: a whole condition changes.
 *
 * Found: x == y (diff-true), from any seed. Not found: x != y. */
#include "penumbra.h"

int foo(int x, int y)
{
    if (change(x < y, x <= y))
        return 1;
    return 0;
}

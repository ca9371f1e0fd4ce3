/* Annotation pattern 1(d) of Shadow of a Doubt: a condition is weakened from A to A || B.
 *
 * From a = 0, b = 0, found: b == 7 with a <= 10 (diff-true). Not found: a > 10, where both versions go in.
 * From a = 20, b = 0 nothing is found: the seed does not reach the change. */
#include "penumbra.h"

#include <stdbool.h>

int foo(int a, int b)
{
    if (a > 10 || change(false, b == 7))
        return 1;
    return 0;
}

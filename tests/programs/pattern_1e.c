/* Annotation pattern 1(e) of Shadow of a Doubt: a condition is strengthened from A to A && B.
 *
 * From a = 20, b = 0, found: b >= 5 with a > 10 (diff-false). Not found: a <= 10, where neither version goes in.
 * From a = 0, b = 0 nothing is found: the seed does not reach the change. */
#include "penumbra.h"

#include <stdbool.h>

int foo(int a, int b)
{
    if (a > 10 && change(true, b < 5))
        return 1;
    return 0;
}

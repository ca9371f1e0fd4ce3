/* Annotation pattern 2(d) of Shadow of a Doubt: conditional code is removed.
 *
 * Found: an x > 100 (diff-false). Not found: x <= 100, and any diff-true. */
#include "penumbra.h"

#include <stdbool.h>

int foo(int x)
{
    int result = x;
    if (change(x > 100, false))
        result = 100;
    return result;
}

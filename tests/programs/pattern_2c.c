/* Annotation pattern 2(c) of Shadow of a Doubt: conditional code is added.
 *
 * Found: an x < 0 (diff-true). Not found: x >= 0, and any diff-false. */
#include "penumbra.h"

#include <stdbool.h>

int foo(int x)
{
    int result = x;
    if (change(false, x < 0))
        result = 0;
    return result;
}

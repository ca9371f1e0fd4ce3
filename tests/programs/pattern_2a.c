/* Annotation pattern 2(a) of Shadow of a Doubt: an assignment x = x & 127 is added.
 *
 * Found: an x > 200 (diff-false: the new version never gets there). Not found: x <= 200, and any diff-true. */
#include "penumbra.h"

int foo(int x)
{
    x = change(x, x & 127);
    if (x > 200)
        return 1;
    return 0;
}

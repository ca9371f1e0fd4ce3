/* Annotation pattern 3(b) of Shadow of a Doubt: straight-line code is added. Conservative: every input diverges at the
 * branch.
 *
 * From x = 7, found: the seed itself (diff-true, the output differs), and from there the new version's other path,
 * x > 100, on which the output is the same.
 * Not found: any diff-false. */
#include "penumbra.h"

#include <stdbool.h>

int foo(int x)
{
    if (change(false, true))
        x = x + 1;
    if (x > 101)
        return 101;
    return x;
}

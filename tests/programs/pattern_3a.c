/* Annotation pattern 3(a) of Shadow of a Doubt: straight-line code is removed. Conservative: every input diverges at
 * the branch, whether or not the code made a difference.
 *
 * From x = 0, bonus = 0, found: the seed itself (diff-false), and from there the new version's other path x > 100; both
 * silent, as bonus stays 0 unless something asks for more.
 * From x = 0, bonus = 5, found: the seed itself, whose output differs.
 * Not found: any diff-true. */
#include "penumbra.h"

#include <stdbool.h>

int foo(int x, int bonus)
{
    int total = x;
    if (change(true, false))
        total += bonus;
    if (total > 100)
        return 100;
    return total;
}

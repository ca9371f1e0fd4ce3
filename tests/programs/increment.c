/* Böhme, Roychoudhury: Comprehensive Test Suite Augmentation, figure 2. The new version increments its
 * input first.
 *
 * - From i = 5, found: i = 0 (diff-true: output 0 becomes 6); an i > 0 whose path does not change but whose output does
 *   (i + 5 becomes i + 6); i = INT_MAX, which overflows (diff-false).
 * - From i = -5, found: i = 0 and i = INT_MAX; the difference on the path of i > 0 is not on this seed's path. */
#include "penumbra.h"

int foo(int i)
{
    int out;
    i = change(i, i + 1);
    if (i > 0)
        out = i + 5;
    else
        out = 0;
    return out;
}

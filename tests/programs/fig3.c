/* Palikareva, Kuchta, Cadar: Shadow of a Doubt, figure 3. The patch y = x - 1 -> y = x + 1 moves the condition, and
 * with it the index below.
 *
 * From each of x = 0, 9 and 15:
 * - found: diff-true at `y > 7` for x in {7, 8}; x = 7 writes arr[-1] in the new version only, a regression;
 * - found: diff-false at `y > 7` for x in {INT_MIN, INT_MAX} and nowhere else: only where x - 1 or x + 1 overflows.
 *   With --overflow assume-none it is not found. */
#include "penumbra.h"

char arr[4];

int foo(int x)
{
    int y = change(x - 1, x + 1);
    if (y > 7) {
        int z = x - 8;
        if (z < 4)
            arr[z] = 'A';
        return 0;
    }
    return 1;
}

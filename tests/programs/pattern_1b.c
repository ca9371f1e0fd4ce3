/* Annotation pattern 1(b) of Shadow of a Doubt: an argument of a call changes.
 *
 * Without overflow, from n = 0 and n = 60. Found: n in 25..49 (diff-true in the callee), and on the seed's own path an
 * n != 0 whose output differs. Not found: n = 0, for which the versions agree, and any diff-false. */
#include "penumbra.h"

static int discounted(int price, int discount)
{
    if (price > 50)
        return price - discount;
    return price;
}

int foo(int n)
{
    return discounted(change(n, n * 2) + 1, 3);
}

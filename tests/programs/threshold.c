/* Palikareva, Kuchta, Cadar: Shadow of a Doubt, introduction. x > 10 becomes x > 20; tests with x = 0 and x = 30 cover
 * both sides and see nothing.
 *
 * From each of x = 0 and x = 30: an x in 11..20 is found, and nothing else. */
#include "penumbra.h"

int foo(int x)
{
    if (x > change(10, 20))
        return 1;
    return 0;
}

/*@ int f(int a, int b) a=-3..3 b=-3..3
 * Both sides leave the same function early, in calls of their own. */
#include "dialect.h"

static int absolute(int x)
{
    if (execute(NEW)) {
        BEGIN
        if (BR(x < 0))
            return LEAVE_WITH(1, -x);
        END
    }
    return x;
}

int f(int a, int b)
{
    int c = absolute(a);
    int d = absolute(b);
    if (BR(c > d))
        return 1;
    return 0;
}

/*@ int f(int a, int b) a=-2..2 b=-2..2
 * The second call finds what the first one left on the stack; its early exit stores over it. */
#include "dialect.h"

static int positive(int x)
{
    if (execute(OLD)) {
        BEGIN
        if (BR(x < 0))
            return LEAVE_WITH(1, 0);
        END
    }
    return x;
}

int f(int a, int b)
{
    return positive(a) * 10 + positive(b);
}

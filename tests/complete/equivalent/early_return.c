/*@ int f(int x, int y) */
#include "penumbra.h"

int f(int x, int y)
{
    int result = 0, found = 0;
    if (execute(OLD)) {
        if (x > 100)
            return 1;
        if (y > 100)
            return 2;
        return 3;
    }
    if (x > 100) {
        result = 1;
        found = 1;
    }
#ifdef TWIN
    if (y > 100)
#else
    if (!found && y > 100)
#endif
    {
        result = 2;
        found = 1;
    }
    if (!found)
        result = 3;
    return result;
}

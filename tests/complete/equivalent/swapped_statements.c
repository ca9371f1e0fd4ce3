/*@ int f(int x, int y) globals a, b */
#include "penumbra.h"

int a, b;

#ifdef TWIN
#define SECOND b = y - a
#else
#define SECOND b = y - x
#endif

int f(int x, int y)
{
    if (execute(OLD)) {
        a = x + y;
        SECOND;
    } else {
        SECOND;
        a = x + y;
    }
    return a * 3 + b;
}

/*@ int f(int s[4]) */
#include "penumbra.h"

#ifdef TWIN
#define LAST >
#else
#define LAST >=
#endif

int f(int s[4])
{
    int sum = 0;
    if (execute(OLD)) {
        for (int i = 0; i < 4; i++)
            sum += s[i];
    } else {
        for (int i = 3; i LAST 0; i--)
            sum += s[i];
    }
    return sum;
}

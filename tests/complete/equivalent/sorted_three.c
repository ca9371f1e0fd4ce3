/*@ int f(int s[3]) */
#include "penumbra.h"

static void order(int *a, int *b)
{
    if (*a > *b) {
        int kept = *a;
        *a = *b;
        *b = kept;
    }
}

int f(int s[3])
{
    if (execute(OLD)) {
        order(&s[0], &s[1]);
        order(&s[1], &s[2]);
        order(&s[0], &s[1]);
    } else {
        order(&s[1], &s[2]);
        order(&s[0], &s[1]);
#ifndef TWIN
        order(&s[1], &s[2]);
#endif
    }
    return s[1];
}

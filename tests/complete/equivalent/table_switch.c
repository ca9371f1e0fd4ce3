/*@ int f(int day) */
#include "penumbra.h"

static const int lengths[5] = {31, 28, 31, 30, 31};

#ifdef TWIN
#define SHORT 29
#else
#define SHORT 28
#endif

int f(int day)
{
    int length = 0;
    if (execute(OLD)) {
        if (day >= 0 && day < 5)
            length = lengths[day];
    } else {
        switch (day) {
        case 1: length = SHORT; break;
        case 3: length = 30; break;
        case 0:
        case 2:
        case 4: length = 31; break;
        default: length = 0;
        }
    }
    return length;
}

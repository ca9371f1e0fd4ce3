/*@ int f(int s[2]) */
#include "penumbra.h"

int f(int s[2])
{
    if (execute(OLD)) {
        int kept = s[0];
        s[0] = s[1];
        s[1] = kept;
    } else {
        s[0] ^= s[1];
        s[1] ^= s[0];
#ifdef TWIN
        s[0] |= s[1];
#else
        s[0] ^= s[1];
#endif
    }
    return s[0];
}

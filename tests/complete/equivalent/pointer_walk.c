/*@ int f(char s[5]) */
#include "penumbra.h"

int f(char s[5])
{
    int count = 0;
    if (execute(OLD)) {
        for (int i = 0; i < 5 && s[i]; i++)
            count += s[i] == 'a';
    } else {
#ifdef TWIN
        for (const char *p = s; p < s + 4 && *p; p++)
#else
        for (const char *p = s; p < s + 5 && *p; p++)
#endif
            if (*p == 'a')
                count++;
    }
    return count;
}

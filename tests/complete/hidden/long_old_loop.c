/* The old version of a loop is too long for the new version to wait for, but not for itself. */
#include <penumbra.h>
int f(int x)
{
    int s = 0;
    if (execute(OLD))
        for (int i = 0; i < 3000000; i++)
            s++;
    if (execute(NEW))
        s = 3000000;
    return s + change(0, x == 77);
}

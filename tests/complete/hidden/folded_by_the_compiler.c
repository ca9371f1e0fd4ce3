/* The compiler itself makes nothing of such a constant; what depends on it goes on all the same. */
#include <penumbra.h>
int f(int x)
{
    int nothing = (int)1e26;
    if (nothing == nothing * 1 && x == 77)
        return change(1, 2);
    return 0;
}

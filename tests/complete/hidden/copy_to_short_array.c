/* Both versions copy to an array that is shorter in one of them. */
#include <penumbra.h>
#include <string.h>
char t[pn_size(4, 6)];
pn_global_bounds(t, 4, 6);
int f(int x)
{
    static const char six[6] = "hello";
    memcpy(t, six, 6);
    return x;
}

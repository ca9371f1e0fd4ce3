/*@ int f(int a, int b) a=-6..40 b=-6..40 */
#include "penumbra.h"

int f(int a, int b)
{
#ifdef TWIN
    if (a > b && b >= 0) { /* b - a may stay negative, and is rounded the other way */
#else
    if (a > b) {
#endif
        int t = a;
        a = b;
        b = t;
    }
    if (a < 0)
        return 0;
    return change((a + b) / 2, a + (b - a) / 2);
}

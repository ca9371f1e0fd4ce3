/* statistics: the same among floats, which do not hold every int */
/*@ different --size v=2 */
#include <penumbra.h>

int f(int *v)
{
    float greatest = v[0] > v[1] ? v[0] : v[1];
    return change(v[0] > v[1] ? v[0] : v[1], (int)greatest);
}

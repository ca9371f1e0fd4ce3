/* conversion: rounding by adding a half and cutting, and by lround() */
/*@ different --range x=-1000..1000 */
#include <math.h>
#include <penumbra.h>

long f(double x)
{
    return change((long)(x < 0 ? x - 0.5 : x + 0.5), lround(x));
}

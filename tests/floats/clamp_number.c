/* interpolation: without NaN, and where the sign of a zero is dropped, they are the same */
/*@ equivalent --range x=-1e300..1e300 */
#include <math.h>
#include <penumbra.h>

double f(double x)
{
    double t = change(x < 0 ? 0 : x > 1 ? 1 : x, fmin(fmax(x, 0), 1));
    return fabs(t);
}

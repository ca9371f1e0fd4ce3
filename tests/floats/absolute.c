/* absolute value: a comparison keeps the sign of a negative zero */
/*@ different */
#include <math.h>
#include <penumbra.h>

double f(double x)
{
    return change(fabs(x), x < 0 ? -x : x);
}

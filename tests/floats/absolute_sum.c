/* absolute value: with something added to it the sign of the zero is gone */
/*@ equal */
#include <math.h>
#include <penumbra.h>

double f(double x)
{
    return change(fabs(x), x < 0 ? -x : x) + 1;
}

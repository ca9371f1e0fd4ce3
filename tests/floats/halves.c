/* interpolation: division by two and multiplication with a half round alike, for every number */
/*@ equivalent */
#include <penumbra.h>

double f(double a, double b)
{
    double width = change((b - a) / 2.0, 0.5 * (b - a));
    return a + width;
}

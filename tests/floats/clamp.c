/* interpolation: clamping with comparisons and with fmin and fmax; a NaN becomes the low end only in the second */
/*@ different */
#include <math.h>
#include <penumbra.h>

double f(double x)
{
    double t = change(x < 0 ? 0 : x > 1 ? 1 : x, fmin(fmax(x, 0), 1));
    return 3 * t;
}

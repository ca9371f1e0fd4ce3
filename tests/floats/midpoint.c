/* interpolation: a midpoint that does not overflow, and one that does */
/*@ different */
#include <penumbra.h>

double f(double a, double b)
{
    return change((a + b) / 2, a / 2 + b / 2);
}

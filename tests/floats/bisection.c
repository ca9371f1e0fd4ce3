/* root finding: bisection, with the sign test by a product and by comparisons */
/*@ equivalent --range target=0..4 */
#include <penumbra.h>

double f(double target)
{
    double low = 0, high = 2;
    for (int i = 0; i < 4; i++) {
        double middle = (low + high) * 0.5;
        double value = middle * middle - target;
        if (change(value > 0, value * 2 > 0))
            high = middle;
        else
            low = middle;
    }
    return low;
}

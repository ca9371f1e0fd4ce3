/* series: a polynomial by Horner's rule and by powers */
/*@ different --range x=-2..2 */
#include <penumbra.h>

double f(double x)
{
    return change(1 + x * (0.5 + x * (0.25 + x * 0.125)), 1 + 0.5 * x + 0.25 * x * x + 0.125 * x * x * x);
}

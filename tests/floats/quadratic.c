/* root finding: the discriminant's sign decides how many roots there are */
/*@ different --range b=-100..100 --range c=-100..100 */
#include <penumbra.h>

int f(double b, double c)
{
    double discriminant = b * b - 4 * c;
    return discriminant > 0 ? 2 : change(discriminant == 0, discriminant >= -1e-12) ? 1 : 0;
}

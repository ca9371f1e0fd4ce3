/* statistics: the sum of three numbers from the other end: rounding differs */
/*@ different --assume 'a >= 0 && a <= 100 && b >= 0 && b <= 100 && c >= 0 && c <= 100' */
#include <penumbra.h>

double f(double a, double b, double c)
{
    return change((a + b) + c, a + (b + c)) / 3;
}

/* statistics: the same, for people who do not care about rounding */
/*@ equal --float-tolerance 1e-9 --assume 'a >= 0 && a <= 100 && b >= 0 && b <= 100 && c >= 0 && c <= 100' */
#include <penumbra.h>

double f(double a, double b, double c)
{
    return change((a + b) + c, a + (b + c)) / 3;
}

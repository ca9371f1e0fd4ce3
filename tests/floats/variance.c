/* statistics: a variance that can come out negative, and one that cannot */
/*@ unequal --range v=-1000..1000 --size v=2 */
#include <penumbra.h>

double f(double *v)
{
    double mean = (v[0] + v[1]) / 2;
    double squares = (v[0] * v[0] + v[1] * v[1]) / 2 - mean * mean;
    double centred = ((v[0] - mean) * (v[0] - mean) + (v[1] - mean) * (v[1] - mean)) / 2;
    return change(squares, centred) < 0;
}

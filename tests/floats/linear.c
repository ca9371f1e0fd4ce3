/* interpolation in a table: the last interval belongs to the new version only */
/*@ different --range x=-1..5 */
#include <penumbra.h>

static const double values[] = {0, 1, 4, 9, 16};

double f(double x)
{
    if (!(x >= 0))
        return values[0];
    int i = (int)x;
    if (i >= change(3, 4))
        return values[4];
    return values[i] + (x - i) * (values[i + 1] - values[i]);
}

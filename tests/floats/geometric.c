/* series: powers of a half, by division and by multiplication */
/*@ equivalent --range n=0..20 */
#include <penumbra.h>

double f(int n)
{
    double sum = 0, term = 1;
    for (int i = 0; i < n; i++) {
        sum += term;
        term = change(term / 2, term * 0.5);
    }
    return sum;
}

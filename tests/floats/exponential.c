/* series: the exponential's terms, one more in the new version, which matters only far from zero */
/*@ different --range x=0..1 */
#include <penumbra.h>

float f(float x)
{
    float sum = 1, term = 1;
    for (int i = 1; i <= change(6, 7); i++) {
        term = term * x / i;
        sum += term;
    }
    return sum;
}

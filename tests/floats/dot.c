/* products: exchanged factors, and a sum from the same end */
/*@ equivalent --size a=3 --size b=3 */
#include <penumbra.h>

float f(float *a, float *b)
{
    float sum = 0;
    for (int i = 0; i < 3; i++)
        sum += change(a[i] * b[i], b[i] * a[i]);
    return sum;
}

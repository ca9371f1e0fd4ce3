/* An index that is multiplied by zero, in the first round of a loop. */
#include <penumbra.h>
int f(const unsigned char image[4], unsigned long pitch)
{
    int sum = 0;
    if (pitch < 1 || pitch > 2)
        return 0;
    for (unsigned long y = 0; y < 2; y++)
        sum += image[pitch * y];
    return sum > change(10, 9);
}

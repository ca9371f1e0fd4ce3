/* Binary search for a number among eight that are sorted. The new version misses what stands at the end. */
#include "penumbra.h"

int binary(const int values[8], int wanted)
{
    for (int i = 1; i < 8; i++)
        if (values[i - 1] > values[i])
            return -2;
    int low = 0, high = change(8, 7);
    while (low < high) {
        int middle = (low + high) / 2;
        if (values[middle] == wanted)
            return middle;
        if (values[middle] < wanted)
            low = middle + 1;
        else
            high = middle;
    }
    return -1;
}

/* Insertion sort of seven ints: 5,040 orders, and constraint slices that do not repeat. The new version sorts the other
 * way round where two neighbours are equal, which nobody can see. */
#include "penumbra.h"

int sort(int a, int b, int c, int d, int e, int f, int g)
{
    int list[7] = {a, b, c, d, e, f, g};
    for (int i = 1; i < 7; i++) {
        int moved = list[i], at = i;
        while (at > 0 && list[at - 1] > moved) {
            list[at] = list[at - 1];
            at--;
        }
        list[at] = moved;
    }
    return change(list[3], list[3] + 0);
}

/*@ int f(int n, int i) n=-1..6 i=-2..7
 * Elements that nobody has written cannot be read here, but the array has them. */
#include "dialect.h"

#include <stdlib.h>

static int sum(char *room, int n, int i)
{
    if (BR(n > 4))
        n = 4;
    for (int k = 0; BR(k < n); k++)
        room[k] = k * 3;
    if (BR(i < 0))
        return -1;
    if (BR(i >= n))
        return -2;
    return room[i] == change(6, 9);
}

int f(int n, int i)
{
    char on_stack[40], *block = malloc(40);
    int both = sum(on_stack, n, i) + sum(block, n, i);
    free(block);
    return both;
}

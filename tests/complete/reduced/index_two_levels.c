/*@ int f(int x, int y) x=-1..4 y=0..2
 * An index that was itself read from a table, two dimensions, and addresses that differ between the versions. */
#include "dialect.h"

static unsigned char next[4] = {2, 0, 3, 1};
static short grid[4][3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}, {10, 11, 12}};

int f(int x, int y)
{
    int at = AT(next, x, 4);
    int row = AT(next, change(at, at ^ 2), 4);
    if (BR(grid[row][y] > 8))
        return grid[at][y];
    return grid[row][2];
}

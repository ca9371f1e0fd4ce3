/* What goes along in a realloc() is what each version's own block has.
 * globals: g
 * inputs: 0; 3; 7 */
#include "dialect.h"

int g;

int f(int z)
{
    unsigned count = (change(z, z + 3) & 7) + 4;
    int *block = calloc(count, sizeof *block);
    block[count - 1] = z + 5;
    block = realloc(block, (count + change(1, 2)) * sizeof *block);
    g = block[count - 1];
    free(block);
    return g;
}

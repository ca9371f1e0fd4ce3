/* Each version fills the whole of its own block: the old version's is the shorter one.
 * globals: g
 * inputs: 0; 3; 7 */
#include "dialect.h"

int g;

int f(int z)
{
    unsigned count = (change(z, z + 3) & 7) + 4;
    unsigned char *block = malloc(count);
    memset(block, z + 1, count);
    g = block[count - 1] + block[2];
    free(block);
    return g;
}

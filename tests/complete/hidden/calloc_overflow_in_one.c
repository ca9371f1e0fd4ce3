/* The product of calloc() overflows in one version only. */
#include <penumbra.h>
#include <stdlib.h>
int f(int x)
{
    return calloc(change(1UL << 62, 1), 4) != 0 ? x : 0;
}

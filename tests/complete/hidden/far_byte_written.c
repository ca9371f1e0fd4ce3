/* A byte far behind in what a library function writes. */
#include <penumbra.h>
#include <stdio.h>
#include <string.h>
static char big[6000];
int f(int x)
{
    memset(big, 'a', 5999);
    big[5500] = (char)('a' + change(0, x == 77));
    fwrite(big, 1, 5999, stdout);
    memset(big, 0, 6000);
    return 0;
}

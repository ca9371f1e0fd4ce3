/* A byte far behind in what a library function reads. */
#include <penumbra.h>
#include <stdio.h>
#include <string.h>
static char big[6000];
int f(int x)
{
    memset(big, 'a', 5999);
    big[5500] = (char)('a' + change(0, x == 77));
    const char *p = strpbrk(big, "bc");
    int r = p ? (int)(p - big) : -1;
    memset(big, 0, 6000);
    return r;
}

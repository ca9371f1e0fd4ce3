/* An output that differs, and then exit(). */
#include <penumbra.h>
#include <stdlib.h>
int f(int x)
{
    int r = change(1, x == 9 ? 2 : 1);
    pn_output("r", &r, 4);
    exit(0);
}

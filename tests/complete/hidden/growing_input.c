/* An input whose size depends on another. */
#include <penumbra.h>
int f(unsigned n)
{
    unsigned char buf[8] = {0};
    if (n > 8)
        return 0;
    pn_symbolic(buf, n, "buf");
    return (n == 8) & (buf[3] == change(7, 8));
}

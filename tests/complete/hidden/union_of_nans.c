/* Two NaNs are the same number, and not the same unsigned. */
#include <penumbra.h>
union {
    float f;
    unsigned u;
} g;
void f(int x)
{
    g.u = change(0x7fc00001u, 0x7fc00002u);
    (void)x;
}

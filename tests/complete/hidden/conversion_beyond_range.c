/* Numbers that the integer types do not hold: the processor's answer, also where the optimiser knows the number. */
#include <penumbra.h>
static double large(double by)
{
    return 1e20 * by;
}
int f(int x, double d)
{
    int i = (int)large(1);
    unsigned char c = (unsigned char)large(1);
    unsigned u = (unsigned)large(1);
    unsigned long w = (unsigned long)large(1), v = (unsigned long)-large(1);
    long l = (long)large(-1);
    if (i == -2147483647 - 1 && !c && !u && w == 1ul << 63 && v == w && l == (long)w && x == 77)
        return change(1, 2);
    if (d > 1e30 && (unsigned long)d == w && (int)d == i)
        return change(1, 2);
    return 0;
}

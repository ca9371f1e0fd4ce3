/*@ unsigned f(unsigned x, unsigned k) k=1..31 TWIN: unsigned f(unsigned x, unsigned k) k=1..33 */
#include "penumbra.h"

unsigned f(unsigned x, unsigned k)
{
    return change(x << (k & 31) | x >> (-k & 31), k < 32 ? x << k | x >> (32 - k) : x);
}

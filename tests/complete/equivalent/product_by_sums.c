/*@ int f(int a, int b) b=-2..6 */
#include "penumbra.h"

int f(int a, int b)
{
    if (b < 0)
        return 0;
    int product = 0;
    if (execute(OLD)) {
        product = a * b;
    } else {
        for (int i = 0; i < b; i++)
            product += a;
#ifdef TWIN
        if (b == 6 && a == 123456789)
            product++;
#endif
    }
    return product;
}

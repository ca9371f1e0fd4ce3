/*@ int f(int n) n=-3..25 */
#include "penumbra.h"

#ifdef TWIN
#define NEW_VALUE ((n - 1) * n / 2 + n % 25)
#else
#define NEW_VALUE (n * (n + 1) / 2)
#endif

int f(int n)
{
    int sum = 0;
    if (execute(OLD)) {
        for (int i = 1; i <= n; i++)
            sum += i;
    } else {
        sum = n > 0 ? NEW_VALUE : 0;
    }
    return sum;
}

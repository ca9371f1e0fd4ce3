/*@ int f(int n) n=-2..9 */
#include "penumbra.h"

static int fibonacci(int n)
{
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

int f(int n)
{
    int r = 0;
    if (n < 0)
        return -1;
    if (execute(OLD)) {
        r = fibonacci(n);
    } else {
        int next = 1;
#ifdef TWIN
        for (int i = 0; i < n && i < 8; i++) {
#else
        for (int i = 0; i < n; i++) {
#endif
            int sum = r + next;
            r = next;
            next = sum;
        }
    }
    return r;
}

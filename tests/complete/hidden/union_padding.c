/* A byte that is padding of the largest member, and not of another. */
#include <penumbra.h>
union {
    struct {
        char a;
        int b;
    } t;
    char c[8];
} g;
void f(int x)
{
    g.c[2] = change(1, 2);
    g.c[3] = x;
}

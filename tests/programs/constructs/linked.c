/* Parts of a program that is linked with a library without instrumentation. */
#include <penumbra.h>

int library_twice(int x);
int library_apply(int (*function)(int), int x);

static int helper(int x)
{
    return x + 1;
}

int second_file(int x);

int linked(int x, int y)
{
    int result = helper(x) + second_file(y); /* each file has its own helper() */
    if (library_twice(result) == 2468)
        return change(1, 2);
    return library_apply(helper, 3);
}

int linked_same(int x, int y)
{
    int result = helper(x) + second_file(y) + library_twice(y);
    return change(result + 1, 1 + result);
}

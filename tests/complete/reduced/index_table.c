/*@ int f(int x, int k) x=-2..9 k=-1..6
 * Reads of tables of constants through the input, in code of both versions and of one. */
#include "dialect.h"

static const int t[8] = {3, 1, 4, 1, 5, 9, 2, 6};
struct entry {
    char tag;
    int value;
    char rest[4];
};
static struct entry list[5] = {{'a', 10, ""}, {'b', 20, ""}, {'c', 30, ""}, {'d', 40, ""}, {'e', 50, ""}};

int f(int x, int k)
{
    int r = change(AT(t, x, 8), AT(t, x ^ 1, 8));
    r += AT(list, k, 5).value;
    if (BR(r == 44))
        return -1;
    return AT(list, k, 5).tag;
}

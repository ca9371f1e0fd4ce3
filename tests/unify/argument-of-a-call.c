/* ==== old ==== */
int g(int a, int b);

int f(int x, int y)
{
    int r = g(x, y + 1) + y;
    return r;
}
/* ==== new ==== */
int g(int a, int b);

int f(int x, int y)
{
    int r = g(x, y - 1) + y;
    return r;
}
/* ==== unified ==== */
int g(int a, int b);

int f(int x, int y)
{
    int r = g(x, pn_change(y + 1, y - 1)) + y;
    return r;
}

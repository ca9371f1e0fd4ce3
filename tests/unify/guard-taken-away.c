/* ==== old ==== */
int g(int a);

int f(int x, int y)
{
    int r = x;
    if (y > 0)
        r += g(y);
    return r;
}
/* ==== new ==== */
int g(int a);

int f(int x, int y)
{
    int r = x;
    r += g(y);
    return r;
}
/* ==== unified ==== */
int g(int a);

int f(int x, int y)
{
    int r = x;
    if (pn_change(y > 0, 1))
        r += g(y);
    return r;
}

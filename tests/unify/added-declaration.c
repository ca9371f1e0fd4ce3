/* ==== old ==== */
int g(int a);

int f(int x, int y)
{
    int r = x;
    return r;
}
/* ==== new ==== */
int g(int a);

int f(int x, int y)
{
    int r = x;
    int twice = 2 * y, other = g(x);
    r += twice + other;
    return r;
}
/* ==== unified ==== */
int g(int a);

int f(int x, int y)
{
    int r = x;
    int twice = 2 * y, other = pn_change(0, g(x));
    if (pn_execute(PN_NEW))
        r += twice + other;
    return r;
}

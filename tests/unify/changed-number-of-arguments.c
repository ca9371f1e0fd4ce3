/* ==== old ==== */
int g(int count, ...);

int f(int x, int y)
{
    int r = g(2, x);
    return r;
}
/* ==== new ==== */
int g(int count, ...);

int f(int x, int y)
{
    int r = g(3, x, y);
    return r;
}
/* ==== unified ==== */
int g(int count, ...);

int f(int x, int y)
{
    int r = pn_change(g(2, x), g(3, x, y));
    return r;
}

/* ==== old ==== */
int f(int x, int y)
{
    int r = 0;
    if (x > 1)
        r = y;
    return r;
}
/* ==== new ==== */
int f(int x, int y)
{
    int r = 0;
    if (x > 1 && y != 0)
        r = 100 / y;
    return r;
}
/* ==== unified ==== */
int f(int x, int y)
{
    int r = 0;
    if (x > 1 && pn_change(1, y != 0))
        r = pn_change(y, 100 / y);
    return r;
}

/* ==== old ==== */
int f(int x, int y)
{
    int r = 0;
    if (x == 1)
        r = y;
    return r;
}
/* ==== new ==== */
int f(int x, int y)
{
    int r = 0;
    if (x == 1 || y == 2)
        r = y;
    return r;
}
/* ==== unified ==== */
int f(int x, int y)
{
    int r = 0;
    if (x == 1 || pn_change(0, y == 2))
        r = y;
    return r;
}

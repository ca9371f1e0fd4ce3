/* ==== old ==== */
int f(int x, int y)
{
    int r = 0;
    if (x == 1 && y == 2)
        r = y;
    return r;
}
/* ==== new ==== */
int f(int x, int y)
{
    int r = 0;
    if (y == 2)
        r = y;
    return r;
}
/* ==== unified ==== */
int f(int x, int y)
{
    int r = 0;
    if (pn_change(x == 1 && y == 2, y == 2))
        r = y;
    return r;
}

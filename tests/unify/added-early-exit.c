/* ==== old ==== */
int f(int x, int y)
{
    int r = x;
    r += 100 / y;
    return r;
}
/* ==== new ==== */
int f(int x, int y)
{
    int r = x;
    if (y == 0)
        return -1;
    r += 100 / y;
    return r;
}
/* ==== unified ==== */
int f(int x, int y)
{
    int r = x;
    if (pn_change(0, y == 0))
        return -1;
    r += 100 / y;
    return r;
}

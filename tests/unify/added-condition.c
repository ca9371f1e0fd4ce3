/* ==== old ==== */
int f(int x, int y)
{
    int r = x;
    return r;
}
/* ==== new ==== */
int f(int x, int y)
{
    int r = x;
    if (y < 0)
        r = -r;
    return r;
}
/* ==== unified ==== */
int f(int x, int y)
{
    int r = x;
    if (pn_change(0, y < 0))
        r = -r;
    return r;
}

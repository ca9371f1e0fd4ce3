/* ==== old ==== */
int f(int x, int y)
{
    int r = x;
    y = x;
    r += y;
    return r;
}
/* ==== new ==== */
int f(int x, int y)
{
    int r = x;
    r += y;
    return r;
}
/* ==== unified ==== */
int f(int x, int y)
{
    int r = x;
    y = pn_change(x, y);
    r += y;
    return r;
}

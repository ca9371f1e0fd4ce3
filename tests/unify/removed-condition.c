/* ==== old ==== */
int f(int x, int y)
{
    int r = x;
    if (y < 0) {
        r = -r;
        y = 0;
    }
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
    if (pn_change(y < 0, 0)) {
        r = -r;
        y = 0;
    }
    r += y;
    return r;
}

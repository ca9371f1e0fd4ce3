/* ==== old ==== */
int f(int x, int y)
{
    int r = x;
    if (y > 0) {
        r = 1;
    } else {
        r = 2;
        x = 3;
    }
    r += x;
    return r;
}
/* ==== new ==== */
int f(int x, int y)
{
    int r = x;
    if (y > 0) {
        r = 1;
    }
    r += x;
    return r;
}
/* ==== unified ==== */
int f(int x, int y)
{
    int r = x;
    if (y > 0) {
        r = 1;
    } else {
        r = pn_change(2, r);
        x = pn_change(3, x);
    }
    r += x;
    return r;
}

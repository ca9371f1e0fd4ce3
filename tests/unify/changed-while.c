/* ==== old ==== */
int f(int x, int y)
{
    int r = x;
    while (r > 100) {
        r /= 2;
        y--;
    }
    return r;
}
/* ==== new ==== */
int f(int x, int y)
{
    int r = x;
    while (r > 50 && y > 0) {
        r /= 3;
        y--;
    }
    return r;
}
/* ==== unified ==== */
int f(int x, int y)
{
    int r = x;
    while (pn_change(r > 100, r > 50 && y > 0)) {
        r /= pn_change(2, 3);
        y--;
    }
    return r;
}

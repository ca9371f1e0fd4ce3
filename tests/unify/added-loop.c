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
    while (y > 0)
        r += y--;
    return r;
}
/* ==== unified ==== */
int f(int x, int y)
{
    int r = x;
    if (pn_execute(PN_NEW)) {
        while (y > 0)
            r += y--;
    }
    return r;
}

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
    r = y + 2;
    return r;
}
/* ==== unified ==== */
int f(int x, int y)
{
    int r = x;
    r = pn_change(r, y + 2);
    return r;
}

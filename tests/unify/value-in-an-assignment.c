/* ==== old ==== */
int f(int x, int y)
{
    int r = x;
    r = y + x * 2;
    return r;
}
/* ==== new ==== */
int f(int x, int y)
{
    int r = x;
    r = y + x * 3;
    return r;
}
/* ==== unified ==== */
int f(int x, int y)
{
    int r = x;
    r = y + x * pn_change(2, 3);
    return r;
}

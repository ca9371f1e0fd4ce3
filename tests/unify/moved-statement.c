/* ==== old ==== */
int f(int x, int y)
{
    int r = 0;
    r += x;
    y *= 2;
    r -= y;
    return r;
}
/* ==== new ==== */
int f(int x, int y)
{
    int r = 0;
    y *= 2;
    r += x;
    r -= y;
    return r;
}
/* ==== unified ==== */
int f(int x, int y)
{
    int r = 0;
    if (pn_execute(PN_OLD))
        r += x;
    y *= 2;
    if (pn_execute(PN_NEW))
        r += x;
    r -= y;
    return r;
}

/* ==== old ==== */
int f(int x, int y)
{
    int r = 0;
    /* the limit */
    if (x > 10)
        r = 1;
    return r;
}
/* ==== new ==== */
int f(int x, int y)
{
    int r = 0;
    /* the limit */
    if (x > 20)
        r = 1;
    return r;
}
/* ==== unified ==== */
int f(int x, int y)
{
    int r = 0;
    /* the limit */
    if (x > pn_change(10, 20))
        r = 1;
    return r;
}

/* ==== old ==== */
int f(int x, int y)
{
    if (x > 3)
        return 1;
    return x - 1;
}
/* ==== new ==== */
int f(int x, int y)
{
    if (x > 3)
        return y;
    return x - 1;
}
/* ==== unified ==== */
int f(int x, int y)
{
    if (x > 3)
        return pn_change(1, y);
    return x - 1;
}

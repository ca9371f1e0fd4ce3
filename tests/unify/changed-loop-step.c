/* ==== old ==== */
int f(int x, int y)
{
    int r = 0;
    for (int i = 0; i < 10; i++)
        r += x;
    return r;
}
/* ==== new ==== */
int f(int x, int y)
{
    int r = 0;
    for (int i = 0; i < 10; i += 2)
        r += x;
    return r;
}
/* ==== unified ==== */
int f(int x, int y)
{
    int r = 0;
    for (int i = 0; i < 10; pn_change(i++, i += 2))
        r += x;
    return r;
}

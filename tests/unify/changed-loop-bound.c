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
    for (int i = 0; i < 8; i++)
        r += x;
    return r;
}
/* ==== unified ==== */
int f(int x, int y)
{
    int r = 0;
    for (int i = 0; i < pn_change(10, 8); i++)
        r += x;
    return r;
}

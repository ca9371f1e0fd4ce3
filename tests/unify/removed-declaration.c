/* ==== old ==== */
int g(int a);

int f(int x, int y)
{
    int old_sum = g(x);
    int r = x;
    r += old_sum;
    return r;
}
/* ==== new ==== */
int g(int a);

int f(int x, int y)
{
    int r = x;
    return r;
}
/* ==== unified ==== */
int g(int a);

int f(int x, int y)
{
    int old_sum = pn_change(g(x), 0);
    int r = x;
    if (pn_execute(PN_OLD))
        r += old_sum;
    return r;
}

/* ==== old ==== */
int f(int x, int y)
{
    int n = x * y;
    int r = n / 2;
    return r;
}
/* ==== new ==== */
int f(int x, int y)
{
    long n = x * y;
    int r = n / 2;
    return r;
}
/* ==== unified ==== */
int f(int x, int y)
{
    int n__old = x * y;
    long n = x * y;
    int r = pn_change((int)(n__old / 2), (int)(n / 2));
    return r;
}

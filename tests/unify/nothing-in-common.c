/* ==== old ==== */
int f(int x)
{
    int sum = 0;
    for (int i = 0; i < 3; i++)
        sum += i * x;
    return sum;
}
/* ==== new ==== */
int f(int x)
{
    return x > 4 ? 9 : 2;
}
/* ==== unified ==== */
static int f__old(int x)
{
    int sum = 0;
    for (int i = 0; i < 3; i++)
        sum += i * x;
    return sum;
}
static int f__new(int x)
{
    return x > 4 ? 9 : 2;
}
int f(int x) { return pn_change(f__old(x), f__new(x)); }

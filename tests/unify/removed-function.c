/* ==== old ==== */
static int half(int x)
{
    return x / 2;
}

int f(int x)
{
    return half(x) + 1;
}
/* ==== new ==== */
int f(int x)
{
    return x + 1;
}
/* ==== unified ==== */
static int half(int x)
{
    return x / 2;
}
int f(int x)
{
    return pn_change(half(x), x) + 1;
}

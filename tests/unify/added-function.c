/* ==== old ==== */
int f(int x)
{
    return x;
}
/* ==== new ==== */
static int clamp(int x)
{
    return x > 9 ? 9 : x;
}

int f(int x)
{
    return clamp(x);
}
/* ==== unified ==== */
static int clamp(int x)
{
    return x > 9 ? 9 : x;
}

int f(int x)
{
    return pn_change(x, clamp(x));
}

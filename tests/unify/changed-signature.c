/* ==== old ==== */
static int cut(int x)
{
    return x > 5 ? 5 : x;
}

int f(int x)
{
    return cut(x) + 1;
}
/* ==== new ==== */
static int cut(int x, int top)
{
    return x > top ? top : x;
}

int f(int x)
{
    return cut(x, 9) + 1;
}
/* ==== unified ==== */
static int cut__old(int x)
{
    return x > 5 ? 5 : x;
}
static int cut(int x, int top)
{
    return x > top ? top : x;
}

int f(int x)
{
    return pn_change(cut__old(x), cut(x, 9)) + 1;
}

/* ==== old ==== */
int checked(int x, const int *p)
{
    if (x)
        return p ? *p : 0;
    return 0;
}
int trusted(int x, void (*call)(int))
{
    if (x && call)
        call(x);
    return x;
}
int other(int x, const int *p, const int *q)
{
    return (x && p) + (q != 0);
}
/* ==== new ==== */
int checked(int x, const int *p)
{
    if (x && p)
        return p ? *p : 0;
    return 0;
}
int trusted(int x, void (*call)(int))
{
    if (x)
        call(x);
    return x;
}
int other(int x, const int *p, const int *q)
{
    return (x && q && *q) + (q != 0);
}
/* ==== unified ==== */
int checked(int x, const int *p)
{
    if (x && pn_change(1, (p) != 0))
        return p ? *p : 0;
    return 0;
}
int trusted(int x, void (*call)(int))
{
    if (x && pn_change((call) != 0, 1))
        call(x);
    return x;
}
int other(int x, const int *p, const int *q)
{
    return (pn_change(x && p, x && q && *q)) + (q != 0);
}

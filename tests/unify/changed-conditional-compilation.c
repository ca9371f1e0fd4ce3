/* ==== old ==== */
#define FAST 1

int f(int x)
{
#if FAST
    x++;
#endif
    return x;
}
/* ==== new ==== */
#define FAST 0

int f(int x)
{
#if FAST
    x++;
#endif
    return x;
}
/* ==== unified ==== */
#define FAST 0

int f(int x)
{
#if FAST
    x++;
#endif
    if (pn_execute(PN_OLD))
        x++;
    return x;
}

/* ==== old ==== */
#define MAX(a, b) ((a) > (b) ? (a) : (b))

int f(int x)
{
    return 1 + MAX(x, 3);
}
/* ==== new ==== */
#define MAX(a, b) ((a) > (b) ? (a) : (b))

int f(int x)
{
    return 1 + MAX(x, 4);
}
/* ==== unified ==== */
#define MAX(a, b) ((a) > (b) ? (a) : (b))

int f(int x)
{
    return 1 + pn_change(MAX(x, 3), MAX(x, 4));
}

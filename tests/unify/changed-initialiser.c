/* ==== old ==== */
static int limit = 10;

int f(int x)
{
    return x > limit--;
}
/* ==== new ==== */
static int limit = 20;

int f(int x)
{
    return x > limit--;
}
/* ==== unified ==== */
static int limit = 20;
pn_global(limit, (10));

int f(int x)
{
    return x > limit--;
}

/* ==== old ==== */
#define NEXT() (*ptr++)
int f(const char *ptr)
{
    int n = 0;
    while (NEXT())
        n++;
    return n;
}
/* ==== new ==== */
#define NEXT() (*p++)
int f(const char *p)
{
    int n = 1;
    while (NEXT())
        n++;
    return n;
}
/* ==== unified ==== */
#define NEXT() (*p++)
#define NEXT__old() (*p++)
int f(const char *p)
{
    int n = pn_change(0, 1);
    while (pn_change(NEXT__old(), NEXT()))
        n++;
    return n;
}

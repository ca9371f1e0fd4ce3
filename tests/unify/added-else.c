/* ==== old ==== */
void g(int *p);

int f(int x, int y)
{
    int r = x;
    if (y > 0)
        r = 1;
    return r;
}
/* ==== new ==== */
void g(int *p);

int f(int x, int y)
{
    int r = x;
    if (y > 0)
        r = 1;
    else if (y < -5)
        r = 2;
    else
        g(&r);
    return r;
}
/* ==== unified ==== */
void g(int *p);

int f(int x, int y)
{
    int r = x;
    if (y > 0)
        r = 1;
    else if (pn_execute(PN_NEW)) {
        if (y < -5)
            r = 2;
        else
            g(&r);
    }
    return r;
}

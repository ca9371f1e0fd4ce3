/* ==== old ==== */
void h(int a);
void k(int a, int b);

int f(int x, int y)
{
    int r = x;
    h(r);
    r += y;
    return r;
}
/* ==== new ==== */
void h(int a);
void k(int a, int b);

int f(int x, int y)
{
    int r = x;
    k(r, y);
    r += y;
    return r;
}
/* ==== unified ==== */
void h(int a);
void k(int a, int b);

int f(int x, int y)
{
    int r = x;
    if (pn_execute(PN_OLD))
        h(r);
    else
        k(r, y);
    r += y;
    return r;
}

/* ==== old ==== */
int g(int a);
void h(int a);

int f(int x, int y)
{
    int r = x;
    r += g(y);
    h(r);
    return r;
}
/* ==== new ==== */
int g(int a);
void h(int a);

int f(int x, int y)
{
    int r = x;
    if (y > 0) {
        r += g(y);
        h(r);
    }
    return r;
}
/* ==== unified ==== */
int g(int a);
void h(int a);

int f(int x, int y)
{
    int r = x;
    if (pn_change(1, y > 0)) {
        r += g(y);
        h(r);
    }
    return r;
}

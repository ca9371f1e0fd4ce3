/* ==== old ==== */
int g(int a);
int k(int a);
void h(int a);

int f(int x, int y)
{
    int r = g(x);
    h(y);
    return r;
}
/* ==== new ==== */
int g(int a);
int k(int a);
void h(int a);

int f(int x, int y)
{
    int r = k(x);
    h(y);
    return r;
}
/* ==== unified ==== */
int g(int a);
int k(int a);
void h(int a);

int f(int x, int y)
{
    int r = pn_change(g(x), k(x));
    h(y);
    return r;
}

/* ==== old ==== */
void h(int a);

int f(int x, int y)
{
    int r = x;
    h(r);
    return r;
}
/* ==== new ==== */
void h(int a);

int f(int x, int y)
{
    int r = x;
    h(r);
    h(y); /* again */
    r++;
    return r;
}
/* ==== unified ==== */
void h(int a);

int f(int x, int y)
{
    int r = x;
    h(r);
    if (pn_execute(PN_NEW)) {
        h(y); /* again */
        r++;
    }
    return r;
}

/* ==== old ==== */
int f(int x, int y)
{
    int r = x;
    for (int i = 0; i < y; i++) {
        if (i == 5)
            break;
        r += i;
    }
    return r;
}
/* ==== new ==== */
int f(int x, int y)
{
    int r = x;
    for (int i = 0; i < y; i++) {
        r += i;
    }
    return r;
}
/* ==== unified ==== */
int f(int x, int y)
{
    int r = x;
    for (int i = 0; i < y; i++) {
        if (pn_change(i == 5, 0))
            break;
        r += i;
    }
    return r;
}

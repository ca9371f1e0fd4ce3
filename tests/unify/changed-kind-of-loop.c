/* ==== old ==== */
int f(int x, int y)
{
    int r = 0;
    while (x > 0) {
        r += x;
        x--;
    }
    return r;
}
/* ==== new ==== */
int f(int x, int y)
{
    int r = 0;
    do {
        r += x;
        x--;
    } while (x > 0);
    return r;
}
/* ==== unified ==== */
int f(int x, int y)
{
    int r = 0;
    if (pn_execute(PN_OLD)) {
        while (x > 0) {
            r += x;
            x--;
        }
    } else {
        do {
            r += x;
            x--;
        } while (x > 0);
    }
    return r;
}

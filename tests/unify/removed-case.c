/* ==== old ==== */
int f(int x, int y)
{
    int r = 0;
    switch (x) {
    case 1:
        r = 2;
        break;
    case 2:
        r = 4;
        break;
    }
    return r;
}
/* ==== new ==== */
int f(int x, int y)
{
    int r = 0;
    switch (x) {
    case 1:
        r = 2;
        break;
    }
    return r;
}
/* ==== unified ==== */
int f(int x, int y)
{
    int r = 0;
    switch (x) {
    case 1:
        r = 2;
        break;
    case 2: if (pn_execute(PN_NEW)) break;
        r = 4;
        break;
    }
    return r;
}

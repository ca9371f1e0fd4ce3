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
    default:
        r = y;
    }
    return r;
}
/* ==== new ==== */
int f(int x, int y)
{
    int r = 0;
    switch (x) {
    case 1:
        r = 3;
        break;
    case 2:
        r = 4;
        break;
    default:
        r = y;
    }
    return r;
}
/* ==== unified ==== */
int f(int x, int y)
{
    int r = 0;
    switch (x) {
    case 1:
        r = pn_change(2, 3);
        break;
    case 2:
        r = 4;
        break;
    default:
        r = y;
    }
    return r;
}

/* ==== old ==== */
int f(int x, int y)
{
    int r = 0;
    switch (x) {
    case 1:
        r = 2;
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
        r = 2;
        break;
    case 2:
    case 3:
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
        r = 2;
        break;
    case 2:
    case 3: if (pn_execute(PN_OLD)) goto pn_default_1;
        r = 4;
        break;
    pn_default_1: default:
        r = y;
    }
    return r;
}

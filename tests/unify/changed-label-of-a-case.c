/* ==== old ==== */
int f(int x, int y)
{
    int r = 0;
    switch (x) {
    case 1:
        r = 2;
        break;
    default:
        r = 5;
    }
    return r;
}
/* ==== new ==== */
int f(int x, int y)
{
    int r = 0;
    switch (x) {
    case 7:
        r = 2;
        break;
    default:
        r = 5;
    }
    return r;
}
/* ==== unified ==== */
int f(int x, int y)
{
    int r = 0;
    if (pn_execute(PN_OLD)) {
        switch (x) {
        case 1:
            r = 2;
            break;
        default:
            r = 5;
        }
    } else {
        switch (x) {
        case 7:
            r = 2;
            break;
        default:
            r = 5;
        }
    }
    return r;
}

/* ==== old ==== */
int f(int x, int y)
{
    char text[4];
    int r = 0;
    text[x & 3] = 1;
    r = text[y & 3];
    return r;
}
/* ==== new ==== */
int f(int x, int y)
{
    char text[8];
    int r = 0;
    text[x & 7] = 1;
    r = text[y & 3];
    return r;
}
/* ==== unified ==== */
int f(int x, int y)
{
    char text[pn_size(4, 8)];
    pn_bounds(text, 4, 8);
    int r = 0;
    text[x & pn_change(3, 7)] = 1;
    r = text[y & 3];
    return r;
}

/* ==== old ==== */
int f(int x, int y)
{
    int nfiles = x;
    int r = nfiles + y;
    r += nfiles * 2;
    return r;
}
/* ==== new ==== */
int f(int x, int y)
{
    int n_files = x;
    int r = n_files + y;
    r += n_files * 2;
    r -= 1;
    return r;
}
/* ==== unified ==== */
int f(int x, int y)
{
    int n_files = x;
    int r = n_files + y;
    r += n_files * 2;
    if (pn_execute(PN_NEW))
        r -= 1;
    return r;
}

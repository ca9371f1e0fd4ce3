/* ==== old ==== */
int f(int x, int y)
{
    return x + y * 2;
}
/* ==== new ==== */
int f(int left, int right)
{
    return left + right * 3;
}
/* ==== unified ==== */
int f(int left, int right)
{
    return left + right * pn_change(2, 3);
}

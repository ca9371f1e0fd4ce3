/* ==== old ==== */
static char buffer[16];

void f(int at, char c)
{
    if (at >= 0 && at < 16)
        buffer[at] = c;
}
/* ==== new ==== */
static char buffer[8];

void f(int at, char c)
{
    if (at >= 0 && at < 8)
        buffer[at] = c;
}
/* ==== unified ==== */
static char buffer[pn_size(16, 8)];
pn_global_bounds(buffer, 16, 8);

void f(int at, char c)
{
    if (at >= 0 && at < pn_change(16, 8))
        buffer[at] = c;
}

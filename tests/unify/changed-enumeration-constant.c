/* ==== old ==== */
enum level { LOW = 1, HIGH = 5 };

int f(int x)
{
    return x > HIGH ? LOW : 0;
}
/* ==== new ==== */
enum level { LOW = 1, HIGH = 7 };

int f(int x)
{
    return x > HIGH ? LOW : 0;
}
/* ==== unified ==== */
enum level { LOW = 1, HIGH = 7 };
enum { HIGH__old = 5 };

int f(int x)
{
    return x > pn_change(HIGH__old, HIGH) ? LOW : 0;
}

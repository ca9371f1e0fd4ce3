/* ==== old ==== */
enum level { LOW, HIGH };

int f(int x)
{
    return x > 3 ? HIGH : LOW;
}
/* ==== new ==== */
enum level { LOW, HIGH, HIGHER };

int f(int x)
{
    return x > 9 ? HIGHER : x > 3 ? HIGH : LOW;
}
/* ==== unified ==== */
enum level { LOW, HIGH, HIGHER };

int f(int x)
{
    return x > pn_change(3, 9) ? pn_change(HIGH, HIGHER) : pn_change(LOW, x > 3 ? HIGH : LOW);
}

/* ==== old ==== */
#define LIMIT 10
#define SCALE(v) ((v) * LIMIT)

/* Scales, up to a limit. */
int f(int x)
{
    return x > LIMIT ? LIMIT : SCALE(x);
}
/* ==== new ==== */
#define LIMIT 12
#define SCALE(v) ((v) * LIMIT)

/* Scales, up to a limit. */
int f(int x)
{
    return x > LIMIT ? LIMIT : SCALE(x);
}
/* ==== unified ==== */
#define LIMIT 12
#define SCALE(v) ((v) * LIMIT)

#define LIMIT__old 10
#define SCALE__old(v) ((v) * LIMIT__old)
/* Scales, up to a limit. */
int f(int x)
{
    return x > pn_change(LIMIT__old, LIMIT) ? pn_change(LIMIT__old, LIMIT) : pn_change(SCALE__old(x), SCALE(x));
}

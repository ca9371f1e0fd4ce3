/* ==== old ==== */
struct point {
    short x;
};

int f(int x)
{
    struct point p;
    p.x = x;
    return p.x;
}
/* ==== new ==== */
struct point {
    int x;
};

int f(int x)
{
    struct point p;
    p.x = x;
    return p.x;
}
/* ==== unified ==== */
#pragma push_macro("point")
#undef point
#define point point__old
struct point {
    short x;
};
#pragma pop_macro("point")
struct point {
    int x;
};

int f(int x)
{
    struct point__old p__old;
    struct point p;
    if (pn_execute(PN_OLD))
        p__old.x = x;
    else
        p.x = x;
    return pn_change(p__old.x, p.x);
}

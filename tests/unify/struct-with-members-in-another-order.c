/* ==== old ==== */
struct point {
    int x, y;
};

int f(struct point *p)
{
    return p->x - p->y;
}
/* ==== new ==== */
struct point {
    int y, x;
};

int f(struct point *p)
{
    return p->x + p->y;
}
/* ==== unified ==== */
#pragma push_macro("point")
#undef point
#define point point__old
struct point {
    int x, y;
};
#pragma pop_macro("point")
struct point {
    int y, x;
};

int f(struct point *p)
{ struct point__old * p__old = (struct point__old *)p;
    return pn_change(p__old->x - p__old->y, p->x + p->y);
}

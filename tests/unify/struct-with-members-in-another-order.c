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

#pragma push_macro("point")
#undef point
#define point point__old
int f__old(struct point *p)
{
    return p->x - p->y;
}
#pragma pop_macro("point")
int f(struct point *p)
{
    return p->x + p->y;
}

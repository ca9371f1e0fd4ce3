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
struct point {
    int y, x;
};

int f(struct point *p)
{
    return pn_change(p->x - p->y, p->x + p->y);
}

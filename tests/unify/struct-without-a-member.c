/* ==== old ==== */
struct point {
    int x, y;
    int weight;
};

int f(struct point *p)
{
    return p->x + p->y * p->weight;
}
/* ==== new ==== */
struct point {
    int x, y;
};

int f(struct point *p)
{
    return p->x + p->y;
}
/* ==== unified ==== */
struct point {
    int x, y;
    int weight;
};

int f(struct point *p)
{
    return p->x + pn_change(p->y * p->weight, p->y);
}

/* ==== old ==== */
struct node {
    struct node *next;
    int value;
};

int f(struct node *n)
{
    while (n->next)
        n = n->next;
    return n->value;
}
/* ==== new ==== */
struct node {
    struct node *next;
    int value;
};

int f(struct node *n)
{
    while (n && n->next)
        n = n->next;
    return n ? n->value : 0;
}
/* ==== unified ==== */
struct node {
    struct node *next;
    int value;
};

int f(struct node *n)
{
    while (pn_change((n->next) != 0, (n && n->next) != 0))
        n = n->next;
    return pn_change(n->value, n ? n->value : 0);
}

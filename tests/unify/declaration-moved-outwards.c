/* ==== old ==== */
#include <stdlib.h>
struct b { char *data; int len; };
int f(struct b *b, int n)
{
    while (n-- > 0) {
        int c = b->data[n];
        if (c == 0)
            break;
        char *p = b->data + c;
        if (*p)
            return c;
    }
    return 0;
}
/* ==== new ==== */
#include <stdlib.h>
struct b { char *data; int len; };
int f(struct b *b, int n)
{
    int c;
    char *p;
    while (n-- > 0) {
        c = b->data[n];
        if (c == 0)
            break;
        if (c >= b->len)
            continue;
        p = b->data + c;
        if (*p)
            return c;
    }
    return 0;
}
/* ==== unified ==== */
#include <stdlib.h>
struct b { char *data; int len; };
int f(struct b *b, int n)
{ int c; char * p;
    
    
    while (n-- > 0) {
        c = b->data[n];
        if (c == 0)
            break;
        if (pn_change(0, c >= b->len))
            continue;
        p = b->data + c;
        if (*p)
            return c;
    }
    return 0;
}

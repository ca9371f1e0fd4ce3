/* Functions whose parameters are structures, pointers, strings and functions, each with a patched line that a condition
 * on the parameter guards. With EQUIVALENT the versions are the same in all that can be seen. tests/e2e/inputs.py says
 * which inputs make a difference, by running plain builds on all of them. */
#include <penumbra.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#ifdef EQUIVALENT
#define patched(old_value, new_value) change(old_value, old_value)
#else
#define patched(old_value, new_value) change(old_value, new_value)
#endif

struct inner {
    short x, y;
};
struct outer {
    char tag;
    struct inner *in;
};

int two_pointers(struct outer *o)
{
    if (o->in->x + o->in->y > patched(4, 5))
        return o->tag;
    return 0;
}

struct bits {
    unsigned low : 3;
    int middle : 4;
    unsigned : 5;
    _Bool flag : 1;
    unsigned long high : 40;
};

int bit_fields(struct bits *b)
{
    if (b->middle < patched(-3, -4) && b->low == 5)
        b->flag = !b->flag;
    return b->high > 2;
}

struct node {
    int value;
    struct node *next;
};

int linked_list(struct node *head)
{
    int sum = 0, length = 0;
    for (const struct node *node = head; node; node = node->next, length++)
        sum += node->value;
    if (sum == patched(5, -4) && length == 3)
        head->next->value = 9;
    return length;
}

int may_be_null(struct node *first, struct node *second)
{
    int count = !first + !second;
    if (first && second && first->value == second->value)
        return patched(10, 11);
    return count == 2 ? patched(-1, -2) : count;
}

int with_callback(int (*get)(int), int limit)
{
    int a = get(limit), b = get(a);
    if (b > patched(1, 2) && a == limit)
        return get(0);
    return a;
}

struct item {
    unsigned char key;
    enum colour { RED = 1, GREEN, BLUE } colour;
};

int items(struct item *list, int count)
{
    int found = 0;
    for (int i = 0; i < count; i++)
        if (list[i].colour == patched(GREEN, BLUE) && list[i].key == 2)
            found += i + 1;
    return found;
}

union number {
    unsigned short whole;
    unsigned char parts[2];
};

int union_of_numbers(union number *n)
{
    if (n->whole > patched(257, 258) && n->parts[1] == 1)
        n->parts[0] = 0;
    return n->parts[0] & 1;
}

int text(const char *s)
{
    int length = 0;
    while (s[length])
        length++;
    if (s[1] != patched('\1', '\3') && length == 2 && s[0] == '\2')
        return 1;
    return 0;
}

struct nested {
    struct {
        signed char a;
        union {
            signed char b;
            signed char c;
        };
    };
    struct inner pair[2];
};

int anonymous(struct nested *n)
{
    if (n->pair[1].x == patched(n->pair[0].y, n->pair[0].y + 1) && n->a == n->b)
        return 1;
    return 0;
}

int rows(signed char **m)
{
    if (m[0][1] + m[1][0] == patched(3, -3))
        m[1][1] = 7;
    return m[0][0];
}

char *pointer_into(char *s, char wanted)
{
    for (; *s; s++)
        if (*s == wanted)
            return patched(s, s + (s[1] == wanted));
    return NULL;
}

struct buffer {
    unsigned char length;
    signed char data[];
};

int flexible(struct buffer *b)
{
    int sum = 0;
    for (int i = 0; i < b->length && i < 2; i++)
        sum += b->data[i];
    return sum > patched(2, 3);
}

struct operations {
    int (*get)(void);
    void (*put)(int);
};

/* The versions call a different number of times. */
int calls_of_one_version(const struct operations *operations, int x)
{
    int sum = operations->get();
    if (x > 1)
        sum += patched(operations->get(), 0);
    operations->put(sum + operations->get());
    return x;
}

struct point {
    signed char x, y;
    double weight;
};

struct point by_value(struct point p, int scale)
{
    if (p.x == p.y && scale != patched(2, 1))
        p.y = (signed char)(p.y + 1);
    return p;
}

struct cell {
    int value;
    struct cell *next;
    const char *name;
};

struct cell *allocated(int a, int b)
{
    struct cell *first = malloc(sizeof *first), *second = b > 0 ? malloc(sizeof *second) : NULL;
    *first = (struct cell){a, second, a > patched(1, 2) ? "large" : "small"};
    if (second)
        *second = (struct cell){b, b > 2 ? patched(second, first) : NULL, NULL};
    return first;
}

struct cell kept = {3, NULL, NULL};

void globals(int x)
{
    kept.next = x == 2 ? patched(&kept, NULL) : NULL;
    kept.value += x > patched(2, 3);
}

/* Memory that differs between the versions. See tests/e2e/sides.py for the comments. */
#include "penumbra.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

int g, h;

/*@ x=-3..3 from x=0
 *  output output: x != 0 */
int store_elsewhere(int x)
{
    int a[2] = {0, 0};
    a[change(0, 1)] = x;
    return a[0];
}

/*@ x=-3..3 y=-3..3 from x=0,y=0
 *  output output: x != y */
int load_from_elsewhere(int x, int y)
{
    int a[2] = {x, y};
    return a[change(0, 1)];
}

/*@ x=-3..3 y=-3..3 from x=1,y=1
 *  output diff-true at 'if (*a': x <= 0 and y > 0
 *  output diff-false at 'if (*a': x > 0 and y <= 0 */
int pointer_to_another_object(int x, int y)
{
    int *a = change(&x, &y);
    if (*a > 0)
        return 1;
    return 0;
}

/* One version stores beyond its array. */
/*@ x=0..3 from x=0
 *  regression new-fails at 'a[x': x == 3
 *  output output x0: x == 1
 *  output output: x == 0 */
int store_out_of_bounds(int x)
{
    int a[4] = {0};
    a[x + change(0, 1)] = 1;
    return a[0] * 10 + a[1];
}

/* Whether there is a block at all differs. */
/*@ n=0..4 from n=1
 *  silent diff-false at 'p = change': n == 0 */
int block_or_local(int n)
{
    char q[8] = {0};
    char *p = change(true, n) ? malloc(8) : q;
    if (!p)
        return -1;
    p[0] = 'a';
    int c = p[0];
    if (p != q)
        free(p);
    return c;
}

/* A block per version: what one writes the other does not see, sizes are each version's own. */
/*@ n=0..7 from n=2
 *  fix old-fails at 'p[n': n == 6
 *  both-fail new-fails x0: n == 7 */
int block_made_larger(int n)
{
    char *p = malloc(change(6, 7));
    p[0] = 1;
    p[n] = 2;
    int c = p[0];
    free(p);
    return c;
}

/*@ n=1..8 from n=3
 *  output output: n == 3
 *  output output x0: n != 3 */
int block_of_symbolic_size(int n)
{
    int *p = calloc(change(n, n + 1), sizeof *p);
    p[0] = change(1, 2);
    int c = p[0];
    free(p);
    return c;
}

/*@ x=0..9 from x=0
 *  output output: x > 5 */
int realloc_in_one_version(int x)
{
    int *p = malloc(4 * sizeof *p);
    p[0] = x;
    p[3] = 3;
    if (execute(NEW)) {
        p = realloc(p, 8 * sizeof *p);
        p[7] = x > 5;
        p[3] += p[7];
    }
    int sum = p[0] + p[3];
    free(p);
    return sum;
}

/*@ x=0..9 from x=0
 *  output output: True */
int realloc_to_other_sizes(int x)
{
    char *p = malloc(4);
    p[1] = (char)x;
    p = realloc(p, change(8, 16));
    p[5] = p[1] + change(1, 2);
    int c = p[5];
    free(p);
    return c;
}

/*@ x=0..9 from x=0 */
int free_removed(int x)
{
    int *p = malloc(sizeof *p);
    *p = x;
    int y = *p;
    if (execute(OLD))
        free(p);
    return y;
}

/*@ x=0..9 from x=0
 *  fix old-fails at 'return *p': x == 7 */
int free_moved(int x)
{
    int *p = malloc(sizeof *p);
    *p = x;
    if (execute(OLD)) {
        if (x == 7)
            free(p);
    }
    return *p;
}

/*@ x=0..9 from x=0
 *  regression new-fails at 'free(p); /': x == 7 */
int free_twice_added(int x)
{
    int *p = malloc(sizeof *p);
    *p = x;
    int y = *p;
    if (execute(NEW))
        if (x == 7)
            free(p);
    free(p); /* a second time */
    return y;
}

/*@ x=0..9 from x=0
 *  fix old-fails at 'free(p); free(p)': x == 7 */
int free_twice_removed(int x)
{
    int *p = malloc(sizeof *p);
    *p = x;
    int y = *p;
    if (execute(OLD)) {
        if (x == 7)
            free(p); free(p);
    } else
        free(p);
    return y;
}

/*@ x=0..9 from x=0
 *  regression new-fails at 'return *p': x == 3 */
int use_after_free_added(int x)
{
    int *p = malloc(sizeof *p);
    *p = x;
    if (execute(NEW))
        if (x == 3)
            free(p);
    return *p;
}

struct node {
    int value;
    struct node *next;
};

static struct node *push(struct node *list, int value)
{
    struct node *node = malloc(sizeof *node);
    node->value = value;
    node->next = list;
    return node;
}

static int sum(const struct node *list)
{
    int sum = 0;
    for (; list; list = list->next)
        sum += list->value;
    return sum;
}

/* Lists of other lengths: the loop over them is where the versions part. */
/*@ x=0..9 from x=0
 *  output diff-true at 'for (; list': x > 5 */
int list_grown(int x)
{
    struct node *list = push(push(NULL, 1), 2);
    if (execute(NEW))
        if (x > 5)
            list = push(list, x);
    return sum(list);
}

/* The same list, built by one version in another order: pointers differ, what is behind them does not. */
/*@ x=0..9 from x=0 */
int list_built_otherwise(int x)
{
    struct node *list = NULL;
    if (execute(OLD))
        list = push(push(NULL, x), 2);
    if (execute(NEW)) {
        struct node *first = push(NULL, 2);
        first->next = push(NULL, x);
        list = first;
    }
    return sum(list);
}

/* Library functions over memory in one version's code. */
/*@ x=0..9 y=0..9 from x=0,y=0
 *  output output: x != y */
int memcpy_one_sided(int x, int y)
{
    int a[3] = {x, 1, 2}, b[3] = {y, 1, 2}, c[3];
    if (execute(OLD))
        memcpy(c, a, sizeof c);
    if (execute(NEW))
        memcpy(c, b, sizeof c);
    return c[0] * 4 + c[1] * 2 + c[2];
}

/*@ x=0..9 from x=0
 *  output output: x != 2 */
int memset_one_sided(int x)
{
    char a[4];
    if (execute(OLD))
        memset(a, 2, sizeof a);
    if (execute(NEW)) {
        memset(a, x, 2);
        memset(a + 2, 2, 2);
    }
    return a[1] + a[3];
}

/*@ x=0..9 from x=0
 *  output output: x == 0
 *  output output x0: x != 0 */
int strings_one_sided(int x)
{
    char a[8] = "abc";
    a[change(1, 2)] = '\0';
    int length;
    if (execute(OLD))
        length = (int)strlen(a) + 10 * strcmp(a, "a");
    if (execute(NEW))
        length = (int)strlen(a) + 10 * strcmp(a, "ab");
    return length + x;
}

/*@ x=0..5 from x=0
 *  output output: x == 1 */
int length_of_a_copy(int x)
{
    char a[4] = {0}, b[4] = {1, (char)x, 0, 0};
    b[1] = x == 1;
    memcpy(a, b, change(1, 2));
    return a[1];
}

/* Each version's pointer is checked against the array that it points into. */
/*@ x=0..3 from x=0
 *  regression new-fails at 'p[x] = 1': x > 1 */
int pointer_into_a_smaller_array(int x)
{
    int large[4] = {0}, small[2] = {0};
    int *p = change(large, small);
    p[x] = 1;
    return 0;
}

/*@ x=0..3 from x=0
 *  fix old-fails at 'p[x]': x > 1 */
int pointer_moved_to_a_larger_array(int x)
{
    int large[4] = {0}, small[2] = {0};
    int *p = small;
    if (execute(NEW))
        p = large;
    return p[x];
}

/* The end of an array is no pointer into what lies behind it. */
/*@ x=0..3 from x=0
 *  output output: x != 0 */
int pointers_to_the_end(int x)
{
    int a[2] = {0, 0}, b[2] = {0, x};
    int *p = change(a + 2, b + 2), *q = change(b + 2, b + 2), *r = a + 2;
    if (execute(NEW))
        r = b + 2;
    return *--p + q[-1] - b[1] + r[-2] - a[0];
}

/*@ x=0..9 from x=0
 *  output output: x != 1 */
int store_through_a_changed_pointer(int x)
{
    int a = 1, b = 1;
    *change(&a, &b) = x;
    return a * 10 + b;
}

/*@ x=0..9 from x=0
 *  output output: x != 4 */
int field_through_a_changed_pointer(int x)
{
    struct node one = {x, NULL}, other = {4, NULL}, *first = &one;
    return change(first, &other)->value;
}

static int *cursor;

static int next(void)
{
    return *cursor++;
}

/*@ x=0..9 from x=0
 *  output output: x != 2 */
int moving_pointer(int x)
{
    int a[4] = {1, 2, x, 4};
    cursor = a;
    if (execute(OLD))
        next();
    if (execute(NEW)) {
        next();
        next();
    }
    int y = next();
    cursor = NULL;
    return y;
}

/*@ x=0..9 from x=0
 *  output diff-false at 'for (int *p': x > 4 */
int end_pointer_changed(int x)
{
    int a[4] = {0}, *end = a + 4, n = 0;
    if (execute(NEW))
        if (x > 4)
            end = a + 3;
    for (int *p = a; p != end; p++)
        n++;
    return n;
}

/*@ x=0..5 from x=0
 *  output output: x > 1 */
int indices_shifted(int x)
{
    int a[6] = {0}, sum = 0;
    for (int i = 0; i < 6; i += 2) {
        a[change(i, i + 1)] = x;
        sum += a[i] * (x > 1);
    }
    return sum;
}

struct text {
    char bytes[8];
    int length;
};

/*@ x=0..7 from x=1
 *  output output: x == 1
 *  output output x0: x == 2 or x == 3 */
int shifted_by_memmove(int x)
{
    struct text one = {"abc", 3}, copy;
    if (execute(NEW)) {
        memmove(one.bytes + 1, one.bytes, 3);
        one.bytes[0] = 'a';
        one.length++;
    }
    copy = one;
    return copy.bytes[x];
}

/* Both free it, at different times, and nobody uses it after that. */
/*@ x=0..9 from x=0 */
int freed_by_each(int x)
{
    int *p = malloc(sizeof *p), y;
    *p = x;
    if (execute(NEW)) {
        y = *p;
        free(p);
    }
    if (execute(OLD)) {
        y = *p;
        free(p);
    }
    return y;
}

/*@ x=0..9 from x=0
 *  output output: x > 8 */
int blocks_in_a_loop(int x)
{
    int sum = 0;
    for (int i = 0; i < 3; i++) {
        if (execute(OLD))
            sum += i;
        if (execute(NEW)) {
            int *p = malloc(sizeof *p);
            *p = x > 8 ? 0 : i;
            sum += *p;
            free(p);
        }
    }
    return sum;
}

/* The old version has turned the list around in place. */
/*@ x=0..9 from x=5
 *  output output: x != 3 */
int list_reversed(int x)
{
    struct node c = {3, NULL}, b = {2, &c}, a = {x, &b}, *list = &a;
    if (execute(OLD)) {
        struct node *reversed = NULL;
        while (list) {
            struct node *next = list->next;
            list->next = reversed;
            reversed = list;
            list = next;
        }
        list = reversed;
    }
    int digits = 0;
    for (int n = 0; list && n < 4; n++) {
        digits = digits * 10 + list->value;
        list = list->next;
    }
    return digits;
}

/*@ x=0..9 from x=0 */
int variable_length_arrays(int x)
{
    int n = 3, last = 0;
    if (execute(NEW)) {
        int a[n];
        for (int i = 0; i < n; i++)
            a[i] = i + x;
        last = a[n - 1];
    }
    if (execute(OLD)) {
        int a[n + 2];
        for (int i = 0; i < n + 2; i++)
            a[i] = i + x;
        last = a[n - 1];
    }
    return last;
}

/*@ x=0..9 from x=0 */
int blocks_of_no_size(int x)
{
    char *p = malloc(0), *q;
    if (execute(OLD)) {
        q = realloc(p, 4);
        q[0] = (char)x;
    }
    if (execute(NEW)) {
        q = malloc(4);
        q[0] = (char)x;
        free(p);
    }
    int y = q[0];
    free(q);
    return y;
}

/*@ x=0..9 from x=0
 *  output output: True */
int characters_counted(int x)
{
    const char *text = "a1b2c3";
    int n = 0;
    if (execute(OLD))
        for (const char *p = text; *p; p++)
            n += isdigit((unsigned char)*p) != 0;
    if (execute(NEW))
        n = (int)strlen(text);
    return n * 10 + x;
}

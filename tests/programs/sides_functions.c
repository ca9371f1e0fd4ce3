/* Functions that one version calls alone: neither version sees the other's effects. See tests/e2e/sides.py for the
 * comments. */
#include "penumbra.h"

#include <stdarg.h>
#include <search.h>
#include <stdlib.h>

int g, h;

static int twice(int x)
{
    g += x;
    return 2 * x;
}

static int thrice_when_large(int x)
{
    if (x > 7)
        g = twice(x);
    else
        h++;
    return g;
}

/*@ x=0..9 y=0..3 from x=0,y=0
 *  output output x2: True */
int calls_with_effects(int x, int y)
{
    g = y;
    return change(twice(x), thrice_when_large(x));
}

/* Each version calls the other's function: the same in the end. */
/*@ x=0..9 from x=0 */
int effects_in_another_order(int x)
{
    int a = 0;
    if (execute(OLD)) {
        a = twice(x) + twice(3);
    } else {
        a = twice(3);
        a += twice(x);
    }
    return a;
}

static int even(int n);
static int odd(int n)
{
    h++;
    return n == 0 ? 0 : even(n - 1);
}

static int even(int n)
{
    h++;
    return n == 0 ? 1 : odd(n - 1);
}

static int is_even(int n)
{
    int steps = 0;
    while (n > 1) {
        n -= 2;
        steps++;
    }
    h = steps * 2 + n + 1;
    return n == 0;
}

/* Mutual recursion against a loop that counts the same: no difference. */
/*@ x=0..6 from x=2 */
int recursion_to_loop(int x)
{
    return change(even(x), is_even(x));
}

/*@ x=0..6 from x=2
 *  output output x7: True */
int recursion_to_other_recursion(int x)
{
    return change(even(x), odd(x));
}

static int inc(int x)
{
    g = 1;
    return x + 1;
}

static int dec(int x)
{
    if (x == 4)
        h = 1;
    return x - 1;
}

static int apply(int (*operation)(int), int x)
{
    return operation(x) + 1;
}

/* The target of a call differs: a divergence at the call, whatever comes back. */
/*@ x=0..9 from x=0
 *  output external-call at 'return op' x2: True */
int target_of_a_call(int x)
{
    int (*op)(int) = change(inc, dec);
    return op(x);
}

/* A pointer to a function inside code of one version leads to that version's copy. */
/*@ x=0..9 from x=0
 *  output output x2: True */
int pointers_inside(int x)
{
    int y;
    if (execute(OLD))
        y = apply(inc, x);
    if (execute(NEW))
        y = apply(dec, x);
    return y;
}

static int (*table[])(int) = {inc, dec, twice};

/* The index is bound, as the function that is called must be known; its other values are run too. */
/*@ x=0..2 from x=0
 *  output output: x == 0
 *  output output: x == 1 */
int table_of_functions(int x)
{
    int y;
    if (execute(OLD))
        y = table[x](x + 1);
    if (execute(NEW)) {
        if (x == 2)
            y = twice(x + 1);
        else
            y = apply(table[1 - x], x);
    }
    return y;
}

static int counter(void)
{
    static int count;
    return ++count;
}

/* A static variable is each version's own too. */
/*@ x=0..9 from x=0
 *  output output: x > 5
 *  output output: x <= 5 */
int static_variable(int x)
{
    if (execute(OLD))
        counter();
    if (execute(NEW))
        if (x > 5)
            counter(), counter();
    return counter();
}

struct pair {
    int a, b;
};

static struct pair make_pair(int a, int b)
{
    return (struct pair){a, b};
}

static void exchange(struct pair *pair)
{
    int a = pair->a;
    pair->a = pair->b;
    pair->b = a;
}

/* Locals whose address one version gives to a function. */
/*@ x=0..4 y=0..4 from x=0,y=0
 *  output output: x != y */
int address_of_local(int x, int y)
{
    struct pair pair = {x, y};
    if (execute(NEW))
        exchange(&pair);
    return pair.a * 10 + pair.b;
}

/*@ x=0..4 y=0..4 from x=0,y=0
 *  output output: x != y */
int change_of_a_struct(int x, int y)
{
    struct pair pair = change(make_pair(x, y), make_pair(y, x));
    return pair.a * 10 + pair.b;
}

struct wide {
    long a, b, c;
};

static struct wide make_wide(long a)
{
    return (struct wide){a, a + 1, a + 2};
}

static long sum(struct wide wide)
{
    return wide.a + wide.b + wide.c;
}

/* A struct too large for registers, as a result and by value. */
/*@ x=0..9 from x=0
 *  output output: True */
int change_of_a_wide_struct(int x)
{
    struct wide wide = change(make_wide(x), make_wide(x + 1));
    return (int)wide.c;
}

/*@ x=0..9 from x=0
 *  output output: True */
int wide_struct_by_value(int x)
{
    struct wide wide = make_wide(x);
    return (int)change(sum(wide), sum(wide) + 1);
}

static int work(int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++) {
        if (i == 3)
            continue;
        if (i == 6)
            break;
        sum += i;
        g += sum;
    }
    return sum;
}

/* A call with a change inside: the callee has one-sided code of its own, and is called by one version alone too. */
static int changed_callee(int x)
{
    int y = change(x, x + 1);
    if (y > 5)
        h = y;
    return y;
}

/*@ x=0..9 from x=0
 *  output diff-true at 'if (y': x == 5
 *  output output: x != 5 */
int changed_callee_together(int x)
{
    return changed_callee(x);
}

/*@ x=0..9 from x=0
 *  output output x3: True */
int changed_callee_one_sided(int x)
{
    return change(changed_callee(x), changed_callee(x) + 1);
}

/*@ x=0..9 from x=0
 *  output output x7: x > 1 */
int loops_inside(int x)
{
    int n = x;
    return change(work(n), work(n - 1) + (x > 1));
}

/* Inlined into a function that is not changed, were it not for the change. */
__attribute__((always_inline)) static inline int always_inline(int x)
{
    return change(x, x > 3 ? 0 : x);
}

/*@ x=0..9 from x=0
 *  output output: x > 3 */
int changed_inline_function(int x)
{
    return always_inline(x);
}

static int count_down(int x)
{
    if (x <= 0)
        return change(0, 1);
    return change(count_down(x - 1) + 1, count_down(x - 1) + 1);
}

/* The first decision is both versions' and is not turned; the others are. */
/*@ x=0..4 from x=3
 *  output output x4: x > 0
 *  output output x0: x == 0 */
int recursion_through_changes(int x)
{
    return count_down(x);
}

static int sum_of(int count, ...)
{
    va_list list;
    int sum = 0;
    va_start(list, count);
    while (count--)
        sum += va_arg(list, int);
    va_end(list);
    return sum;
}

/* Variable arguments are bound to the seed's. */
/*@ x=0..9 from x=0
 *  output output: x == 0
 *  output output x0: x != 0 */
int variable_arguments(int x)
{
    return change(sum_of(2, x, 3), sum_of(3, x, 3, 1));
}

static long add_one(struct wide wide)
{
    wide.a++;
    return wide.a + wide.b + wide.c;
}

/* Each version's struct is its own, and the callee's a copy of it. */
/*@ x=0..9 from x=0
 *  output output: x > 6 */
int structs_by_value(int x)
{
    long y;
    if (execute(OLD)) {
        struct wide wide = {x, 1, 2};
        y = add_one(wide) + wide.a;
    }
    if (execute(NEW)) {
        struct wide wide = {x > 6 ? 0 : x, 2, 1};
        y = add_one(wide) + wide.a;
    }
    return (int)y;
}

static long weighted(int a, long b, char c, short d, int e, long f, int i, long j, unsigned char k)
{
    return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * i + 8 * j + 9 * k;
}

/*@ x=0..9 from x=0
 *  output output: x > 0 */
int many_arguments(int x)
{
    unsigned char last = (unsigned char)x;
    return (int)change(weighted(1, 2, 3, 4, 5, 6, 7, 8, last), weighted(1, 2, 3, 4, 5, 6, 7, 8 + x, last));
}

static int changed(int x)
{
    return change(x, x > 7 ? 0 : x);
}

static int (*pointer_to_changed)(int) = changed;

/*@ x=0..9 from x=0
 *  output output: x > 7 */
int changed_function_through_pointer(int x)
{
    return pointer_to_changed(x);
}

/*@ x=0..9 from x=0
 *  output output: x > 7 */
int changed_function_through_pointer_one_sided(int x)
{
    int y;
    if (execute(OLD))
        y = pointer_to_changed(x);
    if (execute(NEW))
        y = pointer_to_changed(x);
    return y;
}

static int ascending(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

/* The C library calls back: such a call is not followed for one version, which is said. */
/*@ x=0..9 from x=0
 *  silent external-call at 'lfind': x == 0 */
int callback_of_the_library(int x)
{
    int a[3] = {3, x, 1};
    size_t count = 3;
    if (execute(NEW))
        lfind(&x, a, &count, sizeof *a, ascending);
    return a[0];
}

/* A function of the C library that has a model calls back. */
/*@ x=0..9 from x=0
 *  silent diff-true at 'if (b[i] > maximum)' x3: x <= 9 */
int callback_of_a_model(int x)
{
    int b[3] = {3, x, 1};
    if (execute(NEW))
        qsort(b, 3, sizeof *b, ascending);
    int maximum = b[0];
    for (int i = 0; i < 3; i++)
        if (b[i] > maximum)
            maximum = b[i];
    return maximum;
}

/* Failures of one version: the run survives the old one's and goes on for the new one. See tests/e2e/sides.py for the
 * comments. */
#include "penumbra.h"

#include <assert.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

int g, h;

/*@ x=-3..3 from x=1
 *  fix old-fails at 'return change': x == 0 */
int division_by_zero_fixed(int x)
{
    return change(10 / x, x ? 10 / x : 0);
}

/*@ x=-3..3 from x=1
 *  regression new-fails at 'return change': x == 0 */
int division_by_zero_added(int x)
{
    return change(x ? 10 / x : 0, 10 / x);
}

/* The seed itself is where the old version fails; the new one goes on from there. */
/*@ x=-3..3 from x=0
 *  fix old-fails at 'y = change': x == 0 */
int division_by_zero_in_the_seed(int x)
{
    int y = change(10 % x, x ? 10 % x : 7);
    if (y == 7)
        g = 1;
    return y;
}

static int *none;

/*@ x=0..5 from x=0
 *  fix old-fails at 'x == 3': x == 3 */
int null_read_fixed(int x)
{
    int y = 0;
    if (execute(OLD))
        y = x == 3 ? *none : 0;
    return y;
}

/*@ x=0..5 from x=0
 *  fix old-fails at 'none = 1': x == 3 */
int null_write_fixed(int x)
{
    if (execute(OLD))
        if (x == 3)
            *none = 1;
    return x;
}

/*@ x=0..5 from x=0
 *  regression new-fails: x == 3 */
int null_read_added(int x)
{
    int y = 0;
    if (execute(NEW))
        y = x == 3 ? *none : 0;
    return y;
}

/*@ x=0..5 from x=0
 *  fix old-fails at 'return *p': x > 2 */
int null_pointer_of_one_version(int x)
{
    int *p = &x;
    if (execute(OLD))
        p = x > 2 ? NULL : &x;
    return *p;
}

/*@ x=0..5 from x=0
 *  regression new-fails at 'return *p': x > 2 */
int null_pointer_added(int x)
{
    int *p = &x;
    if (execute(NEW))
        p = x > 2 ? NULL : &x;
    return *p;
}

/*@ x=0..7 from x=0
 *  fix old-fails at 'sum += a': x > 3 */
int read_out_of_bounds_fixed(int x)
{
    int a[4] = {1, 2, 3, 4}, sum = 0;
    if (execute(OLD))
        sum += a[x];
    if (execute(NEW))
        sum += x < 4 ? a[x] : 0;
    return sum == 0;
}

/*@ x=0..9 from x=0
 *  fix old-fails at 'abort': x == 5 */
int abort_removed(int x)
{
    if (execute(OLD)) {
        if (x == 5)
            abort();
    }
    return x;
}

/*@ x=0..9 from x=0
 *  regression new-fails at 'abort': x == 5 */
int abort_added(int x)
{
    if (execute(NEW))
        if (x == 5)
            abort();
    return x;
}

static void must_be_small(int x)
{
    assert(x < 5);
}

/*@ x=0..9 from x=0
 *  fix old-fails at 'assert(x < 5)': x > 4 */
int assert_in_a_function_removed(int x)
{
    if (execute(OLD))
        must_be_small(x);
    return x;
}

/*@ x=0..9 from x=0
 *  regression diff-false at 'assert(x': x == 8 */
int assert_strengthened(int x)
{
    assert(x < change(9, 8) || x == 9);
    return x;
}

/*@ x=0..9 from x=0
 *  output early-exit at 'exit(': x == 5 */
int exit_removed(int x)
{
    if (execute(OLD))
        if (x == 5)
            exit(3);
    return x;
}

/*@ x=0..9 from x=0
 *  fix old-fails: x == 5 */
int endless_loop_fixed(int x)
{
    int i = 0;
    if (execute(OLD)) {
        while (i != x || x == 5)
            i++;
    }
    if (execute(NEW))
        i = x;
    return i;
}

static int depth(int n)
{
    volatile int frame[64] = {n};
    return n == 0 ? 0 : 1 + depth(frame[0] - 1);
}

/*@ x=-1..3 from x=0
 *  fix old-fails: x == -1 */
int deep_recursion_fixed(int x)
{
    return change(depth(x), x < 0 ? -1 : depth(x));
}

/*@ x=0..5 from x=0
 *  fix old-fails at 'y = p[0]': x == 2 */
int use_after_free_inside(int x)
{
    int *p = malloc(4), y = 0;
    p[0] = x;
    if (execute(OLD)) {
        if (x == 2)
            free(p);
        y = p[0];
    }
    if (execute(NEW))
        y = x;
    return y;
}

/*@ x=0..5 from x=0
 *  fix old-fails at 'free(p), free(p)': x == 2 */
int double_free_inside(int x)
{
    char *p = malloc(4);
    if (execute(OLD)) {
        if (x == 2)
            free(p), free(p);
    }
    return x;
}

/*@ x=0..5 from x=0
 *  regression new-fails at 'free(p), free(p)': x == 2 */
int double_free_added(int x)
{
    char *p = malloc(4);
    if (execute(NEW)) {
        if (x == 2)
            free(p), free(p);
    }
    return x;
}

/* Where both fail in their own code, at different places. */
/*@ x=0..5 from x=1
 *  both-fail old-fails: x == 0 */
int both_fail_apart(int x)
{
    int y = 0;
    if (execute(OLD))
        y = 10 / x;
    if (execute(NEW))
        y = 20 / x;
    return y > 100;
}

/* Copying too much. */
/*@ x=0..8 from x=0
 *  fix old-fails at 'memcpy(to, from, x)': x > 4 */
int copy_too_much_fixed(int x)
{
    char to[4] = {0}, from[16] = "abcdefghijklmno";
    if (execute(OLD))
        memcpy(to, from, x);
    if (execute(NEW))
        memcpy(to, from, x > 4 ? 4 : x);
    return to[0] && x > 20;
}

/*@ x=0..8 from x=0
 *  regression new-fails at 'memset(to': x == 4
 *  both-fail new-fails x0: x > 4 */
int fill_too_much_added(int x)
{
    char to[4] = {0};
    memset(to, 1, change(x, x + 1));
    return 0;
}

/*@ x=0..9 from x=0
 *  output early-exit at 'exit(': x == 5 */
int exit_added(int x)
{
    if (execute(NEW))
        if (x == 5)
            exit(3);
    return x;
}

/*@ x=0..9 from x=0
 *  fix old-fails at 'trap()': x == 5 */
int trap_removed(int x)
{
    if (execute(OLD))
        if (x == 5)
            __builtin_trap();
    return x;
}

static jmp_buf place;

static void leave(int x)
{
    if (x == 5)
        longjmp(place, 1);
}

/* A way out of the code of one version, to a place that both have. */
/*@ x=0..9 from x=0
 *  output early-exit at 'longjmp(': x == 5 */
int longjmp_removed(int x)
{
    if (setjmp(place))
        return -1;
    if (execute(OLD))
        leave(x);
    return x;
}

/*@ x=0..9 from x=0
 *  output early-exit at 'longjmp(': x == 5 */
int longjmp_added(int x)
{
    if (setjmp(place))
        return -1;
    if (execute(NEW))
        leave(x);
    return x;
}

/*@ x=-1..3 from x=0
 *  regression new-fails: x == -1 */
int deep_recursion_added(int x)
{
    return change(x < 0 ? -1 : depth(x), depth(x));
}

/*@ x=0..9 from x=0
 *  regression new-fails at 'while (i': x == 5 */
int endless_loop_added(int x)
{
    int i = 0;
    if (execute(NEW)) {
        while (i != x || x == 5)
            i++;
    }
    if (execute(OLD))
        i = x;
    return i;
}

/* Too far by an index that does not depend on the input. */
/*@ x=0..9 from x=0
 *  fix old-fails at 'sum += a[i]; /': True */
int overrun_fixed(int x)
{
    int a[4] = {1, 2, 3, 4}, sum = 0;
    if (execute(OLD))
        for (int i = 0; i <= 4; i++)
            sum += a[i]; /* one too many */
    if (execute(NEW))
        for (int i = 0; i < 4; i++)
            sum += a[i];
    return sum > 1000000 ? x : 0;
}

static int numbers[4];

/*@ x=0..9 from x=0
 *  regression new-fails at 'sum += numbers': True */
int overrun_added(int x)
{
    int sum = 0;
    if (execute(NEW))
        for (int i = 0; i <= 4; i++)
            sum += numbers[i];
    return sum > 1000000 ? x : 0;
}

/*@ x=0..9 from x=0
 *  fix old-fails at 'p[8]': x == 6 */
int heap_overrun_fixed(int x)
{
    char *p = malloc(8);
    memset(p, 0, 8);
    if (execute(OLD)) {
        if (x == 6)
            p[8] = 1;
    }
    int y = p[7];
    free(p);
    return y;
}

/*@ x=0..9 from x=0
 *  fix old-fails at 'memcpy': x == 2 */
int copy_of_constant_length_fixed(int x)
{
    char to[4] = {0}, from[8] = {0};
    if (execute(OLD)) {
        if (x == 2)
            memcpy(to, from, 8);
    }
    return to[0];
}

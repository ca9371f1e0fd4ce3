/* One-sided conditions and statements. See tests/e2e/sides.py for the comments. */
#include "penumbra.h"

#include <stdbool.h>

int g, h;

/* Pattern 1(f) of Shadow of a Doubt: A || B is strengthened to B. */
/*@ x=-1..6 y=-1..4 from x=0,y=0
 *  output diff-false at 'if (change': x == 5 and y != 3 */
int or_strengthened(int x, int y)
{
    if (change(x == 5 || y == 3, y == 3))
        return 1;
    return 0;
}

/* Annotated as the paper says not to: where B holds too, the versions part and meet again. */
/*@ x=-1..6 y=-1..4 from x=0,y=0
 *  output diff-false at 'if (change': x == 5 and y != 3
 *  silent diff-false at 'if (change': x == 5 and y == 3 */
int or_strengthened_spuriously(int x, int y)
{
    if (change(x == 5, false) || y == 3)
        return 1;
    return 0;
}

/* Pattern 1(g): A && B is weakened to B. */
/*@ x=-1..6 y=-1..4 from x=0,y=0
 *  output diff-true at 'if (change': x != 5 and y == 3 */
int and_weakened(int x, int y)
{
    if (change(x == 5 && y == 3, y == 3))
        return 1;
    return 0;
}

/*@ x=-1..6 y=-1..4 from x=5,y=0
 *  output diff-true at 'if (change': x != 5 and y == 3
 *  silent diff-true at 'if (change': x != 5 and y != 3 */
int and_weakened_spuriously(int x, int y)
{
    if (change(x == 5, true) && y == 3)
        return 1;
    return 0;
}

/*@ x=-1..6 y=-1..6 from x=0,y=0
 *  output output x3: (y if x > 2 else x) != (x if y > 1 else 7) */
int conditional_operators(int x, int y)
{
    return change(x > 2 ? y : x, y > 1 ? x : 7);
}

/* Branches inside code of one version are asked and run, though they part nothing. */
/*@ x=0..20 y=0..3 from x=0,y=0
 *  output output: x > 10 */
int conditional_increment_added(int x, int y)
{
    if (execute(NEW)) {
        if (x > 10)
            y++;
    }
    return y;
}

/*@ x=0..20 from x=0
 *  output diff-true at 'if (y': x > 10 */
int conditional_increment_decides_later(int x)
{
    int y = 0;
    if (execute(NEW))
        if (x > 10)
            y++;
    if (y)
        g = 1;
    return 0;
}

/*@ x=0..9 from x=9
 *  output output x3: x < 3 */
int removed_from_loop_body(int x)
{
    int sum = 0;
    for (int i = 0; i < 3; i++) {
        sum += i;
        if (execute(OLD)) {
            if (i == x)
                sum += 10;
        }
    }
    return sum;
}

/*@ x=-5..20 from x=0
 *  output early-exit at 'return -1': x < 0
 *  output early-exit at 'return 99': x > 10 */
int early_returns_added(int x)
{
    if (execute(NEW)) {
        if (x < 0)
            return -1;
    }
    int y = x * 2;
    if (execute(NEW))
        if (x > 10)
            return 99;
    return y;
}

/*@ x=-5..20 from x=0
 *  output early-exit at 'return -1': x < 0 and x != -1
 *  silent early-exit at 'return -1': x == -1 */
int early_return_removed(int x)
{
    if (!execute(NEW)) {
        if (x < 0)
            return -1;
    }
    return change(x, x == -1 ? -1 : x);
}

/*@ x=0..4 y=0..4 from x=0,y=0
 *  output output: x != 0 or y != 0 */
int two_statements_swapped(int x, int y)
{
    int a = x, b = y;
    if (execute(OLD)) {
        a = a + b;
        b = b + a;
    } else {
        b = b + a;
        a = a + b;
    }
    return a * 100 + b;
}

static int clamp(int x)
{
    if (x > 5)
        return 5;
    return x;
}

/* The same, with and without the helper: no difference, on all paths of both. */
/*@ x=0..9 from x=0 */
int helper_inlined(int x)
{
    int y;
    if (execute(OLD))
        y = clamp(x);
    if (execute(NEW))
        y = x > 5 ? 5 : x;
    return y;
}

/*@ x=0..9 from x=0
 *  output output: x > 5 */
int helper_inlined_wrongly(int x)
{
    return change(clamp(x), x > 5 ? 6 : x);
}

/*@ x=-2..6 from x=5
 *  output diff-true at 'switch': x == -1
 *  output diff-false at 'switch' x3: x in (0, 1, 2) */
int switch_on_change(int x)
{
    switch (change(x, x + 1)) {
    case 0: return 10;
    case 1: return 11;
    case 2: return 12;
    default: return 13;
    }
}

/* A changed case label: two switches. */
/*@ x=0..6 from x=0
 *  output output x2: x == 2 or x == 3 */
int case_label_changed(int x)
{
    int y = 0;
    if (execute(OLD)) {
        switch (x) {
        case 1: y = 1; break;
        case 2: y = 2; break;
        default: break;
        }
    } else {
        switch (x) {
        case 1: y = 1; break;
        case 3: y = 2; break;
        default: break;
        }
    }
    return y;
}

/* An execute() inside one of its own or of the other version is decided by where it stands. */
/*@ x=0..9 from x=0
 *  output output x2: x > 5 or x == 1 */
int nested(int x)
{
    int y = x;
    if (execute(NEW)) {
        if (execute(OLD))
            y = 100;
        if (execute(NEW)) {
            if (x > 5)
                y++;
        } else {
            y = 200;
        }
        y += change(1000, x == 1);
    }
    return y;
}

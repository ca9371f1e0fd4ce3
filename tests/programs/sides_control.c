/* Ways out of code of one version. See tests/e2e/sides.py for the comments. */
#include "penumbra.h"

#include <stdio.h>
#include <stdlib.h>

int g, h;

/*@ x=0..9 from x=0
 *  output early-exit at 'break' x4: x > 2 */
int break_added(int x)
{
    int sum = 0;
    for (int i = 0; i < 4; i++) {
        if (execute(NEW))
            if (i + x > 5)
                break;
        sum += i;
    }
    return sum;
}

/*@ x=0..9 from x=5
 *  output early-exit at 'continue' x3: x in (1, 2, 3)
 *  silent early-exit at 'continue': x == 0 */
int continue_removed(int x)
{
    int sum = 0;
    for (int i = 0; i < 4; i++) {
        if (execute(OLD)) {
            if (i == x)
                continue;
        }
        sum += i;
    }
    return sum;
}

/*@ x=0..9 from x=5
 *  output early-exit at 'return -1' x4: x < 4 */
int return_from_loop_added(int x)
{
    for (int i = 0; i < 4; i++) {
        g += i;
        if (execute(NEW)) {
            if (i == x)
                return -1;
        }
    }
    return 0;
}

/*@ x=0..9 from x=0
 *  output early-exit at 'goto out': x == 7 */
int goto_out_added(int x)
{
    int r = 1;
    if (execute(NEW)) {
        if (x == 7)
            goto out;
    }
    r = 2;
out:
    return r;
}

/*@ x=0..9 from x=0
 *  output early-exit at 'return -r' x2: x == 7 or x == 8 */
int goto_between_loops(int x)
{
    int r = 0;
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 2; k++) {
            r++;
            if (execute(OLD)) {
                if (i == 1 && x == 7 + k)
                    goto fail;
            }
        }
    return r;
fail:
    return -r;
}

/* Both versions have a way out of their own. */
/*@ x=0..9 from x=0
 *  output early-exit x2: x > 6 */
int both_return(int x)
{
    if (execute(OLD)) {
        if (x > 7)
            return 1;
    } else {
        if (x > 6)
            return 2;
    }
    return 0;
}

/* The whole body differs: both return, which is where they meet. */
/*@ x=0..9 from x=0
 *  output output: x > 5 */
int whole_body(int x)
{
    if (execute(OLD)) {
        return x;
    } else {
        if (x > 5)
            return 5;
        return x;
    }
}

/* A loop of one version, with all its ways. */
/*@ x=0..6 from x=0
 *  output early-exit at 'return 100': x == 4
 *  output output x5: x != 4 */
int loop_inside(int x)
{
    int sum = 0;
    if (execute(NEW)) {
        for (int i = 0; i < 10; i++) {
            if (i == 1)
                continue;
            if (i > x)
                break;
            if (i == 4 && x == 4)
                return 100;
            sum += i + 1;
        }
    }
    return sum;
}

/*@ x=0..6 from x=0
 *  output output x2: x > 1 */
int do_while_inside(int x)
{
    int n = x, sum = 0;
    if (execute(OLD)) {
        do {
            sum += n;
        } while (--n > 4);
    } else
        sum = x > 1 ? 0 : x;
    return sum;
}

/* Switches inside, with fall-through and a return. */
/*@ x=0..6 from x=0
 *  output early-exit at 'return 50': x == 3
 *  output output x3: x in (1, 2, 4, 5, 6) */
int switch_inside(int x)
{
    int y = 0;
    if (execute(NEW)) {
        switch (x) {
        case 0: break;
        case 1: y = 1; /* fall through */
        case 2: y += 2; break;
        case 3: return 50;
        default: y = 9;
        }
    }
    return y;
}

/* An execute() in each arm of a branch that both versions make. */
/*@ x=-9..9 from x=1
 *  output output: x > 5 */
int in_both_arms(int x)
{
    int y = x;
    if (x > 0) {
        if (execute(NEW)) {
            if (x > 5)
                y = 0;
        }
    } else {
        if (execute(OLD))
            y = x;
    }
    return y;
}

/* Nested under a changed condition. */
/*@ x=0..9 y=0..3 from x=9,y=0
 *  output diff-true at 'if (change': x == 5
 *  output output: x > 5 and y == 2 */
int under_a_changed_condition(int x, int y)
{
    int r = 0;
    if (change(x > 5, x >= 5)) {
        r = 1;
        if (execute(NEW))
            r += y == 2;
    }
    return r;
}

/*@ x=0..9 from x=0
 *  output output: x == 6 */
int else_if_chain(int x)
{
    int y;
    if (execute(OLD))
        y = x;
    else if (x == 6)
        y = 7;
    else
        y = x;
    return y;
}

/* Empty arms, and nothing at all. */
/*@ x=0..9 from x=0 */
int empty_arms(int x)
{
    if (execute(OLD)) {
    } else {
    }
    if (execute(NEW))
        ;
    if (!execute(OLD)) {
    }
    return x;
}

/* A variable of the block of one version, and one of the same name outside. */
/*@ x=0..9 from x=0
 *  output output: x > 3 */
int local_variables(int x)
{
    int y = 1;
    if (execute(NEW)) {
        int y = x, z[4];
        for (int i = 0; i < 4; i++)
            z[i] = i;
        x = y > 3 ? z[3] : y;
    }
    return x + y;
}

/*@ x=0..9 from x=0
 *  output output: x > 4 */
int change_in_a_condition_of_one_version(int x)
{
    int y = 0;
    if (execute(NEW)) {
        if (change(x > 2, x > 4))
            y = change(100, 1);
    }
    return y;
}

/*@ x=0..9 from x=0
 *  output diff-false at 'while (': x > 0 */
int changed_loop_condition(int x)
{
    int i = 0;
    while (i < change(x, 0))
        i++;
    return i;
}

/*@ x=0..9 from x=0
 *  output output: x > 3 */
int changes_inside_changes(int x)
{
    return change(change(x > 3 ? 1 : 2, 77), change(88, change(99, x > 3 ? 3 : 2)));
}

/*@ x=0..9 from x=0
 *  output output: x == 3 */
int many_changes(int x)
{
    int sum = 0;
    for (int i = change(0, 0); i < change(4, 4); i += change(1, 1))
        sum += change(i, i) * change(x, x) + change(0, x == 3);
    return sum;
}

/*@ x=0..9 from x=0
 *  output early-exit at 'return x;': True */
int return_without_condition(int x)
{
    if (execute(OLD))
        return x;
    return x + 1;
}

/*@ x=0..5 from x=5
 *  output early-exit at 'goto again' x3: x < 3 */
int goto_back(int x)
{
    int n = 0;
again:
    n++;
    if (execute(NEW)) {
        if (x < 3) {
            x++;
            goto again;
        }
    }
    return n;
}

static void die(int status)
{
    printf("dead\n");
    exit(status);
}

/*@ x=0..9 from x=0
 *  output early-exit at 'exit(status)': x == 8 */
int exit_in_a_function(int x)
{
    if (execute(NEW)) {
        if (x == 8)
            die(2);
    }
    return x;
}

/* The target is bound to the seed's, and the others are tried. */
/*@ x=0..3 from x=2
 *  output output: x == 2
 *  output output x2: x == 1 or x == 3 */
int computed_goto_inside(int x)
{
    int y = 0;
    if (execute(OLD)) {
        static void *const table[] = {&&zero, &&one, &&two, &&three};
        goto *table[x];
    one:
        y = 1;
        goto zero;
    two:
        y = 2;
        goto zero;
    three:
        y = 3;
    zero:;
    }
    return y;
}

/*@ x=0..9 from x=0
 *  output diff-true at 'if ((y': x == 0 */
int assigned_in_a_condition(int x)
{
    int y;
    if ((y = change(x, x + 1)))
        return y > 100 ? 5 : 1;
    return 0;
}

/*@ x=0..9 from x=0
 *  output diff-false at 'while (c': True */
int counter_that_wraps(int x)
{
    unsigned char c = change(250, 251);
    int n = 0;
    while (c) {
        c++;
        n++;
    }
    return n + x;
}

/* Very many changes on the way to the output: more than a trace has events. */
/*@ x=0..3 from x=0
 *  output output: True */
int change_in_a_long_loop(int x)
{
    int sum = 0;
    for (int i = 0; i < 1200000; i++)
        if (change(i, i) == 77)
            sum += change(1, 2) + change(i, i);
    return sum + x;
}

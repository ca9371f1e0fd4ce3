/* What the versions write, and what they leave in memory. See tests/e2e/sides.py for the comments. */
#include "penumbra.h"

#include <stdio.h>
#include <string.h>

int g, h;

/*@ x=0..9 from x=0
 *  output output: True */
void line_added(int x)
{
    (void)x;
    if (execute(NEW))
        puts("x");
}

/*@ x=0..9 from x=0
 *  output output: True */
void line_removed(int x)
{
    (void)x;
    if (!execute(NEW))
        printf("%d\n", 3);
}

/*@ x=0..9 from x=0
 *  output output: x == 4 */
void line_added_under_a_condition(int x)
{
    puts("begin");
    if (execute(NEW))
        if (x == 4)
            puts("x");
    puts("end");
}

/*@ x=0..9 from x=0
 *  output output: True */
void global_changed(int x)
{
    g = change(x, x + 1);
}

/*@ x=0..9 from x=0
 *  output output: x > 5 */
void global_changed_for_some(int x)
{
    g = change(x, x > 5 ? x - 1 : x);
}

/* The same bytes, written in other ways. */
/*@ x=0..9 from x=0 */
void written_otherwise(int x)
{
    (void)x;
    if (execute(OLD)) {
        printf("a%s", "b");
        puts("c");
        fputs("def\n", stdout);
    }
    if (execute(NEW)) {
        putchar('a');
        fputc('b', stdout);
        fwrite("c\nde", 1, 4, stdout);
        printf("%c\n", 'f');
    }
}

/* The same lines around one that both write, but on the other side of it. */
/*@ x=0..9 from x=0
 *  output output: True */
void line_moved(int x)
{
    (void)x;
    if (execute(OLD))
        puts("a");
    puts("b");
    if (execute(NEW))
        puts("a");
}

/* Written by one version before, by the other after, with nothing between. */
/*@ x=0..9 from x=0 */
void line_moved_past_nothing(int x)
{
    if (execute(OLD))
        puts("a");
    g = x;
    if (execute(NEW))
        puts("a");
}

/* To different streams. */
/*@ x=0..9 from x=0
 *  output output: x > 3 */
void stream_changed(int x)
{
    if (execute(OLD))
        fputs("a\n", stdout);
    if (execute(NEW))
        fputs("a\n", x > 3 ? stderr : stdout);
}

/* A string that differs, written by both: each version's bytes are known. */
/*@ x=0..9 from x=0
 *  output output: True */
void string_changed(int x)
{
    char text[8] = "abc";
    (void)x;
    text[1] = change('x', 'y');
    puts(text);
}

/*@ x=0..9 from x=0
 *  output external-call at 'printf("%d': x == 0
 *  output external-call x0: x != 0 */
void number_changed(int x)
{
    printf("%d\n", change(x, x + 1));
}

/* The old version's own text is what the old version has in memory. */
/*@ x=0..9 from x=0 */
void each_its_own_string(int x)
{
    char text[8] = "abc";
    (void)x;
    text[1] = change('x', 'y');
    if (execute(OLD)) {
        text[1]++;
        puts(text);
        text[1]--;
    }
    if (execute(NEW))
        puts(text);
    text[1] = 0;
}

/* What one version writes to memory and takes back is no difference. */
/*@ x=0..9 from x=0 */
void taken_back(int x)
{
    g = x;
    if (execute(NEW)) {
        g = x + 1;
        h = g;
    }
    if (execute(NEW)) {
        g--;
        h = 0;
    }
}

/*@ x=0..3 from x=0
 *  output output: x == 2 */
void pointer_parameter(int x)
{
    static char buffer[4];
    if (execute(OLD))
        memset(buffer, 1, sizeof buffer);
    if (execute(NEW)) {
        memset(buffer, 1, 3);
        buffer[3] = x == 2 ? 2 : 1;
    }
    g = buffer[3];
}

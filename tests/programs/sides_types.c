/* Types of all kinds in code of one version. See tests/e2e/sides.py for the comments. */
#include "penumbra.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

int g, h;

/*@ x=0..9 from x=3
 *  output output: x == 3
 *  output output x0: x not in (0, 3) */
int change_of_a_double(int x)
{
    double value = change(x * 1.5, x * 2.5);
    return (int)value;
}

static double root(double x)
{
    return sqrt(x) + 1;
}

/*@ x=0..9 from x=4
 *  output output: x == 4
 *  output output x0: x not in (0, 4) */
int floats_inside(int x)
{
    int y;
    if (execute(OLD))
        y = (int)root(x);
    if (execute(NEW)) {
        float f = (float)x;
        y = (int)(f * 4 + 1);
    }
    return y;
}

/*@ x=0..9 from x=0
 *  output output: x > 5 */
int change_of_a_bool(int x)
{
    bool b = change(x > 5, x > 9);
    return b;
}

/*@ x=0..9 from x=0
 *  output output: True */
int change_of_narrow_types(int x)
{
    unsigned char c = change((unsigned char)(x + 250), (unsigned char)(x + 251));
    short s = change((short)-x, (short)-x);
    return c + s;
}

/*@ x=-2147483648|-1|0|1|5|2147483647 from x=5
 *  output output: x < 0 */
long change_of_a_long(int x)
{
    return change((long)x, (long)(unsigned)x);
}

/* The type of change() is one for both: an int and a long make a long. */
/*@ x=-2147483648|-1|0|1|5|2147483647 from x=5 */
long change_of_two_types(int x)
{
    return change(x, (long)x);
}

struct flags {
    unsigned low : 3, high : 5;
};

/*@ x=0..9 from x=0
 *  output output: x > 7 */
int bit_fields(int x)
{
    struct flags flags = {0, 1};
    if (execute(OLD))
        flags.low = (unsigned)x > 7 ? 7 : (unsigned)x;
    if (execute(NEW))
        flags.low = (unsigned)x;
    flags.high++;
    return flags.low + flags.high * 8;
}

union number {
    int32_t i;
    uint8_t bytes[4];
};

/*@ x=0..300 from x=0
 *  output output: x > 255 */
int bytes_of_a_number(int x)
{
    union number n = {.i = x};
    if (execute(NEW))
        n.bytes[1] = 0;
    return n.i;
}

struct deep {
    struct {
        int a[3];
        char name[4];
    } inner;
    long tail;
};

/*@ x=0..2 y=0..3 from x=0,y=0
 *  output output: y == 3 */
int struct_copied(int x, int y)
{
    struct deep one = {{{x, y, 2}, "ab"}, 7}, other = one;
    if (execute(NEW)) {
        struct deep copy = one;
        copy.inner.a[1] = y == 3 ? 0 : y;
        other = copy;
    }
    return other.inner.a[0] + other.inner.a[1] * 10 + other.inner.name[1] + (int)other.tail;
}

struct pair {
    int a, b;
};

/*@ x=0..4 y=0..4 from x=0,y=0
 *  output output: x != y */
int change_of_struct_variables(int x, int y)
{
    struct pair one = {x, y}, other = {y, x};
    struct pair pair = change(one, other);
    return pair.a * 10 + pair.b;
}

/* 128 bits wide. */
/*@ x=0..9 from x=1
 *  output output: x > 6 */
int wide_integers(int x)
{
    __int128 wide = x;
    if (execute(NEW))
        wide = (wide << 70 >> 70) + (wide * wide > 36);
    return (int)wide;
}

/* Rational numbers: what mutate.py makes versions of, in the dialect of tests/random/dialect.h. */
#include "dialect.h"

int numerator, denominator;

int absolute(int x)
{
    if (BR(x < 0))
        return -x;
    return x;
}

/* By subtraction: how often depends on the arguments. Few changes make it run without end, thanks to the bound. */
int divisor(int a, int b)
{
    int rounds = 0;
    int c = absolute(a);
    int d = absolute(b);
    if (BR(c == 0))
        return d;
    while (BR(d != 0) && BR(rounds < 7)) {
        rounds = rounds + 1;
        if (BR(c > d))
            c = c - d;
        else
            d = d - c;
    }
    return c;
}

/* 0/0 has no greatest divisor: a division by zero in both versions, unless one of them is changed. */
int simplify(int num, int den)
{
    int common = divisor(num, den);
    numerator = DIV(num, common);
    denominator = DIV(den, common);
    if (BR(denominator < 0)) {
        numerator = -numerator;
        denominator = -denominator;
    }
    return common;
}

/* The sign of a/b - c/d. */
int compare(int a, int b, int c, int d)
{
    int left = a * d;
    int right = c * b;
    int turned = BR(b < 0) && d >= 0;
    if (BR(b >= 0) && BR(d < 0))
        turned = 1;
    if (BR(b == 0) || BR(d == 0))
        return 2;
    if (BR(turned)) {
        left = -left;
        right = -right;
    }
    return (left > right) - (left < right);
}

/* The whole part of a/b, rounded down. */
int whole(int a, int b)
{
    int quotient = DIV(a, b);
    int rest = MOD(a, b);
    if (BR(rest != 0) && BR((rest < 0) != (b < 0)))
        quotient = quotient - 1;
    return quotient;
}

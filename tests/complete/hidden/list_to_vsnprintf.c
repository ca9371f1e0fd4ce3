/* What differs is formatted through a list of arguments. */
#include <penumbra.h>
#include <stdarg.h>
#include <stdio.h>
static int pr(const char *fmt, ...)
{
    va_list a;
    va_start(a, fmt);
    char b[64];
    int r = vsnprintf(b, 64, fmt, a);
    va_end(a);
    return r;
}
int f(int x)
{
    char s[4] = "abc";
    s[1] = change('b', x == 77 ? 0 : 'b');
    return pr("%s", s);
}

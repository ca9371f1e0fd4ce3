/* What differs is printed through a list of arguments. */
#include <penumbra.h>
#include <stdarg.h>
#include <stdio.h>
static void out(const char *fmt, ...)
{
    va_list a;
    va_start(a, fmt);
    vprintf(fmt, a);
    va_end(a);
}
int f(int x)
{
    char s[4] = "abc";
    s[1] = (char)('b' + change(0, x == 77));
    out("%s\n", s);
    return 0;
}

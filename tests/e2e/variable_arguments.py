#!/usr/bin/env python3
"""Entries with variable arguments (tests/programs/pairs.py): the lists are those of calls, and of formats some that are made up."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "programs"))
from pairs import DIFFERENT, NOT_DIFFERENT, NOT_SAME, case, main  # noqa: E402

HEAD = "#include <stdarg.h>\nstatic char line[32];\n"
FIRST = ("--first",)
NUMBERED = HEAD + "int f(int count, ...) { va_list l; int s = 0; va_start(l, count); while (count-- > 0) s |= va_arg(l, int) %s; va_end(l); return s; }\n"
LOG = HEAD + "int f(int level, const char *format, ...) { va_list l; int n; if (level < [[1|2]]) return 0; va_start(l, format); n = vsnprintf(line, sizeof line, format, l); va_end(l); return n; }\n"
JOIN = HEAD + "int f(const char *first, ...) { va_list l; int n = 0; va_start(l, first); for (const char *s = first; s; s = va_arg(l, const char *)) n += s[0] == [['x'|'y']]; va_end(l); return n; }\n"
OWN = HEAD + """int f(const char *fmt, ...)
{
    va_list l; int n = 0;
    va_start(l, fmt);
    for (; *fmt; fmt++) {
        if (*fmt != '%' || !*++fmt) { n++; continue; }
        if (*fmt == 'd') n += va_arg(l, int) == 7;
        else if (*fmt == 's') n += va_arg(l, char *)[0] == 'a';
        else if (*fmt == [['u'|'x']]) n += va_arg(l, unsigned) == 9;
    }
    va_end(l);
    return n;
}
"""
case("a count, from a call", DIFFERENT, NUMBERED % "== [[5|6]]" + "int g(int a) { return f(2, a, 7); }", *FIRST, shows="list_1#1")
case("a format that is passed on", DIFFERENT, LOG, *FIRST)
case("a format of a call", DIFFERENT, HEAD + "int f(const char *what, ...) { va_list l; va_start(l, what); int x = va_arg(l, int), y = what[0] == 'v' ? va_arg(l, char *)[0] : 0; va_end(l); "
     "return x == 3 && y == [['q'|'r']]; } int g(int a) { return f(\"value %d of %s\", a, \"b\"); }", *FIRST, shows="value %d of %s")
case("strings up to NULL", DIFFERENT, JOIN + "int g(void) { return f(\"a\", \"b\", line, (char *)0); }", *FIRST, shows="list_1#2", rare=True)
case("a formatter of its own", DIFFERENT, OWN, *FIRST, shows="short format")
case("a number that is no int", DIFFERENT, HEAD + "int f(int n, ...) { va_list l; va_start(l, n); double d = va_arg(l, double); long x = va_arg(l, long); va_end(l); return d > 2.5 && x [[>|>=]] 1L << 40; } "
     "int g(float a, unsigned long b) { return f(2, a, (long)b); }", *FIRST, rare=True)
case("the same", NOT_DIFFERENT, NUMBERED % "[[!= 5|- 5 != 0]]" + "int g(int a) { return f(2, a, 7); }", "--time=10")
case("no call tells", NOT_SAME, HEAD + "int f(int n, ...) { va_list l; va_start(l, n); int x = va_arg(l, int); va_end(l); return x == [[1|2]]; } int g(int n) { return f(n) + f(3, 1); }", *FIRST)
main()

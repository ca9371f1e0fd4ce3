#!/usr/bin/env python3
"""Pointers of one type that lead into one object, with no option at all: pairs of versions that differ only then, and twins that
do not (tests/programs/pairs.py)."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "programs"))
from pairs import DIFFERENT, NOT_DIFFERENT, NOT_SAME, SAME, case, main  # noqa: E402

ONE = ("--size=a=1", "--size=b=1")
XOR = "[[int t = *a; *a = *b; *b = t;|*a ^= *b; *b ^= *a; *a ^= *b;]]"

case("swap by exclusive or", DIFFERENT, "void f(int *a, int *b) { " + XOR + " }", shows="b == a")
case("swap by exclusive or, restricted", SAME, "void f(int *restrict a, int *restrict b) { " + XOR + " }", *ONE)
case("swap by exclusive or, distinct", SAME, "void f(int *a, int *b) { " + XOR + " }", *ONE, "--distinct", shows="distinct")
case("swap in another order", SAME, "void f(int *a, int *b) { [[int t = *a; *a = *b; *b = t;|int t = *b; *b = *a; *a = t;]] }", *ONE)
case("swap by sums", DIFFERENT, "void f(unsigned *a, unsigned *b) { [[unsigned t = *a; *a = *b; *b = t;|*a += *b; *b = *a - *b; *a -= *b;]] }", *ONE)
case("the direction of a copy", DIFFERENT,
     "void f(int *a, int *b) { [[for (int i = 0; i < 3; i++)|for (int i = 2; i >= 0; i--)]] a[i] = b[i]; }", "--size=a=4", "--size=b=4",
     shows="a == b + 1")
case("memmove() or a loop", DIFFERENT,
     "void f(char *to, const char *from, int n) { if (n < 0 || n > 4) return; [[memmove(to, from, n);|for (int i = 0; i < n; i++) to[i] = from[i];]] }",
     "--no-terminate", "--size=to=6", "--size=from=6")
case("memmove() or memcpy()", NOT_SAME, "void f(char *to, const char *from) { [[memmove|memcpy]](to, from, 4); }",
     "--no-terminate", "--size=to=6", "--size=from=6")
case("memmove() and a loop that goes both ways", NOT_DIFFERENT,
     "void f(char *a, char *b) { [[memmove(a, b, 3);|if (a <= b) for (int i = 0; i < 3; i++) a[i] = b[i]; else for (int i = 2; i >= 0; i--) a[i] = b[i];]] }",
     "--no-terminate", "--size=a=4", "--size=b=4")
case("a sum that is kept in memory", DIFFERENT,
     "void f(int *sum, int *a) { [[*sum = 0; for (int i = 0; i < 3; i++) *sum += a[i];|int t = 0; for (int i = 0; i < 3; i++) t += a[i]; *sum = t;]] }",
     "--size=sum=3", "--size=a=3")
case("a structure that is exchanged with itself", DIFFERENT,
     "struct s { int a, b; }; void f(struct s *d, const struct s *s) { [[d->a = s->b; d->b = s->a;|struct s t = *s; d->a = t.b; d->b = t.a;]] }",
     shows="s == d")
case("a structure that is copied member by member", SAME,
     "struct s { int a, b; }; void f(struct s *d, const struct s *s) { [[*d = *s;|d->a = s->a; d->b = s->b;]] }")
case("a complex product", DIFFERENT,
     "struct c { int re, im; }; void f(struct c *r, const struct c *a, const struct c *b) { [[int re = a->re * b->re - a->im * b->im; "
     "r->im = a->re * b->im + a->im * b->re; r->re = re;|r->re = a->re * b->re - a->im * b->im; r->im = a->re * b->im + a->im * b->re;]] }")
case("three pointers", DIFFERENT, "void f(int *r, const int *a, const int *b) { [[*r = *a; *r += *b;|*r = *a + *b;]] }", "--size=r=1", *ONE, shows="b == r")
case("a write in another function", DIFFERENT,
     "static void set(int *x) { *x = 3; } int f(int *a, int *b) { *a = 1; set(b); return [[*a|1]]; }", *ONE)
case("a write through a copy", DIFFERENT, "int f(int *a, int *b) { int *c = b; *a = 1; *c = 2; return [[*a|1]]; }", *ONE)
case("two reads around a write", DIFFERENT, "int f(const int *a, int *b) { int x = *a; *b = 5; return [[x|*a]]; }", *ONE)
case("two reads without a write", SAME, "int f(const int *a, const int *b) { int x = *a; return x + [[*b|*b]] + [[x|*a]]; }", *ONE)
case("pointers of other types", NOT_DIFFERENT, "int f(int *a, short *b) { *a = 1; *b = 2; return [[*a|1]]; }", *ONE)
case("the same pointers", DIFFERENT, "int f(int *a, int *b) { return a == b ? [[1|3]] : 2; }", *ONE)
case("a check for the same pointers", NOT_DIFFERENT, "void f(int *a, int *b) { [[|if (a == b) return;]] int t = *a; *a = *b; *b = t; }", *ONE)
case("the order of pointers", DIFFERENT, "int f(char *a, char *b) { return [[a < b|a <= b]]; }")
case("an empty range", DIFFERENT, "int f(const char *a, const char *b) { int n = 0; [[while (a < b) n++, a++;|do n++, a++; while (a < b);]] return n; }")
case("NULL checks in another order", DIFFERENT,
     "int f(int *a, int *b) { [[if (!a) return 1; if (!b) return 2;|if (!b) return 2; if (!a) return 1;]] *a = 1; *b = 2; return *a; }", *ONE)
case("strings that overlap", DIFFERENT,
     "char *f(char *a, const char *b) { [[memmove(a, b, strlen(b) + 1);|size_t n = strlen(b); for (size_t i = 0; i <= n; i++) a[i] = b[i];]] return a; }",
     "--size=a=5", "--size=b=4")
ALL = ("--size=a=1", "--size=b=1", "--size=c=1")
case("three that are the same", DIFFERENT, "int f(int *a, int *b, int *c) { if (a == b && b == c) return [[1|2]]; return 0; }", *ALL, shows="c == b")
case("two elements apart", DIFFERENT, "int f(int *a, int *b) { if (a == b + 2) return 1; if (b == a + 2) return [[2|3]]; return 0; }", "--size=a=4", "--size=b=4")
case("the length of a range", DIFFERENT, "int f(const int *p, const int *end) { if (end - p == 3) return [[p[2]|p[1] ]]; return 0; }",
     "--size=p=4", "--size=end=4", shows="end == p + 3")
for order in "<", ">":
    case(f"single elements, a {order} b", DIFFERENT, f"int f(int *a, int *b) {{ if (a {order} b) return [[*a|*b]]; return 0; }}", *ONE)
    case(f"structures, a {order} b", DIFFERENT, f"struct s {{ char c; int n; }}; int f(struct s *a, struct s *b) {{ if (a {order} b) return [[a->n|b->n]]; return 0; }}")
case("structures side by side", NOT_DIFFERENT,
     "struct s { char c; int n; }; void f(struct s *a, struct s *b) { if ([[a < b|b > a]]) a->n = b->n; else b->n = a->n; }")
case("signed and unsigned", DIFFERENT, "int f(int *a, unsigned *b) { *a = 5; *b = 6; return [[*a|5]]; }", *ONE)
READ = "int f(int *a, const int *b) { int x = *b; "
for name, write in (("a structure", "struct { int *p; } s = {a}; *s.p = 5;"), ("a named member", "struct { int *o, *p; } s = {.p = a}; *s.p = 5;"),
                    ("an array", "int *all[] = {a, 0}; *all[0] = 5;"), ("a comma", "int *p = (x++, a); x--; *p = 5;"), ("a choice", "int *p = x ? a : a; *p = 5;"),
                    ("an address", "int **p = &a; **p = 5;"), ("an element's address", "int *p = &a[0]; *p = 5;"),
                    ("a copy of bytes", "int *p; memcpy(&p, &a, sizeof p); *p = 5;"), ("a pointer to a function", "void *(*set)(void *, int, size_t) = memset; set(a, 5, 1);")):
    case(f"a write that goes by {name}", DIFFERENT, READ + write + " return [[x|*b]]; }", *ONE)
case("a write into an array of a structure", DIFFERENT,
     "struct s { int n[2]; }; static void set(int *p) { p[1] = 5; } int f(struct s *a, const struct s *b) { int x = b->n[1]; set(a->n); return [[x|b->n[1] ]]; }")
case("a write to a member by its address", DIFFERENT,
     "struct s { int n, m; }; int f(struct s *a, const struct s *b) { int x = b->m, *p = &a->m; *p = 5; return [[x|b->m]]; }")
case("NULL checks that return the same", SAME,
     "int f(int *a, int *b) { [[if (!a) return 1; if (!b) return 1;|if (!b) return 1; if (!a) return 1;]] *a = 1; *b = 2; return 0; }", *ONE)
case("three numbers in order", SAME,
     "void f(int *a, int *b, int *c) { int x = *a, y = *b, z = *c, t; if (x > y) { t = x; x = y; y = t; } if (y > z) { t = y; y = z; z = t; } "
     "if ([[x > y|y < x]]) { t = x; x = y; y = t; } *a = x; *b = y; *c = z; }", *ALL)

case("a block over itself", DIFFERENT, "int f(int k) { char b[8] = \"abcdefg\"; if (k == 7) { [[for (int j = 0; j < 2; j++) for (int i = 0; i < 7; i++) b[i] = b[i + 1];|memmove(b, b + 1, 7);]] } return b[0]; }", shows='"kind": "output"')
case("a block over itself, longer in one version", DIFFERENT,
     "int f(char *d, int n, int i) { if (n < 1 || n > 8 || i < 0 || i >= n) return -1; memmove(d + i, d + i + 1, n - i [[- 1|]]); return n; }", shows='"class": "regression"|"class": "output"|"mispredictions": 0')
main(every=2)

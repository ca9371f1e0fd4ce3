#!/usr/bin/env python3
"""What a run does not show by itself: pairs of versions that do the same on the machine on which they are compared, and can do
something else on another one, or on this one tomorrow; and twins that cannot (tests/programs/pairs.py)."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "programs"))
from pairs import DIFFERENT, NOT_DIFFERENT, NOT_SAME, SAME, case, main  # noqa: E402

# ---- memory that was never written, and a constant that could be there ----

for value in ("0", "0xaaaaaaaa", "0xbebebebe", "-1", "1"):
    case(f"a variable that is not set, or {value}", DIFFERENT,
         f"int f(int x) {{ int r[[| = {value}]]; if (x > 3) r = 1; return r; }}")
    case(f"a block that is not set, or {value}", DIFFERENT,
         f"int f(int x) {{ int *p = malloc(4); [[|*p = {value};]] if (x > 3) *p = 1; int r = *p; free(p); return r; }}")
case("whether a variable that is not set is 1", DIFFERENT, "int f(int x) { int r[[| = 0]]; if (x > 3) r = 1; return r == 1; }")
case("one bit of a variable that is not set", DIFFERENT, "int f(int x) { unsigned char r[[| = 0xaa]]; if (x > 3) r = 1; return r & 1; }")
case("the sign of a variable that is not set", DIFFERENT, "int f(int x) { int r[[| = -1]]; if (x > 3) r = 1; return r < 0; }")
case("a member that is not set, or 0xaa", DIFFERENT,
     "struct s { char a, b; }; struct s f(int x) { struct s s; s.a = x; [[|s.b = (char)0xaa;]] return s; }")
case("an element that is not set, or 0xaaaaaaaa", DIFFERENT,
     "int f(int x) { int a[4]; [[|a[3] = 0xaaaaaaaa;]] a[0] = a[1] = a[2] = 0; return a[x & 3]; }")
case("a pointer that is not set", NOT_SAME,
     "int f(int x) { int *p[[| = (int *)0xaaaaaaaaaaaaaaaa]]; if (x) p = &x; return p != 0; }")
case("a branch on a variable that is not set", DIFFERENT,
     "int f(int x) { int r; if (x > 3) r = 1; [[if (r) return 5; return 6;|return 5;]] }")
case("memory from alloca() that is not set", DIFFERENT,
     "int f(int x) { char *p = __builtin_alloca(4); [[|p[2] = (char)0xaa;]] return p[2]; }")
case("an array of variable length that is not set", DIFFERENT,
     "int f(int x) { int n = (x & 3) + 3; char p[n]; [[|p[2] = (char)0xaa;]] return p[2]; }")
case("the end of a block that has grown", DIFFERENT,
     "int f(int x) { char *p = malloc(1); p = realloc(p, 4); [[|p[2] = (char)0xbe;]] int r = p[2]; free(p); return r; }")
case("a result that is not returned", NOT_SAME, "int f(int x) { if (x > 3) return 1; [[return 0;|]] }")
case("the same variable that is not set", SAME, "int f(int x) { int r; if (x > 3) r = 1; return [[r|r + 0]]; }")
case("a variable that is set on all ways", SAME, "int f(int x) { int r[[| = 0xaaaaaaaa]]; if (x > 3) r = 1; else r = 2; return r; }")
case("a block that is set", SAME, "int f(int x) { int *p = [[malloc(8)|calloc(2, 4)]]; p[0] = x; p[1] = 2; int r = p[0] + p[1]; free(p); return r; }")
case("a buffer of which only what is written is read", SAME,
     "int f(int x) { char b[64][[| = {0}]]; b[0] = x; b[1] = x >> 8; return b[0] + b[1]; }")

# ---- addresses that are read as bytes ----

UNION = "union u { void *p; unsigned char b[8]; long n; }; int g; "
case("an address in a union, as a number", NOT_SAME, UNION + "int f(int x) { int v; union u u; u.p = &v; return [[u.n % 3 == 3|0]]; }", shows="an address as a number",
     only_proof=True)
case("an address in a union, as bytes", NOT_SAME, UNION + "int f(int x) { union u u; u.p = &g; return [[u.b[1] == 0x99|0]]; }")
case("an address that is copied to bytes", NOT_SAME,
     "int f(int x) { int v; int *p = &v; unsigned char b[8]; memcpy(b, &p, 8); return [[b[1] == 3|0]]; }")
case("an address that is copied to a number", NOT_SAME,
     "int f(int x) { int v; int *p = &v; unsigned long n; memcpy(&n, &p, 8); return [[n % 7 == 7|0]]; }", only_proof=True)
case("an address that an entry without a change reads", NOT_SAME,
     "static int g(int x, int y) { return [[x + y|x]]; } "
     "int f(int x) { int v; int *p = &v; unsigned char b[8]; memcpy(b, &p, 8); return g(x, b[1] == 3); }")
case("an address behind a first byte", NOT_SAME,
     "int f(int x) { int v; int *p = &v; unsigned char b[9] = {1}; memcpy(b + 1, &p, 8); return [[b[2] == 3|0]]; }")
case("memcmp() of addresses", NOT_SAME,
     "int f(int x) { int v, w; int *p = &v, *q = &w; return [[memcmp(&p, &q, sizeof p) < 0|memcmp(&p, &q, sizeof p) <= 0]]; }")
case("sorting by addresses", NOT_SAME,
     "static int by(const void *a, const void *b) { return memcmp(a, b, 8); } int f(int x) { int v[2]; int *p[2] = {v + 1, v}; "
     "qsort(p, 2, 8, by); return [[p[0] == v|1]]; }")
case("a printed address", NOT_SAME, 'int g; int f(int x) { char b[40]; snprintf(b, 40, "%p", (void *)&g); return [[b[5] == \'5\'|0]]; }')
case("an address that is written to a file", NOT_SAME, "int f(int x) { int v; int *p = &v; fwrite(&p, 8, 1, stdout); return [[x|x + 0]]; }",
     only_proof=True)
case("a parameter's own bytes", NOT_SAME, "int f(int *p) { unsigned char *b = (unsigned char *)&p; return [[b[1] == 1|0]]; }", "--size=p=1")
case("a hash of an address", NOT_SAME,
     "int f(char *s) { void *p = s; unsigned h = 5381; for (int i = 0; i < 8; i++) h = h * 33 + ((unsigned char *)&p)[i]; "
     "return [[h % 7 == 3|(h - 3) % 7 == 0]]; }", "--size=s=2")
case("a hash of a structure with a pointer", NOT_SAME,
     "struct s { char *p; int n; }; static unsigned hash(const void *k, unsigned n) { const unsigned char *b = k; unsigned h = 0; "
     "while (n--) h = h * 31 + *b++; return h; } int f(int x) { struct s s; memset(&s, 0, sizeof s); s.p = (char *)&s; s.n = x; "
     "return [[hash(&s, sizeof s) & 1|hash(&s, sizeof s) % 2]]; }", only_proof=True)
case("an address from the heap", NOT_SAME,
     "int f(int x) { char *p = malloc(8); unsigned char b[8]; memcpy(b, &p, 8); free(p); return [[b[1] == 3|0]]; }")
case("bytes that are no address", SAME,
     "union u { void *p; long n; }; int f(int x) { union u u; u.n = x; return [[u.n & 1|u.n % 2 != 0]]; }")
case("pointers that are copied", SAME,
     "struct s { int *p; int n; }; int f(int x) { struct s s = {&x, 1}, t; memcpy(&t, &s, sizeof t); return [[*t.p + t.n|t.n + *t.p]]; }")

# ---- the order of standard output and standard error ----

case("an error before the output", NOT_SAME,
     'int f(int x) { [[fputs("a", stderr); fputs("b\\n", stdout);|fputs("b\\n", stdout); fputs("a", stderr);]] return 0; }')
case("an error after what was flushed", NOT_SAME,
     'int f(int x) { [[fprintf(stderr, "e"); printf("o\\n"); fflush(stdout);|printf("o\\n"); fflush(stdout); fprintf(stderr, "e");]] return 0; }')
case("an error between two lines", NOT_SAME,
     'int f(int x) { puts("a"); [[fputs("e", stderr); puts("b");|puts("b"); fputs("e", stderr);]] return 0; }')
case("an error before the output, for one input", NOT_SAME,
     'int f(int x) { [[|if (x == 7) fputs("e", stderr);]] puts("a"); [[fputs("e", stderr);|if (x != 7) fputs("e", stderr);]] return 0; }')
case("perror() before the output", NOT_SAME, 'int f(int x) { [[perror("e"); puts("o");|puts("o"); perror("e");]] return 0; }')
case("output before the error, in other pieces", SAME,
     'int f(int x) { puts("o"); [[fputs("ef", stderr);|fputs("e", stderr); fputs("f", stderr);]] return 0; }')
case("output in other pieces before the error", SAME,
     'int f(int x) { [[puts("o");|putchar(\'o\'); putchar(10);]] fputs("e", stderr); return x; }')

# ---- the floating-point environment ----

for call in ("fesetround(FE_UPWARD)", "feraiseexcept(FE_INVALID)", "feclearexcept(FE_ALL_EXCEPT)", "fesetenv(FE_DFL_ENV)"):
    case(call, NOT_SAME, f"#include <fenv.h>\nint f(int x) {{ [[|{call};]] return x; }}", shows=call.split("(", maxsplit=1)[0])
case("fetestexcept()", NOT_SAME, "#include <fenv.h>\nint f(double x) { double y = x / 3; return [[fetestexcept(FE_INEXACT) ? 1 : 0|y != y ? 0 : 0]]; }")
case("a computation that raises an exception", NOT_DIFFERENT, "int f(int x) { double d = x; [[|d = 1 / d;]] return x; }",
     shows="exceptions")

# ---- what C leaves undefined, and machines do ----

SHIFT = "a shift by more bits than there are"
case("a shift without its mask", NOT_SAME, "int f(int x) { return [[1 << (x & 31)|1 << x]]; }", shows=SHIFT)
case("a shift without its check", NOT_SAME, "unsigned f(unsigned x, unsigned n) { return [[n < 32 ? x << n : x << (n & 31)|x << n]]; }", shows=SHIFT)
case("a shift to the right without its mask", NOT_SAME, "unsigned f(unsigned x, int n) { return [[x >> (n & 31)|x >> n]]; }", shows=SHIFT)
case("a wide shift without its mask", NOT_SAME, "long f(long x, int n) { return [[x >> (n & 63)|x >> n]]; }", shows=SHIFT)
case("a shift in a function of its own", NOT_SAME,
     "static int shift(int n) { return [[1 << (n & 31)|1 << n]]; } int f(int x) { return shift(x) + 1; }", shows=SHIFT)
case("a shift by a sum", NOT_SAME, "unsigned f(unsigned x, unsigned n) { return x << [[((n + 1) & 31)|(n + 1)]]; }", shows=SHIFT)
case("a shift that is checked before", SAME, "int f(int x) { if (x < 0 || x > 30) return 0; return [[1 << (x & 31)|1 << x]]; }")
case("the same shift", SAME, "unsigned f(unsigned x, unsigned n) { return [[x + 1|1 + x]] << n; }")
case("signed and unsigned addition", NOT_DIFFERENT, "int f(int x) { return [[(int)((unsigned)x + 1)|x + 1]]; }", shows="wrap around")
case("signed and unsigned negation", NOT_DIFFERENT, "int f(int x) { return [[x < 0 ? (int)(0u - (unsigned)x) : x|x < 0 ? -x : x]]; }", shows="wrap around")
case("half of a pointer by memcpy()", NOT_SAME, "int f(int *p) { int low; memcpy(&low, &p, 4); return [[low & 64|0]]; }", "--size=p=1")
case("small variables beside what is left on the stack", SAME, "short f(unsigned char a, short b) { unsigned char c = a > 200 ? a - 200 : a; short each = 120 / (b | 1); "
     "if (each > 60) each -= c; else if (c >= 100 || each < 0) return each + b; return [[each * c|c * each]]; }")

main(every=2)

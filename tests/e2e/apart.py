#!/usr/bin/env python3
"""Versions that cannot be merged and are explored apart: NULL checks and overlaps that only one of them can tell, other names of
functions, structures whose members are in another order (tests/programs/pairs.py)."""

import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "programs"))
from pairs import DIFFERENT, NOT_DIFFERENT, NOT_SAME, PENUMBRA, SCRATCH, also, case, main  # noqa: E402

TWICE = "[[#define N 1\n#undef N\n#define N 2\n|#define N 2\n]]"
ONE = ("--size=a=1", "--size=b=1")

case("a NULL check that is gone", DIFFERENT, TWICE + "int f(int *a) { [[if (!a) return 0;|]] return *a + N; }", "--size=a=1", shows="a == NULL")
case("a NULL check that is new", DIFFERENT, TWICE + "int f(int *a) { [[|if (!a) return 0;]] return *a + N; }", "--size=a=1", shows="a == NULL")
case("NULL checks of different pointers", DIFFERENT, TWICE + "int f(int *a, int *b) { [[if (!a) return 0;|if (!b) return 0;]] return *a + *b + N; }", *ONE, shows="a == NULL|b == NULL")
case("a NULL check that is gone, other names", DIFFERENT, TWICE + "int f(int *[[a|c]]) { [[if (!a) return 0; return *a + N;|return *c + N;]] }")
case("a NULL check of a member", DIFFERENT, TWICE + "struct s { int *p; }; int f(struct s *a) { [[if (!a->p) return 0;|]] return *a->p + N; }")
case("overlap that only the old can tell", DIFFERENT, TWICE + "int f(int *a, int *b) { [[int x = *b; *a = N; return *b == x;|int x = *b, y = *b; (void)y; return *b == x + N - 2;]] }", *ONE)
case("no null option", NOT_DIFFERENT, TWICE + "int f(int *a) { [[if (!a) return 0;|]] return *a + N; }", "--size=a=1", "--no-null")
case("a seed with NULL", DIFFERENT, TWICE + "int f(int *a) { [[if (!a) return 0;|]] return *a + N; }", "--size=a=1", "--seed=a=NULL")
case("alias", DIFFERENT, "int g(int x) { return x + [[1|2]]; } int h(int x) __attribute__((alias(\"g\"))); int f(int x) { return h(x); }")
case("alias same", NOT_DIFFERENT, "int g(int x) { return [[x + 1|1 + x]]; } int h(int x) __attribute__((alias(\"g\"))); int f(int x) { return h(x); }")
case("weak alias", NOT_SAME, "int g(int x) { return x + [[1|2]]; } int h(int x) __attribute__((weak, alias(\"g\"))); int f(int x) { return h(x); }")
case("alias retargeted", DIFFERENT, "int g(int x) { return x + 1; } int k(int x) { return x + 2; } int h(int x) __attribute__((alias(\"[[g|k]]\"))); int f(int x) { return h(x); }")
case("alias of a variable", DIFFERENT, "int v = [[1|2]]; extern int w __attribute__((alias(\"v\"))); int f(int x) { return x + w; }")
case("alias static", DIFFERENT, "static int g(int x) { return x + [[1|2]]; } static int h(int x) __attribute__((alias(\"g\"))); int f(int x) { return h(x); }")
case("alias becomes function", DIFFERENT, "int g(int x) { return x + 1; } int h(int x) [[__attribute__((alias(\"g\")));|{ return x + 2; }]] int f(int x) { return h(x); }")
case("reordered members in a parameter", DIFFERENT, "struct s { [[int a; char b;|char b; int a;]] }; int f(struct s s) { return s.a + [[1|2]]; }")
case("reordered members in a parameter, same", NOT_DIFFERENT, "struct s { [[int a; char b;|char b; int a;]] }; int f(struct s s) { return s.a + s.b; }")
case("reordered members behind a pointer", DIFFERENT, "struct s { [[int a; char b;|char b; int a;]] }; int f(struct s *s) { return s->a - s->b > [[1|2]]; }")
case("reordered members behind a pointer, same", NOT_DIFFERENT, "struct s { [[int a; char b;|char b; int a;]] }; void f(struct s *s) { s->a += s->b; }")
case("reordered members in a result", DIFFERENT, "struct s { [[int a; char b;|char b; int a;]] }; struct s f(int x) { struct s s = {.a = x + [[1|2]], .b = 1}; return s; }")
case("reordered members in a result, same", NOT_DIFFERENT, "struct s { [[int a; char b;|char b; int a;]] }; struct s f(int x) { struct s s = {.a = x, .b = 1}; return s; }")
case("reordered members, positional", DIFFERENT, "struct s { [[int a, b;|int b, a;]] }; int f(struct s *s) { struct s t = {1, 2}; return s->a + t.a; }")
case("nested reordered", NOT_DIFFERENT, "struct in { [[int a; char b;|char b; int a;]] }; struct s { struct in in; int c; }; int f(struct s *s) { return s->in.a + s->c; }")
case("three members", DIFFERENT, "struct s { [[int a; char b[3]; short c;|short c; int a; char b[3];]] }; int f(struct s *s) { s->b[1] = s->c; return s->a > [[s->c|s->b[1] ]]; }")
case("array of reordered", NOT_DIFFERENT, "struct s { [[int a; short c;|short c; int a;]] }; int f(struct s *s) { int r = 0; for (int i = 0; i < 2; i++) r += s[i].a * s[i].c; return r; }", "--size=s=2")
case("array of reordered, differs", DIFFERENT, "struct s { [[int a; short c;|short c; int a;]] }; int f(struct s *s) { int r = 0; for (int i = 0; i < 2; i++) r += s[i].a [[+|-]] s[i].c; return r; }", "--size=s=2")
case("bit-fields reordered", NOT_DIFFERENT, "struct s { [[unsigned a : 3, b : 5;|unsigned b : 5, a : 3;]] }; int f(struct s s) { return s.a + s.b; }")
case("member more", NOT_SAME, "struct s { int a; [[|int z;]] }; int f(struct s *s) { return s->a + [[0|s->z]]; }")
case("global reordered", NOT_DIFFERENT, "struct s { [[int a; short c;|short c; int a;]] } g; void f(int x) { g.a = x; g.c = 1; }")
case("a variable that is declared with another type", DIFFERENT, "extern [[int|unsigned]] opterr; int f(int x) { return x > opterr; }", shows="'opterr' is declared")
case("a function that is declared with another type", NOT_DIFFERENT, "int ask([[int|long]] x); int f(int x) { return ask(x); }", "--stub=ask", shows="'ask' is declared")

case("setjmp() in one version", DIFFERENT, "#include <setjmp.h>\nstatic jmp_buf place; static int risky(int x) { if (x == 9) longjmp(place, 1); return x; }\n"
     "int f(int x) { [[|if (setjmp(place)) return -1;]] return [[x|risky(x)]] > 3 ? 0 : x; }", shows="explored apart|setjmp")


def flags_of_each():
    """What a plain char is, each version's own flags say."""
    place = os.path.join(SCRATCH, "flags")
    for version, flag in (("old", "-fsigned-char"), ("new", "-funsigned-char")):
        os.makedirs(os.path.join(place, version))
        with open(os.path.join(place, version, "f.c"), "w", encoding="utf-8") as file:
            file.write("int f(const char *s)\n{\n    return s[0] < 0;\n}\n")
        with open(os.path.join(place, version, "compile_commands.json"), "w", encoding="utf-8") as file:
            json.dump([{"directory": os.path.join(place, version), "file": "f.c", "arguments": ["cc", flag, "-c", "f.c"]}], file)
    done = subprocess.run([PENUMBRA, "diff", "old", "new", "--json", "--quiet"], cwd=place, capture_output=True, text=True, check=False)
    report = json.loads(done.stdout)
    return None if report["verdict"] == "different" else f"{report['verdict']}, {report['limits']}"


also("flags of each version", flags_of_each)
main(every=2)

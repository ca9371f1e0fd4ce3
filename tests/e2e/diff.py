#!/usr/bin/env python3
"""`penumbra diff`: two plain versions in, judged by plain builds of both.

Each pair has an entry `int f(int x)`, or one that the pair's own `call` calls. The files are compiled as they are and run
on every x of a small range: that says where the versions differ. Penumbra's verdict must say the same of that range, the
class of each witness must be what the plain builds show, and the unified file, compiled as OLD and as NEW, must behave as
the files that it was made from."""

import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "programs"))
from running import limits_of, run_rows  # noqa: E402

PENUMBRA, SCRATCH = os.environ["PENUMBRA"], os.environ["SCRATCH"]
INCLUDE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "include")
LOW, HIGH = -30, 30
REPORTED = {"output", "regression", "fix"}

# name: {old, new, and: call, options, files (others, by path), contains (what the unified text has), verdict, ...}
PAIRS = {
    "changed-function": {
        "old": "int f(int x)\n{\n    return x > 10;\n}\n",
        "new": "int f(int x)\n{\n    return x > 20;\n}\n",
        "contains": ["return x > pn_change(10, 20);"], "lacks": ["f__old"],
    },
    "nothing-in-common": {
        "old": "int f(int x)\n{\n    int sum = 0;\n    for (int i = 0; i < 3; i++)\n        sum += i * x;\n    return sum;\n}\n",
        "new": "int f(int x)\n{\n    return x > 4 ? 9 : 2;\n}\n",
        "contains": ["f__old", "f__new", "pn_change"],
    },
    "changed-callee-of-an-unchanged-entry": {
        "old": "int g(int x) { return x > 3 ? 1 : 0; }\nint f(int x)\n{\n    return g(x) + 1;\n}\n",
        "new": "int g(int x) { return x > 5 ? 1 : 0; }\nint f(int x)\n{\n    return g(x) + 1;\n}\n",
        "contains": ["pn_change(3, 5)", "int f(int x)\n{"], "lacks": ["f__old"],
    },
    "static-helper": {
        "old": "static int half(int x) { return x / 2; }\nint f(int x) { return half(x) + half(x + 1); }\n",
        "new": "static int half(int x) { return x >> 1; }\nint f(int x) { return half(x) + half(x + 1); }\n",
    },
    "added-function": {
        "old": "int f(int x) { return x; }\n",
        "new": "static int clamp(int x) { return x > 9 ? 9 : x; }\nint f(int x) { return clamp(x); }\n",
    },
    "removed-function": {
        "old": "static int g(int x) { return x & 7; }\nint f(int x) { return g(x); }\n",
        "new": "int f(int x) { return x & 15; }\n",
    },
    "removed-functions-that-call-each-other": {
        "old": "int a(int x);\nstatic int b(int x) { return x > 4 ? a(x - 5) : x; }\nint a(int x) { return b(x) + 1; }\n"
               "int c(int x) { return x; }\nint f(int x) { return x < 12 ? a(x) : c(x); }\n",
        "new": "int c(int x) { return x; }\nint f(int x) { return c(x); }\n",
    },
    "recursion": {
        "old": "int sum(int n) { return n <= 0 ? 0 : n + sum(n - 1); }\nint f(int x) { return x > 6 ? 0 : sum(x); }\n",
        "new": "int sum(int n) { return n <= 1 ? 1 : n + sum(n - 1); }\nint f(int x) { return x > 6 ? 0 : sum(x); }\n",
    },
    "mutual-recursion": {
        "old": "static int odd(int n);\nstatic int even(int n) { return n == 0 ? 1 : odd(n - 1); }\n"
               "static int odd(int n) { return n == 0 ? 0 : even(n - 1); }\n"
               "int f(int x) { return x < 0 || x > 5 ? 2 : even(x); }\n",
        "new": "static int odd(int n);\nstatic int even(int n) { return n <= 0 ? 1 : odd(n - 1); }\n"
               "static int odd(int n) { return n == 1 ? 0 : even(n - 1); }\n"
               "int f(int x) { return x < 0 || x > 5 ? 2 : even(x); }\n",
    },
    "void-function": {
        "old": "int state;\nvoid set(int x) { state = x > 2; }\nint f(int x) { set(x); return 0; }\n",
        "new": "int state;\nvoid set(int x) { if (x > 4) state = 1; }\nint f(int x) { set(x); return 0; }\n",
        "call": "int r = f(x); printf(\"%d %d\\n\", r, state);", "contains": ["if (pn_change(1, x > 4))"],
    },
    "void-entry": {
        "old": "int state;\nvoid f(int x) { state = x * 2; }\n",
        "new": "int state;\nvoid f(int x) { state = x > 8 ? 0 : x * 2; }\n",
        "call": "f(x); printf(\"%d\\n\", state);",
    },
    "pointer-parameters": {
        "old": "static void put(char *p, int x) { p[0] = (char)x; p[1] = 0; }\n"
               "int f(int x, char *p) { put(p, x); return p[0] == p[1]; }\n",
        "new": "static void put(char *p, int x) { p[0] = (char)(x > 7 ? 7 : x); p[1] = 0; }\n"
               "int f(int x, char *p) { put(p, x); return p[0] == p[1]; }\n",
        "call": "char p[2] = {0}; int r = f(x, p); printf(\"%d %d %d\\n\", r, p[0], p[1]);",
        "options": ["--size", "p=2", "--range", "p=0..0"],
    },
    "changed-initial-value": {
        "old": "int limit = 10;\nint f(int x)\n{\n    int r = x > limit;\n    limit = 0;\n    return r;\n}\n",
        "new": "int limit = 20;\nint f(int x)\n{\n    int r = x > limit;\n    limit = 0;\n    return r;\n}\n",
        "contains": ["pn_global(limit, (10))"], "lacks": ["f__old"],
    },
    "initial-value-by-a-macro": {
        "old": "#define START 3\nstatic int level = START + 1;\nint f(int x) { int r = x == level; level = 0; return r; }\n",
        "new": "#define START 4\nstatic int level = START + 1;\nint f(int x) { int r = x == level; level = 0; return r; }\n",
    },
    "initial-value-taken-away": {
        "old": "static int level = 7;\nint f(int x) { int r = x == level; level = 1; return r; }\n",
        "new": "static int level;\nint f(int x) { int r = x == level; level = 1; return r; }\n",
    },
    "changed-array": {
        "old": "int a[2] = {1, 2};\nint f(int x)\n{\n    int r = a[x & 1];\n    a[1] = 0;\n    return r;\n}\n",
        "new": "int a[2] = {1, 3};\nint f(int x)\n{\n    int r = a[x & 1];\n    a[1] = 0;\n    return r;\n}\n",
        "contains": ["pn_global_copy(a, a__old)"], "lacks": ["f__old"],
    },
    "changed-struct-variable": {
        "old": "#define SECOND 5\nstruct s { char c; int a; };\nstatic struct s v = {1, SECOND};\n"
               "int f(int x) { int r = v.a == x; v.a = 0; return r; }\n",
        "new": "#define SECOND 6\nstruct s { char c; int a; };\nstatic struct s v = {1, SECOND};\n"
               "int f(int x) { int r = v.a == x; v.a = 0; return r; }\n",
    },
    "main-as-the-entry": {
        "old": "int level;\nint main(void) { return level > 4; }\n",
        "new": "int level;\nint main(void) { return level > 6; }\n",
        "options": ["--entry", "main", "--global", "level", "--range", f"level={LOW}..{HIGH}"], "range": False,
        "input": "level", "before": "#define main program_main", "call": "level = x; printf(\"%d\\n\", program_main());",
    },
    "changed-constant": {
        "old": "static const int limit = 10;\nint g(int x) { return x; }\nint f(int x) { return g(x) > limit; }\n",
        "new": "static const int limit = 20;\nint g(int x) { return x; }\nint f(int x) { return g(x) > limit; }\n",
        "contains": ["limit__old"], "lacks": ["g__old"],
    },
    "changed-constant-table": {
        "old": "static const char table[4] = {1, 2, 3, 4};\nint f(int x) { return table[x & 3]; }\n",
        "new": "static const char table[4] = {1, 2, 3, 5};\nint f(int x) { return table[x & 3]; }\n",
    },
    "changed-macro": {
        "old": "#define LIMIT 10\nstatic int over(int x) { return x > LIMIT; }\nint f(int x) { return over(x); }\n",
        "new": "#define LIMIT 12\nstatic int over(int x) { return x > LIMIT; }\nint f(int x) { return over(x); }\n",
        "contains": ["#define LIMIT__old 10", "pn_change(LIMIT__old, LIMIT)"], "lacks": ["f__old"],
    },
    "changed-macro-in-a-macro": {
        "old": "#define STEP(v) ((v) + 1)\n#define TWICE(v) \\\n    STEP(STEP(v))\nint f(int x) { return TWICE(x) > 4; }\n",
        "new": "#define STEP(v) ((v) - \\\n    1)\n#define TWICE(v) \\\n    STEP(STEP(v))\nint f(int x) { return TWICE(x) > 4; }\n",
    },
    "macro-that-becomes-a-function": {
        "old": "#define low(v) ((v) & 3)\nint f(int x) { return low(x); }\n",
        "new": "static int low(int v) { return v & 1; }\nint f(int x) { return low(x); }\n",
    },
    "function-that-becomes-a-macro": {
        "old": "static int low(int v) { return v & 1; }\nint f(int x) { return low(x); }\n",
        "new": "#define low(v) ((v) & 3)\nint f(int x) { return low(x); }\n",
    },
    "conditional-inside-a-function": {
        "old": "#define FAST 1\nint f(int x)\n{\n#if FAST\n    return x;\n#else\n    return x / 2;\n#endif\n}\n",
        "new": "#define FAST 0\nint f(int x)\n{\n#if FAST\n    return x;\n#else\n    return x / 2;\n#endif\n}\n",
    },
    "extended-enumeration": {
        "old": "enum colour { RED, GREEN };\nint f(int x) { enum colour c = x > 3 ? GREEN : RED; return c; }\n",
        "new": "enum colour { RED, GREEN, BLUE };\nint f(int x) { enum colour c = x > 3 ? BLUE : RED; return c; }\n",
    },
    "changed-signature": {
        "old": "static int cut(int x) { return x & 255; }\nint f(int x) { return cut(x); }\n",
        "new": "static int cut(signed char x) { return x; }\nint f(int x) { return cut(x); }\n",
        "contains": ["pn_change(cut__old(x), cut(x))"],
    },
    "added-parameter": {
        "old": "static int cut(int x) { return x > 5 ? 5 : x; }\nint f(int x) { return cut(x); }\n",
        "new": "static int cut(int x, int top) { return x > top ? top : x; }\nint f(int x) { return cut(x, 9); }\n",
    },
    "changed-variadic-function": {
        "old": "#include <stdarg.h>\nstatic int pick(int n, ...)\n{\n    va_list l;\n    va_start(l, n);\n"
               "    int r = va_arg(l, int);\n    va_end(l);\n    return r;\n}\nint f(int x) { return pick(1, x & 7) > 3; }\n",
        "new": "#include <stdarg.h>\nstatic int pick(int n, ...)\n{\n    va_list l;\n    va_start(l, n);\n"
               "    int r = va_arg(l, int) + 1;\n    va_end(l);\n    return r;\n}\nint f(int x) { return pick(1, x & 7) > 3; }\n",
    },
    "functions-in-another-order": {
        "old": "static int one(int x) { return x + 1; }\nstatic int two(int x) { return one(x) * 2; }\n"
               "int f(int x) { return two(x); }\n",
        "new": "static int two(int x) { return x > 3 ? x * 2 : 0; }\nstatic int one(int x) { return x + 2; }\n"
               "int f(int x) { return two(one(x)); }\n",
    },
    "through-a-function-pointer": {
        "old": "static int a(int x) { return x; }\nstatic int b(int x) { return x + 1; }\n"
               "static int (*const list[])(int) = {a, b};\nint f(int x) { return list[x > 0](x); }\n",
        "new": "static int a(int x) { return x; }\nstatic int b(int x) { return x > 9 ? x : x + 1; }\n"
               "static int (*const list[])(int) = {a, b};\nint f(int x) { return list[x > 0](x); }\n",
        "lacks": ["f__old"],
    },
    "struct-by-value": {
        "old": "struct pair { int a, b; };\nstruct pair make(int x) { struct pair p = {x, 1}; return p; }\n"
               "int f(int x) { struct pair p = make(x); return p.a + p.b; }\n",
        "new": "struct pair { int a, b; };\nstruct pair make(int x) { struct pair p = {x, x > 3}; return p; }\n"
               "int f(int x) { struct pair p = make(x); return p.a + p.b; }\n",
    },
    "static-local": {
        "old": "int next(void) { static int n = 3; int r = n; n = 9; return r; }\nint f(int x) { return next() + next() == x; }\n",
        "new": "int next(void) { static int n = 4; int r = n; n = 9; return r; }\nint f(int x) { return next() + next() == x; }\n",
    },
    "inline-and-attributes": {
        "old": "__attribute__((noinline))\nint g(int x)\n{ return x > 1; }\nstatic inline int h(int x) { return -x; }\n"
               "extern int k(int x) { return x; }\nint f(int x) { return g(x) + h(x) + k(x); }\n",
        "new": "__attribute__((noinline))\nint g(int x)\n{ return x > 2; }\nstatic inline int h(int x) { return -x + 0; }\n"
               "extern int k(int x) { return x > 5 ? 0 : x; }\nint f(int x) { return g(x) + h(x) + k(x); }\n",
    },
    "parameters-over-several-lines": {
        "old": "static int g(int x, /* first */\n             int y)\n{\n    return x - y;\n}\nint f(int x) { return g(x, 3); }\n",
        "new": "static int g(int left, // first\n             int right)\n{\n    return left > right;\n}\n"
               "int f(int x) { return g(x, 3); }\n",
    },
    "names-of-members": {
        "old": "struct s { int limit; };\nstatic const int limit = 3;\n"
               "static int get(struct s *p) { return p->limit; }\n"
               "int f(int x) { struct s v = {x}; return get(&v) > limit; }\n",
        "new": "struct s { int limit; };\nstatic const int limit = 4;\n"
               "static int get(struct s *p) { return p->limit; }\n"
               "int f(int x) { struct s v = {x}; return get(&v) > limit; }\n",
        "lacks": ["get__old"],
    },
    "included-header": {
        "old": "#include \"lib.h\"\nint f(int x) { return lib(x) > 3; }\n",
        "new": "#include \"lib.h\"\nint f(int x) { return lib(x) > 4; }\n",
        "files": {"old/lib.h": "static int lib(int x) { return x + 1; }\n",
                  "new/lib.h": "static int lib(int x) { return x + 1; }\n"},
    },
    "header-that-only-one-version-has": {
        "old": "#include \"a.h\"\n#include <stdlib.h>\nint f(int x) { return abs(a(x)); }\n",
        "new": "#include \"b.h\"\nint f(int x) { return b(x); }\n",
        "files": {"old/a.h": "static int a(int x) { return x & 6; }\n", "new/b.h": "static int b(int x) { return x & 3; }\n"},
        "options": ["--mode", "bounded"],
    },
    "regression": {
        "old": "int f(int x) { return x == 5 ? 0 : 100 / (x - 5); }\n",
        "new": "int f(int x) { return 100 / (x - 5); }\n",
        "classes": {"regression"},
    },
    "fix": {
        "old": "static int a[4];\nint f(int x) { return x < 0 || x > 4 ? 0 : a[x]; }\n",
        "new": "static int a[4];\nint f(int x) { return x < 0 || x > 3 ? 0 : a[x]; }\n",
        "classes": {"fix"}, "flags": ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"],
    },
    "one-input-only": {
        "old": "int f(int x) { return x * 7 == 91; }\n",
        "new": "int f(int x) { return 0; }\n",
        "witnesses": {13},
    },
    "equivalent-text": {
        "old": "int f(int x) { if (x > 4) return 1; return 0; }\n",
        "new": "int f(int x) { return !(x <= 4); }\n",
        "verdict": "equivalent",
    },
    "renamed-parameter": {
        "old": "int f(int x) { return x + 1; }\n",
        "new": "int f(int y) { return y + 1; }\n",
        "options": ["--range", f"y={LOW}..{HIGH}"], "range": False, "input": "y", "verdict": "equivalent",
    },
    "removed-variable": {
        "old": "static int calls;\nint f(int x) { calls++; return x; }\n",
        "new": "int f(int x) { return x; }\n",
        "verdict": "equivalent",
    },
    "added-variables": {
        "old": "int f(int x) { return x; }\n",
        "new": "static int calls, last;\nint f(int x) { calls++; last = x; return x; }\n",
        "verdict": "equivalent",
    },
}

PAIRS |= {
    "struct-with-a-new-member": {
        "old": "struct s { int a; };\nint f(int x) { struct s v = {x}; return v.a; }\n",
        "new": "struct s { int a, b; };\nint f(int x) { struct s v = {x, 1}; return v.a + (x == 5 ? v.b : 0); }\n",
    },
    "struct-with-and-without-members": {
        "old": "struct s { int a; char gone; };\nint f(int x) { struct s v; v.a = x; v.gone = 2; return v.a; }\n",
        "new": "struct s { long more; int a; };\nint f(int x) { struct s v; v.a = x; v.more = 3; return v.a; }\n",
        "verdict": "equivalent", "limited": "layout", "contains": ["char gone;"], "lacks": ["f__old"],
    },
    "struct-with-a-member-of-another-type": {
        "old": "struct s { short a; };\nstatic int get(struct s *p) { return p->a; }\n"
               "int f(int x) { struct s v = {(short)(x * 2000)}; return get(&v); }\n",
        "new": "struct s { int a; };\nstatic int get(struct s *p) { return p->a; }\n"
               "int f(int x) { struct s v = {x * 2000}; return get(&v); }\n",
        "contains": ["s__old", "get__old"],
    },
    "changed-typedef": {
        "old": "typedef int number;\nint f(int x) { return (number)x * 2; }\n",
        "new": "typedef signed char number;\nint f(int x) { return (number)(x * 5) * 2 / 5; }\n",
    },
    "changed-enumeration": {
        "old": "enum e { A, B };\nint f(int x) { return x == B; }\n",
        "new": "enum e { B, A };\nint f(int x) { return x == B; }\n",
        "contains": ["enum { A__old = 0, B__old = 1 };", "x == pn_change(B__old, B)"],
    },
    "changed-size-of-an-array": {
        "old": "int a[2];\nint f(int x) { a[1] = x; return a[x & 1]; }\n",
        "new": "int a[3];\nint f(int x) { a[2] = x; a[1] = x > 4; return a[x & 1]; }\n",
        "contains": ["int a[pn_size(2, 3)];", "pn_global_bounds(a, 2, 3);"], "options": ["--mode", "bounded"],
        "call": 'int r = f(x); printf("%d %d %d\\n", r, a[0], a[1]);',
    },
    "changed-size-of-an-array-with-values": {
        "old": "int a[2] = {1, 2};\nint f(int x) { return a[x & 1]; }\n",
        "new": "int a[3] = {1, 3};\nint f(int x) { return a[x & 1]; }\n",
    },
    "changed-type-of-a-variable": {
        "old": "int a;\nint f(int x) { a = x * 9; return a; }\n",
        "new": "signed char a;\nint f(int x) { a = x * 9; return a; }\n",
    },
    "several-variables-together": {
        "old": "int a = 1, b = 2, gone = 4;\nint f(int x) { return x + a + b + gone; }\n",
        "new": "int a = 1, b = 3, more;\nint f(int x) { return x + a + b + more; }\n",
        "contains": ["pn_global(b, (2));", "int gone = 4;"], "lacks": ["pn_global(a"],
    },
    "header-that-differs": {
        "old": "#include \"lib.h\"\nint f(int x) { return N + twice(x); }\n",
        "new": "#include \"lib.h\"\nint f(int x) { return N + twice(x); }\n",
        "files": {"old/lib.h": "#ifndef LIB_H\n#define LIB_H\n#define N 1\nstatic int twice(int x) { return 2 * x; }\n#endif\n",
                  "new/lib.h": "#ifndef LIB_H\n#define LIB_H\n#define N 2\nstatic int twice(int x) { return 2 * x; }\n#endif\n"},
        "contains": ["pn_change(N__old, N)"], "locations": {"new/new.c"},
    },
}

# name: (old, new, further options, what the message must contain)
REFUSED = {
    "apart-with-a-parameter-of-another-type": (
        "#define N 1\n#undef N\n#define N 2\nint f(int *x) { return *x + N; }\n",
        "#define N 1\nint f(long *x) { return *x + N; }\n", [],
        ["new.c:2: 'f' cannot be an entry", "'x' of type 'long *'", "'x' of type 'int *' at old/old.c:4"]),
    "apart-with-another-parameter": (
        "#define N 1\n#undef N\n#define N 2\nint f(int x) { return x + N; }\n",
        "#define N 1\nint f(int x, int y) { return x + y + N; }\n", [],
        ["new.c:2: 'f' cannot be an entry", "'y' is not at old/old.c:4"]),
    "apart-with-a-result-of-another-type": (
        "#define N 1\n#undef N\n#define N 2\nint f(int x) { return x + N; }\n",
        "#define N 1\ndouble f(int x) { return x + N; }\n", [],
        ["new.c:2: 'f' cannot be an entry", "its result has another type at old/old.c:4"]),
    "apart-with-a-stub-that-nobody-calls": (
        "#define N 1\n#undef N\n#define N 2\nint f(int x) { return x + N; }\n",
        "#define N 1\nint f(int x) { return x + N; }\n", ["--stub", "ask"], ["--stub 'ask'", "no version calls"]),
    "entry-only-in-the-old-version": ("int f(int x) { return x; }\n", "int g(int x) { return x; }\n", [],
                                      ["old.c:1 defines 'f'", "new.c does not"]),
    "entry-only-in-the-new-version": ("int g(int x) { return x; }\n", "\nint f(int x) { return x; }\n", [],
                                      ["new.c:2 defines 'f'", "old.c does not"]),
    "entry-in-no-version": ("int g(int x) { return x; }\n", "int g(int x) { return -x; }\n", [], ["neither", "'f'"]),
    "entry-with-other-parameters": ("int f(int x) { return x; }\n", "int f(int x, int y) { return x + y; }\n", [],
                                    ["new.c:1: 'f' cannot be an entry", "'y' is not at old/old.c:1"]),
    "old-version-that-does-not-compile": ("int f(int x) { return y; }\n", "int f(int x) { return x; }\n", [],
                                          ["old.c:1:23: error:", "'y'"]),
    "new-version-that-does-not-compile": ("int f(int x) { return x; }\n", "int f(int x) { return x }\n", [],
                                          ["new.c:1:", "error:"]),
    "unknown-parameter-type": ("int f(long double x) { return x > 1; }\n", "int f(long double x) { return x > 2; }\n", [],
                               ["'long double'", "new.c:1"]),
    "wrong-seed": ("int f(int x) { return x; }\n", "int f(int x) { return -x; }\n", ["--seed", "y=1"], ["'y'"]),
}

TWICE = "#define N 1\n#undef N\n#define N %d\n"
MARK = "__asm__(\".globl marker\\n.set marker, 1\\n\");\n"

SUM_OF_BITS = "int f(int x, int y) { int r = 0; for (int i = 0; i < 12 && x == 19; i++) if (y >> i & 1) r += i * i + N; %s return r; }\n"

# Versions that cannot be merged: they are explored apart, and judged like the others.
# name: {old, new, obstacle (what the message has), and: call, options, files, classes, witnesses, limits}
APART = {
    "function-that-becomes-a-variable": {
        "old": "int g(void) { return 1; }\nint f(int x) { return x > 5 ? x + g() : 0; }\n",
        "new": "int g = 1;\nint f(int x) { return x > 7 ? x + g : 0; }\n",
        "obstacle": ["new.c:1:", "'g' is a variable", "old.c:1 a function"],
    },
    "the-same-with-no-difference": {
        "old": "int g(void) { return 1; }\nint f(int x) { return x > 5 ? x + g() : 0; }\n",
        "new": "int g = 1;\nint f(int x) { return x <= 5 ? 0 : g + x; }\n",
        "obstacle": ["new.c:1:", "'g' is a variable"], "classes": set(),
    },
    "other-pragmas": {
        "old": "#pragma pack(1)\nstruct s { char c; int i; };\nint f(int x) { return x > (int)sizeof(struct s); }\n",
        "new": "struct s { char c; int i; };\nint f(int x) { return x > (int)sizeof(struct s); }\n",
        "obstacle": ["#pragma", "old.c", "new.c"],
    },
    "macro-defined-twice": {
        "old": TWICE % 2 + "int f(int x) { return x + N == 20; }\n",
        "new": "#define N 1\nint f(int x) { return x + N == 20; }\n",
        "obstacle": ["old.c:3:", "'N'", "more than once"],
    },
    "assembler": {
        "old": MARK + "int f(int x) { return x * 3; }\n",
        "new": "int f(int x) { return x == 11 ? 32 : x * 3; }\n",
        "obstacle": ["old.c:1:", "only the old version"], "witnesses": {11},
    },
    "things-declared-together": {
        "old": "int a = 1, g(int);\nint f(int x) { return g(x) > a; }\nint g(int x) { return x; }\n",
        "new": "long a = 2, g(int);\nint f(int x) { return g(x) > a; }\nlong g(int x) { return x; }\n",
        "obstacle": ["new.c:1:", "declared together"], "limits": ["a: the variable is not compared"],
    },
    "macros-of-other-headers": {
        "old": '#include "a.h"\nint f(int x) { return N > x; }\n', "new": '#include "b.h"\nint f(int x) { return N > x; }\n',
        "files": {"old/a.h": "#define N 1\n", "new/b.h": "\n#define N 2\n"},
        "obstacle": ["new/b.h:2", "old/a.h:1", "'N'"], "witnesses": {1},
    },
    "regression": {
        "old": TWICE % 2 + "int f(int x) { return x == 7 + N ? 0 : 100 / (x * x + 1); }\n",
        "new": "#define N 3\nint f(int x) { return x == 7 + N ? 0 : 100 / (x - 9 ? 5 : 0); }\n",
        "obstacle": ["old.c:3:"], "classes": {"output", "regression"},
    },
    "fix": {
        "old": TWICE % 2 + "int f(int x) { int q = 6 / (x - N); return q ? 4 : q + 4; }\n",
        "new": "#define N 40\nint f(int x) { int q = 6 / (x - N); return q ? 4 : q + 4; }\n",
        "obstacle": ["old.c:3:"], "classes": {"fix"}, "witnesses": {2},
    },
    "only-by-the-comparison-of-paths": {
        "old": TWICE % 2 + "int f(int x) { return (x ^ 21) * N; }\n",
        "new": "#define N 2\nint f(int x) { return (x ^ 21) * N + (x == 19); }\n",
        "obstacle": ["old.c:3:"], "witnesses": {19},
    },
    "printed": {
        "old": "#include <stdio.h>\n" + TWICE % 2 + "int f(int x) { printf(\"%d\\n\", x + N); return 0; }\n",
        "new": "#include <stdio.h>\n#define N 2\nint f(int x) { printf(\"%d\\n\", x + N + (x == 19)); return 0; }\n",
        "call": "f(x);", "obstacle": ["old.c:4:"], "witnesses": {19},
    },
    "paths-that-kill-the-process": {
        "old": TWICE % 3 + "int f(int x) { return x == 5 ? 7 : x == 9 ? 1 : N; }\n",
        "new": "#include <stdlib.h>\n#define N 3\n"
               "int f(int x) { if (x == 7) abort(); return x == 5 ? f(x) + 1 : x == 9 ? 2 : N; }\n",
        "obstacle": ["old.c:3:"], "classes": {"output", "regression"}, "witnesses": {5, 7, 9},
    },
    "other-order-of-variables": {
        "old": TWICE % 3 + "int a, b, gone;\nstatic int c;\nint f(int x) { a = x > N; b = c = x; gone = 7; return 0; }\n",
        "new": "static int c;\nint more, b;\n#define N 3\nint a;\nint f(int x) { b = c = x; a = x > N; more = 9; return 0; }\n",
        "obstacle": ["old.c:3:"], "classes": set(),
        "call": "int r = f(x); printf(\"%d %d %d %d\\n\", r, a, b, c);",
    },
    "renamed-parameter": {
        "old": TWICE % 2 + "int f(int y) { return y > N; }\n", "new": "#define N 3\nint f(int x) { return x > N; }\n",
        "obstacle": ["old.c:3:"], "options": ["--assume", "x > -20"], "witnesses": {3},
    },
    "seeds-on-one-path": { # of which one value is tried
        "old": "#include <stdio.h>\n" + TWICE % 6 + "int f(int x) { char s[40]; sprintf(s, \"%f\", x / 1.0); return s[0] == '0' + N; }\n",
        "new": "#include <stdio.h>\n#define N 5\nint f(int x) { char s[40]; sprintf(s, \"%f\", x / 1.0); return s[0] == '0' + N; }\n",
        "options": ["--seed", "x=0", "--seed", "x=5", "--max-values", "1"], "obstacle": ["old.c:4:"], "witnesses": {5},
    },
    "more-paths-than-are-run": { # only their comparison says which one is to be run
        "old": TWICE % 2 + SUM_OF_BITS % "", "new": "#define N 2\n" + SUM_OF_BITS % "if (x == 19 && y == 1777) r++;",
        "call": "int r = 0; for (int y = 0; y < 4096; y++) r += f(x, y); printf(\"%d\\n\", r);",
        "options": ["--range", "y=0..4095"], "obstacle": ["old.c:3:"], "witnesses": {19},
    },
}

# The same but for layout and comments, or not used: nothing is run.
IDENTICAL = {
    "the-same-text": ("int f(int x) { return x; }\n", "int f(int x) { return x; }\n"),
    "comments-and-layout": ("/* a */\nint f(int x) { return x; } // b\n", "int f(int x)\n{\n    return x; /* c */\n}\n"),
    "macro-that-nobody-uses": ("#define N 1\nint f(int x) { return x; }\n", "#define N 2\nint f(int x) { return x; }\n"),
}

DRIVER = """
%s
#include "%s"
#undef main
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
int main(void)
{
    for (int x = %d; x <= %d; x++) {
        fflush(stdout);
        if (!fork()) {
            fclose(stderr);
            %s
            fflush(stdout);
            _exit(0);
        }
        int status;
        wait(&status);
        if (status)
            printf("failed\\n");
    }
}
"""


def expect(condition, why):
    if not condition:
        raise AssertionError(why)


def make(name, old, new, files=()):
    """A directory with the versions in it."""
    place = os.path.join(SCRATCH, name)
    for folder in ("old", "new"):
        os.makedirs(os.path.join(place, folder))
    for path, text in [("old/old.c", old), ("new/new.c", new), *dict(files).items()]:
        with open(os.path.join(place, path), "w", encoding="utf-8") as file:
            file.write(text)
    return place


def diff(place, *options):
    command = [PENUMBRA, "diff", "old/old.c", "new/new.c", "--entry", "f", "--quiet", "--no-proofs", "--native-runs=0", *options]
    return subprocess.run(command, cwd=place, capture_output=True, text=True, timeout=300, check=False)


def behaviour(place, path, pair, *flags):
    """What a plain build does for each x."""
    call = pair.get("call", 'printf("%d\\n", f(x));')
    program = os.path.join(place, "program")
    subprocess.run(["gcc", "-w", "-fwrapv", "-I" + INCLUDE, *flags, *pair.get("flags", []), "-x", "c", "-", "-o", program],
                   input=DRIVER % (pair.get("before", ""), os.path.join(place, path), LOW, HIGH, call), text=True, check=True)
    lines = subprocess.run([program], capture_output=True, text=True, timeout=120, check=True).stdout.splitlines()
    expect(len(lines) == HIGH - LOW + 1, f"{path} said {len(lines)} lines")
    return dict(zip(range(LOW, HIGH + 1), lines))


def classify(old, new):
    if old == new:
        return "both-fail" if old == "failed" else "silent"
    return "regression" if new == "failed" else "fix" if old == "failed" else "output"


def check_pair(name, pair):
    place = make(name, pair["old"], pair["new"], pair.get("files", ()))
    ranges = ["--range", f"x={LOW}..{HIGH}"] if pair.get("range", True) else []
    run = diff(place, "--json", "--out", "out", *ranges, *pair.get("options", []))
    expect(run.returncode in (0, 1, 3) and not run.stderr, f"status {run.returncode}: {run.stderr}")
    report = json.loads(run.stdout)
    with open(os.path.join(place, "out/unified.c"), encoding="utf-8") as file:
        unified = file.read()
    old, new = behaviour(place, "old/old.c", pair), behaviour(place, "new/new.c", pair)
    for version, original in (("OLD", old), ("NEW", new)):
        expect(behaviour(place, "out/unified.c", pair, f"-DPENUMBRA_VERSION={version}") == original,
               f"the unified file as {version} is not the {version.lower()} version:\n{unified}")
    differing = {x for x in old if old[x] != new[x]}
    wanted = "different" if differing else "equivalent"
    expect(pair.get("verdict", "different") in (wanted, None), f"the pair itself is {wanted}")
    if "limited" in pair: # nothing was found, and the report says why that proves nothing
        expect(any(pair["limited"] in limit for limit in limits_of(report)), limits_of(report))
        wanted = "no-difference-found"
    expect(report["verdict"] == wanted and run.returncode == (1 if differing else 0),
           f"verdict {report['verdict']}, expected {wanted}: {limits_of(report)}")
    expect(report["files"] == ["old/old.c", "new/new.c"], report["files"])
    for found in report["divergences"]:
        x = found["inputs"][pair.get("input", "x")]
        expect(found["class"] == classify(old[x], new[x]), f"{found['class']} at x = {x}: {old[x]}, {new[x]}")
        expect(found["location"]["file"] in ("old/old.c", "new/new.c"), found["location"])
    classes = {found["class"] for found in report["divergences"]} & REPORTED
    expect(classes == pair.get("classes", {"output"} if differing else set()), f"classes {classes}")
    if "witnesses" in pair:
        witnesses = {found["inputs"]["x"] for found in report["divergences"] if found["class"] in REPORTED}
        expect(witnesses == pair["witnesses"], f"witnesses {witnesses}")
    for fragment in pair.get("contains", []):
        expect(fragment in unified, f"{fragment!r} is not in\n{unified}")
    for fragment in pair.get("lacks", []):
        expect(fragment not in unified, f"{fragment!r} is in\n{unified}")


def check_apart(name, pair):
    place = make("apart-" + name, pair["old"], pair["new"], pair.get("files", ()))
    run = diff(place, "--json", "--out", "out", "--range", f"x={LOW}..{HIGH}", *pair.get("options", []))
    expect(run.returncode in (0, 1, 3) and not run.stderr, f"status {run.returncode}: {run.stderr}")
    report = json.loads(run.stdout)
    old, new = behaviour(place, "old/old.c", pair), behaviour(place, "new/new.c", pair)
    differing = {x for x in old if old[x] != new[x]}
    found = {one["inputs"]["x"]: one for one in report["divergences"]}
    expect(report["verdict"] == ("different" if found else "no-difference-found") and run.returncode == bool(found), run)
    expect(bool(found) == bool(differing), f"found {set(found)}, the versions differ at {differing}")
    for x, one in found.items():
        expect(one["class"] == classify(old[x], new[x]) and one["kind"] == "apart", one)
        expect(one["location"]["file"] == "new/new.c" and os.path.exists(os.path.join(place, one["input_file"])), one)
    expect({one["class"] for one in found.values()} == pair.get("classes", {"output"}), found)
    expect(set(found) == pair.get("witnesses", set(found)), f"witnesses {set(found)}")
    limits = [limit for limit in limits_of(report) if limit.startswith("explored apart: ")]
    expect(len(limits) == 1, limits_of(report))
    for fragment in pair.get("limits", []):
        expect(any(fragment in limit for limit in limits_of(report)), limits_of(report))
    unified = subprocess.run([PENUMBRA, "unify", "old/old.c", "new/new.c", "-o", "unified.c"], cwd=place, text=True,
                             capture_output=True, timeout=60, check=False)
    expect(unified.returncode == 2 and not os.path.exists(os.path.join(place, "unified.c")), unified)
    for fragment in pair["obstacle"]:
        expect(fragment in limits[0] and fragment in unified.stderr, f"{fragment!r}: {limits[0]} {unified.stderr}")


def check_apart_in_time():
    """One path against many, each a question that takes the solver long."""
    place = make("apart-in-time", TWICE % 3 + "unsigned f(unsigned x, unsigned y) { unsigned r = 0; for (int i = 0; i < 6; i++) if (x >> i & 1) r += i;"
                 " return x * y * (x + y) * (x * x + N) + r - r; }\n",
                 "#define N 3\nunsigned f(unsigned x, unsigned y) { unsigned s = x * x * y + x * y * y; return s * x * x + N * s; }\n")
    run = diff(place, "--json", "--no-fold", "--time", "10", "--solver-time", "5")
    report = json.loads(run.stdout)
    expect(run.returncode == 0 and not run.stderr and report["verdict"] == "no-difference-found", run)
    expect(any("1 diff path that was not compared" in limit for limit in limits_of(report)), limits_of(report))


def check_refused(name, old, new, options, fragments):
    place = make("refused-" + name, old, new)
    run = diff(place, *options)
    expect(run.returncode == 2 and not run.stdout, f"status {run.returncode}: {run.stdout}{run.stderr}")
    expect(run.stderr.startswith("penumbra: ") and run.stderr.count("penumbra: ") == 1, run.stderr)
    for fragment in fragments:
        expect(fragment in run.stderr, f"{fragment!r} is not in the message: {run.stderr}")
    expect(sorted(os.listdir(place)) == ["new", "old"], f"left behind: {os.listdir(place)}")


def check_identical(name, old, new):
    place = make("identical-" + name, old, new)
    run = diff(place)
    expect(run.returncode == 0 and "identical" in run.stdout and "equivalent" in run.stdout and not run.stderr, run)
    report = json.loads(diff(place, "--json").stdout)
    expect(report["verdict"] == "equivalent" and report["counts"]["runs"] == 0, report)


def check_arguments():
    place = make("arguments", "int f(int x) { return x; }\n", "int f(int x) { return x; }\n")
    for files, fragment in ((["old/old.c"], "two files"), (["old/old.c", "new/new.c", "new/new.c"], "two files"),
                            (["old/old.c", "none.c"], "none.c"), (["old", "new/new.c"], "directory")):
        run = subprocess.run([PENUMBRA, "diff", *files, "--entry", "f"], cwd=place, capture_output=True, text=True,
                             timeout=60, check=False)
        expect(run.returncode == 2 and fragment in run.stderr, run)
        expect(sorted(os.listdir(place)) == ["new", "old"], f"left behind: {os.listdir(place)}")
    run = subprocess.run([PENUMBRA, "diff", "old/old.c", "old/old.c", "--entry", "f"], cwd=place, capture_output=True,
                         text=True, timeout=60, check=False)
    expect(run.returncode == 0 and "identical" in run.stdout, run)


CASES = [(name, lambda name=name, pair=pair: check_pair(name, pair)) for name, pair in PAIRS.items()]
CASES += [("refused-" + name, lambda name=name, row=row: check_refused(name, *row)) for name, row in REFUSED.items()]
CASES += [("identical-" + name, lambda name=name, row=row: check_identical(name, *row))
          for name, row in IDENTICAL.items()]
CASES += [("apart-" + name, lambda name=name, pair=pair: check_apart(name, pair)) for name, pair in APART.items()]
CASES += [("apart-in-time", check_apart_in_time), ("arguments", check_arguments)]


if __name__ == "__main__":
    sys.exit(run_rows(CASES, every=2))

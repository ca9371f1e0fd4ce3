#!/usr/bin/env python3
"""Versions whose functions read the same and are not: "identical" may be said only of what the compiler takes for the same.
And the other way round: what only looks different is no difference."""

import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "programs"))
from running import run_rows  # noqa: E402

PENUMBRA, SCRATCH = os.environ["PENUMBRA"], os.environ["SCRATCH"]
F = "int f(int x) { return %s; }\n"
POINT = "int f(int x) { struct point p; p.a = 1; p.b = (int)x; return %s; }\n"
SIZE = "int f(int x) { return x + (int)sizeof(struct point); }\n"
BYTES = "int f(int x) { struct point p = {0}; p.b = x; return ((unsigned char *)&p)[4]; }\n"
# Knows nothing of the struct's members.
BOX = """struct point;
int sum(struct point *);
void set(struct point *, int);
int f(int x) { long room[4]; struct point *p = (struct point *)room; set(p, x); return sum(p); }
"""


def commands(flags):
    return json.dumps([{"directory": ".", "file": "a.c", "command": f"cc {flags} -c a.c"}])


# Name: files of the old version, files of the new one; f() differs.
DIFFERENT = {
    "order-of-members": ({"a.c": "struct point { int a; int b; };\n" + BYTES}, {"a.c": "struct point { int b; int a; };\n" + BYTES}),
    "member-behind": ({"a.c": "struct point { int a; int b; };\n" + SIZE}, {"a.c": "struct point { int a; int b; int c; };\n" + SIZE}),
    "member-before": ({"a.c": "struct point { int a; int b; };\n" + BYTES}, {"a.c": "struct point { int c; int a; int b; };\n" + BYTES}),
    "packed": ({"a.c": "struct point { char a; int b; };\n" + SIZE},
               {"a.c": "struct point { char a; int b; } __attribute__((packed));\n" + SIZE}),
    "aligned-type": ({"a.c": "struct point { char a; int b; };\n" + SIZE},
                     {"a.c": "struct point { char a; int b; } __attribute__((aligned(16)));\n" + SIZE}),
    "aligned-member": ({"a.c": "struct point { char a; int b; };\n" + SIZE},
                       {"a.c": "struct point { char a; _Alignas(16) int b; };\n" + SIZE}),
    "pragma-pack": ({"a.c": "struct point { char a; int b; };\n" + SIZE},
                    {"a.c": "#pragma pack(1)\nstruct point { char a; int b; };\n" + SIZE}),
    "pragma-pack-elsewhere": ({"a.c": "struct point { char a; int b; };\n#pragma pack(1)\nstruct other { char a; int b; };\n" + SIZE},
                              {"a.c": "#pragma pack(1)\nstruct point { char a; int b; };\nstruct other { char a; int b; };\n" + SIZE}),
    "bit-field": ({"a.c": "struct point { int a; unsigned b : 4; };\n" + POINT % "p.b"},
                  {"a.c": "struct point { int a; unsigned b : 5; };\n" + POINT % "p.b"}),
    "first-of-a-union": ({"a.c": "union u { char a; int b; };\nint f(int x) { union u v = {300}; return x + v.a + v.b; }\n"},
                         {"a.c": "union u { int b; char a; };\nint f(int x) { union u v = {300}; return x + v.a + v.b; }\n"}),
    "line": ({"a.c": F % "x + __LINE__"}, {"a.c": "\n" + F % "x + __LINE__"}),
    "line-by-a-macro": ({"a.c": "#define HERE __LINE__\n" + F % "x + HERE"}, {"a.c": "#define HERE __LINE__\n\n" + F % "x + HERE"}),
    "line-in-a-changed-function": (
        {"a.c": "int f(int x) { int y = x;\n\n return y + __LINE__; }\n"}, {"a.c": "int f(int x) { int y = x; y += 0;\n return y + __LINE__; }\n"}),
    "stringised": ({"a.c": "#define SIZE(x) (int)sizeof(#x)\n" + F % "x + SIZE(1+2)"},
                   {"a.c": "#define SIZE(x) (int)sizeof(#x)\n" + F % "x + SIZE(1 + 2)"}),
    "parameter-of-a-macro": ({"a.c": "#define A(x) (x)\nint f(int x) { return A(x)+0; }\n".replace("A(x)+0", "A((x) + 1)")},
                             {"a.c": "#define A (x)\nint f(int x) { return A; }\n"}),
    "macro-with-a-space": ({"a.c": "#define A(x) -(x)\nint f(int x) { return 3 A(x); }\n".replace("3 A(x)", "3 + A(x)")},
                           {"a.c": "#define A (x) - (x)\nint f(int x) { return 3 + A(x); }\n".replace("A(x);", "A;")}),
    "included-inc": ({"a.c": '#include "t.inc"\n' + F % "x > LIMIT", "t.inc": "#define LIMIT 10\n"},
                     {"a.c": '#include "t.inc"\n' + F % "x > LIMIT", "t.inc": "#define LIMIT 20\n"}),
    "included-def": ({"a.c": "enum {\n#define X(n, v) n = v,\n#include \"t.def\"\n};\n" + F % "x > B", "t.def": "X(A, 1) X(B, 2)\n"},
                     {"a.c": "enum {\n#define X(n, v) n = v,\n#include \"t.def\"\n};\n" + F % "x > B", "t.def": "X(A, 1) X(B, 3)\n"}),
    "included-elements": ({"a.c": "static const int t[] = {\n#include \"t.tab\"\n};\n" + F % "t[x & 1]", "t.tab": "1, 2\n"},
                          {"a.c": "static const int t[] = {\n#include \"t.tab\"\n};\n" + F % "t[x & 1]", "t.tab": "1, 3\n"}),
    "included-code": ({"a.c": '#include "b.c"\n' + F % "g(x)", "b.c": "static int g(int x) { return x; }\n"},
                      {"a.c": '#include "b.c"\n' + F % "g(x)", "b.c": "static int g(int x) { return x + 1; }\n"}),
    "included-statements": ({"a.c": 'int f(int x)\n{\n#include "b.body"\n}\n', "b.body": "return x;\n"},
                            {"a.c": 'int f(int x)\n{\n#include "b.body"\n}\n', "b.body": "return x + 1;\n"}),
    "included-by-a-macro": ({"a.c": '#define FILE "t.inc"\n#include FILE\n' + F % "x > LIMIT", "t.inc": "#define LIMIT 10\n"},
                            {"a.c": '#define FILE "t.inc"\n#include FILE\n' + F % "x > LIMIT", "t.inc": "#define LIMIT 20\n"}),
    "included-below": ({"a.c": '#include "sub/t.h"\n' + F % "x > LIMIT", "sub/t.h": '#include "u.inc"\n', "sub/u.inc": "#define LIMIT 10\n"},
                       {"a.c": '#include "sub/t.h"\n' + F % "x > LIMIT", "sub/t.h": '#include "u.inc"\n', "sub/u.inc": "#define LIMIT 20\n"}),
    "function-in-a-header": ({"a.c": '#include "t.h"\n' + F % "g(x)", "t.h": "static inline int g(int x) { return x; }\n"},
                             {"a.c": '#include "t.h"\n' + F % "g(x)", "t.h": "static inline int g(int x) { return x + 1; }\n"}),
    "table-in-a-header": ({"a.c": '#include "t.h"\n' + F % "t[x & 1]", "t.h": "static const int t[2] = {1, 2};\n"},
                          {"a.c": '#include "t.h"\n' + F % "t[x & 1]", "t.h": "static const int t[2] = {1, 3};\n"}),
    "macro-before-a-header": ({"a.c": '#define N 1\n#include "t.h"\n' + F % "g(x)", "t.h": "static int g(int x) { return x + N; }\n"},
                              {"a.c": '#define N 2\n#include "t.h"\n' + F % "g(x)", "t.h": "static int g(int x) { return x + N; }\n"}),
    "flag": ({"a.c": F % "x > LIMIT", "compile_commands.json": commands("-DLIMIT=10")},
             {"a.c": F % "x > LIMIT", "compile_commands.json": commands("-DLIMIT=20")}),
    "flag-of-the-language": ({"a.c": F % "(char)x < 0", "compile_commands.json": commands("-fsigned-char")},
                             {"a.c": F % "(char)x < 0", "compile_commands.json": commands("-funsigned-char")}),
    "flag-of-layout": ({"a.c": "struct point { char a; int b; };\n" + SIZE, "compile_commands.json": commands("")},
                       {"a.c": "struct point { char a; int b; };\n" + SIZE, "compile_commands.json": commands("-fpack-struct=1")}),
    "generic": ({"a.c": "typedef int T;\n" + F % "x + _Generic((T)0, int: 1, long: 2)"},
                {"a.c": "typedef long T;\n" + F % "x + _Generic((T)0, int: 1, long: 2)"}),
    "typedef": ({"a.c": "typedef signed char T;\n" + F % "(T)x"}, {"a.c": "typedef unsigned char T;\n" + F % "(T)x"}),
    "enumeration": ({"a.c": "enum { A, B };\n" + F % "x == B"}, {"a.c": "enum { B, A };\n" + F % "x == B"}),
    "static-local": ({"a.c": "int f(int x) { static int n = 1; n += x; return n; }\n"},
                     {"a.c": "int f(int x) { int n = 1; n += x; return n + 1; }\n"}),
    "static-local-by-a-macro": ({"a.c": "#define N 1\nint f(int x) { static int n = N; return x + n; }\n"},
                                {"a.c": "#define N 2\nint f(int x) { static int n = N; return x + n; }\n"}),
    "variable-by-a-layout": ({"a.c": "struct point { int a; int b; };\nstatic int n = sizeof(struct point);\n" + F % "x + n"},
                             {"a.c": "struct point { int a; int b; int c; };\nstatic int n = sizeof(struct point);\n" + F % "x + n"}),
    "offset": ({"a.c": "struct point { int x, y; };\n" + F % "x + (int)__builtin_offsetof(struct point, y)"},
               {"a.c": "struct point { int x, z, y; };\n" + F % "x + (int)__builtin_offsetof(struct point, y)"}),
    "nameless-members": ({"a.c": "struct point { struct { int a, b; }; int c; };\nint f(int x) { struct point p = {{x, 1}, 2}; return p.a; }\n"},
                         {"a.c": "struct point { struct { int b, a; }; int c; };\nint f(int x) { struct point p = {{x, 1}, 2}; return p.a; }\n"}),
    "packed-by-a-macro": ({"a.c": "#define PACKED\nstruct point { char a; int b; } PACKED;\n" + SIZE},
                          {"a.c": "#define PACKED __attribute__((packed))\nstruct point { char a; int b; } PACKED;\n" + SIZE}),
    "variable-of-the-type": ({"a.c": "struct point { int a, b; };\nstatic struct point p = {1, 2};\n" + F % "p.a * x"},
                             {"a.c": "struct point { int b, a; };\nstatic struct point p = {1, 2};\n" + F % "p.a * x"}),
    "variable": ({"a.c": "static int n = 1;\n" + F % "x + n"}, {"a.c": "static int n = 2;\n" + F % "x + n"}),
}

# f() is the same, whatever else is not.
SAME = {
    "order-of-members": ({"a.c": "struct point { int x, y; };\nint f(int a) { struct point p = {a, 1}; return 2 * p.x + p.y; }\n"},
                         {"a.c": "struct point { int y, x; };\nint f(int a) { struct point p = {1, a}; return 2 * p.x + p.y; }\n"}),
    "member-between": ({"a.c": "struct point { int x, y; };\nint f(int a) { struct point p = {a, 1}; return 2 * p.x + p.y; }\n"},
                       {"a.c": "struct point { int x, z, y; };\nint f(int a) { struct point p = {a, 7, 1}; return 2 * p.x + p.y; }\n"}),
    "allocated": (
        {"a.c": "#include <stdlib.h>\nstruct point { int x, y; };\nint f(int a) { struct point *p = malloc(sizeof *p); if (!p) return 0; "
                "p->x = a; int x = p->x; free(p); return x; }\n"},
        {"a.c": "#include <stdlib.h>\nstruct point { int x, z, y; };\nint f(int a) { struct point *p = malloc(sizeof *p); if (!p) return 0; "
                "p->x = a; int x = p->x; free(p); return x; }\n"}),
    "inside-another": (
        {"a.c": "struct point { int x, y; };\nstruct box { struct point p; int n; };\n"
                "int f(int a) { struct box b = {{a, 1}, 2}; return 2 * b.p.x + b.p.y + b.n; }\n"},
        {"a.c": "struct point { int y, x; };\nstruct box { struct point p; int n; };\n"
                "int f(int a) { struct box b = {{1, a}, 2}; return 2 * b.p.x + b.p.y + b.n; }\n"}),
    "union": ({"a.c": "union u { int i; float f; };\nint f(int x) { union u v; v.i = x; return v.i; }\n"},
              {"a.c": "union u { float f; int i; };\nint f(int x) { union u v; v.i = x; return v.i; }\n"}),
    "packed": ({"a.c": "struct point { char a; int b; };\n" + POINT % "p.b + p.a"},
               {"a.c": "struct point { char a; int b; } __attribute__((packed));\n" + POINT % "p.b + p.a"}),
    "wider-member": ({"a.c": "struct point { short a; int b; };\n" + POINT % "p.b + p.a"},
                     {"a.c": "struct point { int a; int b; };\n" + POINT % "p.b + p.a"}),
    "wider-bit-field": ({"a.c": "struct point { unsigned a : 4; int b; };\n" + POINT % "p.b + (int)p.a"},
                        {"a.c": "struct point { unsigned a : 6; int b; };\n" + POINT % "p.b + (int)p.a"}),
    "name-of-the-function": (
        {"a.c": "#include <string.h>\nint f(int x) { switch (x) { case 1: return 2; } return (int)strlen(__func__); }\n"},
        {"a.c": "#include <string.h>\nint f(int x) { int n = (int)strlen(__func__); if (x == 1) return 2; return n; }\n"}),
    "user-of-a-struct-in-another-file": (
        {"t.h": "struct point { int x, y; };\n", "b.c": '#include "t.h"\nint sum(struct point *p) { return 2 * p->x + p->y; }\n'
         'void set(struct point *p, int a) { p->x = a; p->y = 1; }\n', "a.c": BOX},
        {"t.h": "struct point { int y, x; };\n", "b.c": '#include "t.h"\nint sum(struct point *p) { return p->x + p->y + p->x; }\n'
         'void set(struct point *p, int a) { p->x = a; p->y = 1; }\n', "a.c": BOX.replace("return sum(p)", "return 0 + sum(p)")}),
    "size-in-both": (
        {"a.c": "#include <string.h>\nstruct point { int x, y; };\nint f(int a) { struct point p, q; memset(&p, a, sizeof p); "
                "memcpy(&q, &p, sizeof q); return q.x + q.y; }\n"},
        {"a.c": "#include <string.h>\nstruct point { int y, x, z; };\nint f(int a) { struct point p, q; memset(&p, a, sizeof p); "
                "memcpy(&q, &p, sizeof q); return q.x + q.y; }\n"}),
}

# Nothing that the compiler would notice.
IDENTICAL = {
    "comments": ({"a.c": "/* one */\n" + F % "x > 1"}, {"a.c": "/* two */\n\n" + F % "x  > 1"}),
    "assertion": ({"a.c": "#include <assert.h>\nint f(int x) { assert(x != 3); return x; }\n"},
                  {"a.c": "#include <assert.h>\n\nint f(int x)\n{\n    assert(x != 3);\n    return x;\n}\n"}),
    "unused-file": ({"a.c": F % "x", "t.inc": "1\n"}, {"a.c": F % "x", "t.inc": "2\n"}),
    "unused-flag": ({"a.c": F % "x", "compile_commands.json": commands("-DA=1")},
                    {"a.c": F % "x", "compile_commands.json": commands("-DA=2")}),
    "order": ({"a.c": "static int g(int x) { return x; }\nint h(int x) { return x; }\n" + F % "g(x)"},
              {"a.c": "int h(int x) { return x; }\nstatic int g(int x) { return x; }\n" + F % "g(x)"}),
    "path": ({"a.c": "#include <stdio.h>\nint f(int x) { if (x) puts(__FILE__); return x; }\n"},
             {"a.c": "#include <stdio.h>\n/* moved */ int f(int x) { if (x) puts(__FILE__); return x; }\n"}),
}


def expect(condition, why):
    if not condition:
        raise AssertionError(why)


def place_of(kind, name, versions):
    place = os.path.join(SCRATCH, kind, name)
    for tree, files in zip(("old", "new"), versions):
        for path, text in files.items():
            target = os.path.join(place, tree, path)
            os.makedirs(os.path.dirname(target), exist_ok=True)
            with open(target, "w", encoding="utf-8") as file:
                file.write(text)
    return place


def diff(place, *arguments):
    run = subprocess.run([PENUMBRA, "diff", *arguments, "--json", "--time", "20"], cwd=place, capture_output=True, text=True,
                         timeout=300, check=False, stdin=subprocess.DEVNULL)
    expect(run.returncode in (0, 1, 3) and not run.stderr, run)
    return json.loads(run.stdout)


def check(kind, name, versions, judge):
    """As files, and as directories without verification: that must not be needed for a right answer."""
    place = place_of(kind, name, versions)
    is_file = all(set(files) == {"a.c"} for files in versions)
    ways = [("old", "new", "--no-verify")] if "b.c" in versions[0] else [("old/a.c", "new/a.c"), ("old", "new", "--no-verify")]
    for number, arguments in enumerate(ways[is_file and kind == "identical":]):
        report = diff(place, *arguments, "--entry", "f", "--out", f"out-{number}")
        judge(report, arguments)


def different(report, arguments):
    expect(report["verdict"] == "different", f"{arguments}: {report['verdict']}, {report['limits']}")


def same(report, arguments):
    expect(report["verdict"] in ("equivalent", "no-difference-found"), f"{arguments}: {report['verdict']}")


def identical(report, arguments):
    expect(report["verdict"] == "equivalent" and not report.get("divergences"), f"{arguments}: {report['verdict']}")
    files = report.get("unification", {}).get("files", [])
    expect(all(file["identical"] for file in files), f"{arguments}: {files}")


CASES = [(f"{kind}-{name}", lambda kind=kind, name=name, versions=versions, judge=judge: check(kind, name, versions, judge))
         for kind, table, judge in (("different", DIFFERENT, different), ("same", SAME, same), ("identical", IDENTICAL, identical))
         for name, versions in table.items()]


if __name__ == "__main__":
    sys.exit(run_rows(CASES, every=2))

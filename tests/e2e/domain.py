#!/usr/bin/env python3
"""What a verdict rests on: `equivalent` names its domain, and is not said where the code looks at something that was not
explored. NULL is tried by default where the code compares a pointer with it."""

import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "programs"))
from running import limits_of, run_rows  # noqa: E402

PENUMBRA, SCRATCH = os.environ["PENUMBRA"], os.environ["SCRATCH"]
HEAD = "#include <stddef.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <time.h>\n"


def expect(condition, why):
    if not condition:
        raise AssertionError(why)


def diff(name, old, new, *options, entry=("--entry", "f")):
    place = os.path.join(SCRATCH, name)
    os.makedirs(place, exist_ok=True)
    for file, text in (("old.c", old), ("new.c", new)):
        with open(os.path.join(place, file), "w", encoding="utf-8") as out:
            out.write(HEAD + text)
    run = subprocess.run([PENUMBRA, "diff", "old.c", "new.c", *entry, "--json", "--quiet", "--no-proofs", "--native-runs=0", *options], cwd=place,
                         capture_output=True, text=True, timeout=300, check=False, stdin=subprocess.DEVNULL)
    expect(run.stdout, run.stderr)
    return json.loads(run.stdout)


# ---- NULL: the versions differ for NULL only, and no option says so ----

LIST = "struct node { int value; struct node *next; };\n"
NULLS = {
    "added-check": ("int f(int *p) { return p[0]; }\n", "int f(int *p) { if (!p) return -1; return p[0]; }\n"),
    "removed-check": ("int f(int *p) { if (p == NULL) return -1; return *p; }\n", "int f(int *p) { return *p; }\n"),
    "changed-result": ("int f(const char *s) { return s ? s[0] : 0; }\n", "int f(const char *s) { return s ? s[0] : 1; }\n"),
    "check-by-comparison": ("int f(int *p) { return 0 == p ? 1 : 2; }\n", "int f(int *p) { return 2; }\n"),
    "check-in-a-conjunction": ("int f(int *p, int x) { return p && x > 3; }\n", "int f(int *p, int x) { return x > 3; }\n"),
    "check-in-a-callee": ("static int g(int *q) { return q != NULL; }\nint f(int *p) { return g(p); }\n",
                          "static int g(int *q) { return 1; }\nint f(int *p) { return g(p); }\n"),
    "check-of-a-copy": ("int f(int *p) { int *q = p; while (q) return 5; return 6; }\n",
                        "int f(int *p) { int *q = p; while (q) return 5; return 7; }\n"),
    "check-of-what-a-function-gives": ("static int *same(int *q) { return q; }\nint f(int *p) { if (same(p)) return 1; return 2; }\n",
                                       "static int *same(int *q) { return q; }\nint f(int *p) { if (same(p)) return 1; return 3; }\n"),
    "member": ("struct s { int *p; int x; };\nint f(struct s *s) { if (!s->p) return 9; return s->x > 3; }\n",
               "struct s { int *p; int x; };\nint f(struct s *s) { return s->x > 3; }\n"),
    "empty-list": (LIST + "int f(struct node *l) { int n = 0; for (; l; l = l->next) n++; return n; }\n",
                   LIST + "int f(struct node *l) { int n = 0; do { n++; l = l->next; } while (l); return n; }\n"),
    "end-of-list": (LIST + "int f(struct node *l) { while (l->next) l = l->next; return 3; }\n",
                    LIST + "int f(struct node *l) { if (!l->next) return 4; return 3; }\n"),
    "pointer-to-pointer": ("int f(int **pp) { return *pp ? 1 : 2; }\n", "int f(int **pp) { return *pp ? 1 : 3; }\n"),
    "assertion": ("#include <assert.h>\nint f(int *p) { assert(p); return 1; }\n", "int f(int *p) { return 1; }\n"),
    "conversion-to-bool": ("#include <stdbool.h>\nint f(int *p) { bool there = p; return there; }\n", "int f(int *p) { return 1; }\n"),
    "result-of-type-bool": ("static _Bool ok(const void *p) { return p; }\nint f(int *p) { return ok(p) ? 1 : 2; }\n",
                            "static _Bool ok(const void *p) { return p; }\nint f(int *p) { return 1; }\n"),
    "in-what-one-version-has": ("int f(int *p, int *q) { if (!p) return 1; if (!q) return 2; return 3; }\n",
                                "int f(int *p, int *q) { if (!q) return 2; if (!p) return 1; return 3; }\n"),
    "callback": ("int f(int (*g)(int), int x) { return g ? 1 : x; }\n", "int f(int (*g)(int), int x) { return g ? 1 : 0; }\n"),
}


def check_null(name):
    report = diff("null-" + name, *NULLS[name])
    expect(report["verdict"] == "different", (report["verdict"], limits_of(report)))
    expect(any(value is True for one in report["divergences"] for key, value in one["inputs"].items() if key.endswith("NULL")),
           report["divergences"])
    report = diff("no-null-" + name, *NULLS[name], "--no-null", "--out", "no-null")
    expect(report["verdict"] != "different", report["divergences"])
    expect(any(one["kind"] == "not-null" for one in report["assumptions"]), report["assumptions"])


def check_null_that_nobody_looks_at():
    """A pointer that is only used is not NULL, and the report says that it rests on that."""
    report = diff("null-unlooked", "int f(int *p) { return p[0] > 3; }\n", "int f(int *p) { return 3 < p[0]; }\n", "--size", "p=1")
    expect(report["verdict"] == "equivalent", limits_of(report))
    expect([one["name"] for one in report["assumptions"] if one["kind"] == "not-null"] == ["p"], report["assumptions"])
    expect(not any("NULL" in key for one in report["divergences"] for key in one["inputs"]), report["divergences"])


def check_bounds_are_no_checks():
    """`p < end`, and assignments in the head of a loop, say nothing about NULL."""
    text = "int f(const char *s) { int n = 0; for (const char *p = s, *end = s + 3; p < end; p++) n += *p %s; return n; }\n"
    report = diff("null-bounds", text % "> 3", text % ">= 4", "--size", "s=4")
    expect(report["verdict"] == "equivalent", limits_of(report))


# ---- the world outside: whatever it tells is not explored, so nothing is certain ----

OUTSIDE = {
    "environment": ('int f(int x) { return getenv("PENUMBRA_NOT_SET") ? 1 : x; }\n',
                    'int f(int x) { return getenv("PENUMBRA_NOT_SET") ? 2 : x; }\n', "getenv()"),
    "time": ("int f(int x) { return time(NULL) < 5 ? 1 : x; }\n", "int f(int x) { return time(NULL) < 5 ? 2 : x; }\n", "time()"),
    "standard-input": ("int f(int x) { return getchar() == 'a' ? 1 : x; }\n", "int f(int x) { return getchar() == 'a' ? 2 : x; }\n",
                       "getchar()"),
    "file": ('int f(int x) { FILE *s = fopen("/none/such", "r"); return s ? 1 : x; }\n',
             'int f(int x) { FILE *s = fopen("/none/such", "r"); return s ? 2 : x; }\n', "fopen()"),
    "random-numbers": ("int f(int x) { return rand() == 12345 ? 1 : x; }\n", "int f(int x) { return rand() == 12345 ? 2 : x; }\n", "rand()"),
    "seed-of-random-numbers": ("int f(int x) { return x > 3; }\n", "int f(int x) { srand(5); return x > 3; }\n", "srand()"),
    "string-that-was-begun": ('int f(int x) { return strtok(NULL, ",") ? 1 : x; }\n', 'int f(int x) { return strtok(NULL, ",") ? 2 : x; }\n', "strtok()"),
    "in-a-callee": ('static int g(void) { return !getenv("PENUMBRA_NOT_SET"); }\nint f(int x) { return g() ? x : 1; }\n',
                    'static int g(void) { return !getenv("PENUMBRA_NOT_SET"); }\nint f(int x) { return g() ? x : 2; }\n', "getenv()"),
}


def check_outside(name):
    old, new, what = OUTSIDE[name]
    report = diff("outside-" + name, old, new)
    expect(report["verdict"] == "no-difference-found", report["verdict"])
    limit = [one for one in report["limits"] if one["kind"] == "outside" and one["place"] == what]
    expect(len(limit) == 1 and limit[0]["forbids_equivalence"], report["limits"])


def check_outside_that_nothing_reaches():
    text = 'int g(int x) { return getenv("HOME") ? x : 0; }\nint f(int x) { return x %s; }\n'
    report = diff("outside-unreached", text % "> 3", text % ">= 4")
    expect(report["verdict"] == "equivalent", limits_of(report))


def check_printing_is_not_outside():
    text = '#include <string.h>\nint f(int x) { char *s = strdup("a"); printf("%%d %%s", x %s, s); fflush(stdout); free(s); return 0; }\n'
    report = diff("outside-printing", text % "> 3", text % ">= 4")
    expect(report["verdict"] in ("equivalent", "no-difference-found") and not any(one["kind"] == "outside" for one in report["limits"]),
           limits_of(report))
    expect(any(one["kind"] == "allocation" for one in report["assumptions"]), report["assumptions"])


# ---- variables that keep their initial values ----

STATE = """static int mode, total, other, depth;
int last;
static void set(int m) { mode = m; if (m > 3) total = 1; else total = 2; }
static int nested(int n) { depth = n; return n > 0 ? nested(n - 1) : depth; }
void touch(int m) { mode = m; total = m; other = m; last = m; depth = m; }
int f(int x) { set(x); if (x > 9) other = 1; return (mode %s) + total + other + last + nested(x & 3); }
"""


def check_written_first():
    """What the entry surely assigns before it reads it is no assumption, through calls and recursion."""
    report = diff("written-first", STATE % "> 3", STATE % ">= 4")
    expect(report["verdict"] == "equivalent", limits_of(report))
    names = [one["name"] for one in report["assumptions"] if one["kind"] == "initial-value"]
    expect(names == ["other", "last"], names)


def check_seeds_only():
    """Without a finding, the modes that begin at seeds never speak of everything."""
    for mode in ("concolic", "bounded"):
        report = diff("seeds-" + mode, "int f(int x) { return x > 3; }\n", "int f(int x) { return x >= 4; }\n", "--mode", mode)
        expect(report["verdict"] == "no-difference-found", report["verdict"])
        expect([one["kind"] for one in report["limits"]] == ["seeds"], report["limits"])


# ---- where objects lie ----

LAYOUT = {
    "order-of-parameters": ("int f(char *p, char *q) { return p < q; }\n", "int f(char *p, char *q) { return !(q <= p); }\n"),
    "difference": ("long f(char *p, char *q) { return q - p > 100000 ? 1 : 0; }\n", "long f(char *p, char *q) { return 0; }\n"),
    "end-of-a-range": ("int f(const char *p, const char *end) { return p >= end; }\n", "int f(const char *p, const char *end) { return !(p < end); }\n"),
    "alignment": ("#include <stdint.h>\nint f(char *p) { return ((uintptr_t)p & 3) ? 1 : 2; }\n",
                  "#include <stdint.h>\nint f(char *p) { return ((uintptr_t)p & 3) ? 3 : 2; }\n"),
    "in-a-callee": ("static int before(int *a, int *b) { return a < b; }\nint f(int *p, int *q) { return before(p, q + 1); }\n",
                    "static int before(int *a, int *b) { return b > a; }\nint f(int *p, int *q) { return before(p, q + 1); }\n"),
    "members": ("struct s { int *a, *b; };\nint f(struct s *s) { return s->a == s->b; }\n",
                "struct s { int *a, *b; };\nint f(struct s *s) { return s->b == s->a; }\n"),
}


def check_layout(name):
    sizes = [word for size in ("p=2", "q=2", "end=2") if size[0] in LAYOUT[name][0].split("f(")[1].split(")")[0] for word in ("--size", size)]
    report = diff("layout-" + name, *LAYOUT[name], *(sizes if name not in ("members", "end-of-a-range", "alignment") else []))
    expect(report["verdict"] == "no-difference-found", (report["verdict"], limits_of(report)))
    expect(any("looked at" in limit and "c:" in limit for limit in limits_of(report)), limits_of(report))


# Name: the versions, and the part of a limit; no parameter's object is compared with another's.
ADDRESSES = {
    "blocks": ("int f(int x) { char *p = malloc(8), *q = malloc(8); int r = p < q; free(p); free(q); return r; }\n",
               "int f(int x) { char *p = malloc(8), *q = malloc(8); int r = 1; free(p); free(q); return r; }\n", "order"),
    "variables": ("int a, b;\nint f(int x) { return &a < &b; }\n", "int a, b;\nint f(int x) { return 1; }\n", "order"),
    "difference": ("int a[2], b[2];\nlong f(int x) { int *p = x ? a : b; return p - a; }\n",
                   "int a[2], b[2];\nlong f(int x) { int *p = x ? a : b; return 0 + (p - a); }\n", "order"),
    "variable-and-parameter": ("int g;\nint f(int *p) { return p == &g; }\n", "int g;\nint f(int *p) { return 0; }\n", "order"),
    "number": ("int f(int x) { char *p = malloc(8); long n = (long)p; free(p); return n % 64 == 1; }\n",
               "int f(int x) { char *p = malloc(8); long n = (long)p; free(p); return n % 64 == 1 ? 1 : 0; }\n", "address as a number"),
    "number-of-a-variable": ("int g;\nlong f(int x) { return x ? (long)&g : 0; }\n", "int g;\nlong f(int x) { return !x ? 0 : (long)&g; }\n",
                             "address as a number"),
}


def check_addresses(name):
    old, new, what = ADDRESSES[name]
    report = diff("addresses-" + name, old, new, *(["--size", "p=2"] if "*p)" in old else ["--no-alloc-fail"]))
    expect(report["verdict"] == "no-difference-found", (report["verdict"], limits_of(report)))
    expect(any(what in limit for limit in limits_of(report)), limits_of(report))


def check_one_layout_is_enough():
    """Of objects that the program makes, which is which is the same in every layout; so is a difference inside of one."""
    text = "struct n { struct n *next; };\nstatic struct n head = {&head};\nint f(int x) { struct n *p = malloc(sizeof *p); char b[8], *end = b + 8, " \
           "*q = b; p->next = &head; int n = 0; for (struct n *i = p; i != &head; i = i->next) n++; while (q != end) *q++ = 1; n += p == head.next; " \
           "free(p); return n + (int)(end - b) + (x %s); }\n"
    report = diff("addresses-one-layout", text % "> 3", text % ">= 4")
    expect(report["verdict"] == "equivalent", limits_of(report))


# ---- what else a verdict takes for granted ----

WORLD = {
    "errno": ("#include <errno.h>\nint f(int x) { return errno ? 1 : x; }\n", "#include <errno.h>\nint f(int x) { return errno ? 2 : x; }\n", "initial-value"),
    "locale": ("#include <ctype.h>\nint f(int x) { return !!isalpha(x & 127) + (x > 3); }\n",
               "#include <ctype.h>\nint f(int x) { return !!isalpha(x & 127) + (x >= 4); }\n", "locale"),
    "printing": ('int f(int x) { return puts("a") < 0 ? 1 : x; }\n', 'int f(int x) { return puts("a") < 0 ? 2 : x; }\n', "output"),
    "allocation": ("int f(int x) { char *p = malloc(1); if (!p) return 1; free(p); return x; }\n",
                   "int f(int x) { char *p = malloc(1); if (!p) return 2; free(p); return x; }\n", "allocation"),
    "overlap": ("int f(int *p, short *q) { if (!p || !q) return 0; *p = 1; *q = 2; return *p; }\n",
                "int f(int *p, short *q) { if (!p || !q) return 0; *p = 1; *q = 2; return 1; }\n", "distinct"),
    "callback": ("int g;\nint f(int (*p)(void)) { g = 1; int r = p(); return r + g; }\n",
                 "int g;\nint f(int (*p)(void)) { g = 1; int r = p(); return r + 1; }\n", "callback"),
}


def check_world(name):
    """It is among the assumptions; and where no path reaches a change because of it, nothing is said to be equivalent."""
    old, new, kind = WORLD[name]
    sizes = [word for size in ("p=2", "q=2") if "*" + size[0] in old.split("f(")[1] and "malloc" not in old for word in ("--size", size)]
    report = diff("world-" + name, old, new, *sizes, "--no-alloc-fail")
    expect(kind in [one["kind"] for one in report["assumptions"]], report["assumptions"])
    verdicts = ("no-difference-found",) if name in ("errno", "printing", "allocation") else ("equivalent",)
    expect(report["verdict"] in verdicts, (report["verdict"], limits_of(report)))


def check_one_object():
    """Pointers into one object are compared as they are in every run."""
    text = "int f(const char *s) { const char *end = s + 2; int n = 0; for (const char *p = s; p < end; p++) n += *p %s; return n + (int)(end - s); }\n"
    report = diff("layout-one-object", text % "> 3", text % ">= 4", "--size", "s=3")
    expect(report["verdict"] == "equivalent", limits_of(report))


# ---- how many elements lie behind a pointer ----

ONE = "static void set(int *q, int v) { if (q) q[0] = v; }\n"
SINGLE = {
    "result": "int f(int x, int *out) { if (x < 0 || !out) return -1; *out = x %s; return 0; }\n",
    "changed": "void f(int x, long *sum, unsigned char *n) { *sum += x %s; ++*n; (*n)++; sum[0] ^= n && sum != NULL ? 1 : 2; }\n",
    "passed": ONE + "int f(int x, int *out) { set(out, x %s); return 1; }\n",
}
SEVERAL = {
    "index": "int f(int x, int *out) { return out[1] + (x %s); }\n",
    "step": "int f(int x, int *out) { *out++ = 1; return x %s; }\n",
    "copy": "int f(int x, int *out) { int *q = &*out; return q[x & 1] + (x %s); }\n",
    "address-of-an-element": "int f(int x, int *out) { int *q = &out[0]; return q[x & 1] + (x %s); }\n",
    "cast": "int f(int x, short *out) { return *(int *)out + (x %s); }\n",
    "passed": "static int get(int *q) { return q[2]; }\nint f(int x, int *out) { return get(out) + (x %s); }\n",
    "passed-on": ONE + "static void other(int *q) { set(q, 1); q[1] = 2; }\nint f(int x, int *out) { other(out); return x %s; }\n",
    "library": "int f(int x, int *out) { memset(out, 0, 2 * sizeof *out); return x %s; }\n",
    "moved-elsewhere": "static int g(int **p) { *p += 1; return **p; }\nint f(int x, int *out) { return g(&out) + (x %s); }\n",
}


def check_single(name):
    """Of a pointer that leads to one number, how many there are is no limit."""
    report = diff("single-" + name, SINGLE[name] % "> 3", SINGLE[name] % ">= 4")
    expect(report["verdict"] == "equivalent", limits_of(report))
    expect("out" not in SINGLE[name] or "out points to 1 element" in [one["text"] for one in report["assumptions"]], report["assumptions"])


def check_several(name):
    report = diff("several-" + name, SEVERAL[name] % "> 3", SEVERAL[name] % ">= 4")
    expect(report["verdict"] == "equivalent", limits_of(report))  # no run goes beyond them
    expect("out points to 8 elements" in [one["text"] for one in report["assumptions"]], report["assumptions"])


def check_single_in_one_version():
    """What one version alone uses as an array is one in both."""
    text = "int f(int x, int *out) { return x == 77 ? %s : 0; }\n"
    apart = ("#pragma pack(push, 4)\n", "#pragma pack(push, 2)\n")
    cases = [(old, new, first) for old, new in (("*out", "out[3]"), ("out[3]", "*out")) for first in (("", ""), apart)]
    for number, (old, new, first) in enumerate(cases):
        report = diff(f"single-in-one-{number}", first[0] + text % old, first[1] + text % new)
        expect(report["verdict"] == "different", (report["verdict"], limits_of(report)))
        expect(len(report["divergences"][0]["inputs"]["out"]) == 8, report["divergences"][0]["inputs"])


def check_longer():
    """What needs a longer string is found, if nobody gave the size, and chose no entry."""
    text = "int f(const char *s) { int n = 0; while (s[n] == 'x') n++; return n > 12 ? %d : 0; }\n"
    for options, verdict in (((), "different"), (("--size", "s=8"), "equivalent")):
        report = diff("longer-" + verdict, text % 1, text % 2, "--first", *options, entry=())
        expect(report["verdict"] == verdict, (report["verdict"], limits_of(report)))
    text = "int f(const char *s) { int n = 0; while (s[n] == 'x') n++; return n %s; }\n"
    report = diff("longer-same", text % "> 3", text % ">= 4", entry=())
    expect(report["verdict"] == "no-difference-found" and "7 characters" in str(limits_of(report)), limits_of(report))


CASES = [("null-" + name, lambda name=name: check_null(name)) for name in NULLS]
CASES += [("outside-" + name, lambda name=name: check_outside(name)) for name in OUTSIDE]
CASES += [("layout-" + name, lambda name=name: check_layout(name)) for name in LAYOUT]
CASES += [("addresses-" + name, lambda name=name: check_addresses(name)) for name in ADDRESSES]
CASES += [("world-" + name, lambda name=name: check_world(name)) for name in WORLD]
CASES += [("single-" + name, lambda name=name: check_single(name)) for name in SINGLE]
CASES += [("several-" + name, lambda name=name: check_several(name)) for name in SEVERAL]
CASES += [("longer", check_longer), ("single-in-one-version", check_single_in_one_version)]
CASES += [("one-layout-is-enough", check_one_layout_is_enough), ("one-object", check_one_object), ("null-that-nobody-looks-at", check_null_that_nobody_looks_at), ("bounds-are-no-checks", check_bounds_are_no_checks),
          ("outside-that-nothing-reaches", check_outside_that_nothing_reaches),
          ("printing-is-not-outside", check_printing_is_not_outside), ("written-first", check_written_first),
          ("seeds-only", check_seeds_only)]

if __name__ == "__main__":
    sys.exit(run_rows(CASES, every=2))

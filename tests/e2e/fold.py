#!/usr/bin/env python3
"""--fold: fewer paths and the same verdict. Each program is explored with and without it; the first ones must have fewer
paths, and the others as many, because what they skip can fail or be seen."""

import json
import multiprocessing
import os
import subprocess
import sys

PENUMBRA, SCRATCH = os.environ["PENUMBRA"], os.environ["SCRATCH"]
HEAD = '#include "penumbra.h"\n#include <stdio.h>\n#include <stdlib.h>\n'
# name: source, verdict, at most so many of a hundred paths are left
PROGRAMS = {
    "a range": ("int f(unsigned char a, unsigned char b) { int n = 0; if (a >= '0' && a <= '9') n++; if (b >= '0' && b <= '9') n++; return change(n, n | (a == '7' && b == '1')); }",
                "different", 50),
    "letters": ("static int is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }\n"
                "int f(const char s[3]) { int n = 0; for (int i = 0; i < 3; i++) n += is_letter(s[i]) ? 1 : change(2, i == 2 ? 3 : 2); return n; }", "different", 20),
    "a choice": ("int f(int a, int b, int c) { int m = a > b ? a : b; m = m > c ? m : c; return change(m * 2, m + m); }", "equivalent", 50),
    "assignments under conditions": ("static int span(int a, int b) { int lo, hi; if (a < b) { lo = a; hi = b; } else { lo = b; hi = a; } if (lo < 0) lo = 0; return hi - lo; }\n"
                                     "int f(int a, int b) { int n = span(a, b); return change(n * 2, n + n); }", "equivalent", 50),
    "negations": ("int f(int a, int b, int c) { if (!(a == 1 || b == 2) && !(b == 3 && c == 4)) return change(1, 1); return change(c, c ^ 0); }", "equivalent", 60),
    "a value that both tests make": ("static int twice(int a, int b) { int n = 3; if (a > 5 && (n = b * 2) > 7) n++; return n; }\n"
                                     "int f(int a, int b) { int n = twice(a, b); return change(n, n + (n == 4)); }", "different", 50),
    "a condition of one version": ("int f(int a, int b) { if (change(a > 3 && b > 3, a > 3 || b > 3)) return 1; return 0; }", "different", 100),
    "a division behind its check": ("int f(int a, int b) { if (b != 0 && a / b > 3) return 1; return change(0, 0); }", "equivalent", 100),
    "a division without a check": ("int f(int a, int b) { if (a > 3 && 8 / b > 1) return 1; return change(0, b == 0 && a == 3); }", "different", 100),
    "an element behind its check": ("static const int t[4] = {1, 2, 3, 4}; int f(int i) { if (i >= 0 && i < 4 && t[i] > 2) return 1; return change(0, 0); }", "equivalent", 100),
    "a call behind a check": ('int f(int a, int b) { if (a == 3 && puts("three") && b == 2) return 1; return change(0, a == 4); }', "different", 100),
    "a shift behind its check": ("int f(unsigned n, unsigned x) { if (n < 32 && x << n > 9) return 1; return change(0, 0); }", "equivalent", 100),
    "a variable that is written behind a check": ("int f(int has, int x) { int value; if (has) value = x; if (has && value > 3) return 1; return change(0, 0); }",
                                                  "equivalent", 100),
}


def explore(name, fold):
    place = os.path.join(SCRATCH, name.replace(" ", "-") + fold)
    os.makedirs(place)
    with open(os.path.join(place, "f.c"), "w", encoding="utf-8") as file:
        file.write(HEAD + PROGRAMS[name][0] + "\n")
    done = subprocess.run([PENUMBRA, "run", "f.c", "--entry", "f", "--mode", "complete", "--no-directed", "--native-runs=0", "--json", "--quiet", fold],
                          cwd=place, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
    if not done.stdout:
        raise AssertionError(f"status {done.returncode}: {done.stderr.strip()[-300:]}")
    return json.loads(done.stdout)


def check(name):
    _, verdict, most = PROGRAMS[name]
    plain, folded = explore(name, "--no-fold"), explore(name, "--fold")
    if plain["verdict"] != verdict or folded["verdict"] != verdict:
        return f"{plain['verdict']}, folded {folded['verdict']}, {folded['limits']}"
    before, after = plain["counts"]["paths"], folded["counts"]["paths"]
    return None if after * 100 <= before * most else f"{before} paths, folded {after}"


def line_of(name):
    try:
        why = check(name)
    except Exception as problem:  # a test that cannot run has failed
        why = repr(problem)
    return f"not ok {name}: {why}" if why else f"ok {name}"


if __name__ == "__main__":
    NAMES = [name for name in PROGRAMS if all(word in name for word in sys.argv[1:])]
    print(f"1..{len(NAMES)}", flush=True)
    with multiprocessing.Pool(2) as workers:
        for line in workers.imap(line_of, NAMES):
            print(line, flush=True)

#!/usr/bin/env python3
"""From which outcomes of which branches a change can still be reached: `penumbra trace` on small programs.

A line that ends in /* F T */ holds one branch; the letters say whether its false and its true outcome reach a change.
A switch has two letters for each target that the seeds decide, in order. Every marked line must be met by some seed."""

import json
import os
import re
import subprocess
import sys

PENUMBRA, SCRATCH = os.environ["PENUMBRA"], os.environ["SCRATCH"]
HEAD = "#include <penumbra.h>\n#define OUT __attribute__((noinline)) static\n"

# name: (source, seeds)
PROGRAMS = {
    "inside-one-function": ("""
int f(int x, int y)
{
    if (x == 1) /* T F */
        return 0;
    if (y == 1) /* T T */
        x++;
    int r = x + change(1, 2);
    if (y == 2) /* F F */
        return r;
    return 0;
}
""", ["x=0", "x=1"]),
    "in-a-callee": ("""
OUT int changed(int n)
{
    if (n == 3) /* T F */
        return 0;
    return n + change(1, 2);
}
OUT int plain(int n)
{
    if (n == 3) /* F F */
        return 0;
    return 1;
}
int f(int x, int y)
{
    if (x == 1) /* T F */
        return plain(y);
    if (x == 2) /* F T */
        return changed(y);
    return plain(x);
}
""", ["x=1", "x=2", "x=0"]),
    "after-returning-to-a-caller": ("""
OUT int before(int n)
{
    if (n == 3) /* T T */
        return 0;
    return 1;
}
OUT int after(int n)
{
    if (n == 3) /* F F */
        return 0;
    return 1;
}
OUT int both(int n)
{
    if (n == 3) /* T T */
        return 0;
    return 1;
}
int f(int x)
{
    int r = before(x) + both(x);
    r += change(1, 2);
    return r + after(x) + both(x);
}
""", ["x=0"]),
    "in-one-block-with-calls": ("""
OUT void first(int n)
{
    if (n == 3) /* T T */
        pn_output("n", &n, sizeof n);
}
OUT void changed(int n)
{
    int r = change(n, n + 1);
    if (n == 4) /* F F */
        r++;
    pn_output("r", &r, sizeof r);
}
OUT void last(int n)
{
    if (n == 3) /* F F */
        pn_output("n", &n, sizeof n);
}
int f(int x)
{
    first(x);
    changed(x);
    last(x);
    return 0;
}
""", ["x=0"]),
    "in-a-loop": ("""
int f(int x, int n)
{
    int r = 0;
    for (int i = 0; i < 2; i++) {
        if (x == i) /* T T */
            r += change(1, 2);
        if (n == i) /* T F */
            return r;
    }
    if (x == 7) /* F F */
        r++;
    return r;
}
""", ["x=0,n=5", "x=9,n=9"]),
    "by-recursion": ("""
OUT int down(int n, int x)
{
    if (n > 2) /* T F */
        return x;
    if (x == 9) /* T T */
        return x + change(1, 2);
    return down(n + 1, x);
}
OUT int alone(int n, int x)
{
    if (n > 2) /* F F */
        return x;
    return alone(n + 1, x);
}
int f(int x, int n)
{
    if (x == 1) /* T F */
        return alone(n, x);
    return down(n, x);
}
""", ["x=0", "x=1"]),
    "behind-a-recursion": ("""
OUT int down(int n, int x)
{
    if (x == n) /* T T */
        return x;
    if (n > 3)
        return 0;
    return down(n + 1, x);
}
int f(int x)
{
    int r = down(0, x);
    if (r == 5) /* T F */
        return 0;
    return r + change(1, 2);
}
""", ["x=2"]),
    "through-a-function-pointer": ("""
OUT int taken(int n)
{
    if (n == 3) /* T F */
        return 0;
    return n + change(1, 2);
}
OUT int unchanged(int n)
{
    if (n == 3) /* F F */
        return 0;
    return n;
}
int (*table[])(int) = {taken, unchanged};
int direct(int n)
{
    if (n == 3) /* F F */
        return 0;
    return n;
}
int f(int x, int k)
{
    if (x == 1) /* T F */
        return direct(k);
    if (x == 2) /* F T */
        return table[k & 1](x);
    return 0;
}
""", ["x=1", "x=2,k=0", "x=2,k=1"]),
    "back-from-a-function-pointer": ("""
OUT int taken(int n)
{
    if (n == 3) /* T T */
        return 0;
    return n;
}
int (*pointer)(int) = taken;
int f(int x)
{
    int r = pointer(x);
    return r + change(1, 2);
}
""", ["x=0"]),
    "by-a-switch": ("""
int f(int x)
{
    int r = 0;
    switch (x) { /* T F F T F F */
    case 1: return 1;
    case 5:
    case 6: r = change(1, 2); break;
    case 9: return 2;
    default: return 3;
    }
    return r;
}
""", ["x=0"]),
    "by-the-default-of-a-switch": ("""
int f(int x)
{
    switch (x) { /* T F T F */
    case 1: return 1;
    case 5: return 2;
    default: return change(1, 2);
    }
}
""", ["x=0"]),
    "under-execute": ("""
int f(int x, int y)
{
    if (x == 1) /* T F */
        return 0;
    if (execute(NEW)) {
        if (y == 1) /* T T */
            x++;
    }
    if (y == 5) /* F F */
        return 1;
    return x;
}
""", ["x=0", "x=1"]),
    "in-the-copy-for-one-version": ("""
OUT int shared(int n)
{
    if (n == 3) /* T T */
        return 1;
    return 0;
}
int f(int x)
{
    int r = 0;
    if (execute(NEW))
        r = shared(x);
    return r;
}
""", ["x=0"]),
    "from-an-initial-value": ("""
int limit = 3;
pn_global(limit, 4);
int f(int x)
{
    if (x == 1) /* T T */
        return 0;
    return x;
}
""", ["x=0"]),
    "by-the-size-of-an-array": ("""
int f(int x)
{
    if (x == 1) /* T F */
        return 0;
    char name[pn_size(4, 8)];
    pn_bounds(name, 4, 8);
    name[2] = 1;
    return name[2];
}
""", ["x=0"]),
    "by-the-library-calling-back": ("""
#include <stdlib.h>
OUT int compare(const void *a, const void *b)
{
    return *(const char *)a - *(const char *)b + change(0, 1);
}
int f(int x)
{
    char list[] = "cab";
    if (x == 1) /* F T */
        qsort(list, 3, 1, compare);
    return list[0];
}
""", ["x=0"]),
    "not-by-the-library": ("""
#include <stdio.h>
#include <string.h>
OUT int changed(int n)
{
    return change(n, n + 1);
}
int (*pointer)(int) = changed;
int f(int x)
{
    char text[8] = "a";
    if (x == 2) /* F T */
        return pointer(x);
    if (x == 1) /* F F */
        return (int)strlen(text) + snprintf(text, 8, "b");
    return 0;
}
""", ["x=0"]),
    "by-a-long-jump": ("""
#include <setjmp.h>
static jmp_buf place;
OUT void leave(int n)
{
    if (n == 3) /* F T */
        longjmp(place, 1);
}
int f(int x, int y)
{
    if (setjmp(place))
        return y + change(1, 2);
    leave(x);
    return y;
}
""", ["x=0"]),
    "without-any-change": ("""
int f(int x)
{
    if (x == 1) /* F F */
        return 0;
    return x;
}
""", ["x=0"]),
}

FOREIGN = ("""
int foreign(int);
int visible(int n)
{
    return n + change(1, 2);
}
int f(int x)
{
    if (x == 1) /* F T */
        return foreign(x);
    return 0;
}
""", ["x=1"])


def expectations(source):
    """{line: [outcomes]}"""
    wanted = {}
    for number, line in enumerate(source.split("\n"), 1):
        mark = re.search(r"/\* ([TF](?: [TF])*) \*/$", line)
        if mark:
            wanted[number] = [letter == "T" for letter in mark[1].split()]
    return wanted


def trace(name, source, seeds, *options):
    path = os.path.join(SCRATCH, name + ".c")
    with open(path, "w", encoding="utf-8") as file:
        file.write(source)
    command = [PENUMBRA, "trace", path, "--entry", "f", *options]
    for seed in seeds:
        command += ["--seed", seed]
    done = subprocess.run(command, cwd=SCRATCH, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def observed(runs):
    """{line: {part: outcomes}}"""
    seen = {}
    for run in runs:
        for decision in run["decisions"]:
            if decision["kind"] != "branch":
                continue
            parts = seen.setdefault(decision["line"], {})
            outcomes = parts.setdefault(decision["part"], decision["reaches_change"])
            assert outcomes == decision["reaches_change"], f"line {decision['line']} has two answers"
    return {line: [answer for part in sorted(parts) for answer in parts[part]] for line, parts in seen.items()}


def check(name, source, seeds, *options):
    source = HEAD + source
    seen = observed(trace(name, source, seeds, *options))
    for line, wanted in expectations(source).items():
        assert line in seen, f"line {line} was not met; met: {seen}"
        assert seen[line] == wanted, f"line {line}: {seen[line]} instead of {wanted}"


def check_foreign():
    path = os.path.join(SCRATCH, "foreign.o")
    text = "int visible(int n);\nint foreign(int n) { return visible(n); }\n"
    subprocess.run(["gcc", "-fPIC", "-c", "-x", "c", "-", "-o", path], input=text, text=True, check=True)
    check("foreign", *FOREIGN, "--link", path)


def main():
    failed = 0
    cases = [(name, lambda row=(name, *row): check(*row)) for name, row in PROGRAMS.items()]
    cases.append(("by-an-object-that-calls-back", check_foreign))
    for name, run in cases:
        try:
            run()
            print(f"ok {name}", flush=True)
        except (AssertionError, subprocess.SubprocessError, KeyError, ValueError) as problem:
            failed += 1
            print(f"not ok {name}: {problem}", flush=True)
    return 1 if failed else 0


sys.exit(main())

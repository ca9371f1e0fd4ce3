#!/usr/bin/env python3
"""Inputs that are guessed and run natively: what the exploration cannot come to, here because one path is all that it may take
(--max-paths 1), is found by them, and made small; what is no difference, or none of interest, is not."""

import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "programs"))
from pairs import ALONE, DIFFERENT, NOT_DIFFERENT, PENUMBRA, SCRATCH, case, main, version_of  # noqa: E402

ALONE.remove("--native-runs=0")

GUESSES_ONLY = ("--max-paths=1",)
FEW = ("--native-runs=200", *GUESSES_ONLY)


def guessed(name, source, *options, shows='"phase": "native"'):
    case(name, DIFFERENT, source, *GUESSES_ONLY, *options, shows=shows)


def unseen(name, source, *options, shows=None):
    case(name, NOT_DIFFERENT, source, *FEW, *options, shows=shows)


guessed("a constant that is compared with", "int f(unsigned x) { return x == 48611 ? [[1|2]] : 0; }", shows='"x": 48611')
guessed("beside a constant", "int f(int x) { return x > 7300 [[|+ 1]] ? 1 : 0; }", shows='"x": 7301')
guessed("a word of the source", 'int f(const char *s) { return !strcmp(s, "tiger") ? [[1|2]] : 0; }')
guessed("a word of a table",
        'static const char *const words[] = {"lynx", "puma", "lion"}; int f(const char *s) '
        "{ for (int i = 0; i < 3; i++) if (!strcmp(s, words[i])) return [[i|i == 2 ? 7 : i]]; return -1; }")
guessed("a constant in text", 'int f(const char *s) { return atoi(s) == 77131 ? [[1|2]] : 0; }', shows="77131")
guessed("what does not fit, in text", "#include <limits.h>\nint f(const char *s) { long n = strtol(s, 0, 10); if (n > INT_MAX) return -1; return [[n < INT_MIN|0]] ? -1 : (int)n; }",
        "--size=s=24")
guessed("a number with a fraction", "int f(double x) { return x == 17.25 ? [[1|2]] : 0; }", shows="17.25")
guessed("the ends of a type", "int f(short x) { return [[x - 1 < x|(short)(x - 1) < x]]; }", shows='"x": -32768')
guessed("a length that fits", "int f(const char *s, size_t n) { int sum = 0; for (size_t i = 0; i [[<|<=]] n && n <= 8; i++) sum += s[i]; return sum; }",
        "--no-terminate")
guessed("two numbers that are equal", "int f(int a, int b) { return [[a < b|a <= b]]; }", shows=None)
guessed("made small", "int f(int x, int y, int z) { return [[0|x > 1000 && y > 10]]; }", shows='"x": 1001|"y": 11|"z": 0')
guessed("made small in an array", "int f(const int *a, int n) { int sum = 0; for (int i = 0; i < 8; i++) sum += a[i]; return [[0|sum > 40]]; }",
        shows='"n": 0')
guessed("within a range", "int f(int x) { return [[1|x < 50]]; }", "--range=x=45..60", shows=None)
guessed("a path to it", "int f(int x) { if (x > 5) return [[1|2]]; return 0; }", shows='"kind": "output"|x > 5')
guessed("a failure", "int f(int x) { int a[4] = {0}; return a[x & [[3|7]]]; }", shows="regression")
guessed("one that never ends", "int f(int x) { volatile unsigned n = x & 15; [[n |= 1;|]] while (n) n += 2; return 1; }".replace("[[n |= 1;|]]", "[[n = 0;|]]"),
        "--run-time=1", shows="time limit")
guessed("one that never ends, however long a run may take", "int f(unsigned x) { volatile unsigned n = x; [[n = 0;|]] while (n & 1) n += 2; return 1; }",
        "--run-time=4", shows="time limit")
guessed("what both print before they fail", 'int f(int x) { printf("%d", [[x|x + 1]]); fflush(stdout); abort(); }', shows=None)
unseen("the same", "int f(int x, const char *s) { int n = 0; while (s[n]) n++; return [[n * x|x * n]]; }")
unseen("none is run", "int f(unsigned x) { return x == 48611 ? [[1|2]] : 0; }", "--native-runs=0", shows='"native_runs": 0')
unseen("outside a range", "int f(int x) { return x == 900 ? [[1|2]] : 0; }", "--range=x=0..899")
unseen("outside an assumption", "int f(int x) { return x == 900 ? [[1|2]] : 0; }", "--assume=x != 900")
unseen("overflow that is of no interest", "int f(int x) { return [[x + 1 > x|1]]; }", "--overflow=assume-none")
unseen("a stack that is too small", "static unsigned sum(unsigned n) { return n ? n + sum(n - 1) : 0; } unsigned f(unsigned n) "
       "{ [[return sum(n);|unsigned s = 0; while (n) s += n--; return s;]] }", "--run-time=2")
case("the first run never ends", DIFFERENT, "int f(unsigned x, unsigned y) { volatile unsigned n = x; while (!n) n = x; return [[y|y + (x == 7)]]; }",
     "--native-runs=0", "--run-time=40", "--time=30", shows='"x": 7')
unseen("both never end", "int f(int x) { volatile int go = 1; while (go) x++; return [[x|x + 1]]; }", "--run-time=1", "--time=20")
unseen("time and addresses", '#include <time.h>\nint f(int x) { printf("%p %ld\\n", (void *)&x, (long)clock()); return [[x + 1|1 + x]]; }')


def stops_at_the_first():
    """The exploration has work for minutes."""
    directory = os.path.join(SCRATCH, "first")
    os.mkdir(directory)
    source = "int f(const signed char *s) { int n = 0; for (int i = 0; i < 8; i++) n += s[i] < -5 ? 1 : s[i] == 3 ? 7 : s[i] == 9 ? 5 : s[i] > 20 ? 4 : s[i] > 10 ? 3 : 0; " \
             "return [[n|n + (n > 9)]]; }"
    for version, name in ((1, "old.c"), (2, "new.c")):
        with open(os.path.join(directory, name), "w") as file:
            file.write(version_of(source, version))
    command = [PENUMBRA, "diff", "old.c", "new.c", "--entry", "f", "--quiet", "--first", "--json", "--out", "results"]
    report = json.loads(subprocess.run(command, cwd=directory, capture_output=True, text=True).stdout)
    kinds = [limit["kind"] for limit in report["limits"]]
    return None if report["verdict"] == "different" and "first" in kinds else f"{report['verdict']}, {kinds}"


if not sys.argv[1:] or "first" in sys.argv[1:]:
    print("1..1")
    problem = stops_at_the_first()
    print(f"not ok stops at the first: {problem}" if problem else "ok stops at the first", flush=True)
main(every=2)

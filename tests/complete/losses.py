"""What keeps the verdict from being `equivalent`, one program for each: its versions are equivalent, but something is
cut or lost on the way, and `limits` names it. And programs that misbehave on some path, with a difference elsewhere that
is found all the same."""

import collections
import os
import re
import subprocess

import truth
import verify
from verify import require

# `limit` is what one sentence of `limits` must match; `control` are options with which nothing is lost, or None.
Loss = collections.namedtuple("Loss", "name text options limit control", defaults=(None,))

HEAD = '#include "penumbra.h"\n'
THREE_BRANCHES = HEAD + """
int f(int x, int y, int z)
{
    int r = 0;
    if (x > 1)
        r += 1;
    if (y > 2)
        r += 2;
    if (z > 3)
        r += 4;
    return change(r * 2, r + r);
}
"""
LOOP = HEAD + """
int f(int n)
{
    int r = 0;
    for (int i = 0; i < n; i++)
        r += i;
    return change(r * 2, r + r);
}
"""
MANY_PATHS = HEAD + """
int f(unsigned long bits)
{
    int r = 0;
    for (int i = 0; i < 64; i++)
        if (bits >> i & 1)
            r = r * 3 + i;
    return change(r * 2, r + r);
}
"""
FACTORS = HEAD + """
int f(unsigned x, unsigned y)
{
    unsigned long product = (unsigned long)x * y;
    if (x > 1 && y > 1 && product * product + product == 1000072000396000324UL * 1000036UL)
        return change(1, 2);
    return 0;
}
"""
OUTSIDE = HEAD + """
int outside(int x);
int f(int x)
{
    int r = outside(x);
    if (r > 10)
        return change(r * 2, r + r);
    return 0;
}
"""
BIG_TABLE = HEAD + """
static unsigned char table[1 << 20] = {[77] = 5};
int f(int i)
{
    int r = table[i & (1 << 20) - 1];
    if (r == 5)
        return change(r * 2, r + r);
    return r;
}
"""
SLOW = HEAD + """
int f(int x)
{
    volatile long i = 0;
    if (x == 7)
        while (i < 1000000000000)
            i++;
    return change(x * 2, x + x);
}
"""
POINTER = HEAD + """
int f(const int *s)
{
    int r = 0;
    if (s[0] > 3)
        r = s[1];
    return change(r * 2, r + r);
}
"""

FLUSHING = "#include <stdio.h>\n" + HEAD + """
int f(int x, int y)
{
    if (x > change(0, 1)) {
        if (y == 7)
            fflush(stdout);
    } else if (y == 7) {
        fflush(stdout);
    }
    return 0;
}
"""

STRING = "#include <stdlib.h>\n" + HEAD + """
int f(const char *s)
{
    int r = (int)a64l(s);
    if (r > 2)
        return change(r * 2, r + r);
    return 0;
}
"""

# An address that is computed from the one before, again and again: its object must be found in time.
LONG_ADDRESS = """
#include "penumbra.h"
static char text[8];
int f(int x)
{
    const volatile char *at = text + change(0, 1);
    for (int i = 0; i < 60000; i++) {
        at += 2;
        at -= 2;
        x += *at;
    }
    return x;
}
"""

LOSSES = [
    Loss("paths", THREE_BRANCHES, ["--max-paths", "3"], "path", []),
    Loss("depth", THREE_BRANCHES, ["--max-depth", "2"], "depth|decisions", ["--max-depth", "50"]),
    Loss("loop", LOOP, ["--max-loop", "5"], "loop|times", ["--max-loop", "5", "--range", "n=-100..3"]),
    Loss("time", MANY_PATHS, ["--time", "5"], "time|second", ["--range", "bits=0..15"]),
    Loss("solver", FACTORS, ["--solver-time", "0.001"], "solver|unknown"),
    Loss("outside", OUTSIDE, ["--link", "outside.o"], "outside"),
    Loss("concretisation", BIG_TABLE, [], "values|concret", ["--range", "i=70..80"]),
    Loss("run_time", SLOW, ["--run-time", "0.5"], "run|second", ["--run-time", "0.5", "--range", "x=-9..6"]),
    Loss("unmodelled", STRING, ["--size", "s=4"], "a64l"),
    Loss("effect", FLUSHING, [], "fflush", ["--range", "y=0..6"]),
    Loss("length", POINTER, [], r"\bs\b", ["--size", "s=2"]),
]

OUTSIDE_C = """
int outside(int x)
{
    return x / 3;
}
void scribble(char *place)
{
    for (long i = -300; i < 3000; i++)
        place[i] = 0x55;
}
"""


def run(text, directory, options):
    os.makedirs(directory, exist_ok=True)
    path = os.path.join(directory, "f.c")
    with open(path, "w") as file:
        file.write(text)
    if "outside.o" in options:
        subprocess.run(["gcc", "-w", "-fno-stack-protector", "-x", "c", "-", "-c", "-o",
                        os.path.join(directory, "outside.o")], input=OUTSIDE_C, text=True, check=True)
    return verify.Run(path, "f", directory, ["--mode", "complete", "--time", "60", *options])


def check_loss(loss, directory):
    lost = run(loss.text, directory, loss.options)
    try:
        require(lost.verdict == "no-difference-found", f"the verdict is {lost.verdict}")
        require(any(re.search(loss.limit, one) for one in lost.limits), f"limits: {lost.limits}")
        verify.check_status(lost)
    except AssertionError as problem:
        raise verify.Failure(f"{problem}  # again: {lost.text}") from None
    if loss.control is None:
        return
    kept = run(loss.text, directory, loss.control)
    require(kept.verdict == "equivalent" and not kept.limits,
            f"where nothing is lost, the verdict is {kept.verdict}, limits: {kept.limits}  # again: {kept.text}")


def check_long_address(directory):
    found = run(LONG_ADDRESS, directory, ["--run-time", "2"])
    require(found.verdict == "equivalent" and not found.limits,
            f"the verdict is {found.verdict}, limits: {found.limits}  # again: {found.text}")


def check_hidden(path, directory):
    """Versions that differ where it is easily overlooked: whatever is found, they are not equivalent."""
    os.makedirs(directory, exist_ok=True)
    for options in ([], ["--process-per-run"]):
        found = verify.Run(path, "f", directory, ["--mode", "complete", "--time", "20", *options])
        require(found.verdict == "different" or (found.verdict == "no-difference-found" and found.limits),
                f"the verdict is {found.verdict}, limits: {found.limits}  # again: {found.text}")
        require(all(one["kind"] != "common" for one in found.divergences), f"only native runs saw it  # again: {found.text}")


# ---- programs that misbehave ----

# The difference is where x is 4 or 5. `limit` is what some sentence of `limits` must match, or None.
Bad = collections.namedtuple("Bad", "name head misbehave options limit")
BAD_TEXT = """
#include "penumbra.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
{head}
int f(int x, int y)
{{
    int r = 1;
    if (y == 9) {{
        {misbehave}
    }}
    if (x > change(3, 5))
        r = 2;
    return r;
}}
"""
RECURSION = """static int forever(int n)
{
    volatile char room[1000];
    room[0] = n;
    return 1 + forever(n + 1) + room[0];
}"""
# Beyond the program's own variables lies what the runtime needs to end the run.
OVERRUN = "while (r) if (left > 0) { left--; *last++ = 0; }"
# What is changed behind a pointer into the C library is not undone: the next run goes another way than predicted.
LEFT_IN_LIBRARY = "if (stderr->_fileno == 77) if (x > 8) r = 3; stderr->_fileno = 77;"
BAD = [
    Bad("endless_loop", "", "for (volatile int i = 0; i >= 0 || r; i++) r = 3;", ["--run-time", "0.5"], "run|second"),
    Bad("symbolic_bound", "", "for (int i = 0; i < x; i++) r ^= i; r = 1;", ["--max-loop", "10"], "loop|times"),
    Bad("symbolic_bound_in_time", "", "for (unsigned i = 0; i < (unsigned)x; i++) r ^= i; r = 1;", ["--time", "10"],
        "time|second|loop|times"),
    Bad("recursion", RECURSION, "r = forever(x);", [], None),
    Bad("far_write", "static char small[4];", "small[x * 4096] = 1;", [], None),
    Bad("overrun", "static char room[8], *last = room; static int left = 4000;", OVERRUN, ["--run-time", "0.5"], None),
    Bad("wild_pointer", "", "*(volatile int *)((long)x * 8 + 16) = 1;", [], None),
    Bad("stack_overwritten", "void scribble(char *place);", "char room[8]; scribble(room); r = room[0];",
        ["--link", "outside.o"], None),
    Bad("heap_overwritten", "void scribble(char *place);", "char *room = malloc(8); scribble(room); free(room); r = 1;",
        ["--link", "outside.o"], None),
    Bad("exit", "", "exit(3);", [], None),
    Bad("quick_exit", "", "_exit(3);", [], None),
    Bad("abort", "", "abort();", [], None),
    Bad("library_crash", "", "strcpy((char *)16L + x, \"gone\");", [], None),
    Bad("freed_twice", "", "char *room = malloc(8); free(room); free(room);", [], None),
    Bad("left_behind", "static int seen, *kept; static char *text;",
        "if (seen++) r = 3; if (kept) r = *kept; kept = &seen; if (text) r = 4; text = malloc(64); text[x & 63] = 1;", [], None),
    Bad("left_in_library", "#include <stdio.h>", LEFT_IN_LIBRARY, [], None),
    Bad("closed_output", "", "close(1); close(2); close(3);", [], None),
]


def check_bad(bad, directory):
    """The diff path x = 4 or 5 where y is not 9 is found, and nothing is reported that is none."""
    text = BAD_TEXT.format(head=bad.head, misbehave=bad.misbehave)
    found = run(text, directory, [*bad.options, "--range", "y=0..20"])
    try:
        require(found.verdict == "different", f"the verdict is {found.verdict}, limits: {found.limits}")
        places = [(one["inputs"]["x"] in (4, 5), one["inputs"]["y"] == 9) for one in found.divergences
                  if one["class"] in verify.LOUD]
        require((True, False) in places, f"not found beside {bad.name}: {[one['inputs'] for one in found.divergences]}")
        require(all(there for there, _ in places), f"reported: {[one['inputs'] for one in found.divergences]}")
        if bad.misbehave == LEFT_IN_LIBRARY:
            require(not found.report["inside"], "the runs stayed inside, where one disturbs the next")
            require(len(found.divergences) == 2, f"reported: {[one['inputs'] for one in found.divergences]}")
        if bad.limit:
            require(any(re.search(bad.limit, one) for one in found.limits), f"limits: {found.limits}")
    except AssertionError as problem:
        raise verify.Failure(f"{problem}  # again: {found.text}") from None

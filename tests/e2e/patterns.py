#!/usr/bin/env python3
"""The annotation patterns of Shadow of a Doubt, a program each. A run must report every divergence that is listed for
it here and no other. The classes are also taken from plain builds of both versions over a small range of inputs, so
that the lists are not only what somebody thought."""

import itertools
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "programs"))
from running import INT_MAX, Native, Report, case, expected, run_cases

# pattern: the names of the entry's parameters, the inputs to try in plain builds, those for which they differ, and the
# runs: seed, options, what must be found.
PATTERNS = {
    "1a": ("y", range(80, 120), lambda y: y == 99, [
        ("y=0", [], [expected("diff-true", "if (x > 100)", "output", lambda y: y == 99),
                     expected("diff-false", "if (x > 100)", "output", lambda y: y == INT_MAX - 1, overflow=True)]),
        ("y=500", ["--overflow", "assume-none"],
         [expected("diff-true", "if (x > 100)", "output", lambda y: y == 99)])]),
    "1b": ("n", range(-70, 70), lambda n: n != 0, [
        ("n=0", ["--overflow", "assume-none"],
         [expected("diff-true", "if (price > 50)", "output", lambda n: 25 <= n <= 49),
          expected("output", "", "output", lambda n: n != 0 and n <= 24)]),
        ("n=60", ["--overflow", "assume-none"],
         [expected("diff-true", "if (price > 50)", "output", lambda n: 25 <= n <= 49),
          expected("output", "", "output", lambda n: n >= 50)])]),
    "1c": ("xy", range(-4, 5), lambda x, y: x == y, [
        ("x=1,y=5", [], [expected("diff-true", "if (change", "output", lambda x, y: x == y)]),
        ("x=5,y=1", [], [expected("diff-true", "if (change", "output", lambda x, y: x == y)])]),
    "1d": ("ab", range(0, 20), lambda a, b: a <= 10 and b == 7, [
        ("a=0,b=0", [], [expected("diff-true", "if (a > 10", "output", lambda a, b: a <= 10 and b == 7)]),
        ("a=20,b=0", [], [])]),
    "1e": ("ab", range(0, 20), lambda a, b: a > 10 and b >= 5, [
        ("a=20,b=0", [], [expected("diff-false", "if (a > 10", "output", lambda a, b: a > 10 and b >= 5)]),
        ("a=0,b=0", [], [])]),
    "2a": ("x", range(-300, 300), lambda x: x > 200, [
        ("x=0", [], [expected("diff-false", "if (x > 200)", "output", lambda x: x > 200)])]),
    "2b": ("xy", range(-5, 6), lambda x, y: (x == 3) != (y == 3), [
        ("x=0,y=0", [], [expected("diff-true", "if (y == 3)", "output", lambda x, y: y == 3 and x != 3),
                         expected("diff-false", "if (y == 3)", "output", lambda x, y: x == 3 and y != 3)]),
        ("x=3,y=3", [], [expected("diff-true", "if (y == 3)", "output", lambda x, y: y == 3 and x != 3),
                         expected("diff-false", "if (y == 3)", "output", lambda x, y: x == 3 and y != 3)])]),
    "2c": ("x", range(-50, 50), lambda x: x < 0, [
        ("x=5", [], [expected("diff-true", "if (change", "output", lambda x: x < 0)])]),
    "2d": ("x", range(50, 150), lambda x: x > 100, [
        ("x=5", [], [expected("diff-false", "if (change", "output", lambda x: x > 100)])]),
    "3a": (("x", "bonus"), range(-3, 4), lambda x, bonus: bonus != 0, [
        ("x=0,bonus=0", [], [expected("diff-false", "if (change", "silent", lambda x, bonus: x == 0 and bonus == 0),
                             expected("diff-false", "if (change", "silent", lambda x, bonus: x > 100)]),
        ("x=0,bonus=5", [], [expected("diff-false", "if (change", "output", lambda x, bonus: (x, bonus) == (0, 5)),
                             expected("diff-false", "if (change", "silent|output", lambda x, bonus: x > 100)])]),
    "3b": ("x", range(0, 120), lambda x: x <= 100, [
        ("x=7", [], [expected("diff-true", "if (change", "output", lambda x: x == 7),
                     expected("diff-true", "if (change", "silent", lambda x: x > 100)])]),
}


def make_cases(pattern, names, tried, differ, runs):
    program = f"pattern_{pattern}.c"

    def plain_builds():
        inputs = list(itertools.product(tried, repeat=len(names)))
        for values, found in zip(inputs, Native(program, "foo", len(names)).classes(inputs)):
            wanted = "output" if differ(*values) else "silent"
            assert found == wanted, f"{values} is {found}"

    def run_from(seed, options, expectations):
        def from_seed():
            report = Report(program, "foo", [seed], options)
            report.check(*expectations)
            inputs = [tuple(divergence["inputs"][name] for name in names) for divergence in report.divergences]
            classes = Native(program, "foo", len(names)).classes(inputs)
            reported = [divergence["class"] for divergence in report.divergences]
            assert classes == reported, f"plain builds say {classes} for {inputs}, reported {reported}"
        from_seed.__name__ = f"pattern_{pattern}_from_{seed}"
        case(from_seed)

    plain_builds.__name__ = f"pattern_{pattern}_in_plain_builds"
    case(plain_builds)
    for run in runs:
        run_from(*run)


for pattern, (names, tried, differ, runs) in PATTERNS.items():
    make_cases(pattern, names, tried, differ, runs)
sys.exit(run_cases())

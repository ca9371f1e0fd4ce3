"""The examples of the papers on which Penumbra builds, explored completely: tests/programs has them."""

import os
import sys

import truth
import verify
from verify import require

PROGRAMS = os.path.join(os.path.dirname(truth.HERE), "programs")
sys.path.insert(0, PROGRAMS)
from running import INT_MAX, INT_MIN, Native

CORNERS = [INT_MIN, INT_MIN + 1, -2 ** 30 - 1, -2 ** 30, -65537, -65536, -65535, -46342, -46341, -46340, 46340, 46341,
           65535, 65536, 2 ** 30 - 1, 2 ** 30, 2 ** 30 + 1, INT_MAX - 1, INT_MAX]
NO_OVERFLOW = ["--overflow", "assume-none"]


def parameters(names):
    return [truth.Parameter(name, "int", INT_MIN, INT_MAX) for name in names]


def explore(program, names, directory, options=(), entry="foo", failures_show=True):
    """A run, whose conditions and classes are what plain builds say; classes only where failures show in those."""
    os.makedirs(directory, exist_ok=True)
    function = truth.Entry(os.path.join(PROGRAMS, program), entry, parameters(names))
    run = verify.complete(function, directory, *options)
    require(not run.limits, f"limits: {run.limits}  # again: {run.text}")
    if len(names) == 1:
        inputs = [(x,) for x in list(range(-60, 61)) + CORNERS]
    else:
        inputs = [(x, y) for x in range(-12, 13) for y in range(-12, 13)] + [(105, -100), (-100, 105)]
    inputs += [function.numbers_of(one["inputs"]) for one in run.divergences]
    classes = Native(program, entry, len(names)).classes(inputs)
    for one, found in zip(reversed(run.divergences), reversed(classes)):
        require(not failures_show or one["class"] == found,
                f"{one['inputs']} is reported as {one['class']}, but is {found}")
    if "--overflow" not in options:
        conditions = [one["differs"] for one in run.divergences]
        holdings = zip(*truth.evaluate(function, conditions, inputs, directory))
        for numbers, found, holding in zip(inputs, classes, holdings):
            require(any(holding) == (found in verify.LOUD), f"{found} with {numbers}, `differs` says {any(holding)}")
    return run


def shown(run):
    return f"found: {[(one['kind'], one['class'], one['inputs']) for one in run.divergences]}  # again: {run.text}"


def require_found(run, kinds, count, outputs=0):
    """`count` diff paths, among them one for each (class, condition), and `outputs` paths with another output."""
    require(len(run.diff_paths()) == run.counts["diff_paths"] == count,
            f"{len(run.diff_paths())} diff paths, counted {run.counts['diff_paths']}, not {count}; {shown(run)}")
    require(len(run.output_differences()) == run.counts["output_differences"] == outputs,
            f"{len(run.output_differences())} differences of output alone, not {outputs}; {shown(run)}")
    for wanted, holds in kinds:
        require(any(one["class"] == wanted and holds(**one["inputs"]) for one in run.divergences),
                f"a {wanted} is missing; {shown(run)}")
    require(run.verdict == "different", f"the verdict is {run.verdict}")


SQUARE = [("fix", lambda x: x == -1), ("regression", lambda x: x == 0)]


def square_without_overflow(directory):
    require_found(explore("square.c", ["x"], directory, NO_OVERFLOW), SQUARE, 2)


def square_with_wrap_around(directory):
    require_found(explore("square.c", ["x"], directory), SQUARE, 5)


def change_that_needs_no_seed(directory):
    """The concolic mode passes the change by, from x=0, y=0; the complete mode needs no input."""
    run = explore("unreached.c", ["x", "y"], directory, entry="bar")
    require_found(run, [("fix", lambda x, y: (x, y) == (-100, 105)),
                        ("regression", lambda x, y: (x, y) == (105, -100))], 2)
    concolic = verify.Run(os.path.join(PROGRAMS, "unreached.c"), "bar", directory,
                          ["--mode", "concolic", "--seed", "x=0,y=0"])
    require(not concolic.divergences, f"concolic {shown(concolic)}")
    print(f"# listing 2 from x=0, y=0: concolic {concolic.counts['diff_paths']} diff paths, complete "
          f"{run.counts['diff_paths']}", flush=True)


NEGATION = [("fix", lambda x: x == -1), ("regression", lambda x: x <= -2), ("regression", lambda x: 1 <= x < 2 ** 30)]


def negation_without_overflow(directory):
    require_found(explore("negation.c", ["x"], directory, NO_OVERFLOW), NEGATION, 3)


def negation_with_wrap_around(directory):
    require_found(explore("negation.c", ["x"], directory), NEGATION, 4)


INCREMENT = [("output", lambda i: i == 0), ("output", lambda i: 0 < i < INT_MAX)]


def increment_without_overflow(directory):
    require_found(explore("increment.c", ["i"], directory, NO_OVERFLOW), INCREMENT, 1, outputs=1)


def increment_with_wrap_around(directory):
    found = INCREMENT + [("output", lambda i: i == INT_MAX)]
    require_found(explore("increment.c", ["i"], directory), found, 2, outputs=1)


def threshold(directory):
    run = explore("threshold.c", ["x"], directory)
    require_found(run, [("output", lambda x: 11 <= x <= 20)], 1)
    condition = " ".join(run.divergences[0]["path_condition"])
    require("10" in condition and "20" in condition, f"the range is not in the path condition: {condition}")


def figure_3(directory):
    require_found(explore("fig3.c", ["x"], directory, failures_show=False),
                  [("regression", lambda x: x == 7), ("output", lambda x: x == 8),
                   ("output", lambda x: x in (INT_MIN, INT_MAX))], 3)


CASES = [square_without_overflow, square_with_wrap_around, change_that_needs_no_seed, negation_without_overflow,
         negation_with_wrap_around, increment_without_overflow, increment_with_wrap_around, threshold, figure_3]

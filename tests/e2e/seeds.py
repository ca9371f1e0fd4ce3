#!/usr/bin/env python3
"""The examples of the papers on which Penumbra builds, and those in examples/: what is found from which seed, and what
is not. What each program must show is written at its head."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "programs"))
from running import INT_MAX, INT_MIN, Native, Report, case, expected, run_cases

FIG3_TRUE = expected("diff-true", "if (y > 7)", "regression|silent|output", lambda x: x in (7, 8))
FIG3_UNDERFLOW = expected("diff-true", "if (y > 7)", "regression", lambda x: x == 7)
FIG3_FALSE = expected("diff-false", "if (y > 7)", "output", lambda x: x in (INT_MIN, INT_MAX), overflow=True)


def check_underflow(report):
    """x = 7 is a memory error of the new version alone; x = 8 only changes what is returned."""
    for divergence in report.divergences:
        x = divergence["inputs"]["x"]
        assert divergence["old"]["failed"] is False, divergence["old"]
        assert divergence["new"]["failed"] == (x == 7), f"x={x}: {divergence['new']}"
        assert (divergence["class"] == "regression") == (x == 7), f"x={x} is a {divergence['class']}"


def figure_3(seed):
    report = Report("fig3.c", "foo", [seed], [])
    report.check(FIG3_TRUE, FIG3_UNDERFLOW, FIG3_FALSE)
    check_underflow(report)


@case
def figure_3_from_0():
    figure_3("x=0")


@case
def figure_3_from_9():
    figure_3("x=9")


@case
def figure_3_from_15():
    figure_3("x=15")


@case
def figure_3_without_overflow():
    report = Report("fig3.c", "foo", ["x=0"], ["--overflow", "assume-none"])
    report.check(FIG3_TRUE, FIG3_UNDERFLOW)
    check_underflow(report)


@case
def figure_3_concolic_phase_alone():
    report = Report("fig3.c", "foo", ["x=0"], ["--mode", "concolic"])
    report.check(FIG3_TRUE, FIG3_FALSE)
    assert report.counts["diff_paths"] == 2, report.counts


@case
def figure_3_where_the_path_condition_is_readable():
    report = Report("fig3.c", "foo", ["x=0"], ["--overflow", "assume-none"])
    for divergence in report.divergences:
        assert divergence["path_condition"], "no path condition"
        assert any("x" in condition for condition in divergence["path_condition"]), divergence["path_condition"]


def threshold(seed):
    found = expected("diff-false", "if (x >", "output", lambda x: 11 <= x <= 20)
    Report("threshold.c", "foo", [seed], []).check(found)


@case
def threshold_from_0():
    threshold("x=0")


@case
def threshold_from_30():
    threshold("x=30")


@case
def threshold_agrees_with_plain_builds():
    classes = Native("threshold.c", "foo", 1).classes([(x,) for x in range(-50, 50)])
    assert [x for x, found in zip(range(-50, 50), classes) if found != "silent"] == list(range(11, 21))


@case
def threshold_outside_the_range_asked_for():
    Report("threshold.c", "foo", ["x=0"], ["--range", "x=-100..10"]).check()


NEGATION_FIX = expected("diff-false", "if (y == 1", "fix", lambda x: x == -1)
NEGATION_REGRESSION = expected("diff-false", "if (y > 1)", "regression", lambda x: x <= -2)


@case
def negation_from_minus_1():
    report = Report("negation.c", "foo", ["x=-1"], [])
    report.check(NEGATION_FIX, NEGATION_REGRESSION)
    assert report.counts["diff_paths"] == 2, report.counts


@case
def negation_agrees_with_plain_builds():
    inputs = range(-60, 61)
    for x, found in zip(inputs, Native("negation.c", "foo", 1).classes([(x,) for x in inputs])):
        wanted = "fix" if x == -1 else "silent" if x == 0 else "regression"
        assert found == wanted, f"x={x} is {found}"


@case
def square_without_overflow():
    report = Report("square.c", "foo", ["x=-1"], ["--overflow", "assume-none"])
    report.check(expected("diff-true", "if (y > 1)", "fix", lambda x: x == -1))
    assert len(report.divergences) == 1, report.divergences


@case
def square_agrees_with_plain_builds():
    inputs = range(-60, 61)
    for x, found in zip(inputs, Native("square.c", "foo", 1).classes([(x,) for x in inputs])):
        assert found == {-1: "fix", 0: "regression"}.get(x, "silent"), f"x={x} is {found}"


@case
def square_with_wrap_around():
    """Whatever else diverges on x < 0 needs the overflow, and is what plain builds show."""
    report, native = Report("square.c", "foo", ["x=-1"], []), Native("square.c", "foo", 1)
    found = {divergence["inputs"]["x"]: divergence for divergence in report.divergences}
    assert found[-1]["class"] == "fix" and not found[-1]["overflow"], found[-1]
    for x, divergence in found.items():
        assert x < 0 and divergence["overflow"] == (x != -1), divergence
        assert [divergence["class"]] == native.classes([(x,)]), divergence


@case
def change_that_the_seed_passes_by():
    Report("unreached.c", "bar", ["x=0,y=0"], []).check()


@case
def change_that_the_seed_reaches():
    report = Report("unreached.c", "bar", ["x=1,y=4"], [])
    report.check(expected("diff-false", "if (z ==", "fix", lambda x, y: (x, y) == (-100, 105)),
                 expected("diff-true", "if (z ==", "regression", lambda x, y: (x, y) == (105, -100)))


@case
def two_seeds_find_what_each_finds():
    Report("unreached.c", "bar", ["x=0,y=0", "x=1,y=4"], []).check(
        expected("diff-false", "if (z ==", "fix", lambda x, y: (x, y) == (-100, 105)),
        expected("diff-true", "if (z ==", "regression", lambda x, y: (x, y) == (105, -100)))


INCREMENT_ZERO = expected("diff-true", "if (i > 0)", "output", lambda i: i == 0)
INCREMENT_WRAPS = expected("diff-false", "if (i > 0)", "output", lambda i: i == INT_MAX, overflow=True)


@case
def increment_from_5():
    report = Report("increment.c", "foo", ["i=5"], [])
    report.check(INCREMENT_ZERO, INCREMENT_WRAPS, expected("output", "", "output", lambda i: 0 < i < INT_MAX))


@case
def increment_from_minus_5():
    Report("increment.c", "foo", ["i=-5"], []).check(INCREMENT_ZERO, INCREMENT_WRAPS)


@case
def increment_agrees_with_plain_builds():
    inputs = list(range(-50, 50)) + [INT_MIN, INT_MAX]
    for i, found in zip(inputs, Native("increment.c", "foo", 1).classes([(i,) for i in inputs])):
        assert found == ("output" if i >= 0 else "silent"), f"i={i} is {found}"


@case
def example_message():
    report = Report("../../examples/message.c", "read_name", [r'message="\3abc"'], ["--size", "message=16"])
    report.check(expected("diff-false", "if (change", "regression", lambda message: message[0] == 8))
    assert "overflow" in report.divergences[0]["new"]["failure"], report.divergences[0]["new"]


@case
def example_progress():
    def finished_early(done, total):
        return done < total and (done * 100 + total // 2) // total == 100

    def rounded_up(done, total):
        return 0 < (done * 100 + total // 2) // total == done * 100 // total + 1 < 100

    Report("../../examples/progress.c", "progress", ["done=3,total=7"], []).check(
        expected("diff-true", "if (percent", "output", finished_early), expected("output", "", "output", rounded_up))


@case
def example_interval():
    Report("../../examples/interval.c", "interval", ["rate=50"], []).check(
        expected("old-fails", "1000 /", "fix", lambda rate: rate == 0))


sys.exit(run_cases())

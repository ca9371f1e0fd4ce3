#!/usr/bin/env python3
"""Partitions of the inputs (docs/augment.md): the figures of the paper, branches that do not matter, what must count as
relevant all the same, verdicts, what a test suite lacks, bad input, and a few random programs of
tests/partitions/theorems.py, of which tests/long/partitions.py has a thousand."""

import concurrent.futures
import json
import os
import shutil
import subprocess
import sys

# In place of this directory, whose random.py is not the one that Python's library has.
sys.path[0] = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "partitions")
import theorems

PENUMBRA, SCRATCH = os.environ["PENUMBRA"], os.environ["SCRATCH"]
CASES = []


class Results:
    """What one exploration has left."""

    def __init__(self, name, source, *options):
        self.directory = os.path.join(SCRATCH, name.replace(" ", "-"))
        shutil.rmtree(self.directory, ignore_errors=True)
        os.makedirs(self.directory)
        path = os.path.join(self.directory, "f.c")
        with open(path, "w") as file:
            file.write('#include "penumbra.h"\n' + source)
        self.out = os.path.join(self.directory, "out")
        options = list(options) if "--explore" in options else ["--explore", "cbpe-sd", *options]
        command = [PENUMBRA, "run", path, "--entry", "f", "--out", self.out, "--quiet", "--native-runs", "0", *options]
        done = subprocess.run(command, capture_output=True, text=True)
        self.status, self.said = done.returncode, done.stdout + done.stderr
        report = os.path.join(self.out, "report.json")
        self.report = json.load(open(report)) if os.path.exists(report) else {}

    def signature(self, version):
        partitions = json.load(open(os.path.join(self.out, f"signature-{version}.json")))["partitions"]
        return {" && ".join(sorted(partition["condition"])): partition for partition in partitions}

    def changes(self):
        return {" && ".join(sorted(change["condition"])): change for change in self.report["semantic_changes"]}

    def limits(self):
        return {limit["kind"] for limit in self.report["limits"]}


def case(function):
    CASES.append(function)
    return function


def equal(what, found, expected):
    if found != expected:
        raise AssertionError(f"{what}: {found}, expected {expected}")


def value(partition, name="return"):
    return next(output["value"] for output in partition["outputs"] if output["name"] == name)


FIGURE_1 = """static int procedure(int i, int j, int o)
{
    int r = 0;
    if (i > 3)
        r++;
    if (j > 5)
        r += o;
    return i * j == 77 ? r - 1 : r;
}
int f(int i, int j, int o)
{
    int a = 0, b = 0, c;
    if (i > 0)
        a = 1;
    for (c = 0; c < j; c++)
        b += c;
    if (j > 0) {
        if (a > 0)
            o = change(2, 5);
        b += procedure(i, j, o);
    }
    return o;
}
"""


@case
def figure_1():
    """The loop's and the callee's branches are in no condition."""
    results = Results("figure 1", FIGURE_1)
    expected = {"j <= 0", "i <= 0 && j > 0", "i > 0 && j > 0"}
    equal("old conditions", set(results.signature("old")), expected)
    equal("new conditions", set(results.signature("new")), expected)
    equal("unchanged", {name for name, it in results.signature("new").items() if not it["changed"]},
          {"j <= 0", "i <= 0 && j > 0"})
    equal("changes", set(results.changes()), {"i > 0 && j > 0"})
    change = results.changes()["i > 0 && j > 0"]
    equal("old output", value({"outputs": change["old_outputs"]}), ["2"])
    equal("new output", value({"outputs": change["new_outputs"]}), ["5"])
    equal("lines of the change", [place["line"] for place in change["new_changes"]], [20])
    equal("class", change["class"], "output")


@case
def reachability_in_figure_1():
    results = Results("figure 1 reach", FIGURE_1, "--explore", "reach", "--order", "lifo")
    equal("conditions", set(results.signature("new")), {"j <= 0", "i <= 0 && j > 0", "i > 0 && j > 0"})
    equal("verdict of one version", "one-version" in results.limits(), True)


with open(os.path.join(os.path.dirname(sys.path[0]), "programs", "increment.c")) as program:
    FIGURE_2 = program.read().replace("int foo(", "int f(")


@case
def figure_2():
    """Two tests; and what a suite that has one of them lacks."""
    results = Results("figure 2", FIGURE_2, "--range", "i=-1000..1000", "--seed", "i=5", "--seed", "i=-5")
    equal("old", {name: value(it) for name, it in results.signature("old").items()}, {"i > 0": ["i + 5"], "i <= 0": ["0"]})
    equal("new", {name: value(it) for name, it in results.signature("new").items()},
          {"i + 1 > 0": ["i + 6"], "i + 1 <= 0": ["0"]})
    changes = results.changes()
    equal("changes", set(changes), {"i + 1 > 0 && i > 0", "i + 1 > 0 && i <= 0"})
    equal("shown", {name: it["shown_by"] for name, it in changes.items()},
          {"i + 1 > 0 && i > 0": [1], "i + 1 > 0 && i <= 0": []})
    equal("missing witness", changes["i + 1 > 0 && i <= 0"]["input"], "i=0")
    equal("groups", len(results.report["groups"]), 2)
    equal("pairs", results.report["entries"][0]["pairs"],
          {"old_partitions": 2, "new_partitions": 2, "infeasible": 2, "unknown": 0})
    shown = subprocess.run([PENUMBRA, "signature", results.out, "--version", "new"], capture_output=True, text=True)
    equal("signature", "i + 1 > 0  ->  return = i + 6" in shown.stdout, True)
    tests = os.path.join(results.directory, "tests")
    done = subprocess.run([PENUMBRA, "augment", results.out, "--out", tests], capture_output=True, text=True)
    equal("status", done.returncode, 1)
    equal("consolidation", done.stdout.splitlines()[-2:], ["2 semantic changes: the seeds show 1, 1 missing", f"1 test in {tests}"])
    equal("test files", len([name for name in os.listdir(tests) if name.startswith("test_")]), 1)


def irrelevant(count, new="1"):
    parameters = ", ".join(f"int a{i}" for i in range(count))
    branches = "".join(f"    if (a{i} > {i})\n        junk += a{i};\n    else\n        junk ^= {i};\n" for i in range(count))
    return (f"int f(int x, {parameters})\n{{\n    int junk = 0, out = 0;\n{branches}    if (x > 10)\n        out = change(x * 2, x + x);\n"
            f"    else if (x < -5)\n        out = change(1, {new});\n    return out;\n}}\n")


@case
def branches_that_do_not_matter():
    """Runs do not grow with their number, and the verdict is that of the complete mode."""
    runs = set()
    for count in (4, 40):
        results = Results(f"irrelevant {count}", irrelevant(count))
        runs.add(results.report["counts"]["runs"])
        equal(f"verdict with {count}", results.report["verdict"], "equivalent")
    equal("runs", runs, {6})
    results = Results("irrelevant paths", irrelevant(4), "--explore", "paths", "--mode", "complete")
    equal("verdict of all paths", results.report["verdict"], "equivalent")


@case
def a_difference_among_branches_that_do_not_matter():
    results = Results("irrelevant different", irrelevant(40, "2"))
    equal("verdict", results.report["verdict"], "different")
    equal("changes", len(results.report["semantic_changes"]), 1)


@case
def a_failure_behind_an_irrelevant_branch():
    """Nothing uses what is computed there, but it may end the run."""
    results = Results("failure", "int f(int x, int y)\n{\n    int junk = 0;\n    if (x == 1234)\n        junk = 7 / change(5, y);\n"
                      "    return y + 0 * junk;\n}\n")
    equal("verdict", results.report["verdict"], "different")
    equal("class", results.report["groups"][0]["class"], "regression")


@case
def failures_of_both():
    """That both fail does not mean that they fail alike: native runs tell."""
    results = Results("both fail", "#include <assert.h>\n#include <stdlib.h>\nint f(int x)\n{\n    if (x == 3) {\n"
                      "        if (execute(OLD)) { assert(x != 3); } else { abort(); }\n    }\n    return 0;\n}\n")
    equal("verdict", results.report["verdict"], "different")


@case
def a_division_that_is_folded():
    """The optimiser makes a constant of the divisor, and would make nothing of the division."""
    results = Results("folded", "int f(int a, int b)\n{\n    int c = (-2 & a) & 1, w = 5;\n    if (b > 3)\n        w = 7 / change(c, 1);\n"
                      "    return b + 0 * w;\n}\n")
    equal("classes", [group["class"] for group in results.report["groups"]], ["fix"])


@case
def a_loop_that_may_not_end():
    results = Results("endless", "int f(unsigned char x, int y)\n{\n    unsigned char i = 0;\n"
                      "    for (; i != 200; i += change(1, 2))\n        if (x == 77 && i == 50)\n            i = change(50, 51);\n"
                      "    return y;\n}\n", "--run-time", "1")
    equal("verdict", results.report["verdict"], "different")


@case
def what_is_not_taken():
    """A store that another outcome would have made, through a pointer and in a callee."""
    results = Results("potential", "static int g, h;\nstatic void set(int *p, int x)\n{\n    if (x > 7)\n        *p = x;\n}\n"
                      "int f(int x, int y)\n{\n    set(y > 3 ? &g : &h, x);\n    return g + change(0, 0 * y);\n}\n")
    conditions = set(results.signature("new"))
    equal("x decides", any("x > 7" in name for name in conditions) and any("x <= 7" in name for name in conditions), True)
    equal("y decides where x does", any("y > 3" in name for name in conditions), True)
    equal("verdict", results.report["verdict"], "equivalent")


@case
def calls_through_pointers():
    """The function that is chosen matters, and other branches still do not."""
    results = Results("pointers", "static int one(int x) { return x; }\nstatic int two(int x) { return x + 1; }\n"
                      "static int (*const table[2])(int) = {one, two};\n"
                      "int f(int x, int y)\n{\n    int junk = y > 5 ? 1 : 0;\n"
                      "    return table[x > 0](x) + 0 * junk + change(3, 4 - 1);\n}\n")
    equal("verdict", results.report["verdict"], "equivalent")
    conditions = results.signature("new")
    equal("conditions", (len(conditions), any("y" in name for name in conditions)), (2, False))


@case
def what_is_not_understood():
    """Every branch counts then, and the report says so."""
    results = Results("unknown", "#include <setjmp.h>\nstatic jmp_buf back;\nint f(int x, int y)\n{\n    int junk = y > 5 ? 1 : 0;\n"
                      "    if (setjmp(back))\n        return 1;\n    if (x > 0)\n        longjmp(back, 1);\n"
                      "    return 0 * junk + change(3, 4 - 1);\n}\n")
    equal("limit", "dependences" in results.limits(), True)
    equal("no difference", results.report["verdict"] in ("equivalent", "no-difference-found"), True)


@case
def an_initial_value():
    """Where it is changed, the versions differ from the beginning."""
    results = Results("global", "int limit = 20;\npn_global(limit, 10);\nint f(int x, int y)\n{\n    int junk = y > 3 ? 1 : 2;\n"
                      "    return x > limit ? 1 : 0 * junk;\n}\n")
    equal("found", "x <= 20 && x > 10" in results.changes(), True)


@case
def changes_that_meet():
    results = Results("interference", "int f(int x)\n{\n    int t = change(x, x + 1);\n    if (x > 3)\n        t = change(t, t * 2);\n    return t;\n}\n")
    equal("lines", {tuple(place["line"] for place in change["new_changes"]) for change in results.report["semantic_changes"]},
          {(4,), (4, 6)})
    done = subprocess.run([PENUMBRA, "augment", results.out], capture_output=True, text=True)
    equal("said", "f.c:4, then " in done.stdout and "f.c:6: executed one after the other in 1 " in done.stdout, True)


@case
def bad_input():
    results = Results("never executed", "int f(int x)\n{\n    if (x != x)\n        return change(1, 2);\n    return x;\n}\n")
    equal("never executed", results.report["verdict"], "equivalent")
    done = subprocess.run([PENUMBRA, "signature", SCRATCH], capture_output=True, text=True)
    equal("no signature", done.returncode, 2)
    done = subprocess.run([PENUMBRA, "run", os.path.join(SCRATCH, "never-executed", "f.c"), "--entry", "f", "--explore", "reach",
                           "--mode", "bounded"], capture_output=True, text=True)
    equal("another mode", (done.returncode, "--explore is a choice of the complete mode" in done.stderr), (2, True))
    paths = Results("no partitions", FIGURE_2, "--mode", "complete", "--explore", "paths")
    done = subprocess.run([PENUMBRA, "augment", paths.out], capture_output=True, text=True)
    equal("no changes", (done.returncode, "has no semantic changes" in done.stderr), (2, True))


def theorem(seed):
    def check():
        kinds = ("cbpe-sd", "peso", "reach") if seed == 1 or os.environ.get("PENUMBRA_TEST_ALL") else ("cbpe-sd",)
        problems = theorems.check(PENUMBRA, seed, os.path.join(SCRATCH, "theorems"), kinds)
        equal("problems", problems, [])
    check.__name__ = f"theorems, program {seed}"
    return check


def run(function):
    try:
        function()
        return None
    except Exception as problem:  # whatever it is, the other cases go on
        return f"{type(problem).__name__}: {problem}"


def main():
    seeds = range(1, 40 if os.environ.get("PENUMBRA_TEST_ALL") else 4)
    cases = CASES + [theorem(seed) for seed in seeds]
    print(f"1..{len(cases)}", flush=True)
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for function, problem in zip(cases, pool.map(run, cases)):
            name = function.__name__.replace("_", " ")
            print(f"not ok {name}: {problem}" if problem else f"ok {name}", flush=True)


main()

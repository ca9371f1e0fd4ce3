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
    results = Results("potential", "static __attribute__((noinline)) void set(int *p, int x)\n{\n    if (x > 7)\n        *p = x;\n}\n"
                      "int f(int x, int y)\n{\n    int g = 0, h = 0;\n    set(y > 3 ? &g : &h, x);\n    return g + change(0, 0 * y);\n}\n")
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


def pointed(name, source):
    results = Results(name, "#include <string.h>\nstatic int g;\n" + source)
    equal(name, results.report["verdict"], "different")


@case
def addresses_in_constants():
    """What is read through them may be any variable that they name."""
    pair = "struct two { int *p; long n; };\nstatic __attribute__((noinline)) struct two pick(long y)\n{\n    return (struct two){&g, y};\n}\n"
    pointed("address in a structure", pair + "int f(int x, int y)\n{\n    g = 0;\n    struct two t = pick(y);\n    if (x > 3)\n        g = 9;\n"
            "    return *t.p == 9 ? change(1, 2) : 0;\n}\n")
    pointed("address as an argument", "static __attribute__((noinline)) int get(long at) { return *(int *)at; }\n"
            "int f(int x)\n{\n    g = 0;\n    if (x > 3)\n        g = 9;\n    return get((long)&g) == 9 ? change(1, 2) : 0;\n}\n")


@case
def addresses_that_an_intrinsic_returns():
    pointed("aligned address", "int f(int x)\n{\n    _Alignas(16) int a[4] = {0};\n    int *p = __builtin_align_down(&a[1], 16);\n"
            "    if (x > 3)\n        a[0] = 9;\n    return *p == 9 ? change(1, 2) : 0;\n}\n")


@case
def an_input_that_one_version_has():
    """Memory that is not set, which the new version does not read."""
    pointed("memory", "int f(int x)\n{\n    int v;\n    if (x > 100)\n        v = 1;\n    if (x < 0)\n        return change(v == 1, 0);\n    return 0;\n}\n")


@case
def what_nobody_compares():
    """Addresses as numbers, and shifts by more bits than there are: another version may do something else."""
    for name, source in (
            ("number", "int f(int x)\n{\n    int v, *p = &v;\n    unsigned char b[8];\n    memcpy(b, &p, 8);\n    return change(b[1] == 3, 0);\n}\n"),
            ("shift", "int f(int x)\n{\n    return 1 << change(x & 31, x);\n}\n"),
            ("constant shift", "int f(int x)\n{\n    int n = change(8, 40);\n    return 0 * (1 << n);\n}\n")):
        results = Results(name, "#include <string.h>\n" + source)
        equal(name, results.report["verdict"], "no-difference-found")


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
    both = 1 + [len(change["new_changes"]) for change in results.report["semantic_changes"]].index(2)
    equal("said", "f.c:4 is executed, then " in done.stdout and f"f.c:6: they may interfere in {both}\n" in done.stdout, True)


@case
def seeds_by_name():
    """Tests that fail, that are none, and that reach no change; and witnesses that are small."""
    results = Results("seeds", "#include <stdlib.h>\nint f(int x, int y)\n{\n    if (x == 3)\n        abort();\n    if (x > 1000)\n        y = change(y, y + 2);\n"
                      "    return y;\n}\n", "--assume", "y < 10", "--seed", "x=3", "--seed", "x=1,y=10", "--seed", "x=2", "--seed", "x=2000000")
    equal("seeds", {(limit["kind"], limit["text"]) for limit in results.report["limits"] if "seed" in limit["kind"]},
          {("failing-seed", "seed 1, x=3, y=0: both versions fail with it"),
           ("rejected-seed", "seed 2, x=1, y=10: an assumption does not hold for it"),
           ("seed-without-change", "seed 3, x=2, y=0: it does not reach a change")})
    equal("shown", [(change["input"], change["shown_by"]) for change in results.report["semantic_changes"]], [("x=1001, y=0", [4])])
    done = subprocess.run([PENUMBRA, "augment", results.out], capture_output=True, text=True)
    equal("said", [line in done.stdout.splitlines() for line in (
        "    when y < 10 && x > 1000", "    old  return = y", "    new  return = y + 2", "    shown by seed 4",
        "seed 1, x=3, y=0: both versions fail with it", "1 semantic change: the seeds show 1, 0 missing")], [True] * 6)
    equal("nothing is missing", done.returncode, 0)


@case
def outputs_that_are_not_reached():
    results = Results("no output", "#include <stdlib.h>\nint f(int x)\n{\n    if (change(x, x + 1) > 3)\n        abort();\n    abort();\n}\n")
    equal("limit", "no-output" in results.limits(), True)


@case
def conditions_with_alternatives():
    """They are put into parentheses, and what others imply is left out."""
    results = Results("alternatives", "int f(int op, int a, int b)\n{\n    if (op == 4)\n        return change(0, a % b);\n    return op;\n}\n")
    done = subprocess.run([PENUMBRA, "signature", results.out], capture_output=True, text=True)
    equal("parentheses", "op == 4 && (b == 0 || a == -2147483648 && b == -1)  ->  fails" in done.stdout, True)


@case
def addresses_are_in_no_condition():
    results = Results("list", "#include <stddef.h>\nstruct node { int value; struct node *next; };\nint f(struct node *head)\n{\n    int n = 0;\n"
                      "    for (struct node *p = head; p; p = p->next)\n        if (p->value > change(0, -1))\n            n++;\n    return n;\n}\n")
    equal("addresses", [name for name in results.signature("new") if "4096" in name], [])


COUNT = """#include <stdio.h>
int main(void)
{
    int lines = 0, digits = 0, c;
    while ((c = getchar()) != EOF) {
        if (c == '\\n')
            lines++;
        else if (c >= '0' && c <= '9')
            digits++;
    }
    if (lines > 1)
        puts("many");
    else if (digits)
        puts("number");
    return digits > 2 ? 3 : 0;
}
""".replace("\\\\", "\\")


def count_program(name, old, new):
    directory = os.path.join(SCRATCH, name)
    shutil.rmtree(directory, ignore_errors=True)
    os.makedirs(directory)
    for file, content in (("old.c", COUNT), ("new.c", COUNT.replace(old, new)), ("in", "12\n")):
        with open(os.path.join(directory, file), "w") as stream:
            stream.write(content)
    out = os.path.join(directory, "out")
    done = subprocess.run([PENUMBRA, "diff", "old.c", "new.c", "--explore", "cbpe-sd", "--grow", "0", "--stdin", "in", "--out", out,
                           "--quiet", "--"], cwd=directory, capture_output=True, text=True)
    return json.load(open(os.path.join(out, "report.json"))), out, done


@case
def a_whole_program():
    """What is printed, and the exit status; of all standard inputs that are no longer than the given one."""
    report, out, done = count_program("program", "lines > 1", "lines > 0")
    equal("status", done.returncode, 1)
    equal("not proven alike by native runs", {change["class"] for change in report["semantic_changes"]}, {"output"})
    printed = {(value({"outputs": change["old_outputs"]}, "standard output")[0] if len(change["old_outputs"]) > 1 else "",
                value({"outputs": change["new_outputs"]}, "standard output")[0]) for change in report["semantic_changes"]}
    equal("printed", printed, {('"number\\n"', '"many\\n"'), ("", '"many\\n"')})
    equal("what the start shows", [change["input"] for change in report["semantic_changes"] if change["shown_by"]],
          ["program, stdin=$'12\\012'"])
    tests = os.path.join(SCRATCH, "program", "tests")
    done = subprocess.run([PENUMBRA, "augment", out, "--out", tests], capture_output=True, text=True)
    equal("shown", '    new  standard output = "many\\n"' in done.stdout.splitlines(), True)
    missing = len(report["semantic_changes"]) - 1
    equal("tests", done.stdout.splitlines()[-2:], [f"{missing + 1} semantic changes: the seeds show 1, {missing} missing",
                                                   f"{missing} tests in {tests}"])


@case
def a_whole_program_that_does_the_same():
    """Longer inputs were not tried: nobody knows."""
    report, _, _ = count_program("same-program", "lines > 1", "lines >= 2")
    equal("verdict", (report["verdict"], report["semantic_changes"]), ("no-difference-found", []))
    equal("limit", "seeds" in {limit["kind"] for limit in report["limits"] if limit["forbids_equivalence"]}, True)


@case
def bad_input():
    results = Results("never executed", "int f(int x)\n{\n    if (x % 7 == 3 && x % 14 == 4)\n        return change(1, 2);\n    return x;\n}\n")
    equal("never executed", results.report["verdict"], "equivalent")
    equal("its place", [limit["text"].split("/")[-1] for limit in results.report["limits"] if limit["kind"] == "change-not-executed"], ["f.c:5"])
    dead = Results("dead", "int f(int x)\n{\n    if (x != x)\n        return change(1, 2);\n    return x;\n}\n")
    equal("none is left", (dead.report["verdict"], "change-not-executed" in dead.limits()), ("equivalent", True))
    done = subprocess.run([PENUMBRA, "signature", SCRATCH], capture_output=True, text=True)
    equal("no signature", (done.returncode, "signature-old.json is not there: --explore cbpe-sd" in done.stderr), (2, True))
    done = subprocess.run([PENUMBRA, "run", os.path.join(SCRATCH, "never-executed", "f.c"), "--entry", "f", "--explore", "reach",
                           "--mode", "bounded"], capture_output=True, text=True)
    equal("another mode", (done.returncode, "--explore is a choice of the complete mode" in done.stderr), (2, True))
    for name, content in (("old.c", "int f(int x) { return x > 3; }\nint g(int *p) { return *p; }\n"),
                          ("new.c", "int f(int x) { return x > 4; }\nint g(int *p) { return *p + 1; }\n")):
        with open(os.path.join(SCRATCH, name), "w") as file:
            file.write(content)
    several = os.path.join(SCRATCH, "several")
    shutil.rmtree(several, ignore_errors=True)
    subprocess.run([PENUMBRA, "diff", "old.c", "new.c", "--explore", "cbpe-sd", "--size", "p=1", "--quiet", "--out", several], cwd=SCRATCH,
                   capture_output=True, text=True)
    done = subprocess.run([PENUMBRA, "augment", several], capture_output=True, text=True)
    equal("several entries", (done.returncode, "1  g: p={0}" in done.stdout,
                              "there may be more: f() cannot be explored: --size 'p=1': no input" in done.stdout), (1, True, True))
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

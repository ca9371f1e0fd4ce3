#!/usr/bin/env python3
"""The command line: what is refused and how, exit statuses, results on disk, and what each option does.

Every case has a directory of its own, with the files that it needs; the tool's scratch files go into it too, so that
whatever is left behind is seen."""

import concurrent.futures
import contextlib
import json
import os
import re
import signal
import sqlite3
import subprocess
import time


def initial_values(report):
    """Variables that keep theirs in every run."""
    return [one["name"] for one in report["assumptions"] if one["kind"] == "initial-value"]


def limits_of(report):
    """The sentences that say what was cut or lost."""
    return [limit["text"] for limit in report["limits"]]

PENUMBRA = os.environ["PENUMBRA"]
SLOW = bool(os.environ.get("PENUMBRA_TEST_SANITIZED"))  # and no program runs inside the tool
SCRATCH = os.environ["SCRATCH"]
NOBODY = 65534

THRESHOLD = """#include <penumbra.h>
int f(int x)
{
    if (x > change(10, 20))
        return 1;
    return 0;
}
"""

UNDERFLOW = """#include <penumbra.h>
char arr[4];
int f(int x)
{
    int y = change(x - 1, x + 1);
    if (y > 7) {
        int z = x - 8;
        if (z < 4)
            arr[z] = 'A';
        return 0;
    }
    return 1;
}
"""


class Failure(Exception):
    pass


def expect(condition, why):
    if not condition:
        raise Failure(why)


class Run:
    def __init__(self, status, out, err):
        self.status, self.out, self.err = status, out.decode(), err.decode()

    def __str__(self):
        return f"status {self.status}, stdout {self.out[-600:]!r}, stderr {self.err[-600:]!r}"

    def report(self, status):
        """The JSON on standard output of a run that ended as expected."""
        expect(self.status == status, f"expected status {status}: {self}")
        expect(not self.err, f"something on stderr: {self}")
        return json.loads(self.out)


class Place:
    """A directory with source files in it, to run the tool in."""

    def __init__(self, name):
        self.path = os.path.join(SCRATCH, name)
        self.temporary = os.path.join(SCRATCH, name + ".tmp")
        for directory in (self.path, self.temporary):
            os.mkdir(directory)
            os.chmod(directory, 0o777)

    def write(self, name, text):
        with open(self.file(name), "w", encoding="utf-8") as file:
            file.write(text)
        return self

    def file(self, name):
        return os.path.join(self.path, name)

    def entries(self):
        return sorted(os.listdir(self.path))

    def environment(self):
        return {**os.environ, "TMPDIR": self.temporary}

    def shell(self, command, seconds=60, **options):
        run = subprocess.run(command, cwd=self.path, env=self.environment(), stdin=subprocess.DEVNULL, check=False,
                             capture_output=True, timeout=seconds, **options)
        return Run(run.returncode, run.stdout, run.stderr)

    def penumbra(self, *arguments, **options):
        return self.shell([PENUMBRA, *arguments], **options)

    def run(self, source, *arguments, **options):
        """`penumbra run` on one file that holds the text."""
        self.write("a.c", source)
        return self.penumbra("run", "a.c", "--entry", "f", *arguments, **options)

    def report(self, status, source, *arguments):
        return self.run(source, "--json", *arguments).report(status)

    def expect_refused(self, run, *fragments):
        """One message, status 2, and nothing else anywhere."""
        before = [name for name in self.entries() if name.endswith((".c", ".h", ".o")) or name == "locked"]
        expect(run.status == 2, f"expected status 2: {run}")
        expect(not run.out, f"something on stdout: {run}")
        messages = [line for line in run.err.splitlines() if line.startswith("penumbra")]
        expect(len(messages) == 1 and run.err.startswith("penumbra"), f"expected one message: {run}")
        for fragment in fragments:
            expect(fragment in run.err, f"{fragment!r} is not in the message: {run}")
        expect("\033" not in run.err, f"colour codes: {run}")
        expect(self.entries() == before, f"left behind: {self.entries()}")
        expect(not os.listdir(self.temporary), f"left behind in $TMPDIR: {os.listdir(self.temporary)}")


CASES = []


def case(function):
    CASES.append((function.__name__.replace("_", "-"), function))
    return function


def divergences(report, **wanted):
    return [found for found in report["divergences"] if all(found[key] == value for key, value in wanted.items())]


def the_divergence(report, **wanted):
    found = divergences(report, **wanted)
    expect(len(found) == 1, f"expected one divergence with {wanted}: {summary(report)}")
    return found[0]


def summary(report):
    return [(found["class"], found["kind"], found["inputs"]) for found in report["divergences"]], limits_of(report)


# ---- what is refused ----


def function(body, before=""):
    """A source in which the body starts on line 4, or one line later per line of `before`."""
    return f"#include <penumbra.h>\n{before}int f(int x)\n{{\n{body}}}\n"


# name: (source, arguments, what the message must contain)
REFUSED = {
    "c-that-does-not-compile": (function("    return x + y;\n"), [],
                                ["a.c:4:16: error: use of undeclared identifier 'y'"]),
    "missing-header": ("#include <nowhere.h>\n" + THRESHOLD, [], ["a.c:1:10:", "nowhere.h", "--cflags"]),
    "unknown-flag": (THRESHOLD, ["--cflags", "-fbogus"], ["unknown argument: '-fbogus'"]),
    "entry-that-does-not-exist": (THRESHOLD + "int freeze(int x) { return x; }\nint apple(void) { return 1; }\n",
                                  ["--entry", "freze"], ["'freze'", "'freeze'"]),
    "parameter-of-long-double": ("#include <penumbra.h>\nint f(long double x) { return change(1, 2); }\n", [],
                                 ["a.c:2", "'x'", "'long double'"]),
    "null-of-unknown-name": ("struct s { struct s *next; };\nint f(struct s *p) { return p->next != 0; }\n",
                             ["--null=p->nxt"], ["--null=p->nxt", "did you mean 'p->next'?"]),
    "zero-of-unknown-name": ("struct s { int a; };\nint f(struct s *p) { return p->a; }\n",
                             ["--zero", "p->b"], ["--zero=p->b", "'p->a'"]),
    "seed-of-a-whole-structure": ("struct s { int a; };\nint f(struct s *p) { return p->a; }\n",
                                  ["--seed", "p=3"], ["'p' has members: write p->a=VALUE"]),
    "seed-of-a-pointer-that-is-never-null": ("int f(int *p) { return *p; }\n", ["--seed", "p=NULL"],
                                             ["'p' is never NULL", "--null=p"]),
    "range-of-unknown-member": ("struct s { int count; };\nint f(struct s *p) { return p->count; }\n",
                                ["--range", "p->cuont=0..1"], ["did you mean 'p->count'?"]),
    "variadic-entry": ("#include <penumbra.h>\nint f(int x, ...) { return change(x, 1); }\n", [],
                       ["a.c:2", "variable number"]),
    "main-with-arguments-as-entry": ("int main(int argc, char **argv) { return argc + !argv; }\n", ["--entry", "main"],
                                     ["a.c:1", "'main'"]),
    "change-of-struct-and-integer": (function("    struct s s = {1};\n    return change(x, s);\n",
                                              "struct s { int a; };\n"), [],
                                     ["a.c:6:12:", "change()", "'int' and 'struct s'"]),
    "change-of-pointer-and-integer": (function('    return change(x, "x") != 0;\n'), [],
                                      ["a.c:4:12:", "change()", "'int' and 'char *'"]),
    "change-outside-of-functions": (function("    return x > limit;\n", "int limit = change(1, 2);\n"), [],
                                    ["a.c:2:13:", "change()"]),
    "execute-outside-an-if": (function("    int y = execute(NEW);\n    return x + y;\n"), [],
                              ["a.c:4:13:", "execute()", "if"]),
    "seed-for-an-unknown-parameter": (THRESHOLD, ["--seed", "y=1"], ["'y'", "there are: x"]),
    "seed-out-of-its-type": (THRESHOLD, ["--seed", "x=2147483648"],
                             ["2147483648", "'x' (int)", "-2147483648..2147483647"]),
    "seed-that-is-no-number": (THRESHOLD, ["--seed", "x=ten"], ["'x=ten'", "number"]),
    "seed-without-value": (THRESHOLD, ["--seed", "x"], ["NAME=VALUE"]),
    "seed-out-of-its-range": (THRESHOLD, ["--range", "x=5..9", "--seed", "x=4"], ["'x=4'", "--range"]),
    "range-for-an-unknown-parameter": (THRESHOLD, ["--range", "y=1..2"], ["'y'", "there are: x"]),
    "range-that-is-empty": (THRESHOLD, ["--range", "x=2..1"], ["'x=2..1'"]),
    "range-that-is-no-range": (THRESHOLD, ["--range", "x=a..b"], ["'x=a..b'", "number"]),
    "assumption-that-is-no-expression": (THRESHOLD, ["--assume", "x >"], ["--assume 'x >'", "expected expression"]),
    "assumption-that-is-empty": (THRESHOLD, ["--assume", ""], ["--assume ''", "expected expression"]),
    "assumption-about-an-unknown-name": (THRESHOLD, ["--assume", "y > 1"],
                                         ["--assume 'y > 1'", "'y'", "the inputs are: x"]),
    "assumption-without-a-value": (THRESHOLD, ["--assume", "(void)x"], ["--assume '(void)x'", "true or false"]),
    "assumption-that-assigns": (THRESHOLD, ["--assume", "x = 3"], ["--assume 'x = 3'", "assigns"]),
    "assumption-that-counts": (THRESHOLD, ["--assume", "x > 1", "--assume", "x++ > 1"],
                               ["--assume 'x++ > 1'", "assigns"]),
    "assumption-that-calls": (THRESHOLD, ["--assume", "f(x) == 0"], ["--assume 'f(x) == 0'", "calls 'f'"]),
    "assumption-with-a-statement": (THRESHOLD, ["--assume", "x > 1; return"], ["--assume", "one C expression"]),
    "assumption-in-a-block": (THRESHOLD, ["--assume", "({ 1 })"], ["--assume '({ 1 })'"]),
    "assumption-that-closes-a-bracket": (THRESHOLD, ["--assume", "1) || (x"], ["--assume '1) || (x'", "brackets"]),
    "size-of-an-integer": (THRESHOLD, ["--size", "x=3"], ["'x'", "int"]),
    "size-that-is-no-number": (THRESHOLD, ["--size", "x=many"], ["'x=many'"]),
    "global-that-does-not-exist": ("int speed;\n" + THRESHOLD, ["--global", "sped"], ["'sped'", "'speed'"]),
    "stub-that-nobody-calls": (THRESHOLD, ["--stub", "ask"], ["'ask'"]),
    "library-that-does-not-exist": (THRESHOLD, ["--link", "nosuchlibrary"], ["nosuchlibrary"]),
    "out-below-a-file": (THRESHOLD, ["--out", "a.c/out"], ["a.c/out", "--out"]),
    "out-below-nothing": (THRESHOLD, ["--out", "no/such/place"], ["no/such/place", "No such file", "--out"]),
    "undefined-functions": (function("    return ask(x) > change(1, tell()) + state;\n",
                                     "int ask(int);\nint tell(void);\nextern int state;\n"), [],
                            ["ask() (declared at a.c:2)", "tell()", "state", "--link", "--stub"]),
    "unknown-option": (THRESHOLD, ["--frobnicate"], ["--frobnicate", "--help"]),
    "unknown-mode": (THRESHOLD, ["--mode", "sideways"], ["--mode", "sideways"]),
    "unknown-fail-on": (THRESHOLD, ["--fail-on", "sideways"], ["--fail-on", "sideways"]),
    "unknown-overflow": (THRESHOLD, ["--overflow", "sideways"], ["--overflow", "sideways"]),
    "negative-time": (THRESHOLD, ["--time=-1"], ["--time", "-1"]),
    "time-that-is-no-number": (THRESHOLD, ["--time", "soon"], ["--time", "soon"]),
}


def refusal(name, source, arguments, fragments):
    def check():
        place = Place(name)
        place.expect_refused(place.run(source, *arguments), *fragments)
    return check


CASES += [(name, refusal(name, *row)) for name, row in REFUSED.items()]


@case
def files_that_cannot_be_read():
    place = Place("files").write("a.c", THRESHOLD)
    place.expect_refused(place.penumbra("run", "missing.c", "--entry", "f"), "missing.c", "No such file")
    place.expect_refused(place.penumbra("run", "a.c", "missing.c", "--entry", "f"), "missing.c")
    place.expect_refused(place.penumbra("run", ".", "--entry", "f"), "directory")
    place.expect_refused(place.penumbra("run", "a.c", "./a.c", "--entry", "f"), "twice")
    place.expect_refused(place.penumbra("run", "--entry", "f"), "no C file")
    place.expect_refused(place.penumbra("run", "a.c"), "--entry")
    place.expect_refused(place.penumbra("trace", "missing.c", "--entry", "f"), "missing.c", "No such file")


def as_nobody(place):
    """Options that take the right to read and write everything away; None where the tool is out of reach then."""
    if os.geteuid() != 0:
        return {}
    options = {"user": NOBODY, "group": NOBODY, "extra_groups": []}
    try:
        return options if place.penumbra("--version", **options).status == 0 else None
    except OSError:
        return None


@case
def files_without_permission():
    place = Place("permission").write("a.c", THRESHOLD).write("secret.c", THRESHOLD)
    os.chmod(SCRATCH, 0o755)
    os.chmod(place.file("secret.c"), 0)
    os.mkdir(place.file("locked"), 0o555)
    options = as_nobody(place)
    if options is None:
        return "# SKIP root may read everything, and others cannot reach the tool"
    run = place.penumbra("run", "secret.c", "--entry", "f", **options)
    place.expect_refused(run, "secret.c", "Permission denied")
    run = place.penumbra("run", "a.c", "--entry", "f", "--out", "locked/out", **options)
    place.expect_refused(run, "locked/out", "Permission denied", "--out")
    return None


@case
def reservation_that_is_refused():
    place = Place("reservation").write("a.c", THRESHOLD)
    for kilobytes in ("400000", "8000000"):
        limited = f'ulimit -v {kilobytes}; exec "$0" '
        if place.shell(["sh", "-c", limited + "--version", PENUMBRA]).status != 0:
            return "# SKIP the tool itself does not start (AddressSanitizer needs as much)"
        place.expect_refused(place.shell(["sh", "-c", limited + "run a.c --entry f", PENUMBRA]), "ulimit -v")
    return None


# ---- programs that misbehave: the run goes on with what it has ----


@case
def program_that_never_ends():
    place = Place("endless")
    source = function("    volatile int spin = 1;\n    if (x > change(20, 10))\n        while (spin)\n            ;\n"
                      "    return 0;\n")
    found = the_divergence(place.report(1, source, "--run-time", "0.5"), **{"class": "regression"})
    expect(11 <= found["inputs"]["x"] <= 20 and "time limit" in found["new"]["failure"], str(found))
    run = place.shell(["timeout", "-s", "KILL", "10", "sh", "-c", found["repro"]], seconds=20)
    expect(run.status == 1, f"{found['repro']!r} was still running after 10 s")


@case
def program_that_never_ends_from_the_seed():
    source = function("    x = change(x, x + 1);\n    for (volatile int spin = 1; spin;)\n        ;\n    return x;\n")
    report = Place("endless-seed").report(0, source, "--run-time", "0.5")
    expect(any("time limit" in limit for limit in limits_of(report)), f"not said: {limits_of(report)}")


@case
def program_that_eats_memory():
    source = function("    if (x > change(20, 10))\n        for (;;) {\n            char *p = malloc(1 << 20);\n"
                      "            memset(p, 1, 1 << 20);\n        }\n    return 0;\n",
                      "#include <stdlib.h>\n#include <string.h>\n")
    report = Place("memory").report(1, source, "--memory", "200")
    found = the_divergence(report, **{"class": "regression"})
    expect("memory limit" in found["new"]["failure"], str(found))


@case
def program_that_recurses_forever():
    source = function("    if (x > change(20, 10))\n        return deep(x);\n    return 0;\n",
                      "static int deep(int x)\n{\n    volatile int y = x;\n    return deep(x + 1) + y;\n}\n")
    report = Place("recursion").report(1, source)
    found = the_divergence(report, **{"class": "regression"})
    expect("stack" in found["new"]["failure"], str(found))


@case
def program_that_prints():
    source = function('    puts("hello");\n    if (x > change(10, 20))\n        return 1;\n    return 0;\n',
                      "#include <stdio.h>\n")
    the_divergence(Place("prints").report(1, source))


def no_difference(name, statements, declarations):
    """A function with a silent divergence and a global that is not the same in any two runs."""
    body = statements + "    if (x > change(10, 20))\n        return x;\n    return x + 0;\n"
    the_divergence(Place(name).report(0, function(body, declarations)), **{"class": "silent"})


@case
def result_of_main_is_compared():
    source = "#include <penumbra.h>\nint level;\nint main(void) { return level > change(4, 6); }\n"
    found = the_divergence(Place("main-result").report(1, source, "--entry", "main", "--global", "level"))
    expect(found["class"] == "output" and found["inputs"]["level"] in (5, 6), str(found))


# ---- assumptions ----

# The versions differ where x is 4 or 5, or 199 or 200.
POINTS = """#include <penumbra.h>
enum colour { RED, GREEN };
#define FAR(v) ((v) > 100 || (v) < -100)
static int weight = 1;
int f(int x, const unsigned char *s, enum colour c)
{
    int r = x == change(4, 5) ? weight + 3 : 0;
    if (x == change(199, 200))
        r += 2 + (s[0] == 7) + c;
    return r;
}
"""


def assumed(name, assumptions, wanted, seed="x=150", source=POINTS):
    def check():
        options = [word for text in assumptions for word in ("--assume", text)]
        report = Place(name).report(1 if wanted else 3, source, "--seed", seed, "--global", "weight", *options)
        found = sorted(found["inputs"]["x"] for found in report["divergences"])
        expect(found == wanted, f"expected x = {wanted}: {summary(report)}")
        expect(all(found["class"] == "output" for found in report["divergences"]), str(summary(report)))
        return report
    return check


def rejected(name, assumptions):
    def check():
        report = assumed(name, assumptions, [])()
        expect(any("an assumption does not hold" in limit for limit in limits_of(report)), str(limits_of(report)))
    return check


# name: (assumptions, values of x at which the versions must differ)
ASSUMED = {
    "nothing-assumed": ([], [4, 5, 199, 200]),
    "assumption": (["x > 100"], [199, 200]),
    "assumption-as-a-conjunction": (["x > 100 && x != 200"], [199]),
    "assumption-as-a-disjunction": (["x < 5 || x == 150 || x > 199"], [4, 200]),
    "assumption-by-a-macro": (["FAR(x)"], [199, 200]),
    "assumption-that-negates": (["!(x < 100 || (x == 199 && 1))"], [200]),
    "assumption-over-two-lines": (["x > 100 &&\nx < 200"], [199]),
    "several-assumptions": (["x > 100", "x != 199"], [200]),
    "assumption-about-elements": (["x == 150 || s[0] == 7 || s[7] == 9 || c == GREEN", "x > 199 || x == 150"], [200]),
    "assumption-about-a-global": (["weight == 0", "x > 100 - weight"], [199, 200]),
}
CASES += [(name, assumed(name, *row)) for name, row in ASSUMED.items()]
CASES += [("seed-against-an-assumption", rejected("seed-against", ["x > 200"])),
          ("seed-against-one-of-several", rejected("seed-against-one", ["x > 100", "s[2] == 1"]))]


@case
def assumption_about_a_global_of_another_file():
    place = Place("assumption-foreign").write("b.c", "int speed;\n").write("a.c", function(
        "    return x == change(4, 5);\n"))
    run = place.penumbra("run", "a.c", "b.c", "--entry", "f", "--global", "speed", "--seed", "speed=7", "--json",
                         "--assume", "speed == 7 && x != 5")
    found = the_divergence(run.report(1))
    expect(found["inputs"] == {"x": 4, "speed": 7}, str(found))


@case
def what_was_chosen_by_default_is_said_once():
    place = Place("said-once")
    for mode in ("concolic", "complete"):
        run = place.run(function("    return v[1] == change(1, 2);\n").replace("int x", "int *v"), "--mode", mode, "--out",
                        mode)
        # where everything is explored, no run goes beyond them
        expect(run.out.count("v: 8 elements") == (mode == "concolic"), f"{mode}: {run}")


@case
def difference_on_standard_error_alone():
    run = Place("standard-error").run(function('    if (x > change(10, 20))\n        fprintf(stderr, "late\\n");\n'
                                               '    puts("done");\n    return 0;\n', "#include <stdio.h>\n"))
    expect(run.status == 1 and "old  on standard error: late" in run.out, str(run))
    expect("new  nothing else on standard error" in run.out, str(run))


STATE = """
static int mode, once[] = {1, 2};
int last;
static const int always[] = {3, 4};
void set_mode(int m) { mode = m; }
"""


@case
def variables_with_their_first_values():
    place = Place("state")
    text = function("    last = x;\n    if (mode)\n        return x > change(5, 6);\n    return once[x & 1] + always[x & 1];\n", STATE)
    report = place.run(text, "--mode", "complete", "--json").report(3)
    expect(report["verdict"] == "no-difference-found" and initial_values(report) == ["mode"], str(report))
    expect(any(limit.startswith("no path reaches a change") for limit in limits_of(report)), str(limits_of(report)))
    expect("mode keeps its initial value" in place.run(text, "--mode", "complete").out, "in words")
    found = place.run(text, "--mode", "complete", "--json", "--global", "mode").report(1)
    expect(not initial_values(found) and the_divergence(found)["inputs"]["x"] == 6, str(found))
    same = place.run(function("    return once[x & 1] + 0 * change(1, 2);\n", STATE), "--mode", "complete", "--json").report(0)
    expect(same["verdict"] == "equivalent" and not initial_values(same), str(same))


@case
def static_variables_in_functions():
    report = Place("static-local").run(function(
        "    static int last = 5;\n    int result = last + x;\n    last = change(result, result + 1);\n    return result;\n"),
        "--mode", "complete", "--json").report(1)
    expect(report["verdict"] == "different" and initial_values(report) == ["last in f()"], str(report))
    expect("last in f() = 05" in the_divergence(report)["old"]["output"], str(report))
    same = Place("static-local-same").run(function(
        "    static int last = 5;\n    last += x;\n    return last + 0 * change(1, 2);\n"), "--mode", "complete", "--globals", "--json")
    expect(same.report(0)["verdict"] == "equivalent", str(same))


TABLE = """
#include <stdlib.h>
static int one(int x) { return x; }
static int two(int x) { return x * 2; }
static int (*const table[])(int) = {one, two, 0};
static void *(*allocate)(size_t) = malloc;
"""


@case
def call_of_a_function_that_is_not_there():
    """It fails, and nothing leaves the program."""
    report = Place("null-call").run(function("    return x < 0 || x > change(1, 2) ? -1 : table[x](x);\n", TABLE), "--mode",
                                    "complete", "--json").report(1)
    found = the_divergence(report)
    expect(found["class"] == "regression" and found["inputs"] == {"x": 2} and report["inside"] == (not SLOW), str(report))
    expect(not any("without instrumentation" in limit for limit in limits_of(report)), str(limits_of(report)))


@case
def pointers_out_of_the_program():
    """That both versions have one says nothing about them; where they part, it is named."""
    report = Place("pointer-out").run(function("    return change(x * 2, x + x);\n", TABLE), "--mode", "complete",
                                      "--json").report(0)
    expect(report["verdict"] == "equivalent", str(limits_of(report)))
    report = Place("pointer-out-apart").run(function("    if (x > change(1, 2))\n        return 3;\n    return 4;\n", TABLE),
                                            "--mode", "complete", "--json").report(1)
    expect(any("the pointer allocate as an output" in limit or "memory behind a pointer" in limit for limit in limits_of(report)), str(limits_of(report)))


@case
def what_is_found_and_not_proven():
    """Thousands of paths are found at once, and take long to be run natively: --time is for that as well."""
    if SLOW:
        return "# SKIP exploring is no faster than proving"
    body = "".join(f"    if (x & {1 << bit})\n        n += {bit};\n" for bit in range(15))
    report = Place("unproven").run(function("    int n = 0;\n" + body + "    if (x > change(30, 1 << 30))\n        n++;\n"
                                               "    return n;\n"), "--mode", "complete", "--json", "--all", "--time", "20").report(1)
    expect(any("not run natively" in limit for limit in limits_of(report)), str(limits_of(report)))
    expect(report["verdict"] == "different" and len(report["divergences"]) >= 100, str(len(report["divergences"])))
    return None


@case
def no_time_for_a_run_that_does_not_end():
    """Native runs are stopped when the time is over, and the report says what was found till then."""
    place = Place("no-time")
    place.write("old.c", "#include <stdlib.h>\nint f(int x)\n{\n    if (x == 4711)\n        abort();\n    return x;\n}\n")
    place.write("new.c", "int f(int x)\n{\n    if (x == 4711)\n        for (volatile int i = 0;;)\n            i = 0;\n    return x;\n}\n")
    run = place.penumbra("diff", "old.c", "new.c", "--time", "15", "--run-time", "1000", "--json", "--quiet")
    report = json.loads(run.out)
    entry = report["entries"][0]
    expect(entry["state"] == "done" and report["counts"]["runs"] > 0, str(run))
    expect(any("not run natively" in limit for limit in limits_of(report)), str(limits_of(report)))


@case
def runs_of_many_decisions():
    """A run that goes on for long has no more decisions than can be explored, and leaves time for what it shows."""
    if SLOW:
        return "# SKIP the run takes too long"
    place = Place("many-decisions")
    place.write("old.c", "unsigned f(unsigned n, unsigned s)\n{\n    while (n) {\n        s = s * s + 1;\n        n--;\n    }\n    return s;\n}\n")
    place.write("new.c", "unsigned f(unsigned n, unsigned s)\n{\n    do {\n        s = s * s + 1;\n        n--;\n    } while (n);\n    return s;\n}\n")
    run = place.penumbra("diff", "old.c", "new.c", "--run-time", "1", "--time", "300", "--json", "--quiet")
    report = json.loads(run.out)
    expect(report["entries"][0]["state"] == "done" and report["verdict"] == "different", str(run)[:2000])
    depths = [limit["count"] for limit in report["limits"] if limit["kind"] == "depth"]
    expect(len(depths) == 1 and depths[0] <= 1 << 19, str(depths))
    return None


@case
def conditions_that_nobody_reads():
    """Hundreds of paths of the old version beside one of the new one: what they differ for is told up to a length."""
    place = Place("long-conditions")
    for name, body in ("old", "s += sin(p[i]);"), ("new", "{ double t = sin(p[i]); s -= t; }"):
        place.write(name + ".c", "#include <math.h>\ndouble f(const double *p, int n)\n{\n    double s = 0;\n"
                                 f"    for (int i = 0; i < n; i++)\n        {body}\n    return s;\n}}\n")
    run = place.penumbra("diff", "old.c", "new.c", "--time", "20", "--json", "--quiet")
    report = json.loads(run.out)
    expect(report["entries"][0]["state"] == "done" and report["verdict"] == "different", str(run)[:2000])
    expect(all(len(one["differs"]) <= 1 << 16 for one in report["divergences"]), "a long condition")


@case
def pointer_to_a_variable_that_is_gone():
    """Nothing is there to be compared, whatever lies there now."""
    report = Place("gone").run(function(
        "    leave(x);\n    for (int i = 0; i < 20; i++)\n        last[i] = x;\n    return last[x & 7] == change(77, x * 0 + 77);\n",
        "int *where, last[20];\nstatic void leave(int x)\n{\n    int gone = x;\n    where = &gone;\n}\n"), "--mode", "complete",
        "--global", "last", "--json").report(0)
    expect(report["verdict"] == "equivalent" and not report["counts"]["stale_labels"], str(limits_of(report)))


@case
def what_native_runs_contradict():
    """A program that does something else when it runs natively stands for a trace that is wrong."""
    place = Place("contradicted")
    run = place.run(function("#ifdef PENUMBRA_REPLAY\n    return x > 5 ? change(1, 2) : 0;\n#else\n"
                             "    return x > 5 ? 0 * change(1, 2) : 0;\n#endif\n"), "--mode", "complete", "--json")
    found = the_divergence(run.report(1))
    expect(found["kind"] == "common" and found["class"] == "output" and found["inputs"]["x"] > 5, str(found))
    run = place.run(function("#ifndef PENUMBRA_REPLAY\n    if (x > 5)\n        *(volatile int *)8 = 1;\n#endif\n"
                             "    return x + 0 * change(1, 2);\n"), "--mode", "complete", "--json")
    limits = [limit for limit in limits_of(run.report(0)) if limit.startswith("1 run that failed, and does not natively")]
    expect(run.report(0)["verdict"] == "no-difference-found" and limits, str(run))


@case
def output_that_is_no_text():
    """Zero bytes, escape sequences for terminals, bytes that are not UTF-8: shown, and not obeyed."""
    place, source = Place("no-text"), function(
        '    if (x > 10)\n        fwrite(change("\\0a\\033[1m", "\\0b\\377\\n"), 1, 4, stdout);\n    return 0;\n',
        "#include <stdio.h>\n")
    run = place.run(source, "--mode", "complete")
    expect(run.status == 1 and "old  \\x00a\\x1b[" in run.out and "new  \\x00b\\xff" in run.out, str(run))
    umlauts = place.run(function('    if (x > 10)\n        puts(change("x%s", "y"));\n    return 0;\n' % ("ä" * 60),
                                 "#include <stdio.h>\n"), "--mode", "complete")
    expect(umlauts.status == 1 and "old  x" + "ä" * 35 + "..." in umlauts.out, str(umlauts))
    found = the_divergence(place.run(source, "--mode", "complete", "--json").report(1))
    expect(found["old"]["output"].startswith("\0a\x1b[") and found["new"]["output"].startswith("\0b\xff\n"), str(found))


CASES += [
    ("addresses-are-no-difference", lambda: no_difference(
        "addresses", "    where = (uintptr_t)&x;\n", "#include <stdint.h>\nuintptr_t where;\n")),
    ("the-time-of-day-is-no-difference", lambda: no_difference(
        "time-of-day", "    struct timespec t;\n    clock_gettime(CLOCK_MONOTONIC, &t);\n    when = t.tv_nsec;\n",
        "#include <time.h>\nlong when;\n")),
]


# ---- what is said, and where ----


@case
def help_and_version():
    place = Place("help")
    run = place.penumbra("--version")
    expect(run.status == 0 and re.fullmatch(r"penumbra \d+\.\d+\.\d+\n", run.out) and not run.err, str(run))
    run = place.penumbra("--help")
    expect(run.status == 0 and not run.err, str(run))
    commands = re.findall(r"^  ([a-z]+) +\w", run.out, re.MULTILINE)
    expect({"run", "trace", "instrument"} <= set(commands), f"commands {commands}")
    for command in commands:
        run = place.penumbra(command, "--help")
        expect(run.status == 0 and not run.err and run.out.startswith(f"Usage: penumbra {command}"), str(run))
    for arguments, message in (["frobnicate"], "'frobnicate'"), ([], "Usage"):
        run = place.penumbra(*arguments)
        expect(run.status == 2 and not run.out and message in run.err, str(run))
    run = place.penumbra("run", "--help")
    for option in ("entry", "seed", "mode", "range", "size", "global", "overflow", "cflags", "time", "out", "json",
                   "fail-on", "link", "stub"):
        expect(f"--{option}" in run.out, f"--{option} is not in the help")


@case
def questions_to_the_solver_are_kept():
    place = Place("questions")
    run = place.run(THRESHOLD, "--mode", "complete", "--dump-queries")
    names = os.listdir(place.file("penumbra-out/queries"))
    expect(run.status == 1 and names, f"{names}: {run}")
    for name in names:
        with open(place.file(f"penumbra-out/queries/{name}"), encoding="utf-8") as file:
            text = file.read()
        expect(re.search(r"^\(set-info :status (sat|unsat|unknown)\)$", text, re.MULTILINE), text)
        expect("(assert " in text and text.endswith("(check-sat)\n"), text)
    run = place.run(THRESHOLD, "--mode", "complete")
    expect(not os.path.exists(place.file("penumbra-out-1/queries")), str(run))


@case
def colours_on_terminals_only():
    place = Place("colours")
    run = place.run(THRESHOLD)
    expect(run.status == 1 and "\033" not in run.out and not run.err, str(run))
    run = place.shell(["script", "-qec", f"'{PENUMBRA}' run a.c --entry f", "/dev/null"])
    expect("\033[" in run.out, f"no colour on a terminal: {run}")


@case
def report_for_people():
    run = Place("people").run(UNDERFLOW)
    expect(run.status == 1 and not run.err, str(run))
    for fragment in ("regression", "x=7", "a.c:6:9", "a.c:9", "buffer-overflow", "needs a signed overflow", "repro:",
                     "different: 1 regression", "results in penumbra-out"):
        expect(fragment in run.out, f"{fragment!r} is not in {run.out!r}")


@case
def report_for_people_tells_the_exit_status():
    source = function("    if (x > change(10, 20))\n        exit(43);\n    return 0;\n", "#include <stdlib.h>\n")
    run = Place("exit-status").run(source)
    expect(run.status == 1 and "43" in run.out, str(run))
    run = Place("exit-without-output").run(source.replace("43", "0"))
    expect("  no output\n" in run.out and "another order" not in run.out, run.out)


@case
def report_on_disk_is_that_of_json():
    place = Place("json")
    report = place.report(1, UNDERFLOW, "--all")
    with open(place.file("penumbra-out/report.json"), encoding="utf-8") as file:
        expect(json.load(file) == report, "report.json is another document")
    expect(report["schema"] == "penumbra-report/4" and report["verdict"] == "different", str(report))
    for found in report["divergences"]:
        expect(os.path.exists(place.file(found["input_file"])), f"no file {found['input_file']}")


@case
def results_are_numbered_and_kept():
    place = Place("numbered")
    expect(place.report(1, THRESHOLD)["directory"] == "penumbra-out", "first directory")
    with open(place.file("penumbra-out/report.json"), encoding="utf-8") as file:
        first = file.read()
    expect(place.report(1, THRESHOLD)["directory"] == "penumbra-out-1", "second directory")
    os.mkdir(place.file("mine"))
    expect(place.report(1, THRESHOLD, "--out", "mine")["directory"] == "mine-1", "directory of --out")
    expect(place.entries() == ["a.c", "mine", "mine-1", "penumbra-out", "penumbra-out-1"], str(place.entries()))
    expect(not os.listdir(place.file("mine")), "--out wrote into a directory that was there")
    with open(place.file("penumbra-out/report.json"), encoding="utf-8") as file:
        expect(file.read() == first, "the first report was overwritten")
    expect(not os.listdir(place.temporary), f"left behind in $TMPDIR: {os.listdir(place.temporary)}")


# ---- repro commands ----


@case
def repro_shows_the_failure():
    place = Place("repro")
    found = the_divergence(place.report(1, UNDERFLOW), **{"class": "regression"})
    expect(found["inputs"] == {"x": 7}, str(found))
    run = place.shell(["sh", "-c", found["repro"]])
    expect("AddressSanitizer: global-buffer-overflow" in run.err and "a.c:9" in run.err, str(run))
    expect("return = 01 00 00 00" in run.out, f"the old version's result is not shown: {run}")
    expect(run.status != 0, f"the failing version comes last, its status is lost: {run}")


@case
def repro_shows_two_outputs():
    place = Place("repro-output")
    found = the_divergence(place.report(1, THRESHOLD))
    run = place.shell(["sh", "-c", found["repro"]])
    expect(run.status == 1, f"the versions differ: {run}")
    expect(run.out == f"old version:\n{found['old']['output']}new version:\n{found['new']['output']}", str(run))
    elsewhere = subprocess.run(found["repro"], shell=True, cwd="/", capture_output=True, text=True, check=False)
    expect(elsewhere.stdout == run.out and elsewhere.returncode == 1, f"from another directory: {elsewhere}")
    silent = Place("repro-silent").report(0, function("    if (x > change(3, 4))\n        return 5;\n    return 5;\n"), "--seed", "x=0")
    run = place.shell(["sh", "-c", the_divergence(silent)["repro"]])
    expect(run.status == 0, f"the versions do not differ: {run}")


@case
def repro_in_a_directory_with_a_space():
    place = Place("repro-space")
    found = the_divergence(place.report(1, THRESHOLD, "--out", "it's mine"))
    run = place.shell(["sh", "-c", found["repro"]])
    expect(run.status == 1 and "return = 01" in run.out and "return = 00" in run.out, f"{found['repro']!r}: {run}")


# ---- exit statuses ----

CLASSES = {  # what the only divergence of a program is: the body of f(int x), the status by --fail-on
    "regression": ("    if (x > change(20, 10))\n        abort();\n    return 0;\n",
                   {None: 1, "regression": 1, "output": 1}),
    "output": ("    if (x > change(10, 20))\n        return 1;\n    return 0;\n",
               {None: 1, "regression": 0, "output": 1}),
    "fix": ("    if (x > change(10, 20))\n        abort();\n    return 0;\n",
            {None: 1, "output": 0, "any": 1}),
    "silent": ("    if (x > change(10, 20))\n        return x;\n    return x + 0;\n",
               {None: 0, "output": 0, "any": 1}),
}


def status_of(class_name, fail_on, status):
    def check():
        place = Place(f"status-{class_name}-{fail_on}")
        source = function(CLASSES[class_name][0], "#include <stdlib.h>\n")
        arguments = ["--range", "x=0..20"] + (["--fail-on", fail_on] if fail_on else [])
        the_divergence(place.report(status, source, *arguments), **{"class": class_name})
    return check


for class_of_program, (_, statuses) in CLASSES.items():
    CASES += [(f"status-of-{class_of_program}{'-with-fail-on-' + name if name else ''}",
               status_of(class_of_program, name, status)) for name, status in statuses.items()]


@case
def nothing_found():
    place = Place("nothing")
    expect(place.report(0, function("    return x + change(0, 0);\n"))["verdict"] == "no-difference-found", "verdict")
    report = place.report(3, "int f(int x)\n{\n    return x;\n}\n", "--fail-on", "any")
    expect(report["verdict"] == "no-difference-found" and limits_of(report), "no word on a program without change()")


@case
def strictly():
    """Everything but a difference and equivalence is 3."""
    place = Place("strictly")
    same = function("    return x + change(0, 0);\n")
    place.report(3, same, "--strict")
    place.report(0, same, "--strict", "--mode", "complete")
    place.report(1, THRESHOLD, "--strict", "--mode", "complete")
    place.report(3, THRESHOLD, "--strict", "--mode", "complete", "--fail-on", "regression")
    place.report(3, function("    return x + change(getenv(\"A\") != 0, !!getenv(\"A\"));\n", "#include <stdlib.h>\n"), "--strict",
                 "--mode", "complete")


# ---- being interrupted ----

LONG = """#include <penumbra.h>
int f(unsigned char *s, int x)
{
    int sum = 0;
    if (x > change(10, 20))
        return -1;
    for (int i = 0; i < 16; i++)
        if (s[i] * s[(i + 1) % 16] > 100 + i)
            sum += s[i];
    return sum;
}
"""


# One question after the other that takes the solver all the time it has.
HARD = """#include <penumbra.h>
int f(unsigned a, unsigned b, int x)
{
    if (x > change(10, 20))
        return -1;
    for (int i = 0; i < 60; i++)
        if ((unsigned long long)a * b == 0x3fffffdd80000001ull + 2 * i)
            return i;
    return 60;
}
"""


def interrupt(name, source, arguments, whole_group, wanted, after, pause=0):
    """Interrupts a long run once, some time after the divergence with this number was found."""
    place = Place(name).write("a.c", source)
    command = [PENUMBRA, "run", "a.c", "--entry", "f", "--json", "--all", "--time", "600", *arguments]
    with subprocess.Popen(command, cwd=place.path, env=place.environment(), stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True) as program:
        deadline = time.monotonic() + 60
        while not os.path.exists(place.file(f"penumbra-out/{after:03}")):
            expect(time.monotonic() < deadline and program.poll() is None, "nothing found before the interrupt")
            time.sleep(0.05)
        time.sleep(pause)
        (os.killpg if whole_group else os.kill)(program.pid, wanted)
        try:
            out, err = program.communicate(timeout=20)
        except subprocess.TimeoutExpired:
            os.killpg(program.pid, signal.SIGKILL)
            raise Failure("still running 20 s after the interrupt") from None
    report = Run(program.returncode, out, err).report(1)
    expect(report["divergences"], f"what was found is lost: {summary(report)}")
    expect(any("interrupted" in limit for limit in limits_of(report)), f"not said: {limits_of(report)}")
    with open(place.file("penumbra-out/report.json"), encoding="utf-8") as file:
        expect(json.load(file) == report, "report.json is another document")
    expect(not os.listdir(place.temporary), f"left behind in $TMPDIR: {os.listdir(place.temporary)}")


def has_divergence(store):
    if not os.path.exists(store):
        return False
    with contextlib.closing(sqlite3.connect(store, timeout=60)) as database:
        return database.execute("SELECT count(*) FROM records WHERE record = 'divergence'").fetchone()[0] > 0


def kill_worker(name, wanted):
    """Whatever the process that works dies of, what it had proven is in the report, and nothing of it is left."""
    place = Place(name).write("a.c", LONG)
    command = [PENUMBRA, "run", "a.c", "--entry", "f", "--json", "--time", "60", "--size", "s=16"]
    with subprocess.Popen(command, cwd=place.path, env=place.environment(), stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True) as program:
        deadline = time.monotonic() + 60
        while not has_divergence(place.file("penumbra-out/campaign.db")):
            expect(time.monotonic() < deadline and program.poll() is None, "nothing found")
            time.sleep(0.05)
        with open(f"/proc/{program.pid}/task/{program.pid}/children", encoding="ascii") as file:
            os.kill(int(file.read().split()[0]), wanted)
        out, err = program.communicate(timeout=60)
    # a sanitizer has its own words for the end of a tool that was built with it
    report = Run(program.returncode, out, b"" if SLOW else err).report(1)
    expect(report["verdict"] == "different" and report["divergences"][0]["inputs"]["x"] in range(11, 21), str(report))
    expect([limit["kind"] for limit in report["limits"]] == ["crashed"], str(report["limits"]))
    run = place.shell(["sh", "-c", report["divergences"][0]["repro"]])
    expect(run.status == 1, f"the repro script: {run}")
    expect(not os.listdir(place.temporary), f"left behind in $TMPDIR: {os.listdir(place.temporary)}")


@case
def memory_of_everything():
    run = Place("memory-all").run(LONG, "--mode", "complete", "--size", "s=16", "--memory-all", "64", "--json")
    expect(run.status in (1, 3) and "memory" in run.out + run.err, str(run))


@case
def time_of_everything():
    """Also of what cannot be stopped from inside."""
    place = Place("time-all").write("a.c", LONG)
    start = time.monotonic()
    run = place.penumbra("run", "a.c", "--entry", "f", "--mode", "complete", "--size", "s=16", "--time", "0.1", "--json")
    expect(run.status in (0, 1, 3) and time.monotonic() - start < 30, str(run))


CASES += [
    ("worker-that-is-killed", lambda: kill_worker("killed", signal.SIGKILL)),
    ("worker-that-crashes",
     lambda: "# SKIP a sanitizer ends it in its own way" if SLOW else kill_worker("crashed", signal.SIGSEGV)),
    ("interrupt-while-solving", lambda: interrupt("solving", HARD, ["--solver-time", "2"], False, signal.SIGINT, 1, 3)),
    ("interrupt-from-the-terminal", lambda: interrupt("control-c", LONG, ["--size", "s=16"], True, signal.SIGINT, 2)),
    ("termination", lambda: interrupt("terminate", LONG, ["--size", "s=16"], False, signal.SIGTERM, 2)),
    ("termination-of-the-complete-mode", # which explores in a process of its own
     lambda: "# SKIP it does not here" if SLOW else
             interrupt("terminate-complete", LONG, ["--size", "s=16", "--mode", "complete"], False, signal.SIGTERM, 1)),
]


# ---- options ----


@case
def seeds():
    report = Place("seeds").report(1, THRESHOLD, "--seed", "x=0", "--seed", "x=30", "--mode", "concolic")
    expect(11 <= the_divergence(report)["inputs"]["x"] <= 20, str(summary(report)))
    body = "    if (x < 50)\n        return 0;\n    if (x > change(100, 200))\n        return 1;\n    return 0;\n"
    report = Place("seeds-far").report(3, function(body)) # the change was not reached: the job is not done
    expect(any("1 seed that does not reach" in limit for limit in limits_of(report)), f"not said: {limits_of(report)}")
    report = Place("seeds-near").report(1, function(body), "--seed", "x=0", "--seed", "x=60")
    expect(101 <= the_divergence(report)["inputs"]["x"] <= 200, str(summary(report)))


@case
def range_limits_inputs():
    place = Place("range")
    expect(the_divergence(place.report(1, THRESHOLD, "--range", "x=13..13"))["inputs"] == {"x": 13}, "x=13..13")
    expect(not place.report(0, THRESHOLD, "--range", "x=-100..10")["divergences"], "x=-100..10")
    expect(not place.report(0, THRESHOLD, "--range", "x=21..2147483647")["divergences"], "x=21..")
    source = "#include <penumbra.h>\nint f(unsigned char *s) { return s[3] > change(10, 20); }\n"
    found = the_divergence(place.report(1, source, "--range", "s=15..16", "--size", "s=4"))["inputs"]["s"]
    expect(len(found) == 4 and all(15 <= value <= 16 for value in found), str(found))


@case
def size_of_pointers():
    place = Place("size")
    source = "#include <penumbra.h>\nint f(int *v) { if (v[4] > change(10, 20)) return 1; return 0; }\n"
    report = place.report(1, source)
    expect(len(the_divergence(report)["inputs"]["v"]) == 8, str(summary(report)))
    expect(any("8" in note and "--size" in note for note in report["notes"]), f"not said: {report['notes']}")
    report = place.report(1, source, "--size", "v=5")
    expect(len(the_divergence(report)["inputs"]["v"]) == 5, str(summary(report)))
    expect(not any("--size" in note for note in report["notes"]), f"said although it was given: {report['notes']}")
    # Beyond the end both versions fail alike.
    report = place.report(0, source, "--size", "v=4")
    expect(report["verdict"] == "no-difference-found", str(summary(report)))


@case
def memory_behind_pointers_is_output():
    source = "#include <penumbra.h>\nvoid f(int *v, int x) { if (x > change(10, 20)) v[1] = 5; }\n"
    found = the_divergence(Place("pointer-output").report(1, source, "--size", "v=2"))
    expect(found["class"] == "output" and found["old"]["output"] != found["new"]["output"], str(found))


@case
def globals_as_inputs_and_outputs():
    source = function("    last = x > limit ? 0 : limit;\n    if (limit > change(10, 20))\n        last = 9;\n"
                      "    return 0;\n", "int limit = 5;\nstatic int last;\n")
    expect(not Place("global-fixed").report(0, source)["divergences"], "limit is not an input")
    found = the_divergence(Place("global").report(1, source, "--global", "limit", "--seed", "limit=3,x=0"))
    expect(11 <= found["inputs"]["limit"] <= 20 and found["class"] == "output", str(found))
    expect("last" in found["old"]["output"], "the final globals are no output")


@case
def overflow_of_signed_integers():
    found = divergences(Place("wrap").report(1, UNDERFLOW), kind="diff-false")
    expect(len(found) == 1 and found[0]["overflow"] and found[0]["inputs"]["x"] in (-2**31, 2**31 - 1), str(found))
    report = Place("assume-none").report(1, UNDERFLOW, "--overflow", "assume-none")
    expect(not divergences(report, kind="diff-false") and not divergences(report, overflow=True), str(summary(report)))
    the_divergence(report, **{"class": "regression"})


@case
def flags_for_the_compiler():
    source = "#include <penumbra.h>\n#include <limits.h>\nint f(int x) { return x > change(LIMIT, LIMIT + 5); }\n"
    place = Place("cflags")
    os.mkdir(place.file("include"))
    with open(place.file("include/limits.h"), "w", encoding="utf-8") as file:
        file.write("#define LIMIT (OFFSET + 30)\n")
    found = the_divergence(place.report(1, source, "--cflags", "-Iinclude -DOFFSET=10"))
    expect(41 <= found["inputs"]["x"] <= 45, str(found))


@case
def several_files():
    place = Place("files-two")
    place.write("one.c", "#include <penumbra.h>\n#include \"two.h\"\nint calls;\n"
                         "static int scale(int x) { return x * 2; }\n"
                         "int f(int x) { calls++; return above(scale(x)); }\n"
                         "int main(int argc, char **argv) { return f(argc) + !argv; }\n")
    place.write("two.h", "int above(int x);\n")
    place.write("two.c", "#include <penumbra.h>\n#include \"two.h\"\n"
                         "static int scale(int x) { return x + change(1, 3); }\n"
                         "int above(int x)\n{\n    if (scale(x) > 10)\n        return 1;\n    return 0;\n}\n")
    run = place.penumbra("run", "one.c", "two.c", "--entry", "f", "--json", "--overflow", "assume-none")
    found = the_divergence(run.report(1))
    expect(found["inputs"] == {"x": 4} and found["location"] == {"file": "two.c", "line": 6, "column": 9}, str(found))


@case
def main_without_parameters_as_entry():
    source = ("#include <penumbra.h>\nint main(void)\n{\n    int x;\n    pn_symbolic(&x, sizeof x, \"x\");\n"
              "    if (x > change(10, 20))\n        return 1;\n    return 0;\n}\n")
    found = the_divergence(Place("main").report(1, source, "--entry", "main"))
    expect(found["class"] == "output", str(found))


@case
def stubs():
    place = Place("stub")
    source = function("    if (ask(x) > change(10, 20))\n        return 1;\n    return 0;\n", "int ask(int what);\n")
    found = the_divergence(place.report(1, source, "--stub", "ask"))
    expect(found["class"] == "output" and "ask()" in found["inputs"], str(found))


@case
def link():
    place = Place("link").write("ask.c", "int ask(int what) { return what + 5; }\n")
    compiled = place.shell(["cc", "-c", "ask.c"])
    expect(compiled.status == 0, str(compiled))
    source = function("    if (ask(3) + x > change(10, 20))\n        return 1;\n    return 0;\n", "int ask(int);\n")
    found = the_divergence(place.report(1, source, "--link", "ask.o", "--range", "x=0..100"))
    expect(3 <= found["inputs"]["x"] <= 12, str(found))


@case
def seeds_and_ranges_of_inputs_by_hand():
    source = """#include <penumbra.h>
int f(void)
{
    short level = 3;
    pn_symbolic(&level, sizeof level, "level");
    return level > change(20, 10);
}
"""
    found = the_divergence(Place("by-hand-seed").report(1, source, "--seed", "level=15", "--mode", "concolic"))
    expect(found["inputs"] == {"level": 15}, str(found))
    report = Place("by-hand-range").report(0, source, "--range", "level=-30..10", "--mode", "complete")
    expect(report["verdict"] == "equivalent", str(report))


@case
def entry_of_one_of_two_files():
    place = Place("two-entries")
    for name, step in ("one", 1), ("two", 2):
        place.write(f"{name}.c", "#include <penumbra.h>\nstatic int scale(int x) { return x + change(0, x == %d); }\n"
                                 "static int f(int x) { return scale(x); }\nint %s(void) { return f(0); }\n" % (step, name))
    run = place.penumbra("run", "one.c", "two.c", "--entry", "f")
    expect(run.status == 2 and "defined in one.c and in two.c" in run.err, str(run))
    run = place.penumbra("run", "one.c", "two.c", "--entry", "two.c:f", "--json")
    found = the_divergence(run.report(1))
    expect(found["inputs"] == {"x": 2}, str(found))


@case
def values_are_shown_as_what_they_are():
    source = """#include <penumbra.h>
enum mode { OFF, ON };
struct state { enum mode mode; double rate; char name[8]; };
int large[50];
struct state f(struct state *s)
{
    struct state result = *s;
    result.mode = change(OFF, ON);
    result.rate = change(0.5, 0.25);
    s->name[0] = change('a', 'b');
    large[40] = change(1, 2);
    return result;
}
"""
    run = Place("values").run(source, "--all", "--seed", 's->mode=ON, s->name="x"')
    for text in ("s->mode=ON(1)", "return.mode = OFF(0)", "return.mode = ON(1)", "return.rate = 0.5", "return.rate = 0.25",
                 's->name = "a', "large[40] = 2"):
        expect(text in run.out, f"{text!r} is not in {run.out}")


@case
def what_all_divergences_have_in_common_is_said():
    source = ("#include <penumbra.h>\nint version = 2; pn_global(version, 1);\n"
              "int f(int x) { if (x > change(10, 20)) return 1; return 0; }\n")
    run = Place("common").run(source, "--mode", "complete")
    expect("in each of these outputs: version = 1 in the old version, version = 2 in the new one" in run.out, run.out)
    expect("outputs: return" not in run.out, run.out)


@case
def inputs_by_hand():
    source = """#include <penumbra.h>
int f(void)
{
    short level = 0;
    unsigned char key[3] = {0};
    pn_symbolic(&level, sizeof level, "level");
    pn_symbolic(key, sizeof key, "key");
    pn_assume(level >= 0 && level < 15);
    long total = level + key[1];
    if (total > change(20, 10) && key[0] == 'k')
        total = -1;
    pn_output("total", &total, sizeof total);
    return 0;
}
"""
    report = Place("by-hand").report(1, source)
    found = divergences(report, **{"class": "output"})
    expect(found, str(summary(report)))
    for each in found:
        expect("level" in each["inputs"] and "total" in each["old"]["output"], str(each))
        level = each["inputs"]["level"]
        value = level if isinstance(level, int) else int.from_bytes(bytes(level), "little", signed=True)
        expect(0 <= value < 15 and each["inputs"]["key"][0] == ord("k"), str(each["inputs"]))


@case
def short_names_can_be_switched_off():
    source = ("#define PENUMBRA_NO_SHORT_NAMES\n#include <penumbra.h>\nstatic int change(int OLD) { return OLD; }\n"
              "int f(int NEW)\n{\n    if (NEW > change(pn_change(10, 20)))\n        return 1;\n    return 0;\n}\n")
    found = the_divergence(Place("short-names").report(1, source))
    expect(11 <= found["inputs"]["NEW"] <= 20, str(found))


@case
def plain_versions_need_no_tool():
    place = Place("plain")
    place.write("a.c", THRESHOLD + "#include <stdio.h>\nint main(void) { printf(\"%d\\n\", f(15)); }\n")
    include = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))), "include")
    for version, result in (("OLD", "1\n"), ("NEW", "0\n")):
        compiler = f'cc -Wall -Wextra -Werror -I"$0" -DPENUMBRA_VERSION={version} a.c'
        run = place.shell(["sh", "-c", compiler + " && ./a.out", include])
        expect(run.status == 0 and run.out == result, str(run))


# ---- errors that AddressSanitizer does not see ----

FAR = """#include <penumbra.h>
char before[8192];
char arr[16];
char after[8192];
int f(int x)
{
    char *p = arr;
    if (x < 0 || x > 20)
        return 0;
    return p[%s];
}
"""


def find_unseen(name, index):
    """The place, and the divergence that only the object checks see."""
    place = Place(name)
    report = place.report(1, FAR % index)
    found = [each for each in divergences(report, **{"class": "regression"}) if each["new"]["by_own_check"]]
    expect(found, f"{summary(report)}")
    expect(found[0]["new"]["location"].startswith("a.c:10"), str(found[0]["new"]))
    expect(not found[0]["old"]["failed"], str(found[0]["old"]))
    run = place.shell(["sh", "-c", found[0]["repro"]])
    expect(run.status == 1 and "return = " in run.out, f"{found[0]['repro']!r}: {run}")
    expect("out-of-bounds access at " in run.err and "a.c:10:12" in run.err, f"{found[0]['repro']!r}: {run}")
    return place, found[0]


CASES += [
    ("far-underflow-by-an-input", lambda: find_unseen("far-underflow", "change(x & 15, x - 4000)")),
    ("far-underflow-by-a-constant", lambda: find_unseen("far-constant", "change(5, -4000)")),
    ("far-overflow-by-an-input", lambda: find_unseen("far-overflow", "change(x & 15, x + 4000)")),
]


# ---- the other commands ----


@case
def trace_shows_decisions():
    place = Place("trace").write("a.c", THRESHOLD)
    run = place.penumbra("trace", "a.c", "--entry", "f", "--seed", "x=15", "--seed", "x=3")
    expect(run.status == 0 and not run.err, str(run))
    one, other = (json.loads(line) for line in run.out.splitlines())
    expect(one["seed"] == "x=15" and one["diverged"] is not None, str(one))
    expect(other["seed"] == "x=3" and other["diverged"] is None, str(other))
    branch = [decision for decision in one["decisions"] if decision["kind"] == "branch"][0]
    expect((branch["new"], branch["old"], branch["line"]) == (0, 1, 4), str(branch))
    expect(place.entries() == ["a.c"], f"left behind: {place.entries()}")


@case
def instrument_without_main():
    place = Place("instrument-without-main").write("a.c", THRESHOLD)
    run = place.penumbra("instrument", "a.c", "-o", "program")
    place.expect_refused(run, "main()", "--entry")
    expect(len(run.err.splitlines()) == 1, str(run))


@case
def instrument_keeps_main():
    program = ("#include <stdio.h>\n"
               "int main(int argc, char **argv)\n{\n"
               "    printf(\"%s %d\\n\", argv[1], f(argc + 13));\n    return 3;\n}\n")
    place = Place("instrument").write("a.c", THRESHOLD + program)
    run = place.penumbra("instrument", "a.c", "-o", "program")
    expect(run.status == 0 and not run.out and not run.err, str(run))
    run = place.shell(["./program", "word"])
    expect(run.status == 3 and run.out == "word 0\n", str(run))
    os.remove(place.file("program"))
    place.expect_refused(place.penumbra("instrument", "missing.c", "-o", "program"), "missing.c")
    place.write("wrong.c", function("    return y;\n"))
    place.expect_refused(place.penumbra("instrument", "wrong.c", "-o", "program"), "wrong.c:4:12")


def run_case(name, check):
    try:
        skipped = check()
        return f"ok {name} {skipped}" if isinstance(skipped, str) else f"ok {name}"
    except Failure as problem:
        return f"not ok {name}: {problem}"
    except (subprocess.TimeoutExpired, ValueError, KeyError, OSError) as problem:
        return f"not ok {name}: {type(problem).__name__}: {problem}"


def main():
    words = os.environ.get("PENUMBRA_TEST_CASES", "").split()
    chosen = [(name, check) for name, check in CASES if not words or any(word in name for word in words)]
    print(f"1..{len(chosen)}")
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for line in pool.map(lambda row: run_case(*row), chosen):
            print(line, flush=True)


main()

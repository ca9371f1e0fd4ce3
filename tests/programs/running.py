"""Runs Penumbra on the programs of this directory, and plain builds of them, for the tests in tests/e2e."""

import collections
import concurrent.futures
import itertools
import json
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
# Where the programs are: others may have made the same programs in another way.
PROGRAMS = os.environ.get("PENUMBRA_TEST_PROGRAMS_IN", HERE)
INCLUDE = os.path.join(os.path.dirname(os.path.dirname(HERE)), "include")
PENUMBRA, SCRATCH = os.environ["PENUMBRA"], os.environ["SCRATCH"]
INT_MIN, INT_MAX = -2 ** 31, 2 ** 31 - 1

# A kind of divergence that a run must report: at the line that contains `at`, with inputs for which `holds`.
Expected = collections.namedtuple("Expected", "kind at classes holds overflow")
numbers = itertools.count()


def expected(kind, at, classes, holds, overflow=False):
    return Expected(kind, at, classes.split("|"), holds, overflow)


def path_of(program):
    return os.path.join(PROGRAMS, program)


def line_of(program, text):
    """The number of the only line that contains the text, below the head comment."""
    with open(path_of(program)) as file:
        lines = file.read().split("\n")
    start = next(i for i, line in enumerate(lines) if line.startswith("#include"))
    found = [i + 1 for i, line in enumerate(lines) if i >= start and text in line]
    assert len(found) == 1, f"{program} has {len(found)} lines with {text!r}"
    return found[0]


def limits_of(document):
    """The sentences that say what was cut or lost."""
    return [limit["text"] for limit in document["limits"]]


def entries_of(document):
    """The entries by name, each with what the document has of it."""
    tables = ("divergences", "limits", "assumptions")
    return {entry["entry"]: {**entry, **{table: [one for one in document[table] if one["entry"] == entry["entry"]] for table in tables}}
            for entry in document["entries"]}


class Report:
    """What one `penumbra run --json` said."""

    def __init__(self, program, entry, seeds, options):
        command = [PENUMBRA, "run", path_of(program), "--entry", entry, "--json", "--quiet", "--time", "60", "--out",
                   os.path.join(SCRATCH, f"out-{next(numbers)}"), *options]
        for seed in seeds:
            command += ["--seed", seed]
        done = subprocess.run(command, cwd=SCRATCH, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.program, self.status, self.errors = program, done.returncode, done.stderr
        assert done.returncode in (0, 1, 3), f"status {done.returncode}: {done.stderr.strip()[-400:]}"
        self.document = json.loads(done.stdout)
        self.verdict, self.counts = self.document["verdict"], self.document["counts"]
        self.divergences = self.document["divergences"]

    def check(self, *expectations):
        """Each expectation is met by a divergence, and each divergence meets one of them."""
        met = set()
        for divergence in self.divergences:
            fitting = [i for i, one in enumerate(expectations) if self.fits(divergence, one)]
            assert fitting, f"must not be reported: {shown(divergence)}"
            met.update(fitting)
        for i, one in enumerate(expectations):
            assert i in met, (f"not found: {one.kind} at '{one.at}' ({'|'.join(one.classes)}); found: "
                              f"{[shown(divergence) for divergence in self.divergences]}")
        loud = any(divergence["class"] in ("regression", "fix", "output") for divergence in self.divergences)
        assert self.verdict == ("different" if loud else "no-difference-found"), f"verdict {self.verdict}"
        unreached = any(limit["kind"] == "seed-without-change" for limit in self.document["limits"])
        assert self.status == (1 if loud else 3 if unreached and not self.divergences else 0), f"exit status {self.status}"
        assert self.counts["paths"] >= 1 and self.counts["diff_paths"] == self.count_diff_paths(), self.counts

    def count_diff_paths(self):
        return sum(divergence["kind"] != "output" for divergence in self.divergences)

    def fits(self, divergence, one):
        in_place = one.kind == "output" or divergence["location"]["line"] == line_of(self.program, one.at)
        return (divergence["kind"] == one.kind and in_place and divergence["class"] in one.classes
                and divergence["overflow"] == one.overflow and one.holds(**divergence["inputs"]))


def shown(divergence):
    location = divergence["location"]
    return (f"{divergence['kind']} at line {location['line']} with {divergence['inputs']} ({divergence['class']}"
            f"{', overflow' if divergence['overflow'] else ''})")


NATIVE_MAIN = """
#include "{path}"
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
int main(void)
{{
    int a[2];
    while ({read}) {{
        fflush(stdout);
        pid_t child = fork();
        if (!child) {{
            close(2);
            printf("%d\\n", {entry}({arguments}));
            return 0;
        }}
        int status;
        waitpid(child, &status, 0);
        if (WIFSIGNALED(status))
            printf("failed\\n");
    }}
}}
"""


class Native:
    """Plain builds of both versions of a program whose entry takes `count` ints."""

    def __init__(self, program, entry, count):
        reads = " && ".join(f'scanf("%d", &a[{i}]) == 1' for i in range(count))
        text = NATIVE_MAIN.format(path=path_of(program), entry=entry, read=reads,
                                  arguments=", ".join(f"a[{i}]" for i in range(count)))
        self.programs = []
        for version in ("OLD", "NEW"):
            path = os.path.join(SCRATCH, f"native-{next(numbers)}")
            subprocess.run(["gcc", "-O0", "-fwrapv", "-w", f"-DPENUMBRA_VERSION={version}", f"-I{INCLUDE}", "-x", "c",
                            "-", "-o", path], input=text, text=True, check=True)
            self.programs.append(path)

    def outcomes(self, inputs):
        """[(old's, new's)], each a number as text or "failed"."""
        text = "".join(" ".join(map(str, numbers)) + "\n" for numbers in inputs)
        columns = [subprocess.run([program], input=text, stdout=subprocess.PIPE, text=True, check=True).stdout.split()
                   for program in self.programs]
        assert len(columns[0]) == len(columns[1]) == len(inputs)
        return list(zip(*columns))

    def classes(self, inputs):
        return [classify(old, new) for old, new in self.outcomes(inputs)]


def classify(old, new):
    if old == new:
        return "both-fail" if old == "failed" else "silent"
    return "regression" if new == "failed" else "fix" if old == "failed" else "output"


CASES = []


def case(function):
    """A test: returns when all is well, raises AssertionError otherwise."""
    CASES.append(function)
    return function


def attempt(row):
    name, check = row
    try:
        check()
        return f"ok {name}", True
    except Exception as problem:  # whatever happened is the test's result
        text = " ".join(str(problem).split())[:1500]
        return f"not ok {name}: {type(problem).__name__}: {text}", False


def run_rows(rows, every=1):
    """Prints a line for each (name, check); the exit status. PENUMBRA_TEST_CASES names parts of some of the names; without it, it is one
    in so many, and the others are for `make test-long`."""
    words = os.environ.get("PENUMBRA_TEST_CASES", "").split()
    if words or sys.argv[1:] or os.environ.get("PENUMBRA_TEST_ALL"):
        every = 1
    chosen = [row for row in rows[::every] if not words or any(word in row[0] for word in words)]
    print(f"1..{len(chosen)}")
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = []
        for line, good in pool.map(attempt, chosen):
            print(line, flush=True)
            results.append(good)
    return 0 if all(results) else 1


def run_cases(every=1):
    return run_rows([(function.__name__, function) for function in CASES], every)

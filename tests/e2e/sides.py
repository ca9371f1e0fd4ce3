#!/usr/bin/env python3
"""One-sided code. Each entry of tests/programs/sides_*.c carries, in a comment that begins with @, its inputs and the
exact set of divergences that a run from one bland seed must report:

    /*@ x=0..9 y=1|5|9 from x=0,y=1
     *  output diff-true at 'if (x': x == 5 and y != 9
     *  silent diff-true x2: x > 7 */

`x=0..9` is a range, given to the run as well; `y=1|5|9` are values that are only tried; `and` joins several seeds. A
line is a class, a kind, optionally text of the line where the versions part, and how many divergences there are (one
unless xN says otherwise; x0 where a difference is known and not found from this seed), then the condition on their
inputs. Whether the lists are right is decided by plain builds of both versions, run on all combinations of the inputs:
the loud lines cover all inputs on which those differ, and no other.

What cannot be given a meaning is in REFUSED: one sentence that names the line."""

import concurrent.futures
import glob
import itertools
import json
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROGRAMS = os.environ.get("PENUMBRA_TEST_PROGRAMS_IN", os.path.join(ROOT, "tests/programs"))
PENUMBRA, SCRATCH = os.environ["PENUMBRA"], os.environ["SCRATCH"]
LOUD = ("output", "fix", "regression")

ENTRY = re.compile(r"/\*@(.*?)\*/\s*\n\w[\w ]*?[ *](\w+)\(([^)]*)\)(.*?\n})", re.DOTALL)
LINE = re.compile(r"(\S+) (\S+)(?: at '(.*?)')?(?: x(\d+))?: (.*)")


class Expected:
    def __init__(self, text):
        match = LINE.fullmatch(text)
        if not match:
            raise ValueError(f"cannot read '{text}'")
        self.kind_class, self.kind, self.at, count, self.condition = match.groups()
        self.count = int(count or 1)

    def holds(self, inputs):
        names = {"MIN": -2 ** 63, "MAX": 2 ** 63 - 1, "HOUR": 3600000}
        return bool(eval(self.condition, names, dict(inputs)))


class Entry:
    def __init__(self, path, text, match):
        head, self.name, parameters, body = match.groups()
        lines = [line.strip(" *") for line in head.strip().split("\n")]
        self.path, self.ranges, self.values, self.seeds = path, [], {}, []
        self.first_line, self.body = text.count("\n", 0, match.start(2)) + 1, body.split("\n")
        self.file = text.split("\n")
        self.names = re.findall(r"(\w+)(?:,|$)", parameters) if parameters != "void" else []
        words = lines[0].split()
        if "from" in words:
            self.seeds = words[words.index("from") + 1::2]
            words = words[:words.index("from")]
        for word in words:
            name, values = word.split("=")
            if ".." in values:
                low, high = map(int, values.split(".."))
                self.values[name] = range(low, high + 1)
                self.ranges.append(word)
            else:
                self.values[name] = [int(value) for value in values.split("|")]
        self.expected = [Expected(line) for line in lines[1:] if line]

    def inputs(self):
        for values in itertools.product(*(self.values[name] for name in self.names)):
            yield dict(zip(self.names, values))

    def line_of(self, text):
        """Of the line with the text in the function or, when there is none, in the file."""
        for first, lines in ((self.first_line, self.body), (1, self.file)):
            found = [i for i, line in enumerate(lines) if text in line and "/*@" not in line and " *  " not in line]
            if len(found) == 1:
                return first + found[0]
        raise AssertionError(f"{len(found)} lines with '{text}'")


def read_entries(path):
    with open(path) as file:
        text = file.read()
    return [Entry(path, text, match) for match in ENTRY.finditer(text)]


# ---- plain builds ----

NATIVE = """
#include "{path}"
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>
#define IS_VOID(call) __builtin_types_compatible_p(typeof(call), void)
#define SHOW(call) \\
    __builtin_choose_expr(IS_VOID(call), (call), printf("%lld\\n", (long long)__builtin_choose_expr(IS_VOID(call), 0, call)))
const char *__asan_default_options(void) {{ return "detect_leaks=0:allocator_may_return_null=1:symbolize=0:exitcode=99"; }}
int main(void)
{{
    int entry;
    long long a[4];
    while (scanf("%d %lld %lld %lld %lld", &entry, &a[0], &a[1], &a[2], &a[3]) == 5) {{
        fflush(stdout);
        pid_t child = fork();
        if (!child) {{
            setitimer(ITIMER_PROF, &(struct itimerval){{.it_value.tv_usec = 300000}}, NULL);
            close(2);
            switch (entry) {{
{calls}
            }}
            printf("g %d h %d", g, h);
            fflush(stdout);
            _exit(0);
        }}
        int status;
        waitpid(child, &status, 0);
        if (WIFSIGNALED(status) || WEXITSTATUS(status) == 99)
            printf("failed");
        else
            printf("status %d", status);
        putchar(0);
    }}
}}
"""


def build_native(path, entries, version):
    calls = []
    for i, entry in enumerate(entries):
        call = f"{entry.name}({', '.join(f'a[{k}]' for k in range(len(entry.names)))})"
        calls.append(f"            case {i}: SHOW({call}); break;")
    text = NATIVE.format(path=path, calls="\n".join(calls))
    program = os.path.join(SCRATCH, f"{os.path.basename(path)}-{version}")
    subprocess.run(["clang-19", "-O0", "-fwrapv", "-w", "-fsanitize=address", f"-DPENUMBRA_VERSION={version}",
                    "-DPENUMBRA_REPLAY", f"-I{ROOT}/include", "-x", "c", "-", "-o", program], input=text, text=True,
                   check=True)
    return program


def run_native(program, runs):
    """What a version does for each run: what it writes, or that it fails."""
    text = "".join(f"{index} {' '.join(map(str, (values + [0] * 4)[:4]))}\n" for index, values in runs)
    done = subprocess.run([program], input=text.encode(), stdout=subprocess.PIPE, check=True)
    outcomes = done.stdout.split(b"\0")[:-1]
    assert len(outcomes) == len(runs), f"{len(outcomes)} outcomes for {len(runs)} runs"
    return ["failed" if outcome.endswith(b"failed") else outcome for outcome in outcomes]


def classify(old, new):
    if old == new:
        return "both-fail" if old == "failed" else "silent"
    return "regression" if new == "failed" else "fix" if old == "failed" else "output"


def native_classes(path, entries):
    """For each entry its inputs with their classes."""
    runs = [(i, list(inputs.values())) for i, entry in enumerate(entries) for inputs in entry.inputs()]
    old, new = [run_native(build_native(path, entries, version), runs) for version in ("OLD", "NEW")]
    classes = iter(map(classify, old, new))
    return [[(inputs, next(classes)) for inputs in entry.inputs()] for entry in entries]


def check_lists(entry, classes):
    for inputs, found in classes:
        lines = [line for line in entry.expected if line.kind_class in LOUD and line.holds(inputs)]
        assert len(lines) <= 1, f"two lines for {inputs}"
        wanted = lines[0].kind_class if lines else found if found not in LOUD else "no difference"
        assert found == wanted, f"plain builds say {found} for {inputs}, listed is {wanted}"
        quiet = [line for line in entry.expected if line.kind_class not in LOUD and line.holds(inputs)]
        assert all(line.kind_class == found for line in quiet), f"plain builds say {found} for {inputs}"


# ---- runs ----

def run_penumbra(entry):
    command = [PENUMBRA, "run", entry.path, "--entry", entry.name, "--no-alloc-fail", "--json", "--quiet", "--out",
               os.path.join(SCRATCH, f"out-{entry.name}")]
    for one in entry.ranges:
        command += ["--range", one]
    for seed in entry.seeds:
        command += ["--seed", seed]
    done = subprocess.run(command, cwd=SCRATCH, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert done.returncode in (0, 1, 3), f"status {done.returncode}: {done.stderr.strip()[-400:]}"
    return json.loads(done.stdout)


def shown(divergence):
    return (f"{divergence['class']} {divergence['kind']} at line {divergence['location']['line']} with "
            f"{divergence['inputs']}")


def fits(entry, line, divergence):
    return (line.kind_class == divergence["class"] and line.kind == divergence["kind"]
            and (line.at is None or divergence["location"]["line"] == entry.line_of(line.at))
            and line.holds(divergence["inputs"]))


def check_report(entry, report):
    counts = [0] * len(entry.expected)
    for divergence in report["divergences"]:
        fitting = [i for i, line in enumerate(entry.expected) if fits(entry, line, divergence)]
        assert fitting, f"must not be reported: {shown(divergence)}"
        counts[fitting[0]] += 1
    for line, count in zip(entry.expected, counts):
        assert count == line.count, (f"{count} instead of {line.count}: {line.kind_class} {line.kind} {line.condition}; "
                                     f"found: {[shown(divergence) for divergence in report['divergences']]}")
    loud = any(line.kind_class in LOUD for line in entry.expected)
    assert report["verdict"] == ("different" if loud else "no-difference-found"), report["verdict"]
    assert report["counts"]["mispredictions"] == 0, f"{report['counts']['mispredictions']} mispredictions"


# ---- what is refused ----

ALONE = "execute() must stand alone in the condition of an if"
JUMP = "a jump leads into code that only one version has"

# name: the body of a function, the line of it that the message must name (they are counted from 1), the message
REFUSED = {
    "execute_as_a_value": (["int y = execute(NEW);", "return x + y;"], 1, ALONE),
    "execute_and_more": (["if (execute(OLD) && x)", "    x++;", "return x;"], 1, ALONE),
    "execute_compared": (["if (execute(OLD) == 1)", "    x++;", "return x;"], 1, ALONE),
    "execute_in_a_loop_condition": (["while (execute(NEW))", "    x++;", "return x;"], 1, ALONE),
    "execute_as_an_operand": (["return x + (execute(NEW) ? 1 : 2);"], 1, ALONE),
    "execute_of_an_input": (["if (pn_execute(x))", "    x++;", "return x;"], 1, "execute() takes OLD or NEW"),
    "goto_into": (["if (x == 3)", "    goto inside;", "if (execute(OLD)) {", "inside:", "    x++;", "}", "return x;"],
                  2, JUMP),
    "goto_from_arm_to_arm": (["if (execute(OLD)) {", "    goto inside;", "} else {", "inside:", "    x++;", "}",
                              "return x;"], 2, JUMP),
    "computed_goto_into": (["void *place = &&inside;", "goto *place;", "if (execute(NEW)) {", "inside:", "    x++;", "}",
                            "return x;"], 1, JUMP),
    "case_into": (["switch (x) {", "case 1:", "    if (execute(NEW)) {", "case 2:", "        x++;", "    }", "}",
                   "return x;"], 4, "this label of a switch outside leads into code that only one version has"),
    "setjmp_inside": (["if (execute(NEW)) {", "    if (setjmp(place))", "        x++;", "}", "return x;"], 2,
                      "setjmp() in code that only one version has cannot be followed"),
    "structs_of_other_layout": (["struct { int a; } one = {x};", "struct { long a; } other = {x};",
                                 "return (int)change(one, other).a;"], 3, "change() of incompatible types"),
    "change_as_a_case_label": (["switch (x) {", "case change(1, 2): return 1;", "}", "return x;"], 2,
                               "change() where C wants a constant"),
    "change_as_an_initial_value": (["static int y = change(1, 2);", "return x + y;"], 1,
                                   "change() where C wants a constant"),
}


def check_refused(name):
    body, line, sentence = REFUSED[name]
    head = ['#include "penumbra.h"', "#include <setjmp.h>", "static jmp_buf place;", "int f(int x) {"]
    path = os.path.join(SCRATCH, f"{name}.c")
    with open(path, "w") as file:
        file.write("\n".join(head + body + ["}", ""]))
    done = subprocess.run([PENUMBRA, "run", path, "--entry", "f", "--out", os.path.join(SCRATCH, f"out-{name}")],
                          cwd=SCRATCH, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 2, f"status {done.returncode}"
    assert sentence in done.stderr, done.stderr
    assert f"{name}.c:{len(head) + line}:" in done.stderr, f"line {len(head) + line} is not named: {done.stderr}"


def attempt(name, function, *arguments):
    """Several threads do this: each line is written at once."""
    try:
        function(*arguments)
        print(f"ok {name}\n", end="", flush=True)
        return True
    except Exception as problem:  # whatever happened is the test's result
        print(f"not ok {name}: {type(problem).__name__}: {' '.join(str(problem).split())}\n", end="", flush=True)
        return False


def check_entry(entry, classes):
    check_lists(entry, classes)
    check_report(entry, run_penumbra(entry))


def main():
    words = sys.argv[1:]  # select entries by name
    paths = sorted(glob.glob(os.path.join(PROGRAMS, "sides_*.c")))
    refused = [name for name in REFUSED if not words or any(word in name for word in words)]
    results = [attempt(name, check_refused, name) for name in refused]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for path in paths:
            entries = [entry for entry in read_entries(path) if not words or any(word in entry.name for word in words)]
            if not words and not os.environ.get("PENUMBRA_TEST_ALL"):  # the others are for make test-long
                entries = entries[::6]
            if not entries:
                continue
            classes = native_classes(path, entries)
            results += pool.map(lambda one: attempt(one[0].name, check_entry, *one), zip(entries, classes))
    return 0 if results and all(results) else 1


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Exported tests: built with gcc alone, they pass with the version whose behaviour is expected, and fail with the other one."""

import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "programs"))
from running import PENUMBRA, SCRATCH, run_rows  # noqa: E402

HEAD = """#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct item { int key; short weight; const char *name; struct item *next; };
enum colour { RED, GREEN, BLUE };
static int total;
char shared[4];
"""

# A function each, with [[old|new]] in it.
FEW = {
    "number": "int number(int x) { return x > [[10|20]]; }",
    "list": "int list(struct item *at, int (*get)(int)) { int sum = 0; for (; at; at = at->next) sum += at->key * get(at->weight); "
            "return sum [[>|>=]] 40; }",
    "text": 'void text(const char *s) { if (!strcmp(s, "go")) printf("[[yes|no]]"); }',
    "overflows": "char overflows(unsigned char n) { char a[8] = {0}; return a[n & [[7|15]]]; }",
    "made": "char *made(int x) { char *p = malloc(2); [[if (!p) return NULL;|]] p[0] = x > [[10|20]]; p[1] = 0; return p; }",
    "repaired": "int repaired(int x) { if (x == [[5|-1 && x == 6]]) abort(); return x; }",
}
MORE = {
    "buffer": "int buffer(const int *a, int n) { int sum = 0; for (int i = 0; i < n && i < 4; i++) sum += a[i]; return sum == [[9|8]]; }",
    "fraction": "double fraction(double d) { return d > 2.5 ? d * [[2|3]] : 0; }",
    "global": "void global(int x) { total = x > 3 ? [[1|2]] : 0; }",
    "null": "int null(const struct item *p) { [[if (!p) return -1;|]] return p->key > 3; }",
    "divides": "int divides(int a, int b) { [[if (!b) return 0;|]] return a / b; }",
    "coloured": "int coloured(enum colour c, bool loud) { return c == BLUE && loud ? [[1|4]] : 0; }",
    "wide": "uint64_t wide(uint64_t x) { return x >> 60 == 9 ? x [[+|-]] 1 : 0; }",
    "errs": "int errs(int x) { if (x == 8) errno = [[EINVAL|ERANGE]]; return 0; }",
    "fills": "void fills(char *out, int n) { for (int i = 0; i < n && i < 4; i++) out[i] = [['a'|'b']]; }",
    "endless": "int endless(int x) { volatile int go = x == 77; while ([[0 &&|]] go) ; return 1; }",
    "calls": "int calls(int (*get)(int), int x) { return x > 5 ? get([[x|x + 1]]) : 0; }",
    "asserts": "int asserts(int x) { if (x == 12 && [[0|1]]) abort(); return 2; }",
    "writes": "void writes(int i) { if (i >= 0 && i [[<|<=]] 4) shared[i] = 1; }",
    "deep": "int deep(struct item *p) { return p && p->next && p->next->key == [[4|5]]; }",
    "quotes": 'int quotes(char c) { if (c == \'"\') printf("%%c\\\\?\\n", [[c|\'x\']]); return 0; }'.replace("%%", "%"),
}


def expect(holds, what):
    if not holds:
        raise AssertionError(what)


def shell(*command, cwd=SCRATCH, **environment):
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False, env={**os.environ, **environment})


def version_of(text, number):
    parts = text.split("[[")
    return parts[0] + "".join(part.split("]]")[0].split("|", 1)[number] + part.split("]]", 1)[1] for part in parts[1:])


def explored(name, functions):
    place = os.path.join(SCRATCH, name)
    os.makedirs(place)
    for number, file_name in enumerate(("old.c", "new.c")):
        with open(os.path.join(place, file_name), "w", encoding="utf-8") as file:
            file.write(HEAD + "\n".join(version_of(text, number) for text in functions.values()) + "\n")
    run = shell(PENUMBRA, "diff", "old.c", "new.c", "--json", "--quiet", "--out", "out", "--run-time", "1", cwd=place)
    return place, json.loads(run.stdout)


def outcomes(place, tests, source):
    run = shell("./run", cwd=os.path.join(place, tests), CFLAGS=f'-DPENUMBRA_SOURCE_0="{place}/{source}"')
    lines = [line.split(": ") for line in run.stdout.splitlines() if line.split(": ")[0] in ("passed", "failed", "not built")]
    expect(lines and all(line[0] in ("passed", "failed") for line in lines), run)
    return {name: outcome == "passed" for outcome, name in lines}


def check_kinds(name, functions):
    place, report = explored(name, functions)
    groups = [group for group in report["groups"] if group["class"] in ("regression", "output", "fix")]
    expect({group["entry"] for group in groups} == set(functions), sorted({group["entry"] for group in groups} ^ set(functions)))
    made = shell(PENUMBRA, "export", "out", "--out", "tests", cwd=place)
    expect(made.returncode == 0 and not made.stderr and f"{len(groups)} test" in made.stdout, made)
    old, new = outcomes(place, "tests", "old.c"), outcomes(place, "tests", "new.c")
    expect(len(old) == len(groups), (old, groups))
    for test, passed in old.items():
        expect(passed != ("_fix_" in test) and new[test] != passed, (test, passed, new[test]))
    return place


def few_kinds():
    place = check_kinds("few", FEW)
    made = shell(PENUMBRA, "export", "out", "--expect", "new", "--out", "accepted", cwd=place)
    expect("regression at line" in made.stderr and "fails itself" in made.stderr, made)
    expect(all(outcomes(place, "accepted", "new.c").values()) and not any(outcomes(place, "accepted", "old.c").values()), made)
    for arguments, words in ((("out", "--out", "tests"), "is there already"), (("out", "--only", "99", "--out", "x"), "no group '99'"),
                             ((".", "--out", "x"), "no results directory"), ((), "expected a results directory")):
        run = shell(PENUMBRA, "export", *arguments, cwd=place)
        expect(run.returncode == 2 and words in run.stderr, (arguments, run))
    expect(not os.path.exists(os.path.join(place, "x")), "something was written")


def many_kinds():
    check_kinds("many", MORE)


def frameworks():
    place, _ = explored("frameworks", {"number": FEW["number"]})
    shell(PENUMBRA, "export", "out", "--format", "cmocka", "--out", "cmocka", cwd=place)
    expect(list(outcomes(place, "cmocka", "old.c").values()) == [True] and list(outcomes(place, "cmocka", "new.c").values()) == [False], place)
    for name, words in (("check", "START_TEST(test_number_output_001)"), ("ctest", "int main(void)")):
        shell(PENUMBRA, "export", "out", "--format", name, "--out", name, cwd=place)
        with open(os.path.join(place, name, "test_number_output_001.c"), encoding="utf-8") as file:
            expect(words in file.read(), name)
    with open(os.path.join(place, "ctest", "CMakeLists.txt"), encoding="utf-8") as file:
        expect("add_test(NAME test_number_output_001" in file.read(), "ctest")


def annotated():
    place = os.path.join(SCRATCH, "annotated")
    os.makedirs(place)
    with open(os.path.join(place, "a.c"), "w", encoding="utf-8") as file:
        file.write("#include <penumbra.h>\nint f(int x) { return x > change(10, 20); }\n")
    shell(PENUMBRA, "run", "a.c", "--entry", "f", "--quiet", "--out", "out", cwd=place)
    shell(PENUMBRA, "export", "out", "--out", "tests", cwd=place)
    for version, words in (("OLD", "passed"), ("NEW", "failed")):
        run = shell("./run", cwd=os.path.join(place, "tests"), CFLAGS=f"-DPENUMBRA_VERSION={version}")
        expect(run.stdout.startswith(words), run)


PROGRAM = """#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv)
{
    char line[64], array[4] = {0};
    const char *mode = getenv("MODE");
    if (argc > 1 && strlen(argv[1]) > [[3|4]])
        puts("long 100%' #");
    if (fgets(line, sizeof line, stdin) && line[0] == 'q')
        return [[3|4]];
    FILE *file = argc > 2 ? fopen(argv[2], "r") : NULL;
    if (file && fgetc(file) == 'z')
        array[ [[3|4]] ] = 1;
    if (mode && !strcmp(mode, "slow"))
        printf("[[a|b]]\\377");
    return array[0];
}
"""


def whole_program():
    """Arguments, standard input, files and variables are made by a script; the program is any build of it."""
    place = os.path.join(SCRATCH, "whole")
    os.makedirs(place)
    for name, text in (("old.c", version_of(PROGRAM, 0)), ("new.c", version_of(PROGRAM, 1)), ("in", "abc\n\n"), ("data", "hello\n")):
        with open(os.path.join(place, name), "w", encoding="utf-8") as file:
            file.write(text)
    report = json.loads(shell(PENUMBRA, "diff", "old.c", "new.c", "--time", "100", "--max-paths", "300", "--native-runs", "0", "--quiet", "--json", "--out", "out", "--stdin", "in", "--env", "MODE=slow",
                              "--", "a'b\n", "data", cwd=place).stdout)
    made = shell(PENUMBRA, "export", "out", "--out", "tests", cwd=place)
    expect(made.returncode == 0 and not made.stderr and f"{len(report['groups'])} test" in made.stdout and len(report["groups"]) > 1, (made, report["groups"]))
    for version in ("old", "new"):
        built = shell("gcc", "-w", "-fsanitize=address", version + ".c", "-o", version, cwd=place)
        expect(built.returncode == 0, built)
        run = shell("tests/run", cwd=place, PROGRAM="./" + version)
        lines = [line.split(":")[0] for line in run.stdout.splitlines() if "test_main_" in line]
        expect(set(lines) == {"passed" if version == "old" else "failed"} and len(lines) == len(report["groups"]), (version, run))
    expect(shell("tests/run", cwd=place).returncode == 1, "what the sources make is the new version")
    made = shell(PENUMBRA, "export", "out", "--format", "cmocka", "--out", "cmocka", cwd=place)
    expect("--format sh or ctest" in made.stderr, made)
    shell(PENUMBRA, "export", "out", "--format", "ctest", "--out", "ctest", cwd=place)
    with open(os.path.join(place, "ctest", "CMakeLists.txt"), encoding="utf-8") as file:
        expect(".sh $<TARGET_FILE:program>)" in file.read(), "ctest")


ROWS = [few_kinds, frameworks, annotated, whole_program]
if os.environ.get("PENUMBRA_TEST_ALL"):
    ROWS += [many_kinds]

if __name__ == "__main__":
    sys.exit(run_rows([(row.__name__.replace("_", "-"), row) for row in ROWS]))

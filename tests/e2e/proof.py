#!/usr/bin/env python3
"""The proof is made of the user's own files: each version's own headers and each file's own flags, never the text that the
versions were merged into. What the files need is found file by file, and both versions are started in the same way."""

import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "programs"))
from running import entries_of, limits_of, run_rows  # noqa: E402

PENUMBRA, SCRATCH = os.environ["PENUMBRA"], os.environ["SCRATCH"]


def place_of(name, files):
    place = os.path.join(SCRATCH, name)
    for path, text in files.items():
        path = os.path.join(place, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    return place


def diff(place, *arguments):
    run = subprocess.run([PENUMBRA, "diff", *arguments, "--json", "--quiet"], cwd=place, capture_output=True, text=True,
                         timeout=300, check=False, stdin=subprocess.DEVNULL)
    return run, json.loads(run.stdout) if run.stdout else None


def expect(condition, why):
    if not condition:
        raise AssertionError(why)


# ---- two files: (old, new, verdicts that are right) ----

EQUAL, DIFFERENT = {"equivalent", "no-difference-found"}, {"different"}
ERRORS = "#define _GNU_SOURCE\n#include <errno.h>\n#include <error.h>\n#include <err.h>\n#include <stdio.h>\n#include <assert.h>\n"
PAIRS = {
    # what native programs of the merged text would confirm
    "members-in-another-order": (
        "struct point { int x, y; };\nint f(int a) { struct point p = {a, 1}; return p.x * 3 + p.y; }\n",
        "struct point { int y, x; };\nint f(int a) { struct point p = {1, a}; return p.x * 3 + p.y; }\n", EQUAL),
    "members-in-another-order-that-matter": (
        "struct point { int x, y; };\nint f(int a) { struct point p = {a, 1}; return p.x * 3 + p.y; }\n",
        "struct point { int y, x; };\nint f(int a) { struct point p = {a, 1}; return p.x * 3 + p.y; }\n", DIFFERENT),
    "union-with-another-first-member": (
        "union u { int i; char c[8]; };\nint f(int a) { union u u = {a}; return u.i; }\n",
        "union u { char c[8]; int i; };\nint f(int a) { union u u = {.i = a}; return u.i; }\n", EQUAL),
    "variables-in-another-order": (
        "int first, second;\nvoid f(int a) { first = a; second = a > 3 ? 1 : 2; }\n",
        "int second, first;\nvoid f(int a) { second = a >= 4 ? 1 : 2; first = a; }\n", EQUAL),
    "variables-in-another-order-and-a-difference": (
        "int first, second;\nvoid f(int a) { first = a; second = a > 3 ? 1 : 2; }\n",
        "int second, first;\nvoid f(int a) { second = a >= 3 ? 1 : 2; first = a; }\n", DIFFERENT),
    "variables-that-are-exchanged": (
        "int first, second;\nvoid f(int a) { first = a; second = 1; }\n",
        "int second, first;\nvoid f(int a) { second = a; first = 1; }\n", DIFFERENT),
    "a-member-that-one-version-has": (
        "struct s { int a; };\nint f(struct s *s, int x) { s->a = x > 3; return s->a; }\n",
        "struct s { int a; int count; };\nint f(struct s *s, int x) { s->a = x >= 4; s->count = x; return s->a; }\n", EQUAL),
    "a-member-of-that-name-in-another-structure": (
        "struct s { int a; };\nstruct t { int count; } t;\nint f(struct s *s, int x) { t.count = x > 3; return s->a; }\n",
        "struct s { int a; int count; };\nstruct t { int count; } t;\nint f(struct s *s, int x) { t.count = x > 4; return s->a; }\n",
        DIFFERENT),
    "printed-without-end-of-line": (
        '#include <stdio.h>\nint f(int x) { printf("%d", x > 3); return 0; }\n',
        '#include <stdio.h>\nint f(int x) { printf("%d", x >= 4); return 0; }\n', EQUAL),
    "printed-that-looks-like-an-output": (
        '#include <stdio.h>\nint f(int x) { if (x > 3) printf("return = 00 00 00 00  # 0\\n"); return 0; }\n',
        '#include <stdio.h>\nint f(int x) { if (x > 4) printf("return = 00 00 00 00  # 0\\n"); return 0; }\n', DIFFERENT),
    # the same name, whoever asks for it
    "error": (ERRORS + 'int f(int x) { if (x > 3) error(0, 0, "large"); return x; }\n',
              ERRORS + 'int f(int x) { if (x >= 4) error(0, 0, "large"); return x; }\n', EQUAL),
    "warnx": (ERRORS + 'int f(int x) { if (x > 3) warnx("large"); return x; }\n',
              ERRORS + 'int f(int x) { if (x >= 4) warnx("large"); return x; }\n', EQUAL),
    "invocation-name": (ERRORS + 'int f(int x) { if (x > 3) puts(program_invocation_name); return x; }\n',
                        ERRORS + 'int f(int x) { if (x >= 4) puts(program_invocation_name); return x; }\n', EQUAL),
    "file-name": ("int f(int x) { return x > 3 ? __FILE__[0] : sizeof __FILE__; }\n",
                  "int f(int x) { return x >= 4 ? __FILE__[0] : sizeof __FILE__; }\n", EQUAL),
    "file-name-printed": ('#include <stdio.h>\nint f(int x) { if (x > 3) puts(__FILE__); return 0; }\n',
                          '#include <stdio.h>\nint f(int x) { if (x >= 4) puts(__FILE__); return 0; }\n', EQUAL),
    "moment-of-compilation": ('#include <stdio.h>\nint f(int x) { if (x > 3) puts(__DATE__ " " __TIME__); return 0; }\n',
                              '#include <stdio.h>\nint f(int x) { if (x >= 4) puts(__DATE__ " " __TIME__); return 0; }\n', EQUAL),
    "assertion": (ERRORS + "int f(int x) { assert(x != 3); return x > 5; }\n",
                  ERRORS + "int f(int x) { assert(x != 3); return x >= 6; }\n", EQUAL),
}


def check_pair(name):
    old, new, verdicts = PAIRS[name]
    place = place_of("pair-" + name, {"before.c": old, "after.c": new})
    run, report = diff(place, "before.c", "after.c", "--entry", "f", "--time", "60")
    expect(report and report["verdict"] in verdicts, (run.stderr, report))
    expect(run.returncode == (1 if verdicts == DIFFERENT else 0), run)


# ---- flags ----

def commands(place, tree, flags):
    return json.dumps([{"directory": os.path.join(place, tree), "file": file, "arguments": ["cc", "-c", *more, file]}
                       for file, more in flags.items()])


def trees(place, files, flags):
    """Both trees with their files; compile_commands.json of each has each file's own flags."""
    for tree in ("old", "new"):
        place_of(os.path.basename(place), {f"{tree}/{name}": text[tree] if isinstance(text, dict) else text
                                           for name, text in files.items()})
        mine = flags[tree] if tree in flags else flags
        place_of(os.path.basename(place), {f"{tree}/compile_commands.json": commands(place, tree, mine)})


def check_own_flags():
    """`limit.c` is compiled with LIMIT=5 and main.c with LIMIT=100: with the wrong one there would be another difference."""
    place = os.path.join(SCRATCH, "own-flags")
    trees(place, {"main.c": {"old": "int limit(void);\nint f(int x) { return x > limit() && LIMIT == 100; }\n",
                             "new": "int limit(void);\nint f(int x) { return x >= limit() && LIMIT == 100; }\n"},
                  "limit.c": "int limit(void) { return LIMIT; }\n"},
          {"main.c": ["-DLIMIT=100"], "limit.c": ["-DLIMIT=5"]})
    run, report = diff(place, "old", "new", "--entry", "f")
    expect(run.returncode == 1 and [one["inputs"] for one in report["divergences"]] == [{"x": 5}], (run.stderr, report))


def check_flags_of_a_version():
    """A file that is not changed has other flags in the new version: the programs differ."""
    place = os.path.join(SCRATCH, "flags-of-a-version")
    trees(place, {"main.c": {"old": "int limit(void);\nint f(int x) { return x > limit(); }\n",
                             "new": "int limit(void);\nint f(int x) { return limit() < x; }\n"},
                  "limit.c": "int limit(void) { return LIMIT; }\n"},
          {"old": {"main.c": [], "limit.c": ["-DLIMIT=5"]}, "new": {"main.c": [], "limit.c": ["-DLIMIT=6"]}})
    run, report = diff(place, "old", "new", "--entry", "f")
    expect(report and report["verdict"] != "equivalent", (run.stderr, report))


def check_own_headers():
    """Each version has its own header; the merged text must not lend one version's to the other."""
    place = os.path.join(SCRATCH, "own-headers")
    trees(place, {"main.c": '#include "limit.h"\nint f(int x) { return x > LIMIT; }\n',
                  "limit.h": {"old": "#define LIMIT (2 + 3)\n", "new": "#define LIMIT 5\n"}}, {"main.c": []})
    run, report = diff(place, "old", "new", "--entry", "f")
    expect(report and report["verdict"] in EQUAL, (run.stderr, report))


# ---- files ----

def check_variables_of_one_version():
    """Only the new version uses a variable of another file, and leaves what is there: both programs have it, so nothing differs."""
    place = os.path.join(SCRATCH, "variables-of-one-version")
    trees(place, {"main.c": {"old": "void f(int x) { if (x == 77) { } }\n",
                             "new": "extern int count;\nvoid f(int x) { if (x == 77) { count = 3; } }\n"},
                  "count.c": "int count = 3;\nvoid add(void) { count++; }\n"}, {"main.c": [], "count.c": []})
    run, report = diff(place, "old", "new", "--entry", "f", "--mode", "complete")
    expect(report and report["verdict"] in EQUAL, (run.stderr, report))


def check_file_of_one_version():
    """A new file brings variables that the old version does not have: they are not compared. One that moved there is of both versions."""
    place = place_of("file-of-one-version", {
        "old/main.c": "int f(int x) { return x * 2; }\n", "new/main.c": "int twice(int);\nint f(int x) { return twice(x); }\n",
        "new/twice.c": "int state = 4;\nstatic int calls;\nint twice(int x) { calls++; return x + x; }\n"})
    run, report = diff(place, "old", "new", "--entry", "f", "--mode", "complete")
    expect(report and report["verdict"] in EQUAL, (run.stderr, report))
    place = place_of("moved-variable", {
        "old/main.c": "int count;\nint f(int x) { count = x; return x; }\n",
        "new/main.c": "extern int count;\nint f(int x) { count = x + (x == 9); return x; }\n", "new/count.c": "int count;\n"})
    run, report = diff(place, "old", "new", "--entry", "f")
    expect(report and report["verdict"] != "equivalent", (run.stderr, report))


def check_unreadable_file():
    """A file that does not compile is named where something is missing, and nobody's business where nothing is."""
    files = {}
    for tree, sign in (("old", ">"), ("new", ">=")):
        files |= {tree + "/main.c": f"int help(int);\nint f(int x) {{ return help(x) {sign} 3; }}\n"
                                    f"int g(int x) {{ return x {sign} 3; }}\n",
                  tree + "/help.c": '#include "no-such-header.h"\nint help(int x) { return x; }\n'}
    place = place_of("unreadable-file", files)
    run, _ = diff(place, "old", "new", "--entry", "f")
    expect(run.returncode == 2 and "help()" in run.stderr and "help.c:1:10: error: 'no-such-header.h' file not found"
           in run.stderr, run)
    run, report = diff(place, "old", "new", "--entry", "g")
    expect(run.returncode == 1 and [one["inputs"] for one in report["divergences"]] == [{"x": 3}], run)


def check_chosen_definition():
    """Of two definitions the nearer one is taken, and the report says so: nothing is certain then."""
    files = {}
    for tree, sign in (("old", "x > 3"), ("new", "3 < x")):
        files |= {tree + "/src/main.c": f"int help(int);\nint f(int x) {{ return help({sign}); }}\n",
                  tree + "/src/help.c": "int help(int x) { return x; }\n",
                  tree + "/tests/help.c": "int help(int x) { return -x; }\nint main(void) { return help(2); }\n"}
    place = place_of("chosen-definition", files)
    run, report = diff(place, "old", "new", "--entry", "f")
    expect(report and report["verdict"] == "no-difference-found", (run.stderr, report))
    expect(any("help is defined in 2 files" in limit and "src/help.c" in limit for limit in limits_of(report)), limits_of(report))


def check_weak_definition():
    """The entry's own file has a definition that would give way to another file's: which one counts is not certain."""
    weak = "__attribute__((weak)) int help(int x) { return x; }\nint f(int x) { return help(x); }\n"
    place = place_of("weak-definition", {"old/main.c": weak, "new/main.c": weak, "old/other.c": "int other;\n",
                                         "new/other.c": "int help(int x) { return x + 1; }\n"})
    run, report = diff(place, "old", "new", "--entry", "f")
    expect(report and report["verdict"] != "equivalent", (run.stderr, report))


def check_entry_in_a_file():
    """--entry FILE:FUNCTION, where two changed files have functions of one name; and both without --entry."""
    files = {}
    for tree, number in (("old", 3), ("new", 4)):
        for name in ("one", "two"):
            files[f"{tree}/{name}.c"] = (f"static int step(int x) {{ return x > {number if name == 'one' else number + 10}; }}\n"
                                         f"int {name}(int x) {{ return step(x); }}\n")
    place = place_of("entry-in-a-file", files)
    for name, value in (("one", 4), ("two", 14)):
        run, report = diff(place, "old", "new", "--entry", name + ".c:step", "--out", name)
        expect(run.returncode == 1 and [one["inputs"] for one in report["divergences"]] == [{"x": value}], (run.stderr, report))
    run, _ = diff(place, "old", "new", "--entry", "step")
    expect(run.returncode == 2 and "one.c:step" in run.stderr and "two.c" in run.stderr, run)
    run, _ = diff(place, "old", "new", "--entry", "three.c:step")
    expect(run.returncode == 2 and "three.c" in run.stderr, run)
    run, report = diff(place, "old", "new", "--out", "all")
    entries = entries_of(report)
    steps = [entries["one.c:step"], entries["two.c:step"]]
    expect([one["divergences"][0]["inputs"]["x"] for one in steps] == [4, 14], steps)
    expect(len({one["directory"] for one in steps}) == 2 and all(os.path.exists(os.path.join(place, one["directory"]))
                                                                 for one in steps), steps)


def check_unchanged_entry():
    """The entry's own file is the same in both versions; what it calls is not. What limits the other file's merge counts."""
    files = {}
    for tree, sign in (("old", ">"), ("new", ">=")):
        files |= {tree + "/main.c": "int step(int);\nint f(int x) { return step(x) + 1; }\nint g(int x) { return x; }\n",
                  tree + "/step.c": f"int step(int x) {{ return x {sign} 3; }}\n"}
    place = place_of("unchanged-entry", files)
    for entry in ("f", "main.c:f"):
        run, report = diff(place, "old", "new", "--entry", entry, "--out", entry.replace(":", "-"))
        expect(run.returncode == 1 and [one["inputs"] for one in report["divergences"]] == [{"x": 3}], (run.stderr, report))
    run, report = diff(place, "old", "new", "--entry", "g", "--out", "g")
    expect(run.returncode == 0 and report["verdict"] == "equivalent", (run.stderr, report))
    run, _ = diff(place, "old", "new", "--entry", "none")
    expect(run.returncode == 2 and "no file defines a function 'none' in both versions" in run.stderr, run)


CASES = [(name, lambda name=name: check_pair(name)) for name in PAIRS]
CASES += [("own-flags", check_own_flags), ("variables-of-one-version", check_variables_of_one_version),
          ("file-of-one-version", check_file_of_one_version),
          ("own-headers", check_own_headers), ("unreadable-file", check_unreadable_file),
          ("chosen-definition", check_chosen_definition), ("weak-definition", check_weak_definition),
          ("entry-in-a-file", check_entry_in_a_file),
          ("unchanged-entry", check_unchanged_entry), ("flags-of-a-version", check_flags_of_a_version)]

if __name__ == "__main__":
    sys.exit(run_rows(CASES))

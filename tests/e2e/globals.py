#!/usr/bin/env python3
"""Globals as inputs (tests/programs/pairs.py): --globals, and what `penumbra diff` does by itself where no entry is named."""

import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "programs"))
from pairs import DIFFERENT, NOT_DIFFERENT, PENUMBRA, SAME, SCRATCH, also, case, main, version_of  # noqa: E402

LEVEL = "static int level; void set_level(int l) { level = l; } int f(int x) { return level == 7 && x [[> 3|> 4]]; }"
OPTIONS = "#include <dirent.h>\nstruct options { DIR *log; unsigned mode : 3; char *name; } options; " \
          "int f(int x) { return options.mode == 5 && options.name[0] == 'a' ? x [[+ 1|+ 2]] : 0; }"
case("initial values", NOT_DIFFERENT, LEVEL, shows="no-change")
case("a static variable", DIFFERENT, LEVEL, "--globals", shows='"level": 7|"kind": "state"')
case("with no entry named", DIFFERENT, LEVEL, entry=None, shows='"level": 7')
case("a structure with a member that cannot be an input", DIFFERENT, OPTIONS, entry=None, shows="options.log keeps its initial value")
case("a variable that nothing changes", SAME, "static int size[2] = {3, 4}; int f(int x) { return size[x & 1] == 5 ? [[1|2]] : 0; }", "--globals")
case("a table that is too large", NOT_DIFFERENT, "int table[100000]; int f(unsigned x) { return x < 9 && table[x] == 5 ? [[1|2]] : 0; }", "--globals",
     shows="table keeps its initial value")
case("a large structure that holds all state", DIFFERENT, "struct state { char buffer[8192]; struct { int mode; } now; char *next; } state; "
     "int f(int x) { return state.now.mode == 77 && x > [[3|4]]; }", "--globals", shows='"state.now.mode": 77|state: its pointers and large arrays keep')
RESET = "int count; void f(int x) { if (x > 3) { [[|count = 0;]] } }"
case("a reset that is added", DIFFERENT, RESET, shows='"count": |"kind": "state"')
case("a reset that is added, by counts of the plain harness", SAME, RESET, "--mode", "complete", shows="initial-value")
case("a reset under another condition", DIFFERENT, "static int count; void g(void) { count++; } void f(int x) { if (x > [[3|4]]) count = 0; }", shows='"x": 4', rare=True)
case("a reset that is written otherwise", SAME, "int count; void f(int x) { if (x > 3) [[count = 0|count -= count]]; }", shows="initial-value")
case("the same for every state", SAME, "int level; int f(int x) { return [[level * 3|level + level + level]] + x; }", "--globals", rare=True)
case("in the second file's terms", DIFFERENT, "char *file = \"a\"; int line = 1; int f(void) { return file && line > [[80|81]]; }", entry=None, rare=True)


def judge_files(place, tick):
    """A static variable that only one version has in one file is none of another file's that has its name."""
    files = {"a.c": "void tick(int); [[|static int count;]] int f(int x) { [[|count++;]] tick(x); return x; }",
             "b.c": f"static int count; void tick(int x) {{ count = {tick}; }}"}
    for number, tree in ((1, "old"), (2, "new")):
        os.makedirs(os.path.join(SCRATCH, place, tree))
        for name, source in files.items():
            with open(os.path.join(SCRATCH, place, tree, name), "w") as file:
                file.write(version_of(source, number))
    done = subprocess.run([PENUMBRA, "diff", "old", "new", "--quiet", "--time", "30", "--entry", "f", "--json", "--out", "results"],
                          cwd=os.path.join(SCRATCH, place), capture_output=True, text=True)
    return json.loads(done.stdout)["verdict"]


def other_file_differs():
    verdict = judge_files("differs", "[[x|x == 7 ? 8 : x]]")
    return None if verdict in DIFFERENT else verdict


def other_file_is_same():
    verdict = judge_files("same", "[[x + 1|1 + x]]")
    return None if verdict in NOT_DIFFERENT else verdict


also("a static variable that is added to one file and changes in another", other_file_differs)
also("a static variable that is added to one file", other_file_is_same)
main()

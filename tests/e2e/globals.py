#!/usr/bin/env python3
"""Globals as inputs (tests/programs/pairs.py): --globals, and what `penumbra diff` does by itself where no entry is named."""

import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "programs"))
from pairs import DIFFERENT, NOT_DIFFERENT, NOT_SAME, PENUMBRA, SAME, SCRATCH, also, case, main, version_of  # noqa: E402

UNKNOWN = {"no-difference-found"}  # what it depends on cannot be varied, which is said
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
     "int f(int x) { return state.now.mode == 77 && x > [[3|4]]; }", "--globals", shows='"state.now.mode": 77|state: its large arrays, and')
RESET = "int count; void f(int x) { if (x > 3) { [[|count = 0;]] } }"
case("a reset that is added", DIFFERENT, RESET, shows='"count": |"kind": "state"')
case("a reset that is added, by counts of the plain harness", UNKNOWN, RESET, "--mode", "complete", shows="--globals makes an input of it")
case("a reset under another condition", DIFFERENT, "static int count; void g(void) { count++; } void f(int x) { if (x > [[3|4]]) count = 0; }", shows='"x": 4')
case("a reset that is written otherwise", SAME, "int count; void f(int x) { if (x > 3) [[count = 0|count -= count]]; }", shows="initial-value")
case("the same for every state", SAME, "int level; int f(int x) { return [[level * 3|level + level + level]] + x; }", "--globals", rare=True)
case("in the second file's terms", DIFFERENT, "char *file = \"a\"; int line = 1; int f(void) { return file && line > [[80|81]]; }", entry=None, rare=True)

case("a variable that one version adds and looks at", UNKNOWN, "[[|static int calls;]] int f(int x) { [[return x|return x + (++calls == 7)]]; }", shows="calls keeps its initial value")
case("a variable that one version adds and only counts", SAME, "[[|static int calls;]] int f(int x) { [[|calls++;]] return [[x|x + 0]]; }", rare=True)

# ---- static variables in functions ----

TICKET = "int f(void) { static int n; return ++n > [[5|6]] ? -1 : n; }"
case("a static variable in a function", DIFFERENT, TICKET, shows='"n in f()": 5')
case("a static variable in a function, with no entry named", DIFFERENT, TICKET, entry=None, shows='"n in f()": 5')
case("a static variable in a function, the same for every value", SAME, "int f(void) { static int n; return ++n [[> 5|>= 6]] ? -1 : n; }", shows="no other value")
case("a seed for a static variable in a function", DIFFERENT, TICKET, "--globals", "--mode", "concolic", "--seed", "n in f()=5")
case("a static variable in what is called", DIFFERENT, "static int next(void) { static short n = 3; return n += 2; } int f(int x) { return next() == [[1001|1003]] ? x : 0; }")
case("a static structure in a function", DIFFERENT,
     "struct pair { int a; char *name; }; int f(int x) { static struct pair p; if (x == 3) p.a++; return p.a == [[7|8]]; }", rare=True)
case("a static array in a function", DIFFERENT, "int f(unsigned x) { static char seen[8]; return seen[x & 7]++ [[> 2|> 3]]; }")
case("a static variable in a function that is kept twice", DIFFERENT,
     "static [[int|long]] count(int x) { static int n; if (x) n++; return n; } int f(int x) { return count(x) == [[40|40 + 1]]; }")
case("a static variable in a function that is kept twice, the same", SAME,
     "static [[int|long]] count(int x) { static int n; if (x) n++; return n; } int f(int x) { return [[count(x) == 41|41 == count(x)]]; }", rare=True)
case("a static variable whose type has no name outside", UNKNOWN,
     "int f(void) { struct local { int n; }; static struct local l; return ++l.n > [[5|6]]; }", shows="l in f() keeps its initial value, and cannot be an input")
case("a static variable that is surely set", SAME, "int f(int x) { static int n; n = x; return n [[> 5|>= 6]]; }")
case("a static variable that one version adds", NOT_SAME, "int level; int f(int x) { [[|static int n; n++;]] return level > [[80|81]] && x; }")

# ---- errno ----

case("errno is read", DIFFERENT, "int f(int r) { return r < 0 && errno == [[EAGAIN|ENOMEM]]; }", shows='"errno": 11')
case("errno is cleared", DIFFERENT, "int f(int x) { [[|errno = 0;]] if (x > 1000) errno = ERANGE; return x; }", shows='"errno": ')
case("errno is set in the same cases", SAME, "int f(int x) { if ([[x > 1000|!(x <= 1000)]]) errno = ERANGE; return x; }", shows="no other value")
case("errno is kept over a call", SAME, "static int g(int x) { errno = x; return -1; } int f(int x) { int e = errno, r = g(x); errno = [[e|e + 0]]; return r; }")
case("a seed for errno", DIFFERENT, "int f(int r) { return r < 0 && (errno == EINTR || errno == [[EAGAIN|ENOMEM]]); }", "--globals", "--mode", "concolic", "--seed", "r=-1, errno=11")
case("an allocation that fails sets errno", SAME, "int f(int x) { char *p = malloc(8); if (!p) return -1; free(p); return [[x + 1|1 + x]]; }", rare=True)

# ---- tables that are too large ----

TABLE = "%s int table[2000] = {1, 2, 3}; %s int f(unsigned x) { return x < 9 && table[x] == [[12345|12346]]; }"
case("a table that a function fills", UNKNOWN, TABLE % ("static", "void fill(unsigned i, int v) { table[i % 2000] = v; }"), shows="table keeps its initial value, and cannot be an input")
case("a table that other files see", UNKNOWN, TABLE % ("", ""), shows="table keeps its initial value", rare=True)
case("a table that nothing fills", SAME, TABLE % ("static", ""))
case("a table that is const", SAME, TABLE % ("const", ""), rare=True)


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

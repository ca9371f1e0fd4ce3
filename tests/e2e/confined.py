#!/usr/bin/env python3
"""Programs under test change nothing of the user's, whatever inputs are tried: explored, run natively, and checked."""

import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "programs"))
from running import run_rows  # noqa: E402

PENUMBRA, SCRATCH = os.environ["PENUMBRA"], os.environ["SCRATCH"]
HEAD = ("#include <fcntl.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <sys/stat.h>\n"
        "#include <unistd.h>\n")

# What f() does to the file whose name it gets; the versions do it to another one.
ACTIONS = {
    "remove": "return remove(p);",
    "unlink": "return unlink(p);",
    "truncate": "return truncate(p, 0);",
    "overwrite": 'FILE *s = fopen(p, "w"); return s ? fclose(s) : -1;',
    "append": "int d = open(p, O_WRONLY | O_APPEND); return d < 0 ? -1 : (int)write(d, p, 1);",
    "chmod": "return chmod(p, 0);",
    "rename": 'return rename(p, "gone");',
    "system": 'char c[32] = "rm -f "; strcat(c, p); return system(c) != 0;',
    "mkdir": 'return mkdir("made", 0700);',
}


def expect(condition, why):
    if not condition:
        raise AssertionError(why)


def state_of(place):
    found = {}
    for name in sorted(os.listdir(place)):
        if name.startswith("penumbra-out"):
            continue
        status = os.stat(os.path.join(place, name))
        with open(os.path.join(place, name), encoding="utf-8") as file:
            found[name] = (status.st_mode, status.st_mtime_ns, file.read())
    return found


def check(name, *options):
    place = os.path.join(SCRATCH, name + "".join(options))
    os.makedirs(place)
    for file in ("a", "b"):
        with open(os.path.join(place, file), "w", encoding="utf-8") as out:
            out.write("precious")
    for file, letter in (("old.c", "a"), ("new.c", "b")):
        with open(os.path.join(place, file), "w", encoding="utf-8") as out:
            out.write(HEAD + "int f(const char *p) { if (p[0] == '%s' && p[1] == 0) { %s } return 7; }\n" % (letter, ACTIONS[name]))
    before = state_of(place)
    run = subprocess.run([PENUMBRA, "diff", "old.c", "new.c", "--entry", "f", "--json", "--quiet", *options], cwd=place,
                         capture_output=True, text=True, timeout=300, check=False, stdin=subprocess.DEVNULL)
    expect(state_of(place) == before, f"something has changed: {run.stderr}")
    report = json.loads(run.stdout)
    expect(report["verdict"] == "different", report["limits"])


CASES = [(name, lambda name=name: check(name)) for name in ACTIONS]

if __name__ == "__main__":
    sys.exit(run_rows(CASES))

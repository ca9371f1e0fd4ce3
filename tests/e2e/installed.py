#!/usr/bin/env python3
"""`make install` into a directory: what is there works from there, and every command has a page of the manual with the options of
its --help."""

import glob
import os
import re
import shutil
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests", "programs"))
from running import PENUMBRA, SCRATCH, run_rows  # noqa: E402

TREE = os.path.join(SCRATCH, "tree")
ADDED = {"--help", "--usage"}  # to every --help


def expect(condition, what):
    if not condition:
        raise AssertionError(str(what)[:3000])


def run(*command, **more):
    return subprocess.run(command, capture_output=True, text=True, check=False, **more)


def install():
    # What was built is taken as it is: others are using it.
    made = run("make", "-C", ROOT, "-o", "all", "BUILD=" + os.path.dirname(PENUMBRA), "DESTDIR=" + TREE, "prefix=/opt/tools", "install")
    expect(made.returncode == 0 and os.listdir(TREE) == ["opt"], made)
    tool = os.path.join(TREE, "opt/tools/bin/penumbra")
    for name, number in (("old.c", 3), ("new.c", 4)):
        with open(os.path.join(SCRATCH, name), "w", encoding="utf-8") as file:
            file.write(f"int f(int x) {{ return x > {number}; }}\n")
    found = run(tool, "diff", "old.c", "new.c", "--entry", "f", cwd=SCRATCH)
    expect(found.returncode == 1 and "x=4" in found.stdout, found)


def pages():
    """The options of a page are those of --help; none has a warning."""
    place = os.path.join(TREE, "opt/tools/share/man/man1")
    commands = re.findall(r"^  ([a-z]+) ", run(PENUMBRA, "--help").stdout, re.MULTILINE)
    names = {os.path.basename(path) for path in glob.glob(place + "/*.1")}
    expect(names == {"penumbra.1", "penumbra-review.1", *(f"penumbra-{command}.1" for command in commands)}, names)
    for command in commands:
        with open(f"{place}/penumbra-{command}.1", encoding="utf-8") as file:
            page = file.read()
        options = {one.replace("\\-", "-") for one in re.findall(r"\\fB(\\-\\-[^\\]+(?:\\-[^\\]+)*)\\fR", page)}
        helped = set(re.findall(r"^ +(?:-\w, +)?(--[a-z][a-z0-9-]*)", run(PENUMBRA, command, "--help").stdout, re.MULTILINE)) - ADDED
        expect(options == helped, (command, options ^ helped))
        expect(re.search(rf"^\.SH NAME\npenumbra-{command} \\- \w.*\S$", page, re.MULTILINE), page[:500])
    if shutil.which("groff"):
        said = run("groff", "-man", "-ww", "-z", "-Tutf8", *(f"{place}/penumbra-{command}.1" for command in commands))
        expect(said.returncode == 0 and not said.stderr, said)


if __name__ == "__main__":
    sys.exit(run_rows([("install-and-pages", lambda: (install(), pages()))]))

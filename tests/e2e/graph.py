#!/usr/bin/env python3
"""The include graph of docs/architecture.md is that of the code, and tools/graph says where it is not."""

import os
import pathlib
import shutil
import subprocess

SCRATCH = pathlib.Path(os.environ["SCRATCH"])


def graph(root, *arguments):
    result = subprocess.run([root / "tools/graph", *arguments], capture_output=True, text=True, check=False)
    return result.returncode, result.stdout + result.stderr


def check(name, good, why):
    print(f"ok {name}" if good else f"not ok {name}: " + " | ".join(why.strip().splitlines()))


def copy(name):
    root = SCRATCH / name
    for folder in ("src", "docs", "tools"):
        shutil.copytree(folder, root / folder)
    return root


def add(path, line):
    path.write_text(line + "\n" + path.read_text())


status, output = graph(pathlib.Path.cwd())
check("page-and-code-agree", status == 0, output)

tree = copy("cycle")
add(tree / "src/solve/solve.c", '#include "report/report.h"')
status, output = graph(tree)
check("cycle-fails", status == 1 and "a cycle: " in output and "solve -> report" in output, output)

tree = copy("edge")
add(tree / "src/report/json.c", '#include "source/unit.h"')
status, output = graph(tree)
check("new-edge-is-named", status == 1 and "report -> source: not on the page (src/report/json.c)" in output, output)

tree = copy("folder")
(tree / "src/attic").mkdir()
(tree / "src/attic/old.c").write_text("int old;\n")
status, output = graph(tree)
check("new-folder-fails", status == 1 and "folder attic is in the code only" in output, output)

tree = copy("stale")
page = tree / "docs/architecture.md"
page.write_text(page.read_text().replace("\ntrace:\n", "\ntrace:      base\n"))
status, output = graph(tree)
check("stale-page-fails", status == 1 and "trace -> base: on the page, not in the code" in output, output)

#!/usr/bin/env python3
"""`penumbra unify`: golden pairs, one for each kind of change (tests/unify), and what else the command does.

A pair is one file of three parts: the old version, the new one, and what they are unified to. Each is verified by LLVM IR
as well. PENUMBRA_WRITE_GOLDEN=1 writes the third part anew, to be looked at."""

import concurrent.futures
import glob
import json
import os
import re
import subprocess
import sys

PENUMBRA, SCRATCH = os.environ["PENUMBRA"], os.environ["SCRATCH"]
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
GOLDEN = os.path.join(ROOT, "tests/unify")
HEAD = re.compile(r"\A/\* Two versions.*?#include <penumbra.h>\n", re.DOTALL)
# Pairs that are kept twice, and pairs with functions that only a run can judge.
COARSE = {"nothing-in-common", "changed-signature"}
LAYOUT = {"struct-with-members-in-another-order"}


def expect(condition, why):
    if not condition:
        raise AssertionError(why)


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def penumbra(*arguments, cwd=SCRATCH):
    return subprocess.run([PENUMBRA, *arguments], cwd=cwd, capture_output=True, text=True, timeout=120, check=False,
                          stdin=subprocess.DEVNULL)


def check_golden(path):
    name = os.path.basename(path)[:-2]
    place = os.path.join(SCRATCH, name)
    _, old, new, wanted = re.split(r"/\* ==== (?:old|new|unified) ==== \*/\n", read(path))
    write(place + "/old.c", old)
    write(place + "/new.c", new)
    run = penumbra("unify", "old.c", "new.c", "-o", "unified.c", "--verify", "--json", cwd=place)
    expect(run.returncode == 0 and not run.stderr, f"status {run.returncode}: {run.stderr}")
    report = json.loads(run.stdout)
    expect(not report["files"][0]["defects"], report["files"][0]["defects"])
    expect(bool(report["coarse"]) == (name in COARSE), report["files"][0]["coarse_functions"])
    expect(bool(report["files"][0]["only_a_run_can_tell"]) == (name in LAYOUT), report["files"][0])
    unified = HEAD.sub("", read(place + "/unified.c"))
    if os.environ.get("PENUMBRA_WRITE_GOLDEN"):
        write(path, read(path).split("/* ==== unified ==== */\n")[0] + "/* ==== unified ==== */\n" + unified)
    else:
        expect(unified == wanted, f"got\n{unified}")


def attempt(row):
    name, check = row
    try:
        check()
        return f"ok {name}"
    except (AssertionError, subprocess.SubprocessError, KeyError, ValueError, OSError) as problem:
        return f"not ok {name}: {str(problem)[:1500]}"


CASES = [("golden-" + os.path.basename(path)[:-2], lambda path=path: check_golden(path))
         for path in sorted(glob.glob(GOLDEN + "/*.c"))]


def main():
    words = os.environ.get("PENUMBRA_TEST_CASES", "").split()
    chosen = [row for row in CASES if not words or any(word in row[0] for word in words)]
    print(f"1..{len(chosen)}")
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for line in pool.map(attempt, chosen):
            print(line, flush=True)
            failed += line.startswith("not")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

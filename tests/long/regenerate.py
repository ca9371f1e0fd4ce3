#!/usr/bin/env python3
"""The annotated programs of tests/programs, made anew: their plain old and new versions are unified, and what is found in
the result must be what tests/e2e finds in the programs that were annotated by hand. There may not be more annotations."""

import glob
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests/programs"))
import resolve

PENUMBRA, SCRATCH = os.environ["PENUMBRA"], os.environ["SCRATCH"]
MADE = os.path.join(SCRATCH, "tests/programs")  # and examples beside it, as in the repository


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


# A function with the same words in both versions, which the compiler makes something else of: not merged, on purpose.
MEANING = "its text means something else"


# By hand, a macro may stand for many.
def annotations(text):
    return len(re.findall(r"\b(?:pn_)?(?:change|execute|size|global|global_copy)\(", re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)))


def regenerate(path):
    """None, or what is wrong."""
    name = os.path.basename(path)
    with open(path, encoding="utf-8") as file:
        text = file.read()
    versions = [os.path.join(SCRATCH, f"{version}-{name}") for version in ("old", "new")]
    for version, plain in zip(("OLD", "NEW"), versions):
        write(plain, resolve.plain(text, version))
    unified = os.path.join(SCRATCH, os.path.relpath(path, ROOT))
    done = subprocess.run([PENUMBRA, "unify", *versions, "-o", unified, "--verify"], capture_output=True, text=True,
                          check=False)
    kept = [line for line in done.stdout.splitlines() if "kept twice" in line and MEANING not in line]
    if done.returncode or kept or "defect" in done.stdout:
        return (done.stdout + done.stderr)[-600:]
    with open(unified, encoding="utf-8") as file:
        made = resolve.shortened(file.read())
    write(unified, made)
    if MEANING not in done.stdout and annotations(made) > annotations(text) and not re.search(r"#define \w+\(.*\bchange\(", text):
        return f"{annotations(made)} annotations, by hand {annotations(text)}:\n{made}"
    return None


def main():
    os.makedirs(MADE)
    os.mkdir(os.path.join(SCRATCH, "examples"))
    failed = 0
    for path in sorted(glob.glob(os.path.join(ROOT, "tests/programs/*.c")) + glob.glob(os.path.join(ROOT, "examples/*.c"))):
        problem = regenerate(path)
        failed += problem is not None
        print(f"not ok {os.path.basename(path)}: {problem}" if problem else f"ok {os.path.basename(path)}", flush=True)
    for test in ("patterns.py", "seeds.py", "sides.py"):
        scratch = os.path.join(SCRATCH, test)
        os.mkdir(scratch)
        environment = {**os.environ, "PENUMBRA_TEST_PROGRAMS_IN": MADE, "SCRATCH": scratch}
        done = subprocess.run([os.path.join(ROOT, "tests/e2e", test)], env=environment, cwd=ROOT, capture_output=True,
                              text=True, check=False)
        for line in done.stdout.splitlines():
            if line.startswith(("ok", "not ok")):
                print(line, flush=True)
                failed += line.startswith("not")
    return 1 if failed else 0


sys.exit(main())

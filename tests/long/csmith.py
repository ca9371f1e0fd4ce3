#!/usr/bin/env python3
"""A thousand programs by csmith, with all that it can make (PENUMBRA_TEST_COUNT sets another number, and
PENUMBRA_TEST_SEED the first one, so that parts can be run). Of each:

- the instrumented program prints what the plain one prints;
- with its variables made inputs, the program is run for each version alone and then for both together, along a few
  paths. The versions are the same: no difference may be reported, no label may be found not to fit its value, and every
  input must go the way that was predicted.

Programs that do not end soon by themselves, or that do something else when they are optimised, are passed over."""

import collections
import concurrent.futures
import glob
import itertools
import json
import os
import re
import shutil
import subprocess
import sys

PENUMBRA, SCRATCH = os.environ["PENUMBRA"], os.environ["SCRATCH"]
PROGRAMS = int(os.environ.get("PENUMBRA_TEST_COUNT", 1000))
PLAIN_SECONDS, INSTRUMENTED_SECONDS, BUILD_SECONDS, EXPLORE_SECONDS = 2, 120, 600, 8
FEATURES = ["--float", "--builtins", "--disable-builtin-kinds", "x86", "--inline-function", "--embedded-assigns", "--bitfields"]
LIMITS = [["--max-funcs", "5", "--max-block-depth", "3", "--max-array-dim", "2", "--max-array-len-per-dim", "6",
           "--max-pointer-depth", "3"],
          ["--max-funcs", "4", "--max-block-depth", "2", "--max-expr-complexity", "6", "--packed-struct"],
          ["--max-funcs", "7", "--max-block-size", "3", "--max-struct-fields", "6", "--max-array-dim", "2"]]
# csmith prints every variable's checksum when it is asked with this argument.
ARGUMENTS = ["1"]
# Both versions do the same: one after the other, each alone; then together. csmith means its first function to be
# called once, and leaves pointers to variables that are gone in the program's variables: these begin anew each time.
ENTRY = """
#define PENUMBRA_NO_SHORT_NAMES
#include <penumbra.h>
{saved}
int csmith_entry(void)
{{
{inputs}
    crc32_gentab();
{save}
    int done = pn_change(({first}(), 1), ({first}(), 1));
{restore}
    {first}();
    return done;
}}
"""
VARIABLE = re.compile(r"^static (?:volatile )?(?:u?int(?:8|16|32|64)_t|struct S\d+) (g_\d+) = ", re.MULTILINE)
# Variables that are not constant and may hold pointers: pointers, unions, arrays of them.
POINTER = re.compile(r"^static (?:[^=;\n]*\*(?! *const\b)[^=;*\n]*|(?:volatile )?union U\d+ )\b(g_\d+)(?:\[\d+\])* = ",
                     re.MULTILINE)


def find_headers():
    """The directory of csmith.h, which Debian has in libcsmith-dev."""
    found = glob.glob("/usr/include/csmith*/csmith.h") + glob.glob("/usr/local/include/csmith*/csmith.h")
    if not found:
        sys.exit("csmith.h is missing: install libcsmith-dev")
    return os.path.dirname(found[0])


HEADERS = find_headers()


def options_of(seed):
    return [*FEATURES, *LIMITS[seed % len(LIMITS)]]


def run(command, seconds, errors=subprocess.STDOUT):
    """(status, what it printed); the status is None when it did not end in time."""
    try:
        done = subprocess.run(command, cwd=SCRATCH, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=errors,
                              timeout=seconds)
        return done.returncode, done.stdout
    except subprocess.TimeoutExpired:
        return None, b""


def must(command, seconds):
    status, output = run(command, seconds)
    assert status == 0, f"{command[0]} {command[1]} ended with {status}: {output.decode(errors='replace')[-400:]}"
    return output


def compare_prints(source, plain, instrumented):
    """Whether the plain program ends at all, and does the same however it is compiled."""
    printed = []
    for level in ("-O0", "-O1"):
        must(["clang-19", level, "-fwrapv", "-w", f"-I{HEADERS}", source, "-o", plain], BUILD_SECONDS)
        printed.append(run([plain, *ARGUMENTS], PLAIN_SECONDS))
    expected = printed[0]
    if expected[0] is None or expected != printed[1]:
        return False
    must([PENUMBRA, "instrument", source, "-o", instrumented, "--cflags", f"-I{HEADERS} -w"], BUILD_SECONDS)
    got = run([instrumented, *ARGUMENTS], INSTRUMENTED_SECONDS)
    lines = zip(expected[1].splitlines() + [b""], got[1].splitlines() + [b""])
    first = next((pair for pair in lines if pair[0] != pair[1]), ("", ""))
    assert got == expected, f"plain: status {expected[0]}, {first[0]!r}; instrumented: status {got[0]}, {first[1]!r}"
    return True


def explore(source, directory):
    with open(source) as file:
        text = file.read()
    first = re.search(r"crc32_gentab\(\);\s*(\w+)\(\);", text).group(1)
    inputs = "\n".join(f'    pn_symbolic((void *)&{name}, sizeof {name}, "{name}");' for name in VARIABLE.findall(text))
    pointers = POINTER.findall(text)
    saved, save, restore = ("\n".join(line.replace("NAME", name) for name in pointers) for line in (
        "static char saved_NAME[sizeof NAME];",
        "    memcpy(saved_NAME, (void *)&NAME, sizeof NAME);",
        "    memcpy((void *)&NAME, saved_NAME, sizeof NAME);"))
    with open(source, "w") as file:
        file.write(text + ENTRY.format(inputs=inputs, first=first, saved=saved, save=save, restore=restore))
    command = [PENUMBRA, "run", source, "--entry", "csmith_entry", "--mode", "complete", "--max-paths", "6", "--time",
               str(EXPLORE_SECONDS), "--cflags", f"-I{HEADERS} -w", "--json", "--quiet", "--out", directory]
    status, output = run(command, BUILD_SECONDS, subprocess.PIPE)
    assert status in (0, 1, 3), f"penumbra run ended with {status}"
    report = json.loads(output)
    wrong = [f"{count} {report['counts'][count]}" for count in ("mispredictions", "stale_labels")
             if report["counts"][count]]
    loud = [divergence for divergence in report["divergences"] if divergence["class"] not in ("silent", "both-fail")]
    assert report["verdict"] != "different", f"different: {loud[0]['class']} {loud[0]['inputs']}"
    assert not wrong, ", ".join(wrong)


def check(seed):
    """None for a program that means nothing certain or does not end, else what is wrong with it, "" when all is well."""
    source, plain, instrumented, directory = (os.path.join(SCRATCH, f"csmith-{seed}{ending}")
                                              for ending in (".c", "", ".pn", ".out"))
    try:
        must(["csmith", "--seed", str(seed), *options_of(seed), "-o", source], 60)
        if not compare_prints(source, plain, instrumented):
            return None
        explore(source, directory)
        return ""
    except AssertionError as problem:
        return " ".join(str(problem).split())
    finally:
        for path in (plain, instrumented):
            if os.path.exists(path):
                os.remove(path)
        shutil.rmtree(directory, ignore_errors=True)


def main():
    first = int(os.environ.get("PENUMBRA_TEST_SEED", 1))
    print(f"# seed {first} (PENUMBRA_TEST_SEED overrides it)", flush=True)
    checked, wrong, seeds, running = 0, 0, itertools.count(first), collections.deque()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        while checked < PROGRAMS:
            while len(running) < min(2 * os.cpu_count(), PROGRAMS - checked): # nobody waits for the slowest
                seed = next(seeds)
                running.append((seed, pool.submit(check, seed)))
            number, result = running.popleft()
            problem = result.result()
            if problem is None:
                continue
            checked += 1
            wrong += bool(problem)
            again = f"  # again: csmith --seed {number} {' '.join(options_of(number))}"
            print(f"not ok csmith-{number}: {problem}{again}" if problem else f"ok csmith-{number}", flush=True)
    return 1 if wrong else 0


sys.exit(main())

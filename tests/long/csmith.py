#!/usr/bin/env python3
"""Two hundred programs by csmith: an instrumented program prints what the plain one prints. Programs that do not end
soon by themselves are passed over."""

import concurrent.futures
import glob
import os
import subprocess
import sys

PENUMBRA, SCRATCH = os.environ["PENUMBRA"], os.environ["SCRATCH"]
PROGRAMS = 200
PLAIN_SECONDS, INSTRUMENTED_SECONDS, BUILD_SECONDS = 2, 120, 600
LIMITS = ["--max-funcs", "5", "--max-block-depth", "3", "--max-block-size", "4", "--max-array-dim", "2",
          "--max-array-len-per-dim", "6", "--max-pointer-depth", "3"]
# csmith prints every variable's checksum when it is asked with this argument.
ARGUMENTS = ["1"]


def find_headers():
    """The directory of csmith.h, which Debian has in libcsmith-dev."""
    found = glob.glob("/usr/include/csmith*/csmith.h") + glob.glob("/usr/local/include/csmith*/csmith.h")
    if not found:
        sys.exit("csmith.h is missing: install libcsmith-dev")
    return os.path.dirname(found[0])


HEADERS = find_headers()


def run(command, seconds):
    """(status, what it printed); the status is None when it did not end in time."""
    try:
        done = subprocess.run(command, cwd=SCRATCH, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=seconds)
        return done.returncode, done.stdout
    except subprocess.TimeoutExpired:
        return None, b""


def must(command, seconds):
    status, output = run(command, seconds)
    assert status == 0, f"{command[0]} {command[1]} ended with {status}: {output.decode(errors='replace')[-400:]}"
    return output


def check(seed):
    """None for a program that does not end by itself, else what is wrong with it, "" when all is well."""
    source, plain, instrumented = (os.path.join(SCRATCH, f"csmith-{seed}{ending}") for ending in (".c", "", ".pn"))
    try:
        must(["csmith", "--seed", str(seed), *LIMITS, "-o", source], 60)
        must(["clang-19", "-O1", "-fwrapv", "-w", f"-I{HEADERS}", source, "-o", plain], BUILD_SECONDS)
        expected = run([plain, *ARGUMENTS], PLAIN_SECONDS)
        if expected[0] is None:
            return None
        must([PENUMBRA, "instrument", source, "-o", instrumented, "--cflags", f"-I{HEADERS} -w"], BUILD_SECONDS)
        got = run([instrumented, *ARGUMENTS], INSTRUMENTED_SECONDS)
        if got == expected:
            return ""
        lines = zip(expected[1].splitlines() + [b""], got[1].splitlines() + [b""])
        first = next((pair for pair in lines if pair[0] != pair[1]), ("", ""))
        return f"plain: status {expected[0]}, {first[0]!r}; instrumented: status {got[0]}, {first[1]!r}"
    except AssertionError as problem:
        return " ".join(str(problem).split())
    finally:
        for path in (plain, instrumented):
            if os.path.exists(path):
                os.remove(path)


def main():
    first = int(os.environ.get("PENUMBRA_TEST_SEED", 1))
    print(f"# seed {first} (PENUMBRA_TEST_SEED overrides it)", flush=True)
    checked, wrong, seed = 0, 0, first
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        while checked < PROGRAMS:
            batch = range(seed, seed + min(2 * os.cpu_count(), PROGRAMS - checked))
            seed = batch.stop
            for number, problem in zip(batch, pool.map(check, batch)):
                if problem is None:
                    continue
                checked += 1
                wrong += bool(problem)
                again = f"  # again: csmith --seed {number} {' '.join(LIMITS)}"
                print(f"not ok csmith-{number}: {problem}{again}" if problem else f"ok csmith-{number}", flush=True)
    return 1 if wrong else 0


sys.exit(main())

#!/usr/bin/env python3
"""The theorems of docs/augment.md on a thousand random programs (tests/partitions/theorems.py), on two hundred with
more of C in them: switch, recursion, calls that are not inlined, structures, goto; and on two hundred that call through
tables and variables, too."""

import concurrent.futures
import os
import shutil
import sys

sys.path[0] = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "partitions")
import theorems

PENUMBRA, SCRATCH = os.environ["PENUMBRA"], os.environ["SCRATCH"]
PROGRAMS = int(os.environ.get("PENUMBRA_THEOREM_PROGRAMS", "1200"))
SEEDS = [*range(1, PROGRAMS + 1), *range(theorems.generate.FIRST_CALLING, theorems.generate.FIRST_CALLING + PROGRAMS // 6)]


def check(seed):
    try:
        problems = theorems.check(PENUMBRA, seed, SCRATCH)
    except Exception as problem:  # a test that cannot run has failed
        problems = [repr(problem)]
    shutil.rmtree(os.path.join(SCRATCH, str(seed)), ignore_errors=True)
    return problems


print(f"1..{len(SEEDS)}", flush=True)
with concurrent.futures.ThreadPoolExecutor(2) as pool:
    for seed, problems in zip(SEEDS, pool.map(check, SEEDS)):
        print(f"not ok program {seed}: {problems}" if problems else f"ok program {seed}", flush=True)

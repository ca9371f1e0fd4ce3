#!/usr/bin/env python3
"""The pairs of versions of other suites, explored by partitions (docs/augment.md): none that differs is `equivalent`, and
none that is the same `different`."""

import os
import subprocess
import sys

E2E = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "e2e")
SUITES = ["truth", "overlap", "unseen", "globals", "elements", "freed", "callbacks", "casts"]


def run(suite):
    scratch = os.path.join(os.environ["SCRATCH"], suite)
    os.mkdir(scratch)
    environment = {**os.environ, "SCRATCH": scratch, "PENUMBRA_TEST_ALL": "1", "PENUMBRA_TEST_OPTIONS": "--explore cbpe-sd"}
    done = subprocess.run([sys.executable, os.path.join(E2E, suite + ".py")], env=environment, stdout=subprocess.PIPE, text=True)
    for line in done.stdout.splitlines():
        if line.startswith(("ok", "not ok")):
            print(line, flush=True)
    if done.returncode:
        print(f"not ok {suite}: status {done.returncode}", flush=True)


for name in SUITES:
    run(name)

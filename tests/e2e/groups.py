#!/usr/bin/env python3
"""Thousands of divergences are a few groups, one for each change of behaviour, the most serious first; each has a witness that was
run natively. Only witnesses have folders, and results stay small."""

import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "programs"))
from running import PENUMBRA, SCRATCH, run_rows  # noqa: E402

# Four changes of behaviour behind 32 ways each: a regression, two other outputs, a fix; and one that nobody sees.
FOUR = """#include <stdio.h>
#include <stdlib.h>
static int table[8] = {1, 2, 3, 4, 5, 6, 7, 8};
int f(unsigned char way, int x)
{
    int n = 0;
    for (int bit = 0; bit < 5; bit++)
        if (way & 1 << bit)
            n += bit + 1;
    if (x > 100 && x < %(first)s)
        n += 7;
    if (x > 200 && x < %(second)s)
        printf("far");
    if (x == 300)
        n += table[%(third)s];
    if (x == 400 && %(fourth)s)
        abort();
    if (x == 500 %(fifth)s)
        n += 0;
    return n;
}
"""
OLD = {"first": "110", "second": "210", "third": "7", "fourth": "1", "fifth": ""}
NEW = {"first": "120", "second": "211", "third": "8", "fourth": "0", "fifth": "|| x == 501"}


def expect(holds, what):
    if not holds:
        raise AssertionError(what)


def explore(name, *options):
    place = os.path.join(SCRATCH, name)
    os.makedirs(place)
    for version, words in (("old.c", OLD), ("new.c", NEW)):
        with open(os.path.join(place, version), "w", encoding="utf-8") as file:
            file.write(FOUR % words)
    return place, subprocess.run([PENUMBRA, "diff", "old.c", "new.c", "--entry", "f", "--quiet", "--out", "out", *options], cwd=place,
                                 capture_output=True, text=True, check=False)


def folders(place):
    return sorted(name for name in os.listdir(os.path.join(place, "out")) if name.isdigit())


def four_groups():
    place, run = explore("four", "--json")
    report = json.loads(run.stdout)
    groups = report["groups"]
    expect([group["class"] for group in groups] == ["regression", "output", "output", "fix", "silent"], groups)
    expect([group["place"]["line"] for group in groups] == [15, 10, 12, 16, 18], groups)
    expect(all(group["count"] + group["unproven"] >= 32 for group in groups), [(group["count"], group["unproven"]) for group in groups])
    witnesses = [group["witness"] for group in groups]
    expect(folders(place) == sorted(f"{one['number']:03}" for one in witnesses), (folders(place), witnesses))
    expect(all(os.path.exists(os.path.join(place, one["input_file"])) and one["repro"] for one in witnesses), witnesses)
    expect(len(report["divergences"]) <= 105 and all(one in report["divergences"] for one in witnesses), len(report["divergences"]))
    for group in groups:
        done = subprocess.run(["sh", "-c", group["witness"]["repro"]], capture_output=True, check=False)
        expect(done.returncode == (group["class"] != "silent"), (group, done))


def text_fits_a_screen():
    place, run = explore("text")
    lines = run.stdout.splitlines()
    expect(len(lines) <= 50, run.stdout)
    heads = [line.split()[1] for line in lines if line.startswith("[")]
    expect(heads == ["regression", "output", "output", "fix"], run.stdout)
    expect("more like it" in run.stdout and "silent divergences: another path, the same output" in run.stdout, run.stdout)


def every_divergence_with_all():
    place, run = explore("all", "--json", "--all")
    report = json.loads(run.stdout)
    expect(not any(limit["kind"] == "unproven" for limit in report["limits"]), report["limits"])
    expect(len(report["divergences"]) == sum(group["count"] for group in report["groups"]) > 150, len(report["divergences"]))
    expect(folders(place) == sorted(f"{one['number']:03}" for one in report["divergences"]), len(folders(place)))


def results_are_small():
    source = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))), "bench", "complete", "controller.c")
    out = os.path.join(SCRATCH, "controller")
    run = subprocess.run([PENUMBRA, "run", source, "--entry", "controller", "--mode", "complete", "--quiet", "--json", "--out", out],
                         capture_output=True, text=True, check=False)
    report = json.loads(run.stdout)
    size = sum(os.path.getsize(os.path.join(at, name)) for at, _, names in os.walk(out) for name in names)
    expect(size < 5_000_000, size)
    expect(sum(group["count"] + group["unproven"] for group in report["groups"]) == report["counts"]["diff_paths"] > 5000, report["groups"])


ROWS = [four_groups, text_fits_a_screen]
if os.environ.get("PENUMBRA_TEST_ALL"):
    ROWS += [every_divergence_with_all, results_are_small]

if __name__ == "__main__":
    sys.exit(run_rows([(row.__name__.replace("_", "-"), row) for row in ROWS]))

"""Orders of the search, the directed search, runs inside and apart: the same diff paths from each."""

import json
import os
import subprocess

import truth
import verify
from mutants import ints
from verify import require

# The change is behind `mode`; the other side of it, and what comes before, have nothing to do with it.
UNRELATED = """
#include "dialect.h"
static int unrelated(int a, int b, int c)
{
    int r = 0;
    for (int i = 0; i < 3; i++) {
        if (BR(a > i))
            r = r + a;
        if (BR(b > i))
            r = r - b;
        if (BR(c > r + i))
            r = r + 1;
    }
    return r;
}
int f(int mode, int a, int b, int c)
{
    int r = 0;
    if (BR(mode != 1))
        return unrelated(a, b, c);
    if (BR(a > change(1, 2)))
        r = 1;
    if (BR(b > 2) && BR(c > a))
        r = r + 2;
    return r;
}
"""


def keys_of(known, run):
    keys = [known.keys[known.index[known.entry.numbers_of(one["inputs"])]] for one in run.diff_paths()]
    require(len(set(keys)) == len(keys), "a diff path twice")
    return set(keys)


def check_run(known, *options):
    run = verify.complete(known.entry, known.directory, *options)
    try:
        verify.Verification(known, run.report).check()
    except AssertionError as problem:
        raise verify.Failure(f"{problem}  # again: {run.text}") from None
    return run


def check_orders(mutant, directory):
    known = mutant.truth(directory)
    found = [keys_of(known, check_run(known, "--order", order)) for order in ("depth", "breadth", "random")]
    require(found[0] == found[1] == found[2], "the orders find different diff paths")


def check_processes(mutant, directory):
    """Inside the exploring process, and with a process for each run."""
    known = mutant.truth(directory)
    inside, apart = check_run(known), check_run(known, "--process-per-run")
    require(inside.report["inside"] == verify.RUNS_INSIDE and not apart.report["inside"], "the runs were not where they should be")
    require(keys_of(known, inside) == keys_of(known, apart), "the runs inside find other diff paths")
    for count in ("states", "paths", "diff_paths", "output_differences"):
        require(inside.counts[count] == apart.counts[count], f"{count}: {inside.counts[count]} inside, {apart.counts[count]}")


def check_statistics(directory):
    """--stats: one line on standard output, or beside the JSON document, with the counts of the document."""
    path = os.path.join(os.path.dirname(truth.HERE), "programs/square.c")
    command = [verify.PENUMBRA, "run", path, "--entry", "foo", "--mode", "complete", "--stats"]
    os.makedirs(directory, exist_ok=True)
    plain = subprocess.run(command, cwd=directory, stdout=subprocess.PIPE, text=True)
    both = subprocess.run([*command, "--json"], cwd=directory, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    counts = json.loads(both.stdout)["counts"]
    begin = (f"states {counts['states']}, paths {counts['paths']}, diff paths {counts['diff_paths']}, "
             f"output differences {counts['output_differences']}, ")
    require(plain.stdout.splitlines()[-1].startswith(begin), f"the last line is {plain.stdout.splitlines()[-1]}")
    require(both.stderr.startswith(begin) and both.stderr.count("\n") == 1, f"beside the document: {both.stderr}")


def check_directed(directory):
    os.makedirs(directory, exist_ok=True)
    path = os.path.join(directory, "unrelated.c")
    with open(path, "w") as file:
        file.write(UNRELATED)
    known = truth.Truth(truth.Entry(path, "f", ints("mode=0..3 a=-2..5 b=-2..5 c=-2..5")), directory)
    directed, not_directed = check_run(known, "--directed"), check_run(known, "--no-directed")
    require(keys_of(known, directed) == keys_of(known, not_directed), "the directed search finds other diff paths")
    few, many = directed.counts["states"], not_directed.counts["states"]
    print(f"# directed: {few} states instead of {many}, {many / few:.1f} times fewer", flush=True)
    require(few * 5 < many, f"{few} states instead of {many}")

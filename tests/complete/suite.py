#!/usr/bin/env python3
"""Tests of the complete mode against plain builds that are run on every input of a small domain.

    suite.py [--directory DIR] [--list] [WORD...]

runs the cases whose names contain one of the words, all when there are none. What they leave is in DIR."""

import argparse
import concurrent.futures
import functools
import glob
import os
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
ROOT = os.path.dirname(os.path.dirname(HERE))
os.environ.setdefault("PENUMBRA", os.path.join(ROOT, "build/penumbra"))
SCRATCH = os.environ.setdefault("SCRATCH", tempfile.gettempdir())
import equivalents
import losses
import mutants
import papers
import searches
import selftest
import truth
import verify

# What fits into a minute: every n-th rewrite, and these mutants and programs that misbehave.
SOME_REWRITES = 6
SHORT_MUTANTS = {"absolute-4", "absolute-7", "divisor-6", "divisor-13", "compare-2", "compare-13", "whole-2",
                 "session-7", "session-8", "interest-1", "interest-15", "update-16", "update-21", "launch-14"}
SHORT_BAD = {"endless_loop", "symbolic_bound", "recursion", "far_write", "overrun", "stack_overwritten", "exit",
             "left_in_library"}
OTHER_MODES = 3  # every n-th of the other mutants is explored in the other modes, too
ORDERS = {"session-7": True, "divisor-14": False, "replay-0": False, "update-23": False}  # whether in the short test


class Skip(Exception):
    pass


class Case:
    def __init__(self, name, check, is_short):
        self.name, self.check, self.is_short = name, check, is_short

    def run(self, directory):
        start = time.monotonic()
        try:
            self.check(os.path.join(directory, self.name))
            line, good = f"ok {self.name}", True
        except Skip as why:
            line, good = f"ok {self.name} # SKIP {why}", True
        except Exception as problem:  # whatever happened is the test's result
            text = " ".join(str(problem).split())
            line, good = f"not ok {self.name}: {type(problem).__name__}: {text}", False
        return line if good else f"{line}  # or: tests/complete/suite.py {self.name}", good, time.monotonic() - start


def check_mutant(mutant, directory, other_modes):
    known = mutant.truth(directory)
    if known is None:
        raise Skip("a version does not compile or runs without end")
    run = verify.complete(known.entry, known.directory)
    try:
        verify.Verification(known, run.report).check()
        verify.check_status(run)
        for mode in ("concolic", "bounded") if other_modes else ():
            run = verify.Run(known.entry.path, known.entry.name, directory,
                             ["--mode", mode, *known.entry.options()], known.entry.flags)
            verify.check_subset(known, run)
    except AssertionError as problem:
        raise verify.Failure(f"{problem}  # again: {run.text}") from None


def check_reduced(path, directory):
    """Programs about which Penumbra once was wrong."""
    known = truth.Truth(equivalents.read_entry(path, equivalents.read_head(path), []), directory)
    inside = searches.check_run(known)
    verify.require(inside.report["inside"] == verify.RUNS_INSIDE, "the runs were not inside the process")
    searches.check_run(known, "--process-per-run")


def mutant_cases(mutant, number):
    short_name = f"{mutant.subject.label}-{number}"
    is_short = short_name in SHORT_MUTANTS
    other_modes = short_name in ORDERS if is_short else number % OTHER_MODES == 0
    cases = [Case(f"mutant-{mutant.name}", functools.partial(check_mutant, mutant, other_modes=other_modes), is_short)]
    if short_name in ORDERS:
        check = functools.partial(searches.check_orders, mutant)
        cases.append(Case(f"orders-{mutant.name}", check, ORDERS[short_name]))
        check = functools.partial(searches.check_processes, mutant)
        cases.append(Case(f"processes-{mutant.name}", check, ORDERS[short_name]))
    return cases


def all_cases():
    cases = [Case("judge", selftest.check, True), Case("directed", searches.check_directed, True),
             Case("statistics", searches.check_statistics, True)]
    cases += [Case(check.__name__, check, True) for check in papers.CASES]
    cases += [Case(f"loss-{loss.name}", functools.partial(losses.check_loss, loss), True) for loss in losses.LOSSES]
    cases.append(Case("long-address", losses.check_long_address, True))
    cases += [Case(f"bad-{bad.name}", functools.partial(losses.check_bad, bad), bad.name in SHORT_BAD)
              for bad in losses.BAD]
    for path in sorted(glob.glob(os.path.join(HERE, "hidden/*.c"))):
        cases.append(Case(f"hidden-{os.path.basename(path)[:-2]}", functools.partial(losses.check_hidden, path), True))
    for path in sorted(glob.glob(os.path.join(HERE, "reduced/*.c"))):
        cases.append(Case(f"reduced-{os.path.basename(path)[:-2]}", functools.partial(check_reduced, path), True))
    for i, rewrite in enumerate(equivalents.all_rewrites()):
        for kind, check in (("same", equivalents.check_same), ("broken", equivalents.check_broken)):
            cases.append(Case(f"{kind}-{rewrite.name}", functools.partial(check, rewrite), i % SOME_REWRITES == 0))
    for subject in mutants.SUBJECTS:
        for number, mutant in enumerate(subject.mutants()):
            cases += mutant_cases(mutant, number)
    return cases


def run_cases(cases, directory):
    """Prints a line for each case; the exit status."""
    good, times = True, {}
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        jobs = {pool.submit(case.run, directory): case for case in cases}
        for job in concurrent.futures.as_completed(jobs):
            line, passed, times[jobs[job].name] = job.result()
            print(line, flush=True)
            good = good and passed
    slowest = sorted(times, key=times.get)[-5:]
    print(f"# slowest: {', '.join(f'{name} {times[name]:.1f} s' for name in reversed(slowest))}")
    return 0 if good and cases else 1


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--directory")
    parser.add_argument("--list", action="store_true", help="only list the cases")
    parser.add_argument("words", nargs="*", metavar="WORD")
    options = parser.parse_args()
    cases = [case for case in all_cases() if not options.words or any(word in case.name for word in options.words)]
    if options.list:
        for case in cases:
            print(case.name, "" if case.is_short else "(long)")
        return 0
    directory = options.directory or tempfile.mkdtemp(prefix="penumbra-complete-")
    print(f"# everything is in {directory}", flush=True)
    return run_cases(cases, directory)


if __name__ == "__main__":
    sys.exit(main())

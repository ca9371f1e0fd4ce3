#!/usr/bin/env python3
"""Compares what Penumbra says about generated functions with what plain old and new builds do.

    check.py --seed N [--functions K] [--files F] [--only I] [--inputs M] [--directory DIR]

For every input, with the judges' logs of both versions as the truth (see judge.h and judge.Joint):
- the decisions that Penumbra lists are, in order, decisions that the versions take, each by the version that takes it;
- it reports a divergence exactly where the versions part: where they decide differently, where one fails, where one
  leaves its own code early; else none, but for calls that leave the program with data that differ;
- its outputs are the new version's, and, where the versions stayed together, also the old version's;
- what fails is reported for the version in which it fails;
- two inputs for which it lists the same decisions take the same path: it has missed none that depends on the input."""

import argparse
import collections
import concurrent.futures
import json
import os
import random
import shlex
import subprocess
import sys
import tempfile

import generate
import judge
from compare import Comparison
from language import CORNERS, POINTED_ELEMENTS

ROOT = os.path.dirname(os.path.dirname(judge.HERE))
COMPLAINTS_SHOWN = 3
# What at least one program in twenty has. The last three are seen by the judges, for at least one input.
REQUIRED = ["one-sided stores", "shadowed addresses", "branching change() arguments", "per-side allocation",
            "nested execute()", "structs by value", "variable arguments", "128 bits", "intrinsics", "vectors", "unions",
            "bit-fields", "jumps", "floating point", "old-only failures", "new-only failures", "divergence"]
SMALLEST_SAMPLE = 100  # programs; fewer say nothing about how often a feature occurs


# ---- inputs ----

def inputs_for(signature, chance, count):
    """Lists of numbers, one per scalar and element: corner values, random ones, and neighbours of those, which often
    take the same path."""
    places = []
    for parameter in signature.parameters:
        places += [parameter.type] * (POINTED_ELEMENTS if parameter.is_pointer else 1)

    def fit(type, value):
        return max(type.lowest(), min(type.highest(), value))

    def pick(type):
        kind = chance.random()
        if kind < 0.3:
            return chance.choice([type.lowest(), type.highest(), fit(type, type.lowest() + 1), type.highest() - 1])
        if kind < 0.7:
            return fit(type, chance.randrange(-10, 11))
        if kind < 0.85:
            return fit(type, chance.choice(CORNERS) * chance.choice([1, 1, -1]))
        return chance.randint(type.lowest(), type.highest())

    def neighbour(numbers):
        numbers, place = list(numbers), chance.randrange(len(places))
        type = places[place]
        numbers[place] = fit(type, numbers[place] + chance.choice([-1, 1])) if chance.random() < 0.5 else pick(type)
        return numbers

    inputs = [[fit(type, value) for type in places] for value in (0, 1, -1)]
    inputs += [[type.lowest() for type in places], [type.highest() for type in places]]
    while len(inputs) < count:
        inputs.append([pick(type) for type in places] if len(inputs) < count // 2 else neighbour(chance.choice(inputs)))
    return inputs[:count]


def seed_text(signature, numbers):
    """An input as Penumbra reads it: `a=1,s={1,2}`."""
    texts, rest = [], list(numbers)
    for parameter in signature.parameters:
        if parameter.is_pointer:
            elements, rest = rest[:POINTED_ELEMENTS], rest[POINTED_ELEMENTS:]
            texts.append(f"{parameter.name}={{{','.join(map(str, elements))}}}")
        else:
            texts.append(f"{parameter.name}={rest.pop(0)}")
    return ",".join(texts)


# ---- one file ----

class Checker:
    """One program, its judges, and Penumbra's traces of it."""

    def __init__(self, program, path, directory):
        self.program, self.path = program, path
        self.judges = os.path.join(directory, f"judges-{os.path.basename(path)[:-2]}")
        os.makedirs(self.judges, exist_ok=True)
        self.old, self.new = judge.build(program, path, self.judges)

    def trace_command(self, index, seeds):
        command = [os.environ.get("PENUMBRA", os.path.join(ROOT, "build/penumbra")), "trace", self.path, "--entry",
                   self.program.functions[index].name, "--cflags", f"-DONLY={index} -I{judge.HERE}", "--no-terminate"]
        for seed in seeds:
            command += ["--seed", seed]
        return command

    def trace(self, index, seeds):
        done = subprocess.run(self.trace_command(index, seeds), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True, timeout=300)
        traces = []
        for line in done.stdout.splitlines():
            try:
                traces.append(json.loads(line))
            except ValueError:
                return None, f"no JSON: {line[:200]}"
        if len(traces) != len(seeds):
            return None, f"{len(traces)} traces for {len(seeds)} seeds, status {done.returncode}: {done.stderr[-600:]}"
        return traces, None

    def check(self, index, inputs):
        """Complaints about one function, [(seed, what is wrong)], and what the runs were like."""
        signature, seen = self.program.functions[index], Seen()
        seeds = [seed_text(signature, numbers) for numbers in inputs]
        runs = [(index, numbers) for numbers in inputs]
        text = self.program.text()
        old, new = judge.run(self.old, "old", text, runs), judge.run(self.new, "new", text, runs)
        traces, problem = self.trace(index, seeds)
        if problem:
            return [(seeds[0], problem)], seen
        complaints, paths = [], {}
        for seed, trace, old_run, new_run in zip(seeds, traces, old, new):
            comparison = Comparison(trace, old_run, new_run, os.path.basename(self.path))
            complaints += [(seed, complaint) for complaint in comparison.check()]
            seen.add(comparison)
            path, truth = comparison.path(), comparison.truth()
            other_seed, other_truth = paths.setdefault(path, (seed, truth)) if path is not None else (seed, truth)
            if other_truth != truth:
                complaints.append((seed, f"the same decisions as for {other_seed}, but the paths part: "
                                         f"{first_difference(other_truth, truth)}"))
        return complaints, seen

    def describe(self, index, complaints, again):
        """What a person needs to look into it."""
        shown = "; ".join(f"with {seed}: {what}" for seed, what in complaints[:COMPLAINTS_SHOWN])
        if len(complaints) > COMPLAINTS_SHOWN:
            shown += f"; and {len(complaints) - COMPLAINTS_SHOWN} more"
        with open(f"{self.judges}/{self.program.functions[index].name}.txt", "w") as file:
            file.write(f"{again}\n{shlex.join(self.trace_command(index, [complaints[0][0]]))}\n\n")
            file.writelines(f"{seed}: {what}\n" for seed, what in complaints)
        return f"{shown}  # again: {again}"


def first_difference(one, other):
    for pair in zip(one + [None], other + [None]):
        if pair[0] != pair[1]:
            return f"{pair[0]} there, {pair[1]} here"
    return "one ends before the other"


class Seen:
    """What runs were like: how many, and how many of them parted in which manner."""

    def __init__(self):
        self.runs, self.parted, self.conservative, self.features = 0, 0, collections.Counter(), set()

    def add(self, comparison):
        old, new, parted = comparison.old.failure(), comparison.new.failure(), comparison.joint.parted
        self.runs += 1
        self.parted += parted is not None
        if comparison.conservative:
            self.conservative[comparison.conservative] += 1
        if parted:
            self.features.add("divergence")
        if old and parted and not new:
            self.features.add("old-only failures")
        if new and parted and not old:
            self.features.add("new-only failures")


# ---- many files ----

class Report:
    """Prints a line for each program, and at the end how often each feature occurred."""

    def __init__(self):
        self.good, self.programs, self.features, self.all = True, 0, collections.Counter(), Seen()

    def add(self, checker, index, again, job):
        name = f"{os.path.basename(checker.path)[:-2]}-{checker.program.functions[index].name}"
        try:
            complaints, seen = job.result()
        except (OSError, RuntimeError, KeyError, TypeError, subprocess.SubprocessError) as problem:
            complaints, seen = [("any", f"{type(problem).__name__}: {problem}")], Seen()
        self.good = self.good and not complaints
        if complaints:
            print(f"not ok {name}: {checker.describe(index, complaints, again)}", flush=True)
        else:
            print(f"ok {name}", flush=True)
        self.programs += 1
        self.features.update(checker.program.functions[index].features | seen.features)
        self.all.runs += seen.runs
        self.all.parted += seen.parted
        self.all.conservative.update(seen.conservative)

    def finish(self):
        print(f"# {self.programs} programs, {self.all.runs} runs, of which {self.all.parted} part")
        for why, count in self.all.conservative.most_common():
            print(f"# conservative divergences: {why}: {count}")
        for feature, count in self.features.most_common():
            print(f"# {feature}: {100 * count / self.programs:.0f}% of the programs")
        for feature in REQUIRED:
            if self.programs >= SMALLEST_SAMPLE and self.features[feature] * 20 < self.programs:
                print(f"not ok {feature}: in less than 5% of the programs")
                self.good = False


def generated(seed, functions, directory):
    program = generate.Program(seed, functions)
    path = os.path.join(directory, f"random-{seed}.c")
    with open(path, "w") as file:
        file.write(program.text())
    return Checker(program, path, directory)


def check_files(first_seed, files, functions, directory, inputs=20, only=None):
    """Checks `files` generated files of `functions` functions each. True when all is well."""
    print(f"# seed {first_seed} (PENUMBRA_TEST_SEED overrides it)", flush=True)
    report = Report()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        jobs = []
        for checker in pool.map(lambda i: generated(first_seed + i, functions, directory), range(files)):
            for index in range(functions) if only is None else [only]:
                seed = checker.program.seed
                numbers = inputs_for(checker.program.functions[index], random.Random(f"{seed} inputs {index}"), inputs)
                again = f"tests/random/check.py --seed {seed} --functions {functions} --only {index}"
                jobs.append((checker, index, again, pool.submit(checker.check, index, numbers)))
        for job in jobs:
            report.add(*job)
    report.finish()
    return report.good


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--functions", type=int, default=10)
    parser.add_argument("--files", type=int, default=1)
    parser.add_argument("--only", type=int)
    parser.add_argument("--inputs", type=int, default=20)
    parser.add_argument("--directory", help="where programs and complaints are kept")
    options = parser.parse_args()
    directory = options.directory or tempfile.mkdtemp(prefix="penumbra-random-")
    os.makedirs(directory, exist_ok=True)
    good = check_files(options.seed, options.files, options.functions, directory, options.inputs, options.only)
    print(f"# everything is in {directory}")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())

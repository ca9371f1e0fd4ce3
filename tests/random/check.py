#!/usr/bin/env python3
"""Compares what Penumbra says about generated functions with what plain old and new builds do.

    check.py --seed N [--functions K] [--only I] [--inputs M] [--directory DIR]

For every input, with the judges' logs of both versions as the truth (see judge.h):
- the decisions that Penumbra lists are, in order, decisions that the new version takes; up to the divergence those of
  the old version too;
- it reports a divergence exactly where the logs part, and none where they do not;
- its outputs are the new version's, and, where the versions stayed together, also the old version's;
- a division that fails is reported for the version in which it fails;
- two inputs for which it lists the same decisions take the same path: it has missed none that depends on the input."""

import argparse
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

ROOT = os.path.dirname(os.path.dirname(judge.HERE))
COMPLAINTS_SHOWN = 3


def inputs_for(signature, chance, count):
    """Lists of numbers, one per scalar and element: corner values first."""
    places = []
    for parameter in signature.parameters:
        places += [parameter.type] * (generate.POINTED_ELEMENTS if parameter.is_pointer else 1)

    def fit(type, value):
        return max(type.lowest(), min(type.highest(), value))

    def pick(type):
        kind = chance.random()
        if kind < 0.3:
            return chance.choice([type.lowest(), type.highest(), fit(type, type.lowest() + 1), type.highest() - 1])
        if kind < 0.7:
            return fit(type, chance.randrange(-10, 11))
        if kind < 0.85:
            return fit(type, chance.choice(generate.CORNERS) * chance.choice([1, 1, -1]))
        return chance.randint(type.lowest(), type.highest())

    inputs = [[fit(type, value) for type in places] for value in (0, 1, -1)]
    inputs += [[type.lowest() for type in places], [type.highest() for type in places]]
    while len(inputs) < count:
        inputs.append([pick(type) for type in places])
    return inputs[:count]


def seed_text(signature, numbers):
    """An input as Penumbra reads it: `a=1,s={1,2}`."""
    texts, rest = [], list(numbers)
    for parameter in signature.parameters:
        if parameter.is_pointer:
            elements, rest = rest[:generate.POINTED_ELEMENTS], rest[generate.POINTED_ELEMENTS:]
            texts.append(f"{parameter.name}={{{','.join(map(str, elements))}}}")
        else:
            texts.append(f"{parameter.name}={rest.pop(0)}")
    return ",".join(texts)


class Item:
    """A branch, or the chain of decisions that one passage of a switch is."""

    def __init__(self, first, event):
        self.first, self.events = first, [event]

    def last(self):
        return self.first + len(self.events) - 1

    def goes_on_with(self, event):
        before = self.events[-1]
        same_place = (event["line"], event["column"]) == (before["line"], before["column"])
        return event["part"] > before["part"] > 0 and same_place and not before["new"]

    def fits(self, entry, side, until=None):
        """Whether it is the judge's log entry, as `side` ("old" or "new") sees it; events behind `until` do not count."""
        kind, line, value = entry
        if line != self.events[0]["line"]:
            return False
        if not self.events[0]["part"]:
            return kind == "branch" and self.events[0][side] == value
        seen = self.events if until is None else self.events[:until - self.first + 1]
        return kind == "switch" and all(event[side] == (event["part"] == value) for event in seen)

    def __str__(self):
        event = self.events[-1]
        return f"line {event['line']} (new {event['new']}, old {event['old']})"


def items_of(decisions, file_name):
    items = []
    for i, event in enumerate(decisions):
        if event["kind"] != "branch" or os.path.basename(event["file"]) != file_name:
            continue
        if items and items[-1].last() == i - 1 and items[-1].goes_on_with(event):
            items[-1].events.append(event)
        else:
            items.append(Item(i, event))
    return items


def not_in_order(items, log, sides):
    """The first item that does not follow the others in the log, or None."""
    at = 0
    for item in items:
        while at < len(log) and not all(item.fits(log[at], side) for side in sides):
            at += 1
        if at == len(log):
            return item
        at += 1
    return None


def first_difference(old, new):
    for i in range(max(len(old), len(new))):
        if old[i:i + 1] != new[i:i + 1]:
            return i
    return None


class Comparison:
    """One run: the trace that Penumbra printed, and what the two judges saw."""

    def __init__(self, trace, old, new, file_name):
        self.trace, self.old, self.new, self.file_name = trace, old, new, file_name
        self.decisions, self.diverged = trace["decisions"], trace["diverged"]
        self.items = items_of(self.decisions, file_name)
        self.parted = first_difference(old.log, new.log)
        self.complaints = []

    def complain(self, text):
        self.complaints.append(text)

    def check(self):
        self.check_ending()
        if self.parted is None:
            self.check_together()
        elif self.diverged is None:
            self.complain(f"no divergence reported, but old {self.old.log[self.parted:self.parted + 1]} and new "
                          f"{self.new.log[self.parted:self.parted + 1]} differ")
        else:
            self.check_divergence()
        if self.trace["ending"] == "completed":
            self.check_outputs()
        return self.complaints

    def check_ending(self):
        ending = self.trace["ending"]
        if self.trace["lost"]:
            self.complain(f"lost: {self.trace['lost']}")
        if not self.new.failed():
            if ending != "completed":
                self.complain(f"ended as {ending} (signal {self.trace['signal']}), the new version completes")
            return
        line = self.new.log[-1][1]
        # A division by what does not depend on the input, nor on the version, is no decision: the program just crashes.
        fails_alone = self.parted is not None and self.new.log[self.parted:self.parted + 1] == self.new.log[-1:]
        crashed = ending == "crashed" and self.trace["signal"] == 8 and not fails_alone
        if ending != "check-failed" and not crashed:
            self.complain(f"ended as {ending} (signal {self.trace['signal']}), the new version fails at line {line}")
        failures = [event for event in self.decisions if event["kind"] == "check" and not event["new"]]
        if ending == "check-failed" and [event["line"] for event in failures] != [line]:
            self.complain(f"the new version fails at line {line}, the trace has {failures}")

    def check_together(self):
        if self.diverged is not None:
            event = self.decisions[self.diverged]
            # Two divisions on one line, one failing in each version: apart for Penumbra, the same for the judges.
            both_fail_there = self.new.failed() and event["kind"] == "check" and event["line"] == self.new.log[-1][1]
            if not both_fail_there:
                self.complain(f"divergence reported at {event}, but both versions take the same path")
        misplaced = not_in_order(self.items, self.new.log, ("new", "old"))
        if misplaced:
            self.complain(f"neither version decides so: {misplaced}")

    def check_divergence(self):
        event = self.decisions[self.diverged]
        old, new = self.old.log[self.parted:self.parted + 1], self.new.log[self.parted:self.parted + 1]
        before = [item for item in self.items if item.last() < self.diverged]
        after = [item for item in self.items if item.first > self.diverged]
        at = [item for item in self.items if item.first <= self.diverged <= item.last()]
        misplaced = not_in_order(before, self.new.log[:self.parted], ("new", "old"))
        if misplaced:
            self.complain(f"before they part, neither version decides so: {misplaced}")
        rest = self.new.log[self.parted:]
        if "fail" in [entry[0] for entry in old + new]:
            self.check_failing_side(event, old, new)
        elif not at:
            self.complain(f"the versions part at line {new[0][1]}, the trace says at {event}")
        elif not (at[0].fits(new[0], "new") and at[0].fits(old[0], "old", self.diverged)):
            self.complain(f"old {old[0]} and new {new[0]} part, the trace says at {at[0]}")
        else:
            rest = rest[1:]
        misplaced = not_in_order(after, rest, ("new",))
        if misplaced:
            self.complain(f"after the divergence the new version does not decide so: {misplaced}")

    def check_failing_side(self, event, old, new):
        """One version fails, or both do at different places, the first of which counts."""
        places = [(entry[1], 0, 1) for entry in old if entry[0] == "fail"]
        places += [(entry[1], 1, 0) for entry in new if entry[0] == "fail"]
        if event["kind"] != "check" or (event["line"], event["old"], event["new"]) not in places:
            self.complain(f"old {old} and new {new} part by a failing division, the trace says at {event}")

    def check_outputs(self):
        outputs = {output["name"]: output for output in self.trace["outputs"]}
        for name, expected in self.new.outputs.items():
            if name not in outputs:
                self.complain(f"output {name} is missing")
            elif outputs[name]["new"] != expected:
                self.complain(f"output {name}: new is {expected}, the trace says {outputs[name]['new']}")
            elif self.diverged is None and self.parted is None and outputs[name]["old"] != self.old.outputs[name]:
                self.complain(f"output {name}: old is {self.old.outputs[name]}, the trace says {outputs[name]['old']}")

    def path(self):
        """The decisions as the trace lists them; None where they need not tell two paths apart."""
        if any(event["kind"] in ("concretise", "external", "unmodelled") for event in self.decisions):
            return None
        return tuple((event["kind"], event["file"], event["line"], event["column"], event["part"], event["new"])
                     for event in self.decisions if event["kind"] != "change")


class Checker:
    """One generated file, its judges, and Penumbra's traces of it."""

    def __init__(self, seed, functions, inputs, directory):
        self.seed, self.functions, self.inputs = seed, functions, inputs
        self.program = generate.Program(seed, functions)
        self.path = os.path.join(directory, f"random-{seed}.c")
        with open(self.path, "w") as file:
            file.write(self.program.text())
        self.judges = os.path.join(directory, f"judges-{seed}")
        os.makedirs(self.judges, exist_ok=True)
        self.old, self.new = judge.build(self.program, self.path, self.judges)

    def trace_command(self, index, seeds):
        command = [os.environ.get("PENUMBRA", os.path.join(ROOT, "build/penumbra")), "trace", self.path, "--entry",
                   f"f{index}", "--cflags", f"-DONLY={index}"]
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

    def check(self, index):
        """Complaints about one function: [(seed, what is wrong)]."""
        signature = self.program.functions[index]
        inputs = inputs_for(signature, random.Random(f"{self.seed} inputs {index}"), self.inputs)
        seeds = [seed_text(signature, numbers) for numbers in inputs]
        runs = [(index, numbers) for numbers in inputs]
        text = self.program.text()
        old, new = judge.run(self.old, text, runs), judge.run(self.new, text, runs)
        traces, problem = self.trace(index, seeds)
        if problem:
            return [(seeds[0], problem)]
        complaints, paths = [], {}
        for seed, trace, old_run, new_run in zip(seeds, traces, old, new):
            comparison = Comparison(trace, old_run, new_run, os.path.basename(self.path))
            complaints += [(seed, complaint) for complaint in comparison.check()]
            path = comparison.path()
            other_seed, other_log = paths.setdefault(path, (seed, new_run.log)) if path is not None else (None, None)
            if other_seed and other_log != new_run.log:
                at = first_difference(other_log, new_run.log)
                complaints.append((seed, f"the same decisions as for {other_seed}, but the new version's paths part: "
                                         f"{other_log[at:at + 1]} there, {new_run.log[at:at + 1]} here"))
        return complaints

    def describe(self, index, complaints):
        """What a person needs to look into it."""
        shown = "; ".join(f"with {seed}: {what}" for seed, what in complaints[:COMPLAINTS_SHOWN])
        if len(complaints) > COMPLAINTS_SHOWN:
            shown += f"; and {len(complaints) - COMPLAINTS_SHOWN} more"
        again = f"tests/random/check.py --seed {self.seed} --functions {self.functions} --only {index}"
        with open(f"{self.path[:-2]}-f{index}.txt", "w") as file:
            file.write(f"{again}\n{shlex.join(self.trace_command(index, [complaints[0][0]]))}\n\n")
            file.writelines(f"{seed}: {what}\n" for seed, what in complaints)
        return f"{shown}  # again: {again}"


def check_files(first_seed, files, functions, directory, inputs=20, only=None):
    """Checks `files` generated files of `functions` functions each; prints a line for each function. True when all is
    well."""
    print(f"# seed {first_seed} (PENUMBRA_TEST_SEED overrides it)", flush=True)
    good = True
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        checkers = pool.map(lambda i: Checker(first_seed + i, functions, inputs, directory), range(files))
        jobs = []
        for checker in checkers:
            for index in range(functions) if only is None else [only]:
                jobs.append((checker, index, pool.submit(checker.check, index)))
        for checker, index, job in jobs:
            name = f"random-{checker.seed}-f{index}"
            try:
                complaints = job.result()
            except (OSError, RuntimeError, KeyError, TypeError, subprocess.SubprocessError) as problem:
                complaints = [("any", f"{type(problem).__name__}: {problem}")]
            good = good and not complaints
            print(f"not ok {name}: {checker.describe(index, complaints)}" if complaints else f"ok {name}", flush=True)
    return good


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

"""Checks what a complete run of Penumbra says about two versions of a function against the truth (truth.Truth):

- each diff path is reported once, with an input that takes it, and no other;
- each path on which the versions stay together and leave different outputs is reported once;
- an input makes a difference exactly if some reported condition `differs` holds for it, and each of these conditions
  holds only for inputs that take the path it is reported for;
- classes, counts and the verdict are right; nothing was lost."""

import collections
import itertools
import json
import os
import shlex
import subprocess

import truth


def limits_of(report):
    """The sentences that say what was cut or lost."""
    return [limit["text"] for limit in report["limits"]]

ROOT = os.path.dirname(os.path.dirname(truth.HERE))
PENUMBRA = os.environ.get("PENUMBRA", os.path.join(ROOT, "build/penumbra"))
# A sanitizer's memory lies where labels would: then no program runs inside the tool.
RUNS_INSIDE = not os.environ.get("PENUMBRA_TEST_SANITIZED")
LOUD = ("output", "fix", "regression")
numbers = itertools.count()


class Failure(AssertionError):
    pass


def require(condition, what):
    if not condition:
        raise Failure(what)


class Run:
    """One `penumbra run`. `text` is the command, to repeat it by hand."""

    def __init__(self, path, entry, directory, options=(), flags=()):
        self.command = [PENUMBRA, "run", path, "--entry", entry, "--json", "--all", "--quiet", "--cflags",
                        " ".join([f"-I{truth.RANDOM}", *flags]), "--out", os.path.join(directory, f"out-{next(numbers)}"),
                        "--native-runs", "0", *options]  # guesses would hide what the exploration overlooks
        self.text = shlex.join(self.command)
        done = subprocess.run(self.command, cwd=directory, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.status, self.errors = done.returncode, done.stderr.strip()
        require(self.status in (0, 1, 3), f"status {self.status}: {self.errors[-400:]}")
        self.report = json.loads(done.stdout)
        # the oracle knows variables with their initial values only: that other values were not explored is right
        rests = [limit for limit in self.report["limits"] if limit["kind"] == "initial-value"]
        if rests and len(rests) == len(self.report["limits"]):
            self.report["limits"], self.report["verdict"] = [], "equivalent"
        self.verdict, self.limits = self.report["verdict"], limits_of(self.report)
        self.counts, self.divergences = self.report["counts"], self.report["divergences"]

    def diff_paths(self):
        return [one for one in self.divergences if one["kind"] != "output"]

    def output_differences(self):
        return [one for one in self.divergences if one["kind"] == "output"]


def complete(entry, directory, *options):
    """Its time is wall-clock time: enough of it for a busy machine."""
    return Run(entry.path, entry.name, directory, ["--mode", "complete", "--time", "300", "--solver-time", "60", *entry.options(), *options],
               entry.flags)


class Verification:
    """A report against the truth about all inputs of the domain."""

    def __init__(self, known, report):
        self.known, self.entry, self.report = known, known.entry, report
        self.divergences = report["divergences"]
        self.at = [self.place_of(one) for one in self.divergences]

    def place_of(self, divergence):
        """The witness' number among the inputs."""
        witness = self.entry.numbers_of(divergence["inputs"])
        require(witness in self.known.index, f"the witness {divergence['inputs']} is outside of the ranges")
        return self.known.index[witness]

    def check(self):
        others = [limit for limit in self.report["limits"] if limit["kind"] != "no-change"]
        require(not others, f"limits: {limits_of(self.report)}")
        self.check_paths()
        self.check_conditions()
        self.check_verdict()

    # ---- paths ----

    def check_paths(self):
        known, counts = self.known, self.report["counts"]
        diff, output = collections.defaultdict(list), collections.defaultdict(list)
        for i, one in zip(self.at, self.divergences):
            key, is_output = known.keys[i], one["kind"] == "output"
            require(known.parting[key] != is_output, f"{self.shown(i)} is reported as {one['kind']}, but the versions "
                                                     f"{'part' if is_output else 'stay together'} there")
            require(one["class"] == known.class_of(i),
                    f"{self.shown(i)} is reported as {one['class']}, but is {known.class_of(i)}")
            (output if is_output else diff)[key].append(i)
        self.require_once("diff path", known.diff_keys(), diff)
        self.require_once("path with another output", known.output_keys(), output)
        for name, found in (("diff_paths", diff), ("output_differences", output)):
            require(counts[name] == len(found), f"counts.{name} is {counts[name]}, there are {len(found)}")

    def require_once(self, what, wanted, found):
        twice = [places for places in found.values() if len(places) > 1]
        require(not twice, f"one {what} {len(twice[0])} times: {', '.join(map(self.shown, twice[0]))}" if twice else "")
        missing = [self.known.keys.index(key) for key in wanted - set(found)]
        require(not missing, f"{len(missing)} of {len(wanted)} {what}s missing, for instance that of "
                             f"{self.shown(missing[0])}" if missing else "")

    def shown(self, i):
        parameters, numbers_left = [], list(self.known.inputs[i])
        for parameter in self.entry.parameters:
            own, numbers_left = numbers_left[:parameter.count or 1], numbers_left[parameter.count or 1:]
            parameters.append(f"{parameter.name}={own if parameter.count else own[0]}")
        return ",".join(parameters)

    # ---- conditions ----

    def check_conditions(self):
        known = self.known
        holding = truth.evaluate(self.entry, [one["differs"] for one in self.divergences], known.inputs, known.directory)
        places = collections.defaultdict(list)
        for i, key in enumerate(known.keys):
            if known.differs(i):
                places[key].append(i)
        for place, one, holds in zip(self.at, self.divergences, holding):
            wanted = bytearray(len(known.inputs))
            for i in places.pop(known.keys[place], ()):
                wanted[i] = 1
            if wanted != holds:
                i = next(i for i in range(len(wanted)) if wanted[i] != holds[i])
                raise Failure(f"`differs` of the {one['kind']} with {self.shown(place)} is {holds[i]} for {self.shown(i)}, "
                              f"{self.truth_of(i)}")
        require(not places, "" if not places else f"no `differs` holds for {self.shown(next(iter(places.values()))[0])}")

    def truth_of(self, i):
        old, new = self.known.outcomes[i]
        same = any(self.known.keys[i] == self.known.keys[place] for place in self.at)
        return f"on which the versions leave {old} and {new}{'' if same else ', on another path'}"

    # ---- the verdict ----

    def check_verdict(self):
        """Where globals with their initial values keep a change from being reached, nothing is said of other values."""
        different = any(self.known.differs(i) for i in range(len(self.known.inputs)))
        same = "no-difference-found" if self.report["limits"] else "equivalent"
        require(self.report["verdict"] == ("different" if different else same), f"the verdict is {self.report['verdict']}")


def check_status(run):
    """3: no change was reached, and not because there is none to be reached."""
    wanted = {"different": [1], "equivalent": [0]}.get(run.verdict, [0, 3])
    require(run.status in wanted, f"exit status {run.status} for {run.verdict}")


def check_subset(known, run):
    """Whatever another mode finds is a diff path, and found once."""
    keys = set()
    for one in run.diff_paths():
        witness = known.entry.numbers_of(one["inputs"])
        require(known.entry.holds(witness), f"the witness {one['inputs']} is outside of the ranges")
        key = known.keys[known.index[witness]]
        require(known.parting[key], f"the versions stay together for {one['inputs']}")
        require(key not in keys, f"a second input, {one['inputs']}, for one diff path")
        keys.add(key)
    return keys

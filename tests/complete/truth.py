"""What two versions of a function do on every input of a small domain, from plain builds of each: where they part, and
whether they behave differently. It shares nothing with src/; judge.Joint puts the logs of the versions together."""

import array
import collections
import itertools
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
RANDOM = os.path.join(os.path.dirname(HERE), "random")
sys.path.insert(0, RANDOM)
import judge

# `low` and `high` bound each of the `count` elements behind a pointer; count is None for a plain number.
Parameter = collections.namedtuple("Parameter", "name type low high count", defaults=(None,))


class Entry:
    """A function, its inputs and what is compared: the result, what pointers lead to, and globals. `result` is a type,
    or "" for none; `flags` are for the compiler."""

    def __init__(self, path, name, parameters, result="int", globals=(), flags=()):
        self.path, self.name, self.parameters = path, name, parameters
        self.result, self.globals, self.flags = result, list(globals), list(flags)

    def width(self):
        return sum(parameter.count or 1 for parameter in self.parameters)

    def inputs(self):
        """Every input, as a tuple of numbers."""
        return list(itertools.product(*(range(low, high + 1) for low, high in self.bounds())))

    def bounds(self):
        for parameter in self.parameters:
            yield from [(parameter.low, parameter.high)] * (parameter.count or 1)

    def holds(self, numbers):
        return all(low <= number <= high for number, (low, high) in zip(numbers, self.bounds()))

    def numbers_of(self, inputs):
        """A report's `inputs` as a tuple of numbers."""
        numbers = []
        for parameter in self.parameters:
            value = inputs[parameter.name]
            numbers += [int(number) for number in (value if parameter.count else [value])]
        if len(numbers) != self.width():
            raise AssertionError(f"{len(numbers)} numbers in {inputs}, not {self.width()}")
        return tuple(numbers)

    def options(self):
        """What confines a run of Penumbra to these inputs."""
        words = []
        for parameter in self.parameters:
            if (parameter.low, parameter.high) != FULL.get(parameter.type):
                words += ["--range", f"{parameter.name}={parameter.low}..{parameter.high}"]
            if parameter.count:
                words += ["--size", f"{parameter.name}={parameter.count}"]
        return words

    def locals(self):
        """C that reads the inputs from `numbers`."""
        lines, at = [], 0
        for parameter in self.parameters:
            values = ", ".join(f"({parameter.type})numbers[{i}]" for i in range(at, at + (parameter.count or 1)))
            shape = f"[{parameter.count}] = {{{values}}}" if parameter.count else f" = {values}"
            lines.append(f"    {parameter.type} {parameter.name}{shape};")
            at += parameter.count or 1
        return lines


FULL = {"int": (-2 ** 31, 2 ** 31 - 1), "unsigned": (0, 2 ** 32 - 1), "short": (-2 ** 15, 2 ** 15 - 1),
        "unsigned char": (0, 255), "char": (-128, 127), "signed char": (-128, 127),
        "long": (-2 ** 63, 2 ** 63 - 1)}


def compile_c(text, path, flags):
    subprocess.run(["gcc", "-O0", "-fwrapv", "-w", *flags, "-x", "c", "-", "-o", path], input=text, text=True,
                   check=True, stderr=subprocess.PIPE)


def write_numbers(path, inputs):
    with open(path, "wb") as file:
        # As unsigned: the upper half of the numbers of 64 bits needs it.
        array.array("Q", [number & 2 ** 64 - 1 for numbers in inputs for number in numbers]).tofile(file)


# ---- the versions ----

def recorder_text(entry):
    lines = [f'#include "{entry.path}"', "#ifndef JUDGE_H", '#include "judge.h"', "#endif",
             "static void run(const long long *numbers)", "{", *entry.locals()]
    call = f"{entry.name}({', '.join(parameter.name for parameter in entry.parameters)});"
    outputs = [parameter.name for parameter in entry.parameters if parameter.count] + entry.globals
    if entry.result:
        call, outputs = f"{entry.result} result = {call}", ["result"] + outputs
    lines.append(f"    {call}")
    lines += [f"    record_output(&{name}, sizeof {name});" for name in outputs]
    globals_ = "".join(f"{{&{name}, sizeof {name}}}, " for name in entry.globals)
    lines += ["}", "int main(int count, char **words)", "{",
              f"    struct record_global globals[] = {{{globals_}{{0}}}};",
              f"    return record_main(words[1], {entry.width()}, run, globals);", "}"]
    return "\n".join(lines) + "\n"


class Version:
    """A plain build of one version."""

    def __init__(self, entry, version, directory):
        self.name = version.lower()
        self.path = os.path.join(directory, f"record-{self.name}")
        compile_c(recorder_text(entry), self.path,
                  ["-DJUDGE", f'-DJUDGE_LOG="{HERE}/record.h"', f"-DPENUMBRA_VERSION={version}",
                   f"-I{judge.INCLUDE}", f"-I{RANDOM}", *entry.flags])

    def run(self, numbers_path, parts):
        """(paths, [(path's number, outcome)])."""
        done = subprocess.run([self.path, numbers_path], stdout=subprocess.PIPE, text=True, check=True, timeout=300)
        paths, runs = [], []
        for line in done.stdout.splitlines():
            words = line.split(" ")
            if words[0] == "path":
                paths.append(self.path_of(words[2:], parts))
            else:
                runs.append((int(words[0]), words[1]))
        return paths, runs

    def path_of(self, words, parts):
        run = judge.Run()
        for word in words:
            kind, alone, line, value = word.split(",")
            value = parts[int(line)].get(int(value), 0) if kind == "switch" else int(value)
            run.log.append(judge.Entry(kind, self.name if alone == "1" else "both", int(line), value))
        return run


class Truth:
    """For each input: the key of its path, whether the versions part on it, and whether they differ.

    The key is (joint decisions up to and including the first divergence, decisions of the new version after it); keys
    are numbered."""

    def __init__(self, entry, directory, inputs=None):
        os.makedirs(directory, exist_ok=True)
        self.entry, self.directory = entry, directory
        self.inputs = entry.inputs() if inputs is None else inputs
        self.versions = [Version(entry, version, directory) for version in ("OLD", "NEW")]
        self.key_numbers, self.parting = {}, []
        self.keys, self.outcomes = self.run(self.inputs)
        self.index = {numbers: i for i, numbers in enumerate(self.inputs)}

    def run(self, inputs):
        """(keys, [(old's outcome, new's)]) of some inputs."""
        path = os.path.join(self.directory, "numbers")
        write_numbers(path, inputs)
        with open(self.entry.path) as file:
            parts = judge.switch_parts(file.read())
        (old_paths, old), (new_paths, new) = [version.run(path, parts) for version in self.versions]
        if not len(old) == len(new) == len(inputs):
            raise RuntimeError(f"{len(old)} and {len(new)} runs for {len(inputs)} inputs")
        known, keys = {}, []
        for (old_path, _), (new_path, _) in zip(old, new):
            pair = old_path, new_path
            if pair not in known:
                known[pair] = self.key_of(old_paths[old_path], new_paths[new_path])
            keys.append(known[pair])
        return keys, [(one[1], other[1]) for one, other in zip(old, new)]

    def key_of(self, old, new):
        joint = judge.Joint(old, new)
        key = tuple(joint.together), joint.parted, tuple(joint.after)
        if key not in self.key_numbers:
            self.key_numbers[key] = len(self.key_numbers)
            self.parting.append(joint.parted is not None)
        return self.key_numbers[key]

    def endless(self):
        return any("endless" in outcomes for outcomes in self.outcomes)

    def differs(self, i):
        return self.outcomes[i][0] != self.outcomes[i][1]

    def class_of(self, i):
        old, new = self.outcomes[i]
        if old == new:
            return "both-fail" if old == "failed" else "silent"
        return "regression" if new == "failed" else "fix" if old == "failed" else "output"

    def diff_keys(self):
        return {key for key in self.keys if self.parting[key]}

    def output_keys(self):
        """Of paths on which the versions stay together and leave different outputs behind."""
        return {key for i, key in enumerate(self.keys) if not self.parting[key] and self.differs(i)}


# ---- conditions over the inputs, in C ----

CONDITIONS_HEAD = """
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
"""


def conditions_text(entry, conditions):
    lines = [CONDITIONS_HEAD]
    for i, condition in enumerate(conditions):
        lines += [f"static int condition_{i}(const long long *numbers)", "{", *entry.locals(),
                  f"    return ({condition}) != 0;", "}"]
    names = ", ".join(f"condition_{i}" for i in range(len(conditions)))
    width = entry.width()
    lines += [f"static int (*const conditions[])(const long long *) = {{{names}}};", "int main(int count, char **words)",
              "{", '    FILE *file = fopen(words[1], "rb");', f"    static long long numbers[{width}];",
              f"    while (fread(numbers, sizeof *numbers, {width}, file) == {width})",
              f"        for (int i = 0; i < {len(conditions)}; i++)", "            putchar(conditions[i](numbers));",
              "    return 0;", "}"]
    return "\n".join(lines) + "\n"


def evaluate(entry, conditions, inputs, directory):
    """For each condition its truth on each input, as bytes."""
    if not conditions:
        return []
    program, numbers = os.path.join(directory, "conditions"), os.path.join(directory, "conditions-numbers")
    # Memory that nobody has written holds anything: what the program reads of it would show.
    text = conditions_text(entry, conditions).replace("uninitialised memory", "UINT64_C(0x0123456789abcdef)")
    compile_c(text, program, [])
    write_numbers(numbers, inputs)
    done = subprocess.run([program, numbers], stdout=subprocess.PIPE, check=True, timeout=600)
    if len(done.stdout) != len(conditions) * len(inputs):
        raise RuntimeError(f"{len(done.stdout)} truths of {len(conditions)} conditions on {len(inputs)} inputs")
    return [done.stdout[i::len(conditions)] for i in range(len(conditions))]

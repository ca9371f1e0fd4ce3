"""Builds the plain old and new versions of a program and runs them: see judge.h for what they print. Then puts their two
logs together as one run of both versions would see them."""

import collections
import os
import re
import subprocess

from language import POINTED_ELEMENTS

HERE = os.path.dirname(os.path.abspath(__file__))
INCLUDE = os.path.join(os.path.dirname(os.path.dirname(HERE)), "include")

# What one version did. `side` is "both" in the code that both versions have, else the version's own name.
Entry = collections.namedtuple("Entry", "kind side line value")
DIVISION, ACCESS, END = range(3)  # the values of "fail": enum judge_failure


class Run:
    """What one version did with one input: its log, and its outputs unless it failed."""

    def __init__(self):
        self.log = []
        self.outputs = {}

    def failure(self):
        return self.log[-1] if self.log and self.log[-1].kind == "fail" else None


class Joint:
    """The logs of both versions, up to where they part, and what the new one does then.

    `parted` is None or a pair of entries, the old version's and the new one's; one of them is None where only the other
    version fails, or leaves its own code."""

    def __init__(self, old, new):
        self.old, self.new = old.log, new.log
        self.together, self.parted = [], None
        self.old_at = self.new_at = 0
        while self.parted is None and self.take_one_sided() and self.take_shared():
            pass
        self.after = self.new[self.new_at:]

    def take_one_sided(self):
        """Between two places that both versions pass: first the old one's own code runs, then the new one's."""
        while self.old_at < len(self.old) and self.old[self.old_at].side == "old":
            entry = self.old[self.old_at]
            self.old_at += 1
            if self.ends(entry):
                self.parted = (entry, None)
                return False
        while self.new_at < len(self.new) and self.new[self.new_at].side == "new":
            entry = self.new[self.new_at]
            self.new_at += 1
            if self.ends(entry):
                self.parted = (None, entry)
                return False
        return True

    def ends(self, entry):
        if entry.kind in ("fail", "leave"):
            return True
        self.together.append(entry)
        return False

    def take_shared(self):
        if self.old_at == len(self.old) and self.new_at == len(self.new):
            return False
        old, new = [log[at] if at < len(log) else None for log, at in ((self.old, self.old_at), (self.new, self.new_at))]
        fails = [bool(entry) and entry.kind == "fail" for entry in (old, new)]
        if old != new and fails[0] != fails[1]:  # what the other version does there comes after it
            self.parted = (old, None) if fails[0] else (None, new)
            self.new_at += fails[1]
            return False
        self.old_at += 1
        self.new_at += 1
        if old != new:
            self.parted = (old, new)
            return False
        self.together.append(new)
        return True


# ---- building ----

def main_text(program, program_path):
    """A C main that runs any entry of the program."""
    lines = [f'#include "{program_path}"', ""]
    for signature in program.functions:
        lines += entry_text(program, signature)
    entries = ", ".join(f"run_{signature.name}" for signature in program.functions)
    globals_ = "".join(f"{{&{name}, sizeof {name}, 0}}, " for name, _ in program.globals)
    lines += ["int main(void)", "{", f"    static void (*const entries[])(void) = {{{entries}}};",
              f"    static struct judge_global globals[] = {{{globals_}{{0}}}};",
              "    return judge_main(entries, globals);", "}"]
    return "\n".join(lines) + "\n"


def entry_text(program, signature):
    lines = [f"static void run_{signature.name}(void)", "{"]
    for parameter in signature.parameters:
        if parameter.is_pointer:
            lines += [f"    {parameter.type.name} {parameter.name}[{POINTED_ELEMENTS}];",
                      f"    for (int i = 0; i < {POINTED_ELEMENTS}; i++)",
                      f"        {parameter.name}[i] = ({parameter.type.name})judge_number();"]
        else:
            lines.append(f"    {parameter.type.name} {parameter.name} = ({parameter.type.name})judge_number();")
    call = f"{signature.name}({', '.join(parameter.name for parameter in signature.parameters)});"
    if signature.result:
        lines += [f"    {signature.result.name} result = {call}",
                  '    judge_output("return", &result, sizeof result);']
    else:
        lines.append(f"    {call}")
    outputs = [parameter.name for parameter in signature.parameters if parameter.is_pointer]
    for _, parts in program.globals:
        outputs += parts
    lines += [f'    judge_output("{name}", &{name}, sizeof {name});' for name in outputs]
    return lines + ["}", ""]


def build(program, program_path, directory, command=("gcc", "-O0")):
    """Returns the paths of the old and the new program."""
    main_path = os.path.join(directory, "judge.c")
    with open(main_path, "w") as file:
        file.write(main_text(program, program_path))
    paths = []
    for version in ("OLD", "NEW"):
        path = os.path.join(directory, f"judge-{version.lower()}")
        subprocess.run([*command, "-fwrapv", "-w", "-DJUDGE", f"-DPENUMBRA_VERSION={version}", f"-I{INCLUDE}",
                        f"-I{HERE}", "-ffp-contract=off", "-o", path, main_path, "-lm"], check=True)
        paths.append(path)
    return paths


# ---- running ----

def switch_parts(program_text):
    """For each line with a switch: the number of the target that a value leads to, counted as Penumbra does, by the
    position of the target's first case. The default has none."""
    parts = {}
    for number, line in enumerate(program_text.split("\n"), 1):
        match = re.search(r"switch \(SW.*/\* (.*) \*/$", line)
        if not match:
            continue
        parts[number], position = {}, 1
        for group in match[1].split(" | "):
            labels = [int(label) for label in group.split()]
            parts[number].update((label, position) for label in labels)
            position += len(labels)
    return parts


def run(path, version, program_text, inputs):
    """Runs one version on inputs [(entry's number, [numbers])]; returns a Run for each."""
    text = f"{len(inputs)}\n" + "".join(f"{entry} {' '.join(map(str, numbers))}\n" for entry, numbers in inputs)
    done = subprocess.run([path], input=text, stdout=subprocess.PIPE, text=True, timeout=120)
    if done.returncode != 0:
        raise RuntimeError(f"{path} ended with status {done.returncode}")
    parts, runs = switch_parts(program_text), []
    for line in done.stdout.splitlines():
        kind, *words = line.split(" ")
        if kind == "run":
            runs.append(Run())
        elif kind == "output":
            runs[-1].outputs[words[0]] = words[1]
        else:
            alone, number, value = map(int, words)
            value = parts[number].get(value, 0) if kind == "switch" else value
            runs[-1].log.append(Entry(kind, version if alone else "both", number, value))
    if len(runs) != len(inputs):
        raise RuntimeError(f"{path} ran {len(runs)} of {len(inputs)} inputs")
    return runs

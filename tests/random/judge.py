"""Builds the plain old and new versions of a generated program and runs them: see judge.h for what they print."""

import os
import re
import subprocess

import generate

HERE = os.path.dirname(os.path.abspath(__file__))
INCLUDE = os.path.join(os.path.dirname(os.path.dirname(HERE)), "include")


class Run:
    """What one version did with one input: its decisions, and its outputs unless it failed."""

    def __init__(self):
        self.log = []  # ("branch", line, truth), ("switch", line, part), ("fail", line, 0)
        self.outputs = {}

    def failed(self):
        return bool(self.log) and self.log[-1][0] == "fail"


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
            lines += [f"    {parameter.type.name} {parameter.name}[{generate.POINTED_ELEMENTS}];",
                      f"    for (int i = 0; i < {generate.POINTED_ELEMENTS}; i++)",
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


def build(program, program_path, directory):
    """Returns the paths of the old and the new program."""
    main_path = os.path.join(directory, "judge.c")
    with open(main_path, "w") as file:
        file.write(main_text(program, program_path))
    paths = []
    for version in ("OLD", "NEW"):
        path = os.path.join(directory, f"judge-{version.lower()}")
        subprocess.run(["gcc", "-O0", "-fwrapv", "-w", "-DJUDGE", f"-DPENUMBRA_VERSION={version}", f"-I{INCLUDE}",
                        f"-I{HERE}", "-o", path, main_path], check=True)
        paths.append(path)
    return paths


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


def run(path, program_text, inputs):
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
        elif kind == "o":
            runs[-1].outputs[words[0]] = words[1]
        elif kind == "s":
            number = int(words[0])
            runs[-1].log.append(("switch", number, parts[number].get(int(words[1]), 0)))
        elif kind == "b":
            runs[-1].log.append(("branch", int(words[0]), int(words[1])))
        else:
            runs[-1].log.append(("fail", int(words[0]), 0))
    if len(runs) != len(inputs):
        raise RuntimeError(f"{path} ran {len(runs)} of {len(inputs)} inputs")
    return runs

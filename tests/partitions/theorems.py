"""What docs/augment.md says of partitions, tried on every input of small programs.

For each exploration of a random program: partitions are disjoint and, where the exploration ended, cover everything; all
inputs of one reach the same instances of the changes in the same order (unless it is about outputs alone); where outputs are part of it, all of them give
what its expressions say, or fail. With both versions compared: the verdict is what brute force says, and every input on
which the versions differ belongs to one semantic change."""

import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import generate

HEADER = """#include "penumbra.h"
#define CHANGE(k, o, n) change(o, n)
#define DIVIDE(x, y) ((x) / (y))
"""

CHECKER = """#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static jmp_buf failed;
static unsigned long hits;
static int hit(int k) { hits = hits * 7 + (unsigned long)k; return 0; }
static int divide(int x, int y)
{
    if (y == 0 || (y == -1 && x == -2147483647 - 1))
        longjmp(failed, 1);
    return x / y;
}
#define DIVIDE(x, y) divide(x, y)
struct outcome { unsigned long hits; int fails, result, first, second, third[4]; };
"""

# One version, with names of its own.
VERSION = """#undef CHANGE
#define CHANGE(k, o, n) (hit(k), (%(chosen)s))
#define f f_%(version)s
#define g g_%(version)s
#define h h_%(version)s
#define table table_%(version)s
#define helper helper_%(version)s
#define pair pair_%(version)s
#define turn turn_%(version)s
#define again again_%(version)s
#define bump bump_%(version)s
%(renamed)s
%(text)s
static struct outcome run_%(version)s(int a, int b, int c)
{
    struct outcome outcome = {0};
    %(restore)s
    g = h = 0, hits = 0, memset(table, 0, sizeof table);
    if (setjmp(failed))
        return (struct outcome){.fails = 1, .hits = hits};
    outcome.result = f(a, b, c);
    outcome.hits = hits, outcome.first = g, outcome.second = h;
    memcpy(outcome.third, table, sizeof table);
    return outcome;
}
#undef f
#undef g
#undef h
#undef table
#undef helper
#undef pair
#undef turn
#undef again
#undef bump
%(restored)s
"""

# What the programs that call through pointers have beside that.
CALLING = ["callee", "add", "mix", "count", "even", "odd", "fixed", "apply", "choose", "restore", "body"]


def versions_of(program):
    restored = "\n".join(f"#undef {name}" for name in CALLING)
    return CHECKER + "".join(VERSION % {"version": version, "chosen": version[0], "text": program.text, "restored": restored,
                                        "restore": "restore();" if program.is_calling else "",
                                        "renamed": "\n".join(f"#define {name} {name}_{version}" for name in CALLING)}
                             for version in ("old", "new"))


def violation(*words):
    return "    printf(\"" + " ".join(words) + " a=%d b=%d c=%d\\n\", a, b, c), violations++;\n"


PLACES = {"return": "&outcome.result", "g": "&outcome.first", "h": "&outcome.second", "table": "outcome.third"}


def output_check(output):
    """Compares an output in memory with its pieces."""
    text, at = "", 0
    if output["name"] not in PLACES:  # it is as it was before
        return text
    for piece, size in zip(output["exact"], output["sizes"]):
        text += f"        value = {piece};\n        if (memcmp((char *)({PLACES[output['name']]}) + {at}, &value, {size}))\n"
        text += violation("another output", output["name"])
        at += size
    return text


def checker_of(version, partitions, kind, is_whole):
    text = "static int check_%s(int a, int b, int c)\n{\n    int violations = 0, members = 0;\n" % version
    text += "    uint64_t value;\n    (void)value;\n"
    text += f"    struct outcome outcome = run_{version}(a, b, c);\n"
    for number, partition in enumerate(partitions):
        text += f"    if ({partition['exact']}) {{\n        static int seen;\n        static unsigned long expected;\n"
        text += "        members++;\n"
        if kind != "peso":
            text += "        if (seen && expected != outcome.hits)\n" + violation(version, f"partition {number + 1}:", "other changes reached")
        fails = int(partition["ends"] == "failure")
        if kind != "reach" and partition["changed"]:
            text += f"        if (outcome.fails != {fails})\n" + violation(version, f"partition {number + 1}:", "another end")
            for output in [] if fails else partition["outputs"]:
                text += "        if (!outcome.fails) {\n" + output_check(output) + "        }\n"
        text += "        seen = 1, expected = outcome.hits;\n    }\n"
    text += "    if (members > 1)\n" + violation(version, "partitions overlap:")
    if is_whole:
        text += "    if (members < 1)\n" + violation(version, "no partition:")
    return text + "    return violations;\n}\n"


def check_changes(changes):
    text = "static int check_changes(int a, int b, int c)\n{\n    int violations = 0, members = 0;\n"
    text += "    struct outcome old = run_old(a, b, c), new = run_new(a, b, c);\n    old.hits = new.hits = 0;\n"
    text += "    int differ = memcmp(&old, &new, sizeof old) != 0;\n    any_difference |= differ;\n"
    for change in changes:
        text += f"    members += !!({change['exact']});\n"
    text += "    if (members != differ)\n" + violation("semantic changes:")
    return text + "    return violations;\n}\n"


def loops():
    low, high = generate.RANGE.start, generate.RANGE.stop - 1
    return "".join(f"    for (int {name} = {low}; {name} <= {high}; {name}++)\n" for name in generate.INPUTS)


def explore(penumbra, source, kind, out):
    low, high = generate.RANGE.start, generate.RANGE.stop - 1
    command = [penumbra, "run", source, "--entry", "f", "--explore", kind, "--out", out, "--quiet", "--time", "30",
               "--native-runs", "0"]
    for name in generate.INPUTS:
        command += ["--range", f"{name}={low}..{high}"]
    done = subprocess.run(command, capture_output=True, text=True)
    report = os.path.join(out, "report.json")
    if not os.path.exists(report):
        return None, done.stdout + done.stderr
    return json.load(open(report)), done.stdout + done.stderr


def read(out, name):
    return json.load(open(os.path.join(out, name)))["partitions"]


def check(penumbra, seed, scratch, kinds=("cbpe-sd", "peso", "reach")):
    """The problems of one program; an empty list for none."""
    program = generate.Program(seed)
    directory = os.path.join(scratch, str(seed))
    os.makedirs(directory, exist_ok=True)
    source = os.path.join(directory, "f.c")
    with open(source, "w") as file:
        file.write(HEADER + program.text)
    problems, text, calls, expected = [], versions_of(program) + "static int any_difference;\n", [], None
    for kind in kinds:
        out = os.path.join(directory, kind)
        report, said = explore(penumbra, source, kind, out)
        if report is None:
            return [f"{seed} {kind}: {said.strip()}"]
        limits = {limit["kind"] for limit in report["limits"]}
        is_whole = not limits & {"time", "depth", "loop", "values", "solver", "paths"}
        bad = limits & {"mispredicted", "uncovered", "unconfirmed-change", "unseen-failure", "unreproduced", "stale-label"}
        problems += [f"{seed} {kind}: limit {kind_}" for kind_ in bad]
        tag = kind.replace("-", "_")
        checks = [("new", "signature-new.json")] + ([("old", "signature-old.json")] if kind == "cbpe-sd" else [])
        for version, name in checks:
            piece = checker_of(version, read(out, name), kind, is_whole)
            text += piece.replace(f"check_{version}(", f"check_{tag}_{version}(")
            calls.append(f"check_{tag}_{version}")
        if kind == "cbpe-sd" and is_whole:
            text += check_changes(report["semantic_changes"])
            calls.append("check_changes")
            expected, lost = report["verdict"], [limit for limit in report["limits"] if limit["forbids_equivalence"]]
    text += "int main(void)\n{\n    int violations = 0;\n" + loops()
    text += "        violations += " + " + ".join(f"{call}(a, b, c)" for call in calls) + ";\n"
    text += "    printf(\"%s\\n\", any_difference ? \"different\" : \"equivalent\");\n    return violations != 0;\n}\n"
    path = os.path.join(directory, "check.c")
    with open(path, "w") as file:
        file.write(text)
    built = subprocess.run(["clang-19", "-O0", "-fwrapv", "-w", "-o", path[:-2], path], capture_output=True, text=True)
    if built.returncode:
        return problems + [f"{seed}: {built.stderr[:600]}"]
    done = subprocess.run([path[:-2]], capture_output=True, text=True)
    lines = done.stdout.splitlines()
    problems += [f"{seed}: {line}" for line in lines[:-1][:5]]
    if expected and lines and expected not in (lines[-1], "no-difference-found"):
        problems.append(f"{seed}: brute force says {lines[-1]}, the verdict is {expected}")
    if expected == "no-difference-found" and not lost:
        problems.append(f"{seed}: brute force says {lines[-1]}, and nothing was lost")
    return problems


if __name__ == "__main__":
    for number in range(int(sys.argv[1]), int(sys.argv[2])):
        for problem in check(os.environ["PENUMBRA"], number, sys.argv[3]):
            print(problem, flush=True)

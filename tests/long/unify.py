#!/usr/bin/env python3
"""`penumbra unify --verify` on csmith's programs and mutants of them: values, operators, conditions and declarations
replaced, statements taken out, doubled, exchanged or put under a condition, variables renamed or given another type.

No unification may fail or report a defect, and the unified program, compiled as OLD and as NEW, must print what the
plain versions print."""

import concurrent.futures
import glob
import json
import os
import random
import re
import subprocess
import sys

PENUMBRA, SCRATCH = os.environ["PENUMBRA"], os.environ["SCRATCH"]
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROGRAMS = int(os.environ.get("PENUMBRA_TEST_PROGRAMS", "500"))
FIRST = int(os.environ.get("PENUMBRA_TEST_FIRST", "0"))
CSMITH_INCLUDE = (glob.glob("/usr/include/csmith*") or ["/usr/include"])[0]
OPTIONS = ["--max-funcs", "5", "--max-block-depth", "3", "--max-block-size", "4", "--max-expr-complexity", "5"]
STATEMENT = re.compile(r"^ +(?!return|for|if|else|goto|lbl|break|continue|\}|\{)[^{}]*;(?: */\*.*)?$")
DECLARATION = re.compile(r"^( +)(u?int(?:8|16|32|64)_t) (l_\d+) = ([^,;{]+);$")
OPERATORS = {"==": "!=", "!=": "==", "<=": "<", ">=": ">", "&&": "||", "||": "&&", "+=": "-=", "-=": "+=", "|=": "&="}


def is_simple(line):
    return STATEMENT.match(line) and not DECLARATION.match(line) and " = {" not in line and "l_" in line and \
        not re.match(r" +(const |volatile |static |struct |union |u?int\d+_t )", line)


def inside(lines):
    """The lines of functions, without main and the checksums."""
    start = next(i for i, line in enumerate(lines) if line.startswith("{"))
    end = next((i for i, line in enumerate(lines) if line.startswith("int main")), len(lines))
    return range(start, end)


def change_number(chance, lines, at):
    numbers = list(re.finditer(r"(?<![\w\[])(0x[0-9A-F]+|\d+)(?=U?L{0,2}\b)", lines[at]))
    if not numbers or re.search(r"l_\d+\[", lines[at]):
        return False
    number = chance.choice(numbers)
    lines[at] = lines[at][:number.start()] + str(chance.randrange(200)) + lines[at][number.end():]
    return True


def change_operator(chance, lines, at):
    found = [match for match in re.finditer(r"(?<= )(==|!=|<=|>=|&&|\|\||\+=|-=|\|=)(?= )", lines[at])]
    if not found or lines[at].lstrip().startswith("for"):
        return False
    match = chance.choice(found)
    lines[at] = lines[at][:match.start()] + OPERATORS[match.group()] + lines[at][match.end():]
    return True


def remove_statement(_, lines, at):
    if not is_simple(lines[at]):
        return False
    del lines[at]
    return True


def double_statement(chance, lines, at):
    if not is_simple(lines[at]):
        return False
    lines.insert(at, lines[at])
    return True


def guard_statement(chance, lines, at):
    if not is_simple(lines[at]):
        return False
    condition = chance.choice(["crc32_context & 1", "crc32_context > 77 && crc32_context < 1000000", "1"])
    lines[at] = f"    if ({condition})\n    {{\n{lines[at]}\n    }}"
    return True


def exchange_statements(_, lines, at):
    if at + 1 >= len(lines) or not is_simple(lines[at]) or not is_simple(lines[at + 1]):
        return False
    lines[at], lines[at + 1] = lines[at + 1], lines[at]
    return True


def rename_local(chance, lines, at):
    match = DECLARATION.match(lines[at])
    if not match:
        return False
    name = match.group(3)
    for i, line in enumerate(lines):
        lines[i] = re.sub(rf"\b{name}\b", name + "_renamed", line)
    return True


def retype_local(chance, lines, at):
    match = DECLARATION.match(lines[at])
    if not match or any(f"&{match.group(3)}" in line for line in lines):
        return False
    kind = chance.choice(["int64_t", "uint32_t", "int16_t"])
    lines[at] = f"{match.group(1)}{kind} {match.group(3)} = {match.group(4)};"
    return True


def add_code(chance, lines, at):
    if not is_simple(lines[at]):
        return False
    lines[at] += chance.choice([
        "\n    crc32_context += 3;",
        "\n    { int added = 5; while (added > 0) { crc32_context ^= added; added--; } }",
        "\n    if (crc32_context == 12345) crc32_context = 1; else crc32_context++;",
    ])
    return True


MUTATIONS = [change_number, change_number, change_operator, remove_statement, double_statement, guard_statement,
             exchange_statements, rename_local, retype_local, add_code]


def mutate(chance, text):
    lines = text.split("\n")
    for _ in range(chance.randrange(1, 7)):
        for _ in range(200):
            if chance.choice(MUTATIONS)(chance, lines, chance.choice(inside(lines))):
                lines = "\n".join(lines).split("\n")
                break
    return "\n".join(lines)


def run(command, limit=60, **options):
    return subprocess.run(command, capture_output=True, text=True, timeout=limit, check=False, **options)


def output(place, source, *flags):
    """What the program prints; None when it does not end."""
    program = os.path.join(place, "program")
    built = run(["gcc", "-w", "-O1", "-fwrapv", "-I" + CSMITH_INCLUDE, "-I" + os.path.join(ROOT, "include"), *flags,
                 source, "-o", program], limit=300)
    if built.returncode:
        raise AssertionError(f"{source} {flags} does not compile: {built.stderr[:600]}")
    try:
        done = run([program], limit=5)
        return done.returncode, done.stdout
    except subprocess.TimeoutExpired:
        return None


def check(number):
    chance = random.Random(number)
    place = os.path.join(SCRATCH, str(number))
    os.mkdir(place)
    old, new, unified = (os.path.join(place, name) for name in ("old.c", "new.c", "unified.c"))
    text = run(["csmith", "--seed", str(number + 1), *OPTIONS], cwd=place).stdout
    for _ in range(20):
        mutant = mutate(chance, text)
        with open(new, "w", encoding="utf-8") as file:
            file.write(mutant)
        if mutant != text and not run(["gcc", "-w", "-fsyntax-only", "-I" + CSMITH_INCLUDE, new]).returncode:
            break
    else:
        return "no mutant"
    with open(old, "w", encoding="utf-8") as file:
        file.write(text)
    done = run([PENUMBRA, "unify", old, new, "-o", unified, "--verify", "--json", "--cflags", "-I" + CSMITH_INCLUDE],
               limit=300)
    if done.returncode:
        raise AssertionError(f"status {done.returncode}: {done.stderr[-800:]}")
    report = json.loads(done.stdout)
    defects = report["files"][0]["defects"]
    if defects:
        raise AssertionError(f"defects: {defects}")
    if report["identical"]:
        return "identical"
    for version, source in (("OLD", old), ("NEW", new)):
        wanted = output(place, source)
        if wanted is not None and output(place, unified, f"-DPENUMBRA_VERSION={version}") != wanted:
            raise AssertionError(f"as {version}, the unified program prints something else")
    return f"{report['fine']} fine, {report['coarse']} coarse"


def attempt(number):
    try:
        return f"ok {number} {check(number)}"
    except (AssertionError, subprocess.SubprocessError, KeyError, ValueError, OSError) as problem:
        return f"not ok {number}: {' '.join(str(problem).split())[:1500]}"


def main():
    print(f"1..{PROGRAMS}")
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for line in pool.map(attempt, range(FIRST, FIRST + PROGRAMS)):
            print(line, flush=True)
            failed += line.startswith("not")
    return 1 if failed else 0


sys.exit(main())

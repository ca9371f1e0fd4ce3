#!/usr/bin/env python3
"""`penumbra diff` on random pairs, judged as in tests/e2e/diff.py: small programs with macros, constants, tables, globals
and functions that call each other, and the same with a few numbers and operators replaced, a statement taken out or a
function renamed."""

import os
import random
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "e2e"))
import diff

PAIRS = 150
CALL = 'int r = f(x); printf("%d %d %d %d\\n", r, level, list[0], list[1]);'
RELATIONS = ["<", ">", "==", "!=", "<=", ">="]
# Numbers and operators, but not those that keep an index inside its array.
REPLACED = re.compile(r"(?<![\w.\[])\d+(?![\w.\]])|(?<= )(?:==|!=|<=|>=|[<>+*-])(?= )")


def expression(chance, names, depth=2):
    if depth == 0 or chance.random() < 0.25:
        return chance.choice(names + [str(chance.randrange(-5, 9))])
    one, other = expression(chance, names, depth - 1), expression(chance, names, depth - 1)
    return chance.choice([
        f"({one} + {other})",
        f"({one} - {other})",
        f"({one} * {chance.randrange(1, 4)})",
        f"({one} {chance.choice(RELATIONS)} {other})",
        f"({one} & {chance.choice([1, 3, 7])})",
        f"({one} > {chance.randrange(6)} ? {other} : {one})",
    ])


def function(chance, number):
    calls = [f"h{i}({expression(chance, ['a', 'b'], 1)}, b)" for i in range(number)]
    names = ["a", "b", "LIMIT", "SCALE(a)", "table[b & 3]", "level", "list[a & 1]"] + calls
    statements = [
        f"    if ({expression(chance, names)})\n        r = {expression(chance, names)};",
        f"    level = {expression(chance, ['a', 'r', 'level'])};",
        f"    list[{chance.choice('ab')} & 1] = {expression(chance, ['r', 'b'], 1)};",
        f"    for (int i = 0; i < {chance.randrange(1, 3)}; i++)\n        r += {expression(chance, ['r', 'i', 'b'], 1)};",
    ]
    chance.shuffle(statements)
    body = "\n".join(statement for statement in statements if chance.random() < 0.7)
    head = chance.choice(["static ", "", "static inline "]) + f"int h{number}(int a, int b)"
    return f"{head}\n{{\n    int r = {expression(chance, names)};\n{body}\n    return r;\n}}\n"


def program(chance):
    numbers = [str(chance.randrange(9)) for _ in range(8)]
    text = (f"#include <stdio.h>\n#define LIMIT {numbers[0]}\n#define SCALE(v) ((v) * LIMIT)\n"
            f"static const int table[4] = {{{', '.join(numbers[1:5])}}};\nint level = {numbers[5]};\n"
            f"static short list[2] = {{{numbers[6]}, {numbers[7]}}};\n")
    text += "".join(function(chance, number) for number in range(4))
    return text + f"int f(int x)\n{{\n    return h3(x, 2) + h{chance.randrange(4)}(x, x);\n}}\n"


def replacement(chance, word):
    if word.isdigit():
        return str((int(word) + 1) % 9)
    return chance.choice(["+", "-", "*"] if word in "+-*" else RELATIONS)


def changed(chance, text):
    for _ in range(chance.randrange(1, 4)):
        place = chance.choice(list(REPLACED.finditer(text)))
        text = text[:place.start()] + replacement(chance, place.group()) + text[place.end():]
    kind = chance.random()
    if kind < 0.15:
        removable = re.findall(r"^    (?:level|list\[).*\n", text, re.MULTILINE)
        text = text.replace(chance.choice(removable), "", 1) if removable else text
    elif kind < 0.3:
        text = text.replace("static int h0(", "int h0(")
    elif kind < 0.4:
        text = re.sub(r"\bh1\b", "helper", text)
    return text


def check(number):
    chance = random.Random(number)
    old = program(chance)
    new = changed(chance, old)
    pair = {"old": old, "new": new, "call": CALL, "options": ["--time", "60"], "verdict": None}
    if old != new:
        diff.check_pair(f"random-{number}", pair)


diff.CASES = [(f"random-{number}", lambda number=number: check(number)) for number in range(PAIRS)]
sys.exit(diff.main())

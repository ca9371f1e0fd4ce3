#!/usr/bin/env python3
"""Makes changed versions of a program, as annotated C: the program itself is the old version.

    mutate.py PROGRAM.c FUNCTION...      lists every single change of these functions
    mutate.py PROGRAM.c FUNCTION... N    prints the program with the change of that number

What is changed, each as deep in the text as it goes:

    ROR   another relational operator             AOR   another arithmetic operator
    LOR   && for || and the other way round       ORU   a unary operator put before an operand, or taken away
    CON   another constant                        NEG   a condition turned round
    STD   a statement deleted (it stays the old version's)
    STI   a statement inserted (it is the new version's)"""

import collections
import random
import sys

import syntax

# Replaces the text from start to end.
Edit = collections.namedtuple("Edit", "operator start end text")
RELATIONS = ["<", "<=", ">", ">=", "==", "!="]
ARITHMETIC = ["+", "-", "*"]
DIVISIONS = {"DIV": "MOD", "MOD": "DIV"}
# Arguments of these that are no values: an array's name and its size.
NO_VALUES = {"AT": (0, 2)}


class Mutator:
    def __init__(self, text, names):
        self.text, self.edits = text, []
        for function in syntax.Reader(text).functions():
            if function.name in names:
                for statement in function.body.walk():
                    self.mutate_statement(statement)

    def of(self, node):
        return self.text[node.start:node.end]

    def add(self, operator, node, new, old=None):
        old = self.of(node) if old is None else old
        self.edits.append(Edit(operator, node.start, node.end, f"change({old}, {new})"))

    # ---- statements ----

    def mutate_statement(self, statement):
        for expression in statement.expressions:
            self.mutate(expression, branches=statement.kind in ("if", "while", "for"))
        if statement.is_last:
            return
        if statement.kind in ("if", "return") or self.assigned(statement):
            self.edits.append(Edit("STD", statement.start, statement.end,
                                   f"{{ if (execute(OLD)) {{ BEGIN {self.leaving(statement)} END }} }}"))
        name = self.assigned(statement)
        if name:
            kept = self.text[statement.start:statement.end]
            for inserted in (f"{name} = -{name};", kept):
                self.edits.append(Edit("STI", statement.start, statement.end,
                                       f"{{ {kept} if (execute(NEW)) {{ BEGIN {inserted} END }} }}"))

    def assigned(self, statement):
        """The name of the variable that an assignment assigns to."""
        if statement.kind != "expression" or statement.expressions[0].kind != "assignment":
            return None
        target = statement.expressions[0].parts[0]
        return target.what if target.kind == "name" else None

    def leaving(self, statement):
        """The statement's text, with returns that leave one-sided code."""
        text = self.text[statement.start:statement.end]
        returns = [one for one in statement.walk() if one.kind == "return"]
        for one in sorted(returns, key=lambda one: -one.start):
            value = self.of(one.expressions[0])
            text = (text[:one.start - statement.start] + f"return LEAVE_WITH(1, {value});"
                    + text[one.end - statement.start:])
        return text

    # ---- expressions ----

    def mutate(self, node, branches=False):
        """`branches` says that the value is only branched on."""
        if node.kind == "call" and node.what == "BR":
            self.mutate_condition(node.parts[0])
            return
        if node.kind == "binary" and node.what in ("&&", "||"):
            self.mutate_logical(node, branches)
            return
        self.mutate_operator(node)
        if node.kind in ("name", "number"):
            self.mutate_operand(node)
        for i, part in enumerate(node.parts):
            no_value = i in NO_VALUES.get(node.what, ()) if node.kind == "call" else (
                node.kind == "increment" or (node.kind == "assignment" and i == 0))
            if not no_value:
                self.mutate(part)

    def mutate_condition(self, node):
        self.add("NEG", node, f"!({self.of(node)})")
        self.mutate(node)

    def mutate_logical(self, node, branches):
        """Inside change() it is a value: the last operand does not decide a branch, the whole does."""
        other = {"&&": "||", "||": "&&"}[node.what]
        left, right = self.of(node.parts[0]), self.of(self.inner(node.parts[1]))
        self.add("LOR", node, f"({left} {other} {right})", f"({left} {node.what} {right})")
        if branches:
            edit = self.edits[-1]
            self.edits[-1] = edit._replace(text=f"BR({edit.text})")
        for part in node.parts:
            self.mutate(part, branches)

    def inner(self, node):
        """Of a single condition, what is inside its BR()."""
        return node.parts[0] if node.kind == "call" and node.what == "BR" else node

    def mutate_operator(self, node):
        if node.kind == "binary" and node.what in RELATIONS + ARITHMETIC:
            operator, others = ("ROR", RELATIONS) if node.what in RELATIONS else ("AOR", ARITHMETIC)
            left, right = map(self.of, node.parts)
            for other in others:
                if other != node.what:
                    # A product binds tighter than its operands do where it stands for a sum.
                    tight = f"({left}) {other} ({right})"
                    self.add(operator, node, tight if other == "*" else f"{left} {other} {right}")
        elif node.kind == "call" and node.what in DIVISIONS:
            self.add("AOR", node, DIVISIONS[node.what] + self.of(node)[len(node.what):])
            self.add("AOR", node, f"({self.of(node.parts[0])}) * ({self.of(node.parts[1])})")
        elif node.kind == "unary" and node.what in "-!~":
            self.add("ORU", node, self.of(node.parts[0]))

    def mutate_operand(self, node):
        if node.what != "0":
            self.add("ORU", node, f"-{self.of(node)}")
        if node.kind == "name":
            self.add("ORU", node, f"~{self.of(node)}")
        else:
            for number in (int(node.what) + 1, int(node.what) - 1):
                self.add("CON", node, str(number))


def apply(text, edits):
    for edit in sorted(edits, key=lambda edit: -edit.start):
        text = text[:edit.start] + edit.text + text[edit.end:]
    return text


def overlap(edits):
    ordered = sorted(edits)
    ordered.sort(key=lambda edit: edit.start)
    return any(one.end > other.start for one, other in zip(ordered, ordered[1:]))


def line_of(text, edit):
    return text.count("\n", 0, edit.start) + 1


def choose(text, names, singles, combinations, seed, products=True):
    """Sets of one to three edits, always the same ones: the single changes of each kind in turn. Without products, whose
    chains are too hard for any solver, where `products` is false."""
    edits, chance = Mutator(text, names).edits, random.Random(f"{names} {seed}")
    edits = [edit for edit in edits if products or ") * (" not in edit.text]
    kinds = collections.defaultdict(list)
    for edit in edits:
        kinds[edit.operator].append(edit)
    for kind in kinds.values():
        chance.shuffle(kind)
    chosen = []
    while len(chosen) < singles and any(kinds.values()):
        for kind in sorted(kinds):
            if kinds[kind] and len(chosen) < singles:
                chosen.append([kinds[kind].pop()])
    combined = 0
    while combined < combinations:
        some = chance.sample(edits, 2 + combined % 2)
        if not overlap(some):
            chosen.append(some)
            combined += 1
    return chosen


def main():
    path, *names = sys.argv[1:]
    with open(path) as file:
        text = file.read()
    number = int(names.pop()) if names[-1].isdigit() else None
    edits = Mutator(text, names).edits
    if number is not None:
        print(apply(text, [edits[number]]), end="")
        return
    for i, edit in enumerate(edits):
        print(f"{i} {edit.operator} line {line_of(text, edit)}: {' '.join(edit.text.split())}")


if __name__ == "__main__":
    main()

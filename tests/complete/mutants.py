"""The programs of this directory, the inputs on which they are judged, and which of their mutants."""

import os
import subprocess

import mutate
import truth
from truth import Parameter

PURSE = ["balance", "refused", "history", "used"]
BRAKES = ["pressure", "reserve", "held", "skids"]


def ints(text):
    """Parameters of type int from `a=-2..2 b=0..1`."""
    parameters = []
    for word in text.split():
        name, bounds = word.split("=")
        low, high = bounds.split("..")
        parameters.append(Parameter(name, "int", int(low), int(high)))
    return parameters


def steps(pedal):
    return ints(" ".join(f"pedal{i}={pedal} automatic{i}=0..1 skid{i}=0..1" for i in (1, 2, 3)))


class Subject:
    """An entry with the functions below it that are changed, how many mutants of one change and how many of several.
    `label` is for a second subject with the same entry; `products` says whether sums may become products."""

    def __init__(self, file, entry, parameters, functions, singles, combinations, globals=(), result="int", label=None,
                 products=True):
        self.file, self.name, self.parameters, self.functions = file, entry, parameters, functions
        self.label, self.products = label or entry, products
        self.singles, self.combinations, self.globals, self.result = singles, combinations, globals, result

    def text(self):
        with open(os.path.join(truth.HERE, self.file)) as file:
            return file.read()

    def mutants(self):
        text = self.text()
        chosen = mutate.choose(text, self.functions, self.singles, self.combinations, self.label, self.products)
        for number, edits in enumerate(chosen):
            yield Mutant(self, number, text, edits)

    def entry(self, path):
        return truth.Entry(path, self.name, self.parameters, self.result, self.globals)


SUBJECTS = [
    Subject("rational.c", "absolute", ints("x=-9..9"), ["absolute"], 6, 2),
    Subject("rational.c", "divisor", ints("a=-5..5 b=-5..5"), ["absolute", "divisor"], 20, 6, products=False),
    Subject("rational.c", "simplify", ints("num=-4..4 den=-4..4"), ["simplify", "divisor"], 16, 6,
            ["numerator", "denominator"], products=False),
    Subject("rational.c", "compare", ints("a=-2..2 b=-2..2 c=-2..2 d=-2..2"), ["compare"], 12, 5),
    Subject("rational.c", "whole", ints("a=-20..20 b=-6..6"), ["whole"], 8, 3),
    Subject("account.c", "session", ints("start=-3..3 in=-2..4 out=-1..6"), ["deposit", "withdraw", "session"], 16, 6,
            PURSE),
    Subject("account.c", "replay", [Parameter("amounts", "int", -3, 3, 3)], ["deposit", "withdraw", "replay", "note"], 14,
            6, PURSE),
    Subject("account.c", "interest", [Parameter("rate", "unsigned char", 0, 255), Parameter("months", "short", -5, 9)],
            ["interest"], 12, 4, PURSE, "short"),
    Subject("brakes.c", "update", ints("pedal=-1..5 automatic=0..2 skid=0..1"), ["demand", "update"], 16, 8, BRAKES),
    Subject("brakes.c", "launch", steps("-1..1"), ["demand", "update", "launch"], 12, 8, BRAKES),
    Subject("brakes.c", "launch", steps("0..3"), ["demand", "update", "launch"], 3, 2, BRAKES, label="launch_far"),
]


class Mutant:
    def __init__(self, subject, number, text, edits):
        self.subject, self.text = subject, mutate.apply(text, edits)
        self.name = f"{subject.label}-{number}-{'-'.join(edit.operator for edit in edits)}"

    def write(self, directory):
        """Its entry, with the program in the directory."""
        os.makedirs(directory, exist_ok=True)
        path = os.path.join(directory, f"{self.subject.name}.c")
        with open(path, "w") as file:
            file.write(self.text)
        return self.subject.entry(path)

    def truth(self, directory):
        """None where it does not compile, or where a version runs without end."""
        try:
            known = truth.Truth(self.write(directory), directory)
        except subprocess.CalledProcessError:
            return None
        return None if known.endless() else known

"""Equivalent rewrites, equivalent/NAME.c, each with a twin under -DTWIN that is subtly broken. The comment at the head
of the file has the entry, the ranges of its inputs (all values of the type, where there is none) and the globals that
are compared, and the same for the twin where it is not the same:

    /*@ int f(int a, int s[3]) a=1..9 globals g, h TWIN: int f(int a, int s[3]) a=1..10 */"""

import glob
import os
import random
import re

import truth
import verify
from verify import require

ENTRY = re.compile(r"(?P<result>[\w ]+?) (?P<name>\w+)\((?P<parameters>.*?)\)(?P<ranges>(?: \w+=\S+)*)"
                   r"(?: globals (?P<globals>[\w, ]+?))?")
PARAMETER = re.compile(r"(?P<type>[\w ]+?) (?P<name>\w+)(?:\[(?P<count>\d+)\])?")
ALL_TRIED, SAMPLE = 20000, 4000  # how many inputs are tried: all of a small domain, else some


def read_entry(path, text, flags):
    match = ENTRY.fullmatch(text.strip())
    ranges = dict(word.split("=") for word in match["ranges"].split())
    parameters = []
    for one in match["parameters"].split(", "):
        parts = PARAMETER.fullmatch(one)
        bounds = truth.FULL[parts["type"]]
        if parts["name"] in ranges:
            bounds = map(int, ranges[parts["name"]].split(".."))
        parameters.append(truth.Parameter(parts["name"], parts["type"], *bounds,
                                          int(parts["count"]) if parts["count"] else None))
    globals_ = match["globals"].split(", ") if match["globals"] else []
    return truth.Entry(path, match["name"], parameters, match["result"], globals_, flags)


class Rewrite:
    def __init__(self, path):
        self.name = os.path.basename(path)[:-2]
        texts = read_head(path).split("TWIN:")
        self.same, self.broken = read_entry(path, texts[0], []), read_entry(path, texts[-1], ["-DTWIN"])


def read_head(path):
    """What the comment at the head of a file says: its lines up to a sentence."""
    with open(path) as file:
        return re.split(r"\n \* ", re.search(r"/\*@(.*?)\*/", file.read(), re.DOTALL)[1])[0]


def all_rewrites():
    return [Rewrite(path) for path in sorted(glob.glob(os.path.join(truth.HERE, "equivalent/*.c")))]


# ---- inputs to try ----

def domain(entry):
    """All inputs of a small domain, else corners, small numbers, neighbours and random ones."""
    size = 1
    for low, high in entry.bounds():
        size *= high - low + 1
    if size <= ALL_TRIED:
        return entry.inputs()
    chance, bounds = random.Random(entry.path), list(entry.bounds())
    inputs = set()
    while len(inputs) < SAMPLE:
        numbers = [pick(chance, low, high) for low, high in bounds]
        if chance.random() < 0.3 and len(numbers) > 1:  # near each other
            one, other = chance.sample(range(len(numbers)), 2)
            numbers[one] = fit(numbers[other] + chance.randint(-1, 1), *bounds[one])
        inputs.add(tuple(numbers))
    return sorted(inputs)


def pick(chance, low, high):
    kind = chance.random()
    if kind < 0.2:
        return chance.choice([low, low + 1, high - 1, high])
    if kind < 0.7:
        return fit(chance.randint(-130, 130), low, high)
    if kind < 0.8:
        return fit(chance.choice([-1, 1]) << chance.randrange(31), low, high)
    return chance.randint(low, high)


def fit(number, low, high):
    return max(low, min(high, number))


# ---- checks ----

def check_conditions(known, run):
    """On the inputs tried, a difference is where some condition says so; each witness is where its own does."""
    entry, divergences = known.entry, run.divergences
    conditions = [one["differs"] for one in divergences]
    for i, holding in enumerate(zip(*truth.evaluate(entry, conditions, known.inputs, known.directory))):
        require(any(holding) == known.differs(i), f"some `differs` is {any(holding)} for {known.inputs[i]}, on which the "
                                                  f"versions leave {' and '.join(known.outcomes[i])}")
    for one in divergences:
        witness = entry.numbers_of(one["inputs"])
        require(entry.holds(witness), f"the witness {one['inputs']} is outside of the ranges")
        old, new = known.run([witness])[1][0]
        require((old != new) == (one["class"] in verify.LOUD),
                f"{one['inputs']} is reported as {one['class']}, but the versions leave {old} and {new}")
    require(divergences or not any(map(known.differs, range(len(known.inputs)))), "nothing is reported")


def check_same(rewrite, directory):
    known = truth.Truth(rewrite.same, directory, domain(rewrite.same))
    bad = [known.inputs[i] for i in range(len(known.inputs)) if known.differs(i)]
    require(not bad, f"it is not equivalent: {bad[:1]}")
    run = verify.complete(rewrite.same, directory)
    try:
        require(run.verdict == "equivalent", f"the verdict is {run.verdict}, limits: {run.limits}")
        require(not run.limits, f"limits: {run.limits}")
        verify.check_status(run)
        check_conditions(known, run)
    except AssertionError as problem:
        raise verify.Failure(f"{problem}  # again: {run.text}") from None


def check_broken(rewrite, directory):
    known = truth.Truth(rewrite.broken, directory, domain(rewrite.broken))
    run = verify.complete(rewrite.broken, directory)
    try:
        require(run.verdict == "different", f"the verdict is {run.verdict}, limits: {run.limits}")
        require(not run.limits, f"limits: {run.limits}")
        verify.check_status(run)
        check_conditions(known, run)
    except AssertionError as problem:
        raise verify.Failure(f"{problem}  # again: {run.text}") from None

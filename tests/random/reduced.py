"""The programs in reduced/: each is what is left of a generated program about which Penumbra once was wrong. The comment
at its head says what was wrong, which globals are compared, and the inputs:

    /* Why it is here.
     * globals: g a
     * inputs: 0 1; 5 1 */

An input is a list of numbers, one for each scalar parameter of the entry `f` and for each element behind a pointer."""

import concurrent.futures
import glob
import os
import re

import check
import judge
from language import TYPE, Parameter, Signature


class Program:
    def __init__(self, path):
        with open(path) as file:
            self.source = file.read()
        declaration = re.search(r"^(?P<result>\w[\w ]*) f\((?P<parameters>.*)\)$", self.source, re.MULTILINE)
        parameters = [self.parameter(text) for text in declaration["parameters"].split(", ")]
        self.functions = [Signature("f", TYPE.get(declaration["result"]), parameters)]
        self.globals = [(name, [name]) for name in self.listed("globals").split()]
        self.inputs = [[int(number) for number in text.split()] for text in self.listed("inputs").split(";")]

    def parameter(self, text):
        match = re.fullmatch(r"(const )?(\w[\w ]*?) (\*?)(\w+)", text)
        return Parameter(match[4], TYPE[match[2]], bool(match[3]), bool(match[1]))

    def listed(self, what):
        match = re.search(rf"^ \* {what}: (.*?)(?: \*/)?$", self.source, re.MULTILINE)
        return match[1] if match else ""

    def text(self):
        return self.source


def check_all(directory):
    """Checks each of them. True when all is well."""
    report = check.Report()
    paths = sorted(glob.glob(os.path.join(judge.HERE, "reduced", "*.c")))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        checkers = list(pool.map(lambda path: check.Checker(Program(path), path, directory), paths))
        jobs = [pool.submit(checker.check, 0, checker.program.inputs) for checker in checkers]
        for checker, job in zip(checkers, jobs):
            report.add(checker, 0, f"tests/e2e/random.py ({os.path.basename(checker.path)})", job)
    return report.good

#!/usr/bin/env python3
"""Constructs of C (tests/programs/constructs). Through those of exact.c labels pass: every patched line behind one is
reached, and nothing is said to be lost. Those of lost.c are named with their places, and keep the verdict from being
"equivalent". Operations that the runtime makes of several (same.c) are
shown to be what C says. Libraries without instrumentation are linked in three ways."""

import os
import re
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests/programs"))
from running import Report, limits_of  # noqa: E402

CONSTRUCTS = os.path.join(ROOT, "tests/programs/constructs")
SCRATCH = os.environ["SCRATCH"]
CASE = re.compile(r"case (\d+): (?:return|result =) (\w+)\(")
failures = 0


def read(name):
    with open(os.path.join(CONSTRUCTS, name)) as file:
        return file.read()


def case(name):
    """Runs and reports one case."""
    def decorate(function):
        global failures
        try:
            function()
            print(f"ok {name}", flush=True)
        except AssertionError as problem:
            failures += 1
            print(f"not ok {name}: {' '.join(str(problem).split())}", flush=True)
    return decorate


def explore(program, entry, cases, *options):
    ranges = ["--range", f"which=0..{len(cases) - 1}"] if cases else []
    return Report(os.path.join("constructs", program), entry, [], ["--mode", "complete", *ranges, *options])


def check_exact(program, entry):
    cases = CASE.findall(read("exact.c"))
    report = explore(program, entry, cases)
    found = {divergence["inputs"]["which"] for divergence in report.divergences if divergence["class"] == "output"}
    missing = [name for number, name in cases if int(number) not in found]
    assert not missing, f"not reached: {', '.join(missing)}; limits: {limits_of(report.document)}"
    assert not limits_of(report.document), limits_of(report.document)


@case("labels pass")
def labels_pass():
    check_exact("exact.c", "constructs")


@case("labels pass in code of one version")
def labels_pass_in_one_version():
    check_exact("sided.c", "sided")


@case("what is lost is named")
def losses_are_named():
    text = read("lost.c")
    report = explore("lost.c", "lost", CASE.findall(text), "--max-values", "3")
    assert report.verdict == "no-difference-found", report.verdict
    limits = "\n".join(limits_of(report.document))
    for number, line in enumerate(text.split("\n"), 1):
        what = re.search(r"/\* here: (.*) \*/", line)
        assert not what or f"{what.group(1)} (lost.c:{number})" in limits, f"{what.group(1)}, line {number}: {limits}"


@case("what one version stores in wide bit-fields has no labels left")
def wide_fields_have_no_labels_left():
    report = explore("wide_fields.c", "wide_fields", [], "--max-values", "2", "--time", "60")
    assert not report.counts["mispredictions"] + report.counts["stale_labels"], limits_of(report.document)


@case("operations made of several are their definitions")
def operations_are_their_definitions():
    report = explore("same.c", "same", re.findall(r"case (\d+): return", read("same.c")))
    assert report.verdict == "equivalent", f"{report.verdict}: {limits_of(report.document)}"


# ---- libraries ----

def compile_library():
    made = os.path.join(SCRATCH, "library.o"), os.path.join(SCRATCH, "liblinked.a"), \
        os.path.join(SCRATCH, "libshared.so")
    source = os.path.join(CONSTRUCTS, "linked_library.c")
    subprocess.run(["gcc", "-O1", "-fPIC", "-c", source, "-o", made[0]], check=True)
    subprocess.run(["ar", "rc", made[1], made[0]], check=True)
    subprocess.run(["gcc", "-shared", made[0], "-o", made[2]], check=True)
    return made


def check_link(*link):
    second = os.path.join(CONSTRUCTS, "linked_second.c")
    options = [second, *(word for library in link for word in ("--link", library))]
    report = Report("constructs/linked.c", "linked", ["x=1233"], ["--mode", "complete", "--max-values", "3", *options])
    assert report.verdict == "different", f"{report.verdict}: {limits_of(report.document)}"
    assert any("library_twice" in limit for limit in limits_of(report.document)), limits_of(report.document)
    report = Report("constructs/linked.c", "linked_same", [], ["--mode", "complete", "--max-values", "3", *options])
    assert report.verdict == "no-difference-found", report.verdict


OBJECT, ARCHIVE, SHARED = compile_library()


@case("an archive is linked")
def archive_is_linked():
    check_link(ARCHIVE)


@case("a shared library is linked")
def shared_library_is_linked():
    check_link(SHARED)


@case("a part of the C library costs nothing")
def part_of_c_library_is_linked():
    for library, is_inside in (("m", True), ("-lpthread", True), (OBJECT, False)):
        report = Report("fig3.c", "foo", [], ["--mode", "complete", "--link", library])
        assert report.document["inside"] is is_inside, library


@case("a library is linked by its name")
def library_is_linked_by_name():
    check_link(f"-L{SCRATCH}", "-llinked")


@case("an instrumented program is linked by a library's name")
def instrumented_is_linked_by_name():
    program = os.path.join(SCRATCH, "root.c")
    with open(program, "w", encoding="utf-8") as file:
        file.write("int library_twice(int);\nint main(void) { return library_twice(2) != 4; }\n")
    out = os.path.join(SCRATCH, "root")
    subprocess.run([os.environ["PENUMBRA"], "instrument", program, "--link", "linked", "--link", f"-L{SCRATCH}", "-o", out],
                   check=True, timeout=120)


def lost_at(entry, *options):
    report = Report("constructs/outside.c", entry, *options)
    return any("lost at: access" in limit or "lost at: pathconf" in limit for limit in limits_of(report.document))


@case("functions outside see a text up to its end")
def outside_sees_texts():
    complete = [], ["--mode", "complete"]
    assert not lost_at("behind_the_end", *complete)
    assert lost_at("before_the_end", *complete)
    assert lost_at("behind_a_short_text", *complete)


@case("functions outside see each object once")
def outside_sees_objects_once():
    start = time.monotonic()
    assert lost_at("reached_again_and_again", ["x=1"], ["--mode", "concolic"])
    assert time.monotonic() - start < 40, "looks at an object for each pointer"


sys.exit(1 if failures else 0)

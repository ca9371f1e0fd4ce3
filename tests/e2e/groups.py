#!/usr/bin/env python3
"""Thousands of divergences are a few groups, one for each change of behaviour, the most serious first; each has a witness that was
run natively. Only witnesses have folders, and results stay small."""

import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "programs"))
from running import PENUMBRA, SCRATCH, run_rows  # noqa: E402

# Four changes of behaviour behind 32 ways each: a regression, two other outputs, a fix; and one that nobody sees.
FOUR = """#include <stdio.h>
#include <stdlib.h>
static int table[8] = {1, 2, 3, 4, 5, 6, 7, 8};
int f(unsigned char way, int x)
{
    int n = 0;
    for (int bit = 0; bit < 5; bit++)
        if (way & 1 << bit)
            n += bit + 1;
    if (x > 100 && x < %(first)s)
        n += 7;
    if (x > 200 && x < %(second)s)
        printf("far");
    if (x == 300)
        n += table[%(third)s];
    if (x == 400 && %(fourth)s)
        abort();
    if (x == 500 %(fifth)s)
        n += 0;
    return n;
}
"""
OLD = {"first": "110", "second": "210", "third": "7", "fourth": "1", "fifth": ""}
NEW = {"first": "120", "second": "211", "third": "8", "fourth": "0", "fifth": "|| x == 501"}


def expect(holds, what):
    if not holds:
        raise AssertionError(what)


def explore(name, *options):
    place = os.path.join(SCRATCH, name)
    os.makedirs(place)
    for version, words in (("old.c", OLD), ("new.c", NEW)):
        with open(os.path.join(place, version), "w", encoding="utf-8") as file:
            file.write(FOUR % words)
    return place, subprocess.run([PENUMBRA, "diff", "old.c", "new.c", "--entry", "f", "--quiet", "--out", "out", *options], cwd=place,
                                 capture_output=True, text=True, check=False)


def folders(place):
    return sorted(name for name in os.listdir(os.path.join(place, "out")) if name.isdigit())


def four_groups():
    place, run = explore("four", "--json")
    report = json.loads(run.stdout)
    groups = report["groups"]
    expect([group["class"] for group in groups] == ["regression", "output", "output", "fix", "silent"], groups)
    expect([group["place"]["line"] for group in groups] == [15, 10, 12, 16, 18], groups)
    expect(all(group["count"] + group["unproven"] >= 32 for group in groups), [(group["count"], group["unproven"]) for group in groups])
    witnesses = [group["witness"] for group in groups]
    small = [{"way": 0, "x": 300}, {"way": 0, "x": 110}, {"way": 0, "x": 210}, {"way": 0, "x": 400}]
    expect([one["inputs"] for one in witnesses[:4]] == small, [one["inputs"] for one in witnesses])
    expect(folders(place) == sorted(f"{one['number']:03}" for one in witnesses), (folders(place), witnesses))
    expect(all(os.path.exists(os.path.join(place, one["input_file"])) and one["repro"] for one in witnesses), witnesses)
    expect(len(report["divergences"]) <= 105 and {one["number"] for one in witnesses} <= {one["number"] for one in report["divergences"]}, len(report["divergences"]))
    listed = {one["number"] for one in report["divergences"]}
    with open(os.path.join(place, "out", "divergences.txt"), encoding="utf-8") as file:
        others = [line.split(" ", 3) for line in file]
    expect(len(others) + len(listed) == sum(group["count"] for group in groups) and not listed & {int(other[0]) for other in others}, others)
    expect(all(other[2] in {group["id"] for group in groups if group["class"] == other[1]} and "x=" in other[3] for other in others), others)
    for group in groups:
        done = subprocess.run(["sh", "-c", group["witness"]["repro"]], capture_output=True, check=False)
        expect(done.returncode == (group["class"] != "silent"), (group, done))


# Each input goes through all of the changes: the first ones hide the last one, which alone makes the failure.
FOLLOWING = """#include <stdlib.h>
#include <string.h>
static char kept[8];
struct order { char name[12]; int quantity, flags; };
static int fee(const struct order *o)
{
    return o->quantity %(first)s 100 ? 7 : 0;
}
int f(const struct order *o, unsigned size)
{
    int sum = o->quantity;
    if (size > 8 || o->quantity < 0 || o->quantity > 1000)
        return -1;
    sum += fee(o);
    if (o->flags & %(second)s)
        sum = 0;
    if (o->name[0] == %(third)s)
        sum++;
    unsigned length = strlen(o->name);
    if (length %(fourth)s size)
        length = size - 1;
    memcpy(kept, o->name, length);
    kept[length] = 0;
    return sum;
}
"""
FOLLOWING_OLD = {"first": ">", "second": "4", "third": "'f'", "fourth": ">="}
FOLLOWING_NEW = {"first": ">=", "second": "6", "third": "'g'", "fourth": ">"}


def changes_that_follow_each_other():
    """A group is told by the change that makes it, not by where the versions part first."""
    place = os.path.join(SCRATCH, "following")
    os.makedirs(place)
    for version, words in (("old.c", FOLLOWING_OLD), ("new.c", FOLLOWING_NEW)):
        with open(os.path.join(place, version), "w", encoding="utf-8") as file:
            file.write(FOLLOWING % words)
    command = [PENUMBRA, "diff", "old.c", "new.c", "--entry", "f", "--quiet", "--json", "--time", "60", "--out", "out"]
    run = subprocess.run(command, cwd=place, capture_output=True, text=True, check=False)
    groups = json.loads(run.stdout)["groups"]
    told = [(group["class"], group["place"]["line"], group["cause"] and group["cause"]["line"]) for group in groups]
    regressions = [one for one in told if one[0] == "regression"]
    expect(regressions == [("regression", 20, 20)], told)
    outputs = {one[1:] for one in told if one[0] == "output"}
    expect({(7, 7), (15, 15), (17, 17)} <= outputs, told)
    expect([one[0] for one in told].count("both-fail") <= 1 and len(told) <= 9, told)
    run = subprocess.run([*command, "--range", "o->quantity=0..0"], cwd=place, capture_output=True, text=True, check=False)
    groups = json.loads(run.stdout)["groups"]
    expect(groups and all(group["witness"]["inputs"]["o->quantity"] == 0 for group in groups), groups)


def text_fits_a_screen():
    place, run = explore("text")
    lines = run.stdout.splitlines()
    expect(len(lines) <= 50, run.stdout)
    heads = [line.split()[1] for line in lines if line.startswith("[")]
    expect(heads == ["regression", "output", "output", "fix"], run.stdout)
    for line in ("    - if (x > 100 && x < 110)  -> false\n    + if (x > 100 && x < 120)  -> true\n", "    when "):
        expect(line in run.stdout, (line, run.stdout))
    expect("more like it" in run.stdout and "silent divergences: another path, the same output" in run.stdout, run.stdout)


def every_divergence_with_all():
    place, run = explore("all", "--json", "--all")
    report = json.loads(run.stdout)
    expect(not any(limit["kind"] == "unproven" for limit in report["limits"]), report["limits"])
    expect(len(report["divergences"]) == sum(group["count"] for group in report["groups"]) > 150, len(report["divergences"]))
    expect(folders(place) == sorted(f"{one['number']:03}" for one in report["divergences"]), len(folders(place)))


def versions(name, source, edit):
    place = os.path.join(SCRATCH, name)
    os.makedirs(place)
    for version, text in (("old.c", source), ("new.c", source.replace(*edit))):
        with open(os.path.join(place, version), "w", encoding="utf-8") as file:
            file.write(text)
    return place


# A condition that both versions pass alike, and two values behind it, each on paths of its own.
BEHIND = """int f(int x, int y)
{
    int r = x & 15;
    if (y > %(limit)s)
        return -1;
    if (x == 1)
        r += 1;
    if (y == 7)
        r += %(added)s;
    else if (y < 0)
        r = x %(sign)s 3;
    return r;
}
"""


def outputs_are_grouped_by_their_change():
    place = versions("behind", "", ("", ""))
    for version, words in (("old.c", ("100", "5", "+")), ("new.c", ("90", "6", "-"))):
        with open(os.path.join(place, version), "w", encoding="utf-8") as file:
            file.write(BEHIND % dict(zip(("limit", "added", "sign"), words)))
    run = subprocess.run([PENUMBRA, "diff", "old.c", "new.c", "--entry", "f", "--quiet", "--json"], cwd=place, capture_output=True, text=True,
                         check=False)
    groups = json.loads(run.stdout)["groups"]
    expect(sorted((group["place"]["line"], group["kind"]) for group in groups) == [(4, "diff-true"), (9, "output"), (11, "output")], groups)
    witnesses = {group["place"]["line"]: group["witness"]["inputs"] for group in groups}
    expect(witnesses == {4: {"x": 0, "y": 91}, 9: {"x": 0, "y": 7}, 11: {"x": 0, "y": -1}}, witnesses)


# Seen only when the function has returned, by reading what the pointer leads to.
POINTED = """const char *message = "none";
int f(int (*get)(int), int x)
{
    int y = get(x) > %s;
    if (x > 5)
        message = "%s";
    return y;
}
"""


def what_is_left_behind_has_its_place():
    place = versions("pointed", "", ("", ""))
    for version, words in (("old.c", ("1", "too high")), ("new.c", ("2", "too large"))):
        with open(os.path.join(place, version), "w", encoding="utf-8") as file:
            file.write(POINTED % words)
    run = subprocess.run([PENUMBRA, "diff", "old.c", "new.c", "--quiet"], cwd=place, capture_output=True, text=True, check=False)
    for line in ("outputs differ: new.c:6:19, ", "    when x <= 5 && get()[0] == 2\n", '    - message = "too high";\n    + message = "too large";\n', 'old  *message = "too high"',
                 "new.c: 4 lines changed in 2 places\n"):
        expect(line in run.stdout, (line, run.stdout))
    for word in ("unified.c", "check fails", "with 0", "annotation"):
        expect(word not in run.stdout, (word, run.stdout))


# The last element: which one that is, the path has settled.
LAST = """int f(const unsigned char *s, int n)
{
    const unsigned char *end = s + n;
    if (n < 1 || n > 8)
        return -1;
    switch (n) {
    case 2: return *--end > %s;
    default: return 0;
    }
}
"""


def what_is_settled_is_not_asked_again():
    place = versions("last", "", ("", ""))
    for version, number in (("old.c", 0x8F), ("new.c", 0x9F)):
        with open(os.path.join(place, version), "w", encoding="utf-8") as file:
            file.write(LAST % number)
    run = subprocess.run([PENUMBRA, "diff", "old.c", "new.c", "--quiet"], cwd=place, capture_output=True, text=True, check=False)
    expect("    when n == 2 && s[1] > 143 && s[1] <= 159\n" in run.stdout, run.stdout)


NESTED = """#include <stdio.h>
int main(void)
{
    char stack[6];
    int top = 0;
    for (int c; (c = getchar()) != EOF;)
        if (c == '(') {
            if (top >= 6) return 3;
            stack[top++] = c;
        } else if (c == ')' && (!top || stack[--top] != '('))
            return 1;
    return 0;
}
"""


def texts_are_thinned_out():
    """Of a text, what does not matter is left out wherever it stands."""
    place = versions("nested", NESTED, ("top >= 6", "top > 6"))
    with open(os.path.join(place, "start"), "w", encoding="utf-8") as file:
        file.write("a(b)c(((d)e)f((g)h)(i(j))k)l\n")
    run = subprocess.run([PENUMBRA, "diff", "old.c", "new.c", "--quiet", "--json", "--first", "--out", "out", "--stdin", "start", "--"],
                         cwd=place, capture_output=True, text=True, check=False)
    witness = json.loads(run.stdout)["groups"][0]["witness"]
    expect(witness["class"] == "regression" and witness["inputs"]["length(stdin)"] == 7, witness["inputs"])


COPY = """#include <stdlib.h>
#include <string.h>
int f(const char *text, int n)
{
    char *copy = malloc(4);
    if (!copy && n != 7) return -1;
    copy[0] = text[0];                            int kept = copy[0] ? 1 : 0;               free(copy); return n > 50 ? kept : n;
}
"""


def failing_allocations_come_later():
    """A difference that anybody can see comes before a failure that takes a failing allocation. Of long lines, the part that differs is shown."""
    place = versions("copy", COPY.replace("n > 50", "n > 60"), ("!copy && n != 7", "!copy && n == 0"))
    with open(os.path.join(place, "new.c"), encoding="utf-8") as file:
        text = file.read()
    with open(os.path.join(place, "new.c"), "w", encoding="utf-8") as file:
        file.write(text.replace("n > 60", "n > 50"))
    run = subprocess.run([PENUMBRA, "diff", "old.c", "new.c", "--entry", "f", "--quiet", "--out", "out"], cwd=place, capture_output=True,
                         text=True, check=False)
    heads = [line for line in run.stdout.splitlines() if line.startswith("[")]
    expect(len(heads) > 1 and "output" in heads[0] and "regression" in heads[1] and "failing_allocation=1" in heads[1], run.stdout)
    expect(any(line.startswith("    - ...") and line.endswith("return n > 60 ? kept : n;") for line in run.stdout.splitlines()), run.stdout)


MEMBERS = """#include <penumbra.h>
struct request { int kind, flags, size; char name[8]; short more[2]; };
int f(const struct request *r, const char *text)
{
    if (text[0] && text[1] && r->kind > 5 && r->flags > 10)
        return 3;
    return r->size > change(1000, 2000) && r->name[2] == 'q';
}
"""


def witnesses_are_small():
    """What does not matter is zero, and members that are zero are not named; the input that was found is kept beside it."""
    place = os.path.join(SCRATCH, "members")
    os.makedirs(place)
    with open(os.path.join(place, "a.c"), "w", encoding="utf-8") as file:
        file.write(MEMBERS)
    run = subprocess.run([PENUMBRA, "run", "a.c", "--entry", "f", "--quiet", "--out", "out", "--seed",
                          'r->size=3000,r->kind=90,r->flags=4,r->name="abqdefg",text="xyz"'], cwd=place, capture_output=True, text=True, check=False)
    expect('output  r->size=1001, r->name="\\000\\000q\\0", text="", other members 0' in run.stdout, run.stdout)
    with open(os.path.join(place, "out", "report.json"), encoding="utf-8") as file:
        report = json.load(file)
    witness, found = report["groups"][0]["witness"], report["divergences"][0]
    expect(found["inputs"]["r->kind"] == 90 and witness["inputs"]["r->kind"] == 0, (witness, found))
    for one, name in ((witness, "input"), (found, "found")):
        done = subprocess.run(["sh", "-c", one["repro"]], capture_output=True, check=False)
        expect(done.returncode == 1 and one["input_file"].endswith(f"/{name}"), (one, done))
    os.remove(os.path.join(place, "out", "native", "new"))
    done = subprocess.run(["sh", "-c", witness["repro"]], capture_output=True, check=False)
    expect(done.returncode == 2 and b"native/new is gone" in done.stderr, done)


def results_are_small():
    source = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))), "bench", "complete", "controller.c")
    out = os.path.join(SCRATCH, "controller")
    run = subprocess.run([PENUMBRA, "run", source, "--entry", "controller", "--mode", "complete", "--quiet", "--json", "--out", out],
                         capture_output=True, text=True, check=False)
    report = json.loads(run.stdout)
    size = sum(os.path.getsize(os.path.join(at, name)) for at, _, names in os.walk(out) for name in names)
    expect(size < 5_000_000, size)
    expect(sum(group["count"] + group["unproven"] for group in report["groups"]) == report["counts"]["diff_paths"] > 5000, report["groups"])


ROWS = [four_groups, changes_that_follow_each_other, outputs_are_grouped_by_their_change, what_is_left_behind_has_its_place, what_is_settled_is_not_asked_again, text_fits_a_screen, witnesses_are_small, texts_are_thinned_out, failing_allocations_come_later]
if os.environ.get("PENUMBRA_TEST_ALL"):
    ROWS += [every_divergence_with_all, results_are_small]

if __name__ == "__main__":
    sys.exit(run_rows([(row.__name__.replace("_", "-"), row) for row in ROWS]))

#!/usr/bin/env python3
"""Other forms of the report say what the document says: a page, SARIF, JUnit, Markdown; `penumbra show` reads results again, and
refuses what is none with one sentence."""

import json
import os
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "programs"))
from running import PENUMBRA, SCRATCH, run_rows  # noqa: E402

# What is printed would end a script, a fence, an element; one of the functions is the same in both versions.
SOURCE = """#include <stdio.h>
#include <stdlib.h>
int f(int x)
{
    if (x == %(first)s)
        abort();
    if (x > 10 && x < %(second)s)
        printf("</script><b>&\\"]]>\\n~~~~~~\\n```\\n");
    return 0;
}
int g(int x) { return x %(third)s 2; }
"""
OLD, NEW = {"first": "7", "second": "20", "third": "*"}, {"first": "9", "second": "30", "third": "* 1 *"}


def expect(holds, what):
    if not holds:
        raise AssertionError(what)


def penumbra(*arguments, cwd=SCRATCH):
    return subprocess.run([PENUMBRA, *arguments], cwd=cwd, capture_output=True, text=True, check=False)


def explored():
    place = os.path.join(SCRATCH, "pair")
    os.makedirs(place)
    for name, words in (("old.c", OLD), ("new.c", NEW)):
        with open(os.path.join(place, name), "w", encoding="utf-8") as file:
            file.write(SOURCE % words)
    run = penumbra("diff", "old.c", "new.c", "--json", "--quiet", "--out", "out", "--report", "html,sarif,junit,md", cwd=place)
    return os.path.join(place, "out"), json.loads(run.stdout)


OUT, REPORT = explored()
GROUPS = [group for group in REPORT["groups"] if group["class"] != "silent"]


def read(name):
    with open(os.path.join(OUT, name), encoding="utf-8") as file:
        return file.read()


def page():
    text = read("report.html")
    expect(not re.search(r"""(src|href)=|url\(|https?://|@import""", text.split('<script id="document"')[0]), "it needs something else")
    inside = re.search(r'<script id="document" type="application/json">(.*?)</script>', text, re.DOTALL).group(1)
    document = json.loads(inside)
    expect(document == {key: value for key, value in REPORT.items() if key not in ("divergences", "unification")}, "another document")
    expect(text.count("</script>") == 2, "the output ends the script")


def sarif():
    log = json.loads(read("report.sarif"))
    expect(log["version"] == "2.1.0" and log["$schema"].endswith("sarif-2.1.0.json") and len(log["runs"]) == 1, log)
    run = log["runs"][0]
    rules = run["tool"]["driver"]["rules"]
    expect(all(rule["help"]["text"] and rule["shortDescription"]["text"] for rule in rules), rules)
    expect(len({rule["id"] for rule in rules}) == len(rules), rules)
    expect([one["ruleId"] for one in run["results"]] == [group["class"] for group in GROUPS], run["results"])
    for one, group in zip(run["results"], GROUPS):
        expect(rules[one["ruleIndex"]]["id"] == one["ruleId"] and one["level"] in ("error", "warning", "note"), one)
        physical = one["locations"][0]["physicalLocation"]
        expect(physical["artifactLocation"]["uri"] == "new.c" and physical["region"]["startLine"] == group["place"]["line"], one)
        expect(one["partialFingerprints"] == {"penumbraGroup/v1": group["id"]} and group["input"] in one["message"]["text"], one)
    expect(len({group["id"] for group in GROUPS}) == len(GROUPS) == 3, GROUPS)


def fingerprints_stay():
    """Where lines have moved, and in another run."""
    place = os.path.join(SCRATCH, "elsewhere")
    os.makedirs(place)
    for name, words in (("old.c", OLD), ("new.c", NEW)):
        with open(os.path.join(place, name), "w", encoding="utf-8") as file:
            file.write("/* a line more */\n\n" + SOURCE % words)
    report = json.loads(penumbra("diff", "old.c", "new.c", "--entry", "f", "--json", "--quiet", cwd=place).stdout)
    expect({group["id"] for group in report["groups"]} >= {group["id"] for group in GROUPS}, (report["groups"], GROUPS))


def junit():
    suites = xml.etree.ElementTree.fromstring(read("report.xml"))
    by_name = {suite.get("name"): suite for suite in suites}
    expect(set(by_name) == {"f", "g"}, by_name)
    expect((by_name["f"].get("tests"), by_name["f"].get("failures")) == ("3", "2"), by_name["f"].attrib)
    expect([one.get("type") for one in by_name["f"].iter("failure")] == ["regression", "output"], read("report.xml"))
    expect("</script><b>" in "".join(by_name["f"].itertext()), read("report.xml"))
    expect(by_name["g"].get("failures") == "0" and by_name["g"][0].get("name") == "equivalent", read("report.xml"))


def markdown():
    text = read("report.md")
    expect(text.startswith("## Penumbra: different\n") and text.count("| **") == 3, text)
    expect("-if (x == 7)   // " in text and "+if (x == 9)   // " in text, text)


def shown_again():
    run = penumbra("show", OUT)
    expect(run.returncode == 0 and all(group["input"] in run.stdout and group["id"] in run.stdout for group in GROUPS), run)
    expect(json.loads(penumbra("show", OUT, "--json").stdout) == REPORT, "another document")
    one = penumbra("show", OUT, GROUPS[0]["id"])
    expect(GROUPS[0]["witness"]["repro"] in one.stdout and "new new.c:5  if (x == 9)" in one.stdout, one)
    before = read("report.html")
    os.remove(os.path.join(OUT, "report.html"))
    expect(penumbra("show", OUT, "--report", "html").returncode == 0 and read("report.html") == before, "another page")


def stopped():
    """A campaign that was killed has no report.json: what it had proven is shown."""
    copy = os.path.join(SCRATCH, "stopped")
    shutil.copytree(OUT, copy)
    os.remove(os.path.join(copy, "report.json"))
    run = penumbra("show", copy)
    expect(run.returncode == 0 and GROUPS[0]["place"]["file"] in run.stdout and "has not come to its end" in run.stdout, run)


def accepted():
    """What was accepted is not shown and does not count, until it is another difference."""
    place = os.path.join(SCRATCH, "accepted")
    os.makedirs(place)

    def diff(*options, new=NEW):
        for name, words in (("old.c", OLD), ("new.c", new)):
            with open(os.path.join(place, name), "w", encoding="utf-8") as file:
                file.write(SOURCE % words)
        return penumbra("diff", "old.c", "new.c", "--entry", "f", "--quiet", *options, cwd=place)

    for group in GROUPS:
        run = penumbra("accept", OUT, group["id"], cwd=place)
        expect(run.returncode == 0 and ".penumbra-accepted" in run.stdout, run)
    run = penumbra("accept", OUT, GROUPS[0]["id"], cwd=place)
    expect(run.returncode == 2 and "has it already" in run.stderr, run)
    run = diff("--report", "sarif,junit,md")
    expect(run.returncode == 0 and "\n3 groups that were accepted as intended are not shown\n" in run.stdout, run)
    expect("\ndifferent: " in run.stdout and "repro" not in run.stdout, run.stdout)
    with open(os.path.join(place, "penumbra-out", "report.sarif"), encoding="utf-8") as file:
        expect(all(one["suppressions"] for one in json.load(file)["runs"][0]["results"]), "not suppressed")
    suites = xml.etree.ElementTree.parse(os.path.join(place, "penumbra-out", "report.xml")).getroot()
    expect(suites[0].get("failures") == "0", suites[0].attrib)
    run = diff(new={**NEW, "second": "31"})
    expect(run.returncode == 1 and "2 groups that were accepted" in run.stdout and "[" in run.stdout, run)
    for arguments, words in (((OUT, "99"), "no group '99'"), ((OUT,), "expected a results directory and a group")):
        run = penumbra("accept", *arguments, cwd=place)
        expect(run.returncode == 2 and words in run.stderr, run)


def fixed():
    """A third version that is right takes back one of the differences, and has the others, too."""
    place = os.path.join(SCRATCH, "fixed")
    os.makedirs(place)
    for name, words in (("old.c", OLD), ("new.c", NEW), ("fixed.c", {**NEW, "second": "20"})):
        with open(os.path.join(place, name), "w", encoding="utf-8") as file:
            file.write(SOURCE % words)
    run = penumbra("diff", "old.c", "new.c", "--entry", "f", "--quiet", "--fixed", "fixed.c", "--json", cwd=place)
    groups = {group["class"]: group["fixed"] for group in json.loads(run.stdout)["groups"]}
    expect((groups["output"], groups["regression"], groups["fix"]) == ("taken-back", "stays", "stays"), groups)
    expect(all(group["fixed"] is None for group in REPORT["groups"]), "nobody asked")
    with open(os.path.join(place, "broken.c"), "w", encoding="utf-8") as file:
        file.write("int other(void) { return 1; }\n")
    run = penumbra("diff", "old.c", "new.c", "--entry", "f", "--quiet", "--fixed", "broken.c", cwd=place)
    expect(run.returncode == 1 and "the fixed version was not run: " in run.stdout and "abort at new.c" in run.stdout, run)
    run = penumbra("diff", "old.c", "new.c", "--entry", "f", "--quiet", "--fixed", "nowhere.c", cwd=place)
    expect(run.returncode == 2 and "--fixed nowhere.c cannot be read" in run.stderr, run)


def replayed():
    """A group of a results directory is run again, also where that has moved."""
    moved = os.path.join(SCRATCH, "replayed")
    shutil.copytree(OUT, moved)
    for name in ("1", "99"):
        run = penumbra("replay", moved, name)
        if name == "99":
            expect(run.returncode == 2 and "no group '99'" in run.stderr, run)
        else:
            expect(run.returncode == 1 and "old" in run.stdout, run)
    for place, _, _ in list(os.walk(moved)):
        if os.path.basename(place) == "native":
            shutil.rmtree(place)
    run = penumbra("replay", moved, "1")
    expect(run.returncode == 2 and run.stderr.count("\n") == 1 and "/001/../native/old: No such file" in run.stderr, run)


def refusals():
    damaged, other, strange = (os.path.join(SCRATCH, name) for name in ("damaged", "other", "strange"))
    with open(os.path.join(OUT, "report.json"), encoding="utf-8") as file:
        document = json.load(file)
    document["groups"] = [3, None]
    for place, content in ((damaged, '{"schema": "pen'), (other, '{"schema": "penumbra-report/2"}'), (strange, json.dumps(document))):
        os.makedirs(place)
        with open(os.path.join(place, "report.json"), "w", encoding="utf-8") as file:
            file.write(content)
    for arguments, words in (((SCRATCH,), "is no results directory"), ((damaged,), "is damaged"), ((strange,), "is damaged"), ((other,), "another version"),
                             ((OUT, "99"), "no group '99'"), ((OUT, "--report", "pdf"), "no report 'pdf'"), ((), "expected a results directory")):
        run = penumbra("show", *arguments)
        expect(run.returncode == 2 and words in run.stderr and not run.stdout, (arguments, run))
    run = penumbra("diff", "old.c", "new.c", "--report", "html,pdf", cwd=os.path.dirname(OUT))
    expect(run.returncode == 2 and "no report 'pdf'" in run.stderr, run)


if __name__ == "__main__":
    sys.exit(run_rows([(row.__name__.replace("_", "-"), row) for row in
                       (page, sarif, fingerprints_stay, junit, markdown, shown_again, stopped, accepted, fixed, replayed, refusals)]))

#!/usr/bin/env python3
"""What is in contrib/: the script that build servers run on a merge request, and shell completion."""

import json
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests", "programs"))
from running import PENUMBRA, SCRATCH, run_rows  # noqa: E402

REVIEW = os.path.join(ROOT, "contrib", "penumbra-review")


def expect(holds, what):
    if not holds:
        raise AssertionError(what)


def git(place, *arguments):
    subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", *arguments], cwd=place, check=True, capture_output=True)


def commit(place, name, text):
    with open(os.path.join(place, name), "w", encoding="utf-8") as file:
        file.write(text)
    git(place, "add", name)
    git(place, "commit", "-m", name)


def review(place, *arguments, **environment):
    return subprocess.run([REVIEW, *arguments], cwd=place, capture_output=True, text=True, check=False,
                          env={**os.environ, "PENUMBRA": PENUMBRA, **environment})


def merge_request():
    """The branch changes f(); what the main branch has changed since is none of its business."""
    place = os.path.join(SCRATCH, "review")
    os.makedirs(place)
    git(place, "init", "-b", "main")
    commit(place, "a.c", "int f(int x) { return x > 10; }\n")
    commit(place, "b.c", "int g(int x) { return x > 1; }\n")
    git(place, "checkout", "-b", "topic")
    commit(place, "a.c", "int f(int x) { return x > 20; }\n")
    git(place, "checkout", "main")
    commit(place, "b.c", "int g(int x) { return x > 2; }\n")
    run = review(place, "main", "topic", GITHUB_STEP_SUMMARY=os.path.join(SCRATCH, "summary"))
    expect(run.returncode == 1, run)
    with open(os.path.join(place, "penumbra-out", "report.sarif"), encoding="utf-8") as file:
        results = json.load(file)["runs"][0]["results"]
    places = [one["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for one in results]
    expect(places == ["a.c"], results)
    with open(os.path.join(SCRATCH, "summary"), encoding="utf-8") as file:
        expect("## Penumbra: different" in file.read(), "no summary")
    for name in ("report.xml", "report.md", "report.html"):
        expect(os.path.exists(os.path.join(place, "penumbra-out", name)), name)
    expect(review(place, "main", "topic").returncode == 2, "results were overwritten")
    expect(review(place, "main", "topic", "--fail-on", "regression", PENUMBRA_OUT="other").returncode == 0, "--fail-on")


def nothing_to_review():
    place = os.path.join(SCRATCH, "nothing")
    os.makedirs(place)
    git(place, "init", "-b", "main")
    commit(place, "a.c", "int f(int x) { return x > 10; }\n")
    git(place, "checkout", "-b", "topic")
    commit(place, "README", "text\n")
    run = review(place, "main", "topic")
    expect(run.returncode == 0 and "no C file was changed" in run.stdout, run)
    expect(review(place, "main", "nowhere").returncode == 2 and review(place).returncode == 2, "bad revisions")


def completed(*words):
    script = (f'. {ROOT}/contrib/completion/penumbra.bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _penumbra; '
              'printf "%s\\n" "${COMPREPLY[@]}"')
    run = subprocess.run(["bash", "-c", script, "bash", PENUMBRA, *words], capture_output=True, text=True, check=True, cwd=SCRATCH)
    return run.stdout.split()


def completion():
    expect(completed("ex") == ["export"] and {"run", "diff", "show", "accept"} <= set(completed("")), completed(""))
    expect(completed("diff", "--ent") == ["--entry"] and "--report" in completed("show", "--"), completed("show", "--"))
    expect(completed("export", "--format", "cm") == ["cmocka"], completed("export", "--format", ""))


if __name__ == "__main__":
    sys.exit(run_rows([(row.__name__.replace("_", "-"), row) for row in (merge_request, nothing_to_review, completion)]))

#!/usr/bin/env python3
"""Every commit of a C library gets an answer, with no entry named: six small libraries (tests/libraries), each a repository with
ten commits or more, `penumbra diff --git C~1..C` on each. `make test` asks about a few of them, PENUMBRA_TEST_ALL=1 about all.

NAME.c is where a library starts. NAME.commits has its commits, each with the verdict that is right (`either` where it depends on
what callers may do) and the changes:

    commit different SUBJECT
    <<<<
    text that is there once
    ====
    what takes its place
    >>>>"""

import concurrent.futures
import glob
import json
import os
import re
import subprocess
import sys
import time

PENUMBRA, SCRATCH = os.environ["PENUMBRA"], os.environ["SCRATCH"]
LIBRARIES = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "libraries")
COMMIT = re.compile(r"^commit (\w+) (.*)\n((?:<<<<\n(?:.*\n)*?>>>>\n)+)", re.MULTILINE)
CHANGE = re.compile(r"^<<<<\n((?:.*\n)*?)====\n((?:.*\n)*?)>>>>\n", re.MULTILINE)
SHOWN = {  # by make test
    "json: check that a number could be made",
    "ring: free the ring where its bytes are missing",
    "ring: free the bytes twice",
}
RIGHT = {"different": ["different"], "equivalent": ["equivalent"], "either": ["different", "equivalent"]}
GIT = ["git", "-c", "user.name=tester", "-c", "user.email=tester@example.org"]


def git(place, *words):
    return subprocess.run([*GIT, *words], cwd=place, check=True, capture_output=True, text=True).stdout.strip()


def commits_of(text):
    for expected, subject, changes in COMMIT.findall(text):
        yield expected, subject, CHANGE.findall(changes)


def apply(source, changes):
    for old, new in changes:
        if source.count(old.rstrip("\n")) != 1:
            raise ValueError(f"not there once: {old}")
        source = source.replace(old.rstrip("\n"), new.rstrip("\n"))
    return source


def make_repository(name):
    """(expected verdict, subject, revision) of each commit."""
    place = os.path.join(SCRATCH, name)
    os.mkdir(place)
    with open(os.path.join(LIBRARIES, name + ".c")) as file:
        source = file.read()
    with open(os.path.join(LIBRARIES, name + ".commits")) as file:
        history = list(commits_of(file.read()))
    git(place, "init", "--quiet")
    made = []
    for expected, subject, changes in [(None, "begin", []), *history]:
        source = apply(source, changes)
        with open(os.path.join(place, name + ".c"), "w") as file:
            file.write(source)
        git(place, "add", ".")
        git(place, "commit", "--quiet", "-m", subject)
        if expected:
            made.append((expected, subject, git(place, "rev-parse", "HEAD")))
    return made


def judge(library, expected, revision):
    """Why the answer is not the right one, and whether it is a wrong one."""
    command = [PENUMBRA, "diff", "--git", f"{revision}~1..{revision}", "--json", "--quiet", "--out", "../results-" + revision]
    start = time.monotonic()
    environment = os.environ if os.environ.get("PENUMBRA_TEST_ALL") else {**os.environ, "PENUMBRA_TIME": "20"}
    done = subprocess.run(command, cwd=os.path.join(SCRATCH, library), capture_output=True, text=True, env=environment)
    seconds = time.monotonic() - start
    if not done.stdout:
        return f"status {done.returncode}: {done.stderr.strip()[-300:]}", seconds
    report = json.loads(done.stdout)
    if report["verdict"] in RIGHT[expected]:
        return None, seconds
    word = "WRONG" if report["verdict"] in ("different", "equivalent") else "undecided"
    return f"{word}: {report['verdict']}, {report['limits']} {[(e['entry'], e.get('verdict')) for e in report.get('entries', [])]}", seconds


def run_case(case):
    library, expected, subject, revision = case
    try:
        why, seconds = judge(library, expected, revision)
    except Exception as problem:  # a test that cannot run has failed
        why, seconds = repr(problem), 0
    return f"{library}: {subject}", why, seconds


def main():
    words = sys.argv[1:]
    cases = []
    for path in sorted(glob.glob(os.path.join(LIBRARIES, "*.c"))):
        name = os.path.basename(path)[:-2]
        for number, (expected, subject, revision) in enumerate(make_repository(name)):
            title = f"{name}: {subject}"
            if any(word in title for word in words) if words else os.environ.get("PENUMBRA_TEST_ALL") or title in SHOWN:
                cases.append((name, expected, subject, revision))
    print(f"1..{len(cases)}", flush=True)
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for name, why, seconds in pool.map(run_case, cases):
            print(f"not ok {name}: {why} ({seconds:.0f} s)" if why else f"ok {name} ({seconds:.0f} s)", flush=True)


main()

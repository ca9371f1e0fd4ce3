"""Pairs of versions, written as one source each: [[this|that]] is `this` in the old version and `that` in the new one. A
verdict outside the expected ones is wrong: `equivalent` of versions that differ, or `different` of versions that are the
same; where a twin must be proved, `no-difference-found` is wrong too. It is the exploration that decides here; make test-long
also asks whether a quick proof calls versions equivalent that are not (docs/proofs.md). PENUMBRA_TEST_OPTIONS has options to
explore all pairs with: only wrong verdicts are asked for then, since `no-difference-found` is always right."""

import concurrent.futures
import json
import os
import re
import shlex
import subprocess
import sys

PENUMBRA, SCRATCH = os.environ["PENUMBRA"], os.environ["SCRATCH"]

DIFFERENT = {"different"}
SAME = {"equivalent"}  # and it has to be proved
NOT_SAME = {"different", "no-difference-found"}  # it may be too hard to show
NOT_DIFFERENT = {"equivalent", "no-difference-found"}

HEAD = "#include <stdlib.h>\n#include <stdio.h>\n#include <string.h>\n#include <errno.h>\n#include <assert.h>\n" \
       "#include <limits.h>\n#include <stdint.h>\n#include <signal.h>\n"
CASES = []
ALONE = ["--no-proofs", "--native-runs=0"]  # what explores is tested: nothing else is to find what it overlooks
FURTHER = shlex.split(os.environ.get("PENUMBRA_TEST_OPTIONS", ""))


def case(name, expected, source, *options, shows=None, only_proof=False, rare=False, entry="f"):
    """`shows`: words that the report's text must have. `only_proof`: they are the same, and exploring cannot tell. `rare`: only
    with PENUMBRA_TEST_ALL. `entry`: None to name no entry."""
    if not rare or os.environ.get("PENUMBRA_TEST_ALL"):
        CASES.append((name, expected, source, [*options, *(["--entry", entry] if entry else [])], shows, only_proof))


def also(name, function):
    """Something else to be tested, by a function that returns what is wrong, or None."""
    CASES.append((name, function))


def version_of(source, number):
    return HEAD + re.sub(r"\[\[(.*?)\|(.*?)\]\]", lambda match: match.group(number), source, flags=re.DOTALL) + "\n"


def judge(number, expected, source, options, shows, only_proof):
    directory = os.path.join(SCRATCH, str(number))
    os.mkdir(directory)
    for version, name in ((1, "old.c"), (2, "new.c")):
        with open(os.path.join(directory, name), "w") as file:
            file.write(version_of(source, version))
    if FURTHER:
        expected, shows = expected | {"no-difference-found"}, None
        options = [option for option in options if not option.startswith("--mode")]
    command = [PENUMBRA, "diff", "old.c", "new.c", "--quiet", "--time", "60"]
    if os.environ.get("PENUMBRA_TEST_ALL") and not FURTHER and "equivalent" not in expected and not only_proof:
        done = subprocess.run([*command, *options, "--json", "--max-paths", "1", "--out", "proof"], cwd=directory, capture_output=True, text=True)
        if done.stdout and json.loads(done.stdout)["verdict"] == "equivalent":
            return "proven to be equivalent"
    done = subprocess.run([*command, *ALONE, *options, *FURTHER, "--json", "--out", "results"], cwd=directory, capture_output=True, text=True)
    if done.returncode not in (0, 1, 3):  # 3: the verdict says what was not done
        return f"status {done.returncode}: {done.stderr.strip()[-300:]}"
    report = json.loads(done.stdout)
    if report["verdict"] not in expected:
        return f"{report['verdict']}, {report['limits']}"
    text = json.dumps(report)
    missing = [word for word in (shows or "").split("|") if word not in text]
    return f"the report does not say {missing}" if missing else None


def run_case(number):
    name, *rest = CASES[number]
    try:
        why = rest[0]() if callable(rest[0]) else judge(number, *rest)
    except Exception as problem:  # a test that cannot run has failed
        why = repr(problem)
    return name, why


def main(every=1):
    """All cases that are named, or one in so many: the others are for `make test-long`."""
    words = sys.argv[1:]
    if words or os.environ.get("PENUMBRA_TEST_ALL"):
        every = 1
    chosen = [i for i, one in enumerate(CASES) if i % every == 0 and (not words or any(word in one[0] for word in words))]
    print(f"1..{len(chosen)}", flush=True)
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for name, why in pool.map(run_case, chosen):
            print(f"not ok {name}: {why}" if why else f"ok {name}", flush=True)


#!/usr/bin/env python3
"""report.sarif is SARIF 2.1.0 as its schema says, which comes from a package of npm: one report with regressions, outputs, fixes and
an accepted difference, one of several functions, one of a campaign that was stopped."""

import io
import json
import os
import subprocess
import sys
import tarfile
import urllib.request

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "programs"))
from running import PENUMBRA, SCRATCH, run_rows  # noqa: E402

PACKAGE = "https://registry.npmjs.org/@microsoft/jest-sarif/-/jest-sarif-1.0.0-beta.0.tgz"
MEMBER = "package/lib/schemas/sarif-2.1.0-rtm.5.json"
OLD = """#include <stdlib.h>
#include <stdio.h>
int f(int x)
{
    if (x == 7)
        abort();
    if (x == 40)
        printf("\\\\377%c", 1);
    return x > 10 && x < 20;
}
int g(unsigned char *s) { return s[0] > 3; }
"""
NEW = OLD.replace("x == 7", "x == 9").replace("x < 20", "x < 30").replace("> 3", "> 4").replace("377", "376")


def expect(holds, what):
    if not holds:
        raise AssertionError(str(what)[:3000])


def get_schema():
    try:
        with urllib.request.urlopen(PACKAGE, timeout=60) as answer, tarfile.open(fileobj=io.BytesIO(answer.read())) as archive:
            return json.load(archive.extractfile(MEMBER))
    except OSError:
        return None


def penumbra(*arguments):
    return subprocess.run([PENUMBRA, *arguments], cwd=SCRATCH, capture_output=True, text=True, check=False)


def check(name):
    with open(os.path.join(SCRATCH, name, "report.sarif"), encoding="utf-8") as file:
        report = json.load(file)
    problems = [f"{'/'.join(map(str, one.absolute_path))}: {one.message[:200]}" for one in VALIDATOR.iter_errors(report)]
    expect(not problems, problems)
    expect(report["runs"][0]["results"], report)


def valid():
    for name, text in (("old.c", OLD), ("new.c", NEW)):
        with open(os.path.join(SCRATCH, name), "w", encoding="utf-8") as file:
            file.write(text)
    penumbra("diff", "old.c", "new.c", "--out", "many", "--report", "sarif")
    check("many")
    penumbra("accept", "many", "1")
    penumbra("diff", "old.c", "new.c", "--entry", "f", "--out", "one", "--report", "sarif")
    check("one")
    os.remove(os.path.join(SCRATCH, "one", "report.json"))  # as if it had been killed
    expect(penumbra("show", "one", "--report", "sarif").returncode == 0, "no view of what is left")
    check("one")


if __name__ == "__main__":
    SCHEMA = get_schema()
    if not SCHEMA:
        print("1..0 # SKIP the schema cannot be had from npm")
        sys.exit(0)
    import jsonschema
    VALIDATOR = jsonschema.validators.validator_for(SCHEMA)(SCHEMA)
    sys.exit(run_rows([("valid", valid)]))

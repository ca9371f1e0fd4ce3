#!/usr/bin/env python3
"""Workers: processes that share one exploration. They find what one finds, and count it once; whatever becomes of one of them."""

import json
import os
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "programs"))
from running import PENUMBRA, SCRATCH, run_rows  # noqa: E402

# Every byte is of one of four kinds: 4^n paths.
KINDS = """
int kinds(const unsigned char text[%d])
{
    int sum = 0;
    for (int i = 0; i < %d; i++) {
        if (text[i] == 'a')
            sum += 2;
        else if (text[i] == 'b')
            sum ^= 5;
        else if (text[i] == 'c')
            sum = sum * 3 + 1;
    }
    %s
}
"""


def make(name, old, new):
    place = os.path.join(SCRATCH, "workers-" + name)
    os.makedirs(place, exist_ok=True)
    for version, text in (("old.c", old), ("new.c", new)):
        with open(os.path.join(place, version), "w") as file:
            file.write(text)
    return place


def command(*options):
    return [PENUMBRA, "diff", "old.c", "new.c", "--no-proofs", "--no-fold", "--json", "--quiet", *options]


def diff(place, *options):
    done = subprocess.run(command(*options), cwd=place, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert done.returncode in (0, 1), f"exit status {done.returncode}: {done.stderr[-500:]}"
    return json.loads(done.stdout)


def compare(name, old, new, verdict, *options):
    """One process and three come to the same."""
    place = make(name, old, new)
    one, three = (diff(place, "--jobs", jobs, "--time", "300", *options) for jobs in ("1", "3"))
    assert one["counts"]["workers"] == 1 < three["counts"]["workers"], three["counts"]
    for report in (one, three):
        assert report["verdict"] == verdict, report["verdict"]
    for key in ("paths", "diff_paths", "output_differences", "states"):
        assert one["counts"][key] == three["counts"][key], f"{key}: {one['counts'][key]}, {three['counts'][key]}"
    return one, three


def equivalent_pairs():
    compare("equivalent", KINDS % (9, 9, "return sum + sum;"), KINDS % (9, 9, "return 2 * sum;"), "equivalent")


def diff_paths():
    one, three = compare("different", KINDS % (9, 9, "return sum > 100 ? sum : 100;"), KINDS % (9, 9, "return sum > 101 ? sum : 100;"),
                         "different", "--no-directed")
    assert {group["class"] for group in one["groups"]} == {group["class"] for group in three["groups"]}


def bound_values():
    """A number that leads to a place in memory is bound: several runs are the same path, whichever worker they are of."""
    head = "#include <stdlib.h>\n#include <string.h>\n"
    body = KINDS % (8, 8, "char *block = calloc((unsigned)(sum & 7) + 1, 1); sum += block[0]; free(block); return sum%s;")
    compare("bound", head + body % "", head + body % " + 0 * (sum == 77)", "equivalent")


def addresses_of_several_processes():
    """Each worker has a process of the program: what was learnt of addresses in one holds in the others."""
    body = """#include <wchar.h>
#include <wctype.h>
int f(char s[9])
{
    mbstate_t state = {0};
    wchar_t wide;
    int letters = 0;
    size_t length;
    for (size_t at = 0; at < 9 && (length = mbrtowc(&wide, s + at, 9 - at, &state)) != 0; at += length) {
        if (length == (size_t)-1)
            return -1;
        letters = letters * 3 + (iswupper((wint_t)wide) ? 2 : iswdigit((wint_t)wide) ? 1 : 0);
    }
    return letters == %d;
}
"""
    _, three = compare("addresses", body % 23, body % 24, "different", "--process-per-run", "--no-directed")
    assert not three["counts"]["mispredictions"], three["limits"]


def killed_worker():
    """A path that no process survives: runs go on in processes of their own."""
    text = "#include <signal.h>\n" + KINDS % (7, 7, "if (text[0] == 'a' && text[3] == 'b' && text[6] == %s) raise(SIGKILL); return sum;")
    report = diff(make("killed", text % "'c'", text % "'d'"), "--jobs", "3", "--time", "60", "--first")
    assert report["verdict"] == "different", report["verdict"]


def interrupted():
    """Ctrl-C ends all of them, with what was found."""
    text = KINDS % (14, 14, "if (text[0] == 'a' && text[1] == %s) return 0; return sum;")
    place = make("interrupted", text % "'b'", text % "'d'")
    process = subprocess.Popen(command("--jobs", "3", "--time", "300"), cwd=place, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                               start_new_session=True)
    time.sleep(6)
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate(timeout=20)
    left = [one for one in os.listdir("/proc") if one.isdigit() and session_of(one) == process.pid]
    assert process.returncode == 1, f"exit status {process.returncode}: {errors[-300:]}"
    assert json.loads(output)["verdict"] == "different" and not left, left


def session_of(process):
    try:
        with open(f"/proc/{process}/stat") as file:
            return int(file.read().rsplit(")", 1)[1].split()[3])
    except OSError:
        return 0


def whole_programs():
    text = ("#include <stdio.h>\nint main(void)\n{\n    int c, sum = 0, signs = 0;\n    while ((c = getchar()) != EOF) {\n"
            "        if (c == '+') sum += 2, signs++;\n        else if (c == '-') sum -= 3, signs++;\n        else if (c == '*') sum *= 2, signs++;\n"
            "        else if (c == '/' && signs) sum /= signs;\n        if (sum == %s && signs == 9) puts(\"!\");\n    }\n"
            "    printf(\"%%d\\n\", sum);\n}\n")
    place = make("program", text % "1001", text % "1002")
    with open(os.path.join(place, "given"), "w") as file:
        file.write("1+2-3*4/5 and so on + - * / ++--")
    report = diff(place, "--jobs", "2", "--time", "20", "--stdin", "given", "--")
    assert report["counts"]["workers"] > 1, report["counts"]


def path_limit():
    report = diff(make("limit", KINDS % (8, 8, "return sum + sum;"), KINDS % (8, 8, "return 2 * sum;")), "--jobs", "3", "--max-paths", "20000")
    assert report["counts"]["paths"] == 20000, report["counts"]["paths"]


# A run inside the process that explores kills it.
DIES = """#include <stdlib.h>
#include <string.h>
char *copy(const char *text)
{
    size_t n = strlen(text);
    char *result = malloc(n + 1);
    if (%s)
        return NULL;
    memcpy(result, text, n + 1);
    return result;
}
"""


def one_build_for_all():
    """The program that follows the old version is built once, by a process that tells of its commands: not by each worker."""
    place = make("dies", DIES % "!result", DIES % "n > 5")
    run = subprocess.run([PENUMBRA, "diff", "old.c", "new.c", "--entry", "copy", "--jobs", "2", "--no-cache", "--log=debug", "--json"],
                         cwd=place, capture_output=True, text=True, check=False)
    report = json.loads(run.stdout)
    links = [line for line in run.stderr.splitlines() if "-o " in line and "/program-exchanged" in line]
    assert run.returncode == 1 and not report["inside"] and len(links) == 1, (run.returncode, report["inside"], links)


ROWS = [("equivalent pairs", equivalent_pairs), ("diff paths", diff_paths), ("bound values", bound_values), ("addresses of several processes", addresses_of_several_processes), ("a killed worker", killed_worker),
        ("interrupted", interrupted), ("whole programs", whole_programs), ("a limit of paths", path_limit),
        ("one build for all", one_build_for_all)]
sys.exit(run_rows(ROWS))

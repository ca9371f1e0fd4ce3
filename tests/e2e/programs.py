#!/usr/bin/env python3
"""Whole programs (tests/programs/whole), each with patches that break it, from starts that do not show it. Each patch is explored until
what it breaks was shown, and the proof is run once more by hand."""

import collections
import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "programs"))
from running import HERE, PENUMBRA, SCRATCH, run_rows  # noqa: E402

ALL = os.environ.get("PENUMBRA_TEST_ALL")
SECONDS = "300"  # until it is found; a loaded machine needs more
Case = collections.namedtuple("Case", "program name edits shows start often")
CASES = []


def case(program, name, edits, shows, args, often=False, **start):
    """`edits`: pairs of an old and a new text. `shows`: the class that is to be found. `start`: stdin, files, env, made (a function that
    makes more of the working directory). Cases that are tested `often` are those that `make test` has time for."""
    CASES.append(Case(program, name, edits, shows, {"args": args, **start}, often))


LINES = {"file": "abcdefgh\nxyz\n"}

case("cut", "an open range that is beyond all closed ones", [
    ("    if (open_from > largest)\n        largest = open_from;\n    selected = calloc(largest / 8 + 1, 1);\n    if (!selected)\n"
     "        fail(\"memory exhausted\");\n",
     "    if (largest) {\n        selected = calloc(largest / 8 + 1, 1);\n        if (!selected)\n            fail(\"memory exhausted\");\n    }\n"),
    ("open_from && !has_bit(selected, open_from)", "open_from && largest && !has_bit(selected, open_from)")],
     "regression", ["-c1-3,5-", "--output-d=:", "file"], often=True, files=LINES)
case("cut", "a list that is checked later", [
    ("        if (low == 0)\n            fail(\"positions are numbered from 1\");\n", ""),
    ("static void add_range(size_t low, size_t high)\n{\n", "static void add_range(size_t low, size_t high)\n{\n    if (low == 0)\n        abort();\n")],
     "regression", ["-c1-3,5", "file"], files=LINES)
case("seq", "a sign for the sign itself", [("            at += 2;\n            continue;", "            at += 1;\n            continue;")], "output",
     ["-f", "%.1f", "3"])
case("seq", "the last number is left out", [("number > last : number < last", "number >= last : number <= last")], "output", ["1", "2", "10"])
case("tail", "a file that ends too early", [("if (got <= 0)", "if (got < 0)")], "regression", ["-c", "+3", "file"], often=True, files=LINES)
case("tail", "one line too many", [("++lines == number", "lines++ == number")], "output", ["-n", "7", "file"], files=LINES)
case("expr", "the remainder of zero", [("operator != '*' && right.number == 0", "operator == '/' && right.number == 0")], "regression",
     ["7", "/", "2"])
case("expr", "equal is not greater", [("operator == 4 ? order >= 0", "operator == 4 ? order > 0")], "output", ["3", ">=", "2"])
case("sort", "a line without a second field", [("while (*line && *line != ' ')", "while (*line != ' ')")], "regression", ["-k", "2", "file"],
     often=True, files={"file": "3 b\n10 a\n"})
case("sort", "numbers with a zero before them", [("strtol(one, NULL, 10), b = strtol(other, NULL, 10)",
                                                  "strtol(one, NULL, 0), b = strtol(other, NULL, 0)")], "output", ["-n", "file"],
     files={"file": "11\n9\n"})
case("rm", "a directory's own name", [("is_dot(last_part(name))", "is_dot(name)")], "output", ["-r", "d/x"],
     made=lambda place: (os.mkdir(place + "/d"), open(place + "/d/x", "w").close()))
case("rm", "an empty directory", [("if (!recursive && !directories)", "if (!recursive)")], "output", ["-f", "d"],
     made=lambda place: os.mkdir(place + "/d"))
case("cp", "all rights", [("mode <= 0777", "mode < 0777")], "output", ["-m", "640", "file", "copy"], files=LINES)
case("cp", "rights of others", [("from_status.st_mode & 0777", "from_status.st_mode & 0700")], "output", ["-n", "file", "copy"], often=True,
     files=LINES)
case("ls", "no room for the sign", [("strlen(entry->d_name) + 2", "strlen(entry->d_name) + 1")], "regression", ["-1", "."], files=LINES,
     made=lambda place: os.mkdir(place + "/inner"))
case("ls", "a width of nothing", [("value == 0 || ", "")], "output", ["."], env=["COLUMNS=20"], files=LINES)
case("od", "a character that has no name", [("byte <= 13", "byte <= 14")], "output", ["-t", "c", "file"], files=LINES)
case("od", "more than a line holds", [("limit < WIDTH ? limit : WIDTH", "limit")], "regression", ["-N", "8", "file"], often=True,
     files={"file": "0123456789abcdefghijklmnopqrstuvwxyz\n"})
case("ini", "a section that just fits", [("strlen(text + 1) >= LONGEST", "strlen(text + 1) > LONGEST")], "regression", ["file", "-l"],
     files={"file": "[a]\nx = 1\n"})
case("ini", "comments of one kind", [("*text == ';' || *text == '#'", "*text == ';'")], "output", ["file", "a.x"],
     files={"file": "[a]\n; c\nx = 1\n"})
case("json", "the end of a range", [("code < 0x800", "code <= 0x800")], "output", [], stdin='["a\\u00e9"]\n')
case("json", "a string that does not end", [("        if (at >= length)\n            fail(\"string without end\");\n        char character",
                                             "        char character")], "output", [], stdin='["abc"]\n')
case("base64", "nothing but padding", [("padding > 2", "padding > 4")], "output", ["-d"], stdin="aGk=\n")
case("base64", "two bytes are left", [("count > 1 ? letters[value >> 6 & 63]", "count > 2 ? letters[value >> 6 & 63]")], "output", ["file"],
     often=True, files={"file": "abcdef"})
case("words", "a word that just fits", [("length < LONGEST - 1", "length < LONGEST")], "regression", ["-i"], stdin="the quick brown fox\n")
case("words", "a sign at the beginning", [("(character == '-' && length > 0)", "character == '-'")], "output", [],
     stdin="the well-known\n")
case("editor", "more lines than there is room", [("if (count == MOST)", "if (count > MOST)")], "regression", ["file"], stdin="a new\np\n",
     files={"file": "a\nb\nc\nd\ne\nf\ng\nh\ni\nj\nk\n"})
case("editor", "a line behind the last", [("line < 1 || line > count) {\n        complain(\"no such line\");\n        return;\n    }\n    for",
                                           "line < 1 || line > count + 1) {\n        complain(\"no such line\");\n        return;\n    }\n    for")],
     "output", ["file"], stdin="1d\np\n", files={"file": "one\ntwo\n"})


def write(path, text):
    with open(path, "w") as file:
        file.write(text)


def make_start(place, start):
    """Makes the working directory; returns options and arguments."""
    os.mkdir(place + "/cwd")
    for name, text in start.get("files", {}).items():
        write(f"{place}/cwd/{name}", text)
    start.get("made", lambda where: None)(place + "/cwd")
    options = ["--cwd", "cwd"]
    if "stdin" in start:
        write(place + "/stdin", start["stdin"])
        options += ["--stdin", "stdin"]
    for variable in start.get("env", []):
        options += ["--env", variable]
    return options + ["--", *start["args"]]


def check(number, one):
    place = os.path.join(SCRATCH, f"program-{number}")
    os.mkdir(place)
    with open(os.path.join(HERE, "whole", one.program + ".c")) as file:
        old = new = file.read()
    for before, after in one.edits:
        assert new.count(before) == 1, f"{one.program}.c has {new.count(before)} times {before!r}"
        new = new.replace(before, after)
    write(place + "/old.c", old)
    write(place + "/new.c", new)
    command = [PENUMBRA, "diff", "old.c", "new.c", "--quiet", "--first", "--fail-on", one.shows, "--time", SECONDS, "--out", "results"]
    done = subprocess.run(command + make_start(place, one.start), cwd=place, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 1, f"exit status {done.returncode}: {done.stdout[-1500:]}{done.stderr[-500:]}"
    with open(place + "/results/report.json", encoding="utf-8") as file:
        group = next(group for group in json.load(file)["groups"] if group["class"] in (one.shows, "regression"))
    found = os.path.join(os.path.dirname(group["witness"]["repro"]), "found")
    for inputs in [[]] + [["found"]] * os.path.exists(found):
        again = subprocess.run([group["witness"]["repro"], *inputs], env={**os.environ, "PENUMBRA": PENUMBRA}, cwd=SCRATCH,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace")
        assert again.returncode == 1, f"the repro ends with {again.returncode}: {again.stdout[-300:]}{again.stderr[-300:]}"


def main():
    rows = [(f"{one.program}: {one.name}", lambda number=number, one=one: check(number, one)) for number, one in enumerate(CASES)
            if (one.often or ALL or len(sys.argv) > 1) and all(word in f"{one.program}: {one.name}" for word in sys.argv[1:])]
    return run_rows(rows)


sys.exit(main())

#!/usr/bin/env python3
"""`penumbra unify`: golden pairs, one for each kind of change (tests/unify), and what else the command does.

A pair is one file of three parts: the old version, the new one, and what they are unified to. Each is verified by LLVM IR
as well. PENUMBRA_WRITE_GOLDEN=1 writes the third part anew, to be looked at."""

import glob
import json
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "programs"))
from running import entries_of, limits_of, run_rows  # noqa: E402

PENUMBRA, SCRATCH = os.environ["PENUMBRA"], os.environ["SCRATCH"]
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
GOLDEN = os.path.join(ROOT, "tests/unify")
HEAD = re.compile(r"\A/\* Two versions.*?#include <penumbra.h>\n", re.DOTALL)
# Pairs that are kept twice, and pairs with functions that only a run can judge.
COARSE = {"nothing-in-common", "changed-signature"}
LAYOUT = set()


def expect(condition, why):
    if not condition:
        raise AssertionError(why)


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def penumbra(*arguments, cwd=SCRATCH):
    return subprocess.run([PENUMBRA, *arguments], cwd=cwd, capture_output=True, text=True, timeout=120, check=False,
                          stdin=subprocess.DEVNULL)


def check_golden(path):
    name = os.path.basename(path)[:-2]
    place = os.path.join(SCRATCH, name)
    _, old, new, wanted = re.split(r"/\* ==== (?:old|new|unified) ==== \*/\n", read(path))
    write(place + "/old.c", old)
    write(place + "/new.c", new)
    run = penumbra("unify", "old.c", "new.c", "-o", "unified.c", "--verify", "--json", cwd=place)
    expect(run.returncode == 0 and not run.stderr, f"status {run.returncode}: {run.stderr}")
    report = json.loads(run.stdout)
    expect(not report["files"][0]["defects"], report["files"][0]["defects"])
    expect(bool(report["coarse"]) == (name in COARSE), report["files"][0]["coarse_functions"])
    expect(bool(report["files"][0]["only_a_run_can_tell"]) == (name in LAYOUT), report["files"][0])
    unified = HEAD.sub("", read(place + "/unified.c"))
    if os.environ.get("PENUMBRA_WRITE_GOLDEN"):
        write(path, read(path).split("/* ==== unified ==== */\n")[0] + "/* ==== unified ==== */\n" + unified)
    else:
        expect(unified == wanted, f"got\n{unified}")


# ---- the command ----

OLD = "int f(int x)\n{\n    return x > 10;\n}\n"
NEW = "int f(int x)\n{\n    return x > 20;\n}\n"
# Three functions are changed; one of the changes is a regression.
LIBRARY = """#include "limits.h"
static int table[4] = {1, 2, 3, 4};
int first(int x) { return clamp(x) + 1; }
int second(int x) { if (x < 0 || x > 3) return -1; return table[x]; }
int third(int x) { return 2 * x; }
int untouched(int x) { return first(x) + 1; }
"""
CHANGED = LIBRARY.replace("+ 1; }\nint second", "+ 2 - 1; }\nint second").replace("x > 3)", "x > 4)").replace("2 * x", "x + x")
HEADER = "int clamp(int x);\n"
CLAMP = '#include "limits.h"\nint clamp(int x) { return x > 100 ? 100 : x; }\n'


# One file cannot be merged, one can, and one of the latter needs the former.
TABLE = """static int table[4] = {1, 2, 3, 4};
#define SIZE 1
#undef SIZE
#define SIZE 3
int look(int x) { if (x < 0 || x > SIZE) return -1; return table[x]; }
int twice(int x) { return 2 * x; }
int other(int x) { return x; }
"""
OTHER_TABLE = TABLE.replace("#define SIZE 1\n#undef SIZE\n#define SIZE 3", "#define SIZE 4").replace("2 * x", "x + x").replace(
    "int other(int x)", "int other(long x)")
USER = "int look(int x);\nint use(int x) { return x > 9 ? 0 : look(x) + 1; }\n"
OTHER_USER = USER.replace("x > 9 ? 0 : look(x) + 1", "x <= 9 ? 1 + look(x) : 0")


def place_of(name, files):
    place = os.path.join(SCRATCH, name)
    os.makedirs(place)
    for path, text in files.items():
        write(os.path.join(place, path), text)
    return place


def git(place, *arguments):
    subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@example.org", *arguments], cwd=place, check=True,
                   capture_output=True)


def refused(place, fragment, *arguments):
    run = penumbra(*arguments, cwd=place)
    expect(run.returncode == 2 and not run.stdout, f"{arguments}: status {run.returncode}, {run.stdout}")
    messages = [line for line in run.stderr.splitlines() if line.startswith("penumbra")]
    expect(len(messages) == 1 and fragment in messages[0], f"{arguments}: {run.stderr}")
    expect(not glob.glob(place + "/penumbra-out*"), "results were left behind")


def check_text():
    place = place_of("text", {"old.c": OLD, "new.c": NEW})
    run = penumbra("unify", "old.c", "new.c", "-o", "unified.c", "--verify", cwd=place)
    for fragment in ("1 hunk, 2 lines", "1 fine, 0 coarse", "1 x 1a", "verified by LLVM IR: 2 functions"):
        expect(fragment in run.stdout, run.stdout)
    run = penumbra("run", "unified.c", "--entry", "f", "--seed", "x=0", cwd=place)
    expect(run.returncode == 1 and "unified.c:7" in run.stdout, run)


def check_directories():
    place = place_of("directories", {"old/a.c": OLD, "new/a.c": NEW, "old/sub/b.c": OLD, "new/sub/b.c": OLD,
                                     "new/c.c": OLD, "old/bad.c": "int x;\n", "new/bad.c": "int x\n"})
    run = penumbra("unify", "old", "new", "-o", "both", "--json", cwd=place)
    report = json.loads(run.stdout)
    expect(run.returncode == 3 and report["fine"] == 1 and report["not_merged"] == 1, run)
    problems = {file["file"]: file.get("problem", "") for file in report["files"]}
    expect("bad.c:1" in problems["bad.c"] and not problems["a.c"], problems)
    expect("pn_change(10, 20)" in read(place + "/both/a.c") and read(place + "/both/sub/b.c") == OLD, "the result")


def check_compile_commands():
    files = {}
    for tree, limit in (("old", 10), ("new", 20)):
        files[tree + "/a.c"] = "int f(int x)\n{\n    return x > LIMIT + " + str(limit) + ";\n}\n"
        files[tree + "/compile_commands.json"] = json.dumps(
            [{"directory": ".", "file": "a.c", "command": "cc -DLIMIT=3 -O2 -c a.c -o a.o"}])
    place = place_of("commands", files)
    run = penumbra("unify", "old/a.c", "new/a.c", "-o", "a.c", cwd=place)
    expect(run.returncode == 0 and "LIMIT + pn_change(10, 20)" in read(place + "/a.c"), run)
    # what would be run or loaded by the compiler is left out: this is a file that a patch may change
    for flags in (["-fplugin=./evil.so"], ["-fpass-plugin=./evil.so"], ["-Xclang", "-load", "-Xclang", "./evil.so"],
                  ["-mllvm", "-load=./evil.so"], ["-fuse-ld=./evil"], ["-B."], ["-specs=evil"], ["@evil"]):
        write(place + "/new/compile_commands.json", json.dumps(
            [{"directory": place + "/new", "file": "a.c", "arguments": ["cc", *flags, "-DLIMIT=3", "-c", "a.c"]}]))
        run = penumbra("diff", "old/a.c", "new/a.c", "--entry", "f", "--quiet", "--out", "results", cwd=place)
        expect(run.returncode == 1, f"{flags}: {run.stderr}")
    write(place + "/new/compile_commands.json", "[{")
    refused(place, "compile_commands.json:1", "unify", "old/a.c", "new/a.c", "-o", "a.c")


def check_git():
    place = place_of("git", {"library.c": LIBRARY, "limits.h": HEADER, "clamp.c": CLAMP})
    git(place, "init", "-q")
    git(place, "add", "-A")
    git(place, "commit", "-qm", "one")
    write(place + "/library.c", CHANGED)
    git(place, "commit", "-qam", "two")
    run = penumbra("diff", "--git", "HEAD~1..HEAD", "--json", cwd=place)
    expect(run.returncode == 1 and not run.stderr, run)
    report = json.loads(run.stdout)
    verdicts = {entry["entry"]: entry["verdict"] for entry in report["entries"]}
    expect(verdicts == {"first": "equivalent", "second": "different", "third": "equivalent"}, verdicts)
    found = [one for one in report["divergences"] if one["class"] == "regression"]
    expect([one["entry"] for one in found] == ["second"], found)
    expect([one["inputs"] for one in found] == [{"x": 4}], found)
    expect(found[0]["location"]["file"] == "library.c", found[0]["location"])
    expect(report["unification"]["fine"] == 3, report["unification"])
    write(place + "/library.c", LIBRARY)
    run = penumbra("diff", "--git", "HEAD~1..HEAD", "--entry", "third", "--out", "again", cwd=place)
    expect(run.returncode == 0 and "equivalent" in run.stdout, run)
    run = penumbra("diff", "--git", "HEAD~1..HEAD", "--out", "dirty", cwd=place)
    expect("uncommitted changes are ignored" in run.stdout and "untouched()" in run.stdout, run.stdout)
    os.makedirs(place + "/below")
    run = penumbra("diff", "--git", "HEAD~1..HEAD", "--entry", "second", "--out", "mine", cwd=place + "/below")
    expect(run.returncode == 1 and os.path.exists(place + "/below/mine/report.json"), run)
    for revisions, fragment in (("HEAD~1..nowhere", "no revision 'nowhere'"), ("HEAD..", "two revisions")):
        run = penumbra("diff", "--git", revisions, "--out", "none", cwd=place)
        expect(run.returncode == 2 and fragment in run.stderr and run.stderr.count("\n") == 1, run)


def check_patch():
    place = place_of("patch", {"tree/library.c": LIBRARY, "tree/limits.h": HEADER, "tree/clamp.c": CLAMP,
                               "changed/library.c": CHANGED, "other.patch": "--- a/README\n+++ b/README\n@@ -0,0 +1 @@\n+x\n"})
    made = subprocess.run(["diff", "-u", "tree/library.c", "changed/library.c"], cwd=place, capture_output=True, text=True,
                          check=False)
    write(place + "/p.patch", made.stdout)
    run = penumbra("diff", "--patch", "p.patch", "tree", "--entry", "second", cwd=place)
    expect(run.returncode == 1 and "regression" in run.stdout and "x=4" in run.stdout, run)
    run = penumbra("diff", "--patch", "other.patch", "tree", "--out", "none", cwd=place)
    expect(run.returncode == 2 and "other.patch touches no C file" in run.stderr, run.stderr)
    write(place + "/tree/library.c", CLAMP)
    run = penumbra("diff", "--patch", "p.patch", "tree", "--out", "none", cwd=place)
    expect(run.returncode == 2 and "p.patch does not apply" in run.stderr, run.stderr)


def reports_of(run):
    """By entry; the tool says nothing to standard error."""
    expect(run.returncode in (0, 1, 3) and not run.stderr, run)
    return entries_of(json.loads(run.stdout))


def check_apart():
    place = place_of("apart", {"old.c": TABLE, "new.c": OTHER_TABLE})
    run = penumbra("diff", "old.c", "new.c", "--no-proofs", cwd=place)
    expect(run.returncode == 1 and "new.c: not merged: old.c:4: macro 'SIZE'" in run.stdout, run)
    for fragment in ("regression  x=4", "explored apart: old.c:4: macro 'SIZE'", "look() at new.c: different",
                     "twice() at new.c: no-difference-found", "3 of 3 changed functions explored",
                     "other() at new.c: no-difference-found"):
        expect(fragment in run.stdout, f"{fragment!r} is not in {run.stdout}")
    commands = [line.split("repro: ")[1] for line in run.stdout.splitlines() if "repro: " in line]
    again = subprocess.run(commands[0], shell=True, cwd=place, capture_output=True, text=True, check=False)
    expect("global-buffer-overflow" in again.stderr, again)
    write(place + "/same.c", TABLE.replace("#define SIZE 1\n#undef SIZE\n", ""))
    run = penumbra("diff", "old.c", "same.c", "--no-proofs", "--json", cwd=place)
    verdicts = {name: entry["verdict"] for name, entry in reports_of(run).items()}
    expect(run.returncode == 0 and verdicts == {"look": "no-difference-found"}, verdicts)


def check_apart_in_directories():
    place = place_of("apart-in-directories", {"old/table.c": TABLE, "new/table.c": OTHER_TABLE, "old/user.c": USER,
                                              "new/user.c": OTHER_USER, "old/alone.c": "int alone(int x) { return x > 3; }\n",
                                              "new/alone.c": "int alone(int x) { return x >= 4; }\n"})
    entries = reports_of(penumbra("diff", "old", "new", "--no-proofs", "--json", cwd=place))
    verdicts = {name: entry.get("verdict") for name, entry in entries.items()}
    expect(verdicts == {"look": "different", "twice": "no-difference-found", "other": "no-difference-found", "use": "different",
                        "alone": "equivalent"}, verdicts)
    for name, is_apart in (("look", True), ("twice", True), ("use", True), ("alone", False)):
        limits = [limit for limit in limits_of(entries[name]) if "explored apart: old/table.c:4: macro 'SIZE'" in limit]
        expect(bool(limits) == is_apart, f"{name}: {entries[name]['limits']}")
    for name in ("look", "use"):
        found = [one for one in entries[name]["divergences"] if one["class"] == "regression"]
        expect([one["inputs"] for one in found] == [{"x": 4}], entries[name]["divergences"])
        expect(found[0]["new"]["location"].startswith("new/table.c:3:"), found[0]["new"])


def check_variables_of_one_name():
    """Each file has its own: they are told apart by the files' names, or not compared."""
    step = "static int kept;\nint step(int x) { kept = x; return x; }\n"
    old = "int step(int);\nint way(void) { return 1; }\n%sint f(int x) { %sreturn step(x) > 5; }\n"
    new = "int step(int);\nint way = 1;\n%sint f(int x) { %sreturn 5 < step(x); }\n"
    kept, other, none = ("static int kept;\n", "kept = 7; "), ("static int kept;\n", "kept = 8; "), ("", "")
    for name, file, before, after, witness in (
            ("same", "step.c", kept, kept, False), ("other", "step.c", kept, other, True),
            ("renamed", "walk.c", kept, kept, False), ("added", "step.c", none, kept, False)):
        place = place_of(f"variables-{name}", {"old/step.c": step, f"new/{file}": step, "old/main.c": old % before,
                                               "new/main.c": new % after})
        run = penumbra("diff", "old", "new", "--entry", "f", "--json", cwd=place)
        expect(run.returncode == witness and not run.stderr, f"{name}: {run}")
        uncompared = "kept: the variable is not compared, several have its name" in limits_of(json.loads(run.stdout))
        expect(uncompared == (name in ("renamed", "added")), f"{name}: {run}")


def check_apart_in_git():
    place = place_of("apart-in-git", {"table.c": TABLE, "user.c": USER})
    git(place, "init", "-q")
    git(place, "add", "-A")
    git(place, "commit", "-qm", "one")
    write(place + "/table.c", OTHER_TABLE)
    git(place, "commit", "-qam", "two")
    run = penumbra("diff", "--git", "HEAD~1..HEAD", "--entry", "look", "--json", cwd=place)
    expect(run.returncode == 1 and not run.stderr, run)
    report = json.loads(run.stdout)
    found = report["divergences"][0]
    expect(found["class"] == "regression" and found["location"]["file"] == "table.c", found)
    expect(found["new"]["location"].startswith("table.c:3:"), found["new"])
    expect(any("explored apart: HEAD~1:table.c:4" in limit for limit in limits_of(report)), limits_of(report))


def check_functions_of_other_types():
    """Whose versions are two functions in the unified text: none of them says anything about the other."""
    place = place_of("other-types", {
        "old.c": "typedef int T;\nT same(T x) { return x > 3; }\nint wider(int x) { return x > 3; }\n"
                 "int more(int x) { return x > 3; }\nint use(int x) { return more(x); }\n",
        "new.c": "typedef struct T { int a; } T;\nint same(int x) { T t = {x}; return t.a > 4; }\n"
                 "int wider(long x) { return x > 4; }\nint more(int x, int y) { return x > y; }\n"
                 "int use(int x) { return more(x, 3); }\n"})
    entries = reports_of(penumbra("diff", "old.c", "new.c", "--json", cwd=place))
    verdicts = {name: entry.get("verdict") for name, entry in entries.items()}
    expect(verdicts == {"same": "different", "wider": "different", "more": "not-explored", "use": "equivalent"}, verdicts)
    expect("'more' cannot be an entry" in entries["more"]["problem"], entries["more"])
    expect(any("each version converts: 'x' is 'long' ('int' before, 'long' now)" in limit for limit in limits_of(entries["wider"])), entries["wider"])
    expect([one["inputs"] for one in entries["same"]["divergences"]] == [{"x": 4}], entries["same"])
    run = penumbra("diff", "old.c", "new.c", "--entry", "same", cwd=place)
    expect(run.returncode == 1 and "explored apart: new.c:2: same() has other parameters" in run.stdout, run)


def check_nothing_explored():
    """Nobody may take it for "nothing found"."""
    place = place_of("nothing-explored", {"old.c": OLD, "new.c": NEW})
    for arguments, reason in ((("--seed", "nobody=1"), "there is no input called 'nobody'"),
                              (("--link", "no-such-library"), "the program cannot be linked")):
        run = penumbra("diff", "old.c", "new.c", "--json", *arguments, cwd=place)
        expect(run.returncode == 3 and "no changed function could be explored" in run.stderr and reason in run.stderr, run)
        expect(json.loads(run.stdout)["verdict"] == "not-explored", run.stdout)


def check_macros_of_headers():
    """A macro that the same headers define in the same order is no obstacle, unless other code stands behind each."""
    headers = {"public.h": "#define LIMIT (limit())\nint limit(void);\n",
               "private.h": '#include "public.h"\n#undef LIMIT\n#define LIMIT 32\n',
               "body.c": "#define CASE(x) x == KIND\nint NAME(int x) { return CASE(x); }\n#undef CASE\n#define CASE(x) KIND\n"}
    code = '#include "private.h"\n#define NAME one\n#define KIND 1\n#include "body.c"\n#undef CASE\n#undef NAME\n#define NAME two\n' \
           '#include "body.c"\nint f(int x) { if (x == 0) return LIMIT; return x; }\n'
    place = place_of("macros-of-headers", {f"{tree}/{name}": text for name, text in headers.items() for tree in ("old", "new")}
                     | {"old/a.c": code, "new/a.c": code.replace("x == 0", "x <= 0")})
    run = penumbra("diff", "old", "new", "--entry", "f", "--json", cwd=place)
    report = json.loads(run.stdout)
    expect(run.returncode == 1 and not any("apart" in limit for limit in limits_of(report)), run)
    expect([one["inputs"] for one in report["divergences"]] == [{"x": -1}], report["divergences"])
    between = '#include "public.h"\n%s#include "private.h"\n%sint limit(void) { return 7; }\n'
    function = "int f(int x) { return x > LIMIT; }\n"
    write(place + "/old/a.c", between % (function, ""))
    write(place + "/new/a.c", between % ("", function))
    run = penumbra("diff", "old", "new", "--entry", "f", "--json", "--out", "moved", cwd=place)
    report = json.loads(run.stdout)
    expect(run.returncode == 1 and any("macro 'LIMIT' is not what it is" in limit for limit in limits_of(report)), run)


def check_two_definitions():
    """What is defined twice matters only where the entry leads to both definitions. The error names the files: what LLVM
    says to a clash would end the process as if differences were found."""
    files = {}
    for tree, sign in (("old", ">"), ("new", ">=")):
        files[tree + "/a.c"] = f'int help(int);\nchar *title = "a";\nint f(int x) {{ return help(x) {sign} 10; }}\n'
        files[tree + "/b.c"] = 'char *title = "b";\nint help(int x) { return x; }\n'
        files[tree + "/tests/b.c"] = 'int help(int x) { return -x; }\nint main(void) { return help(1); }\n'
    place = place_of("unneeded-definitions", files)
    run = penumbra("diff", "old", "new", "--entry", "f", "--json", cwd=place)
    report = json.loads(run.stdout)
    expect(run.returncode == 1 and [one["inputs"] for one in report["divergences"]] == [{"x": 10}], run)
    for tree in ("old", "new"):
        for name in ("a", "b"):
            files[f"{tree}/{name}.c"] = files[f"{tree}/{name}.c"].replace("(int x) { return ", "(int x) { return *title - *title + ")
    place = place_of("two-definitions", files)
    wanted = re.compile(r"'title' is defined in \S*/([ab])\.c and in \S*/(?!\1)[ab]\.c, .*leave one of the files out")
    run = penumbra("diff", "old", "new", "--entry", "f", cwd=place)
    expect(run.returncode == 2 and wanted.search(run.stderr) and run.stderr.startswith("penumbra: "), run)
    run = penumbra("diff", "old", "new", "--json", cwd=place)
    report = json.loads(run.stdout)
    expect(run.returncode == 3 and report["verdict"] == "not-explored", run)
    expect(wanted.search(report["entries"][0]["problem"]), report["entries"])
    run = penumbra("instrument", "old/a.c", "old/b.c", "-o", "program", cwd=place)
    expect(run.returncode == 2 and "'title' is defined in old/a.c and in old/b.c" in run.stderr, run)


def check_several_programs():
    """Files are linked when something is missing without them; what is defined twice then may be each program's main()."""
    one = 'char *title = "a";\n%sint f(int x) { return %s(x) %s 10; }\nint main(void) { return f(3); } /* other() */\n'
    two = 'char *title = "b";\nint other(int x) { return x > 5; }\nint main(void) { return other(3); }\n'
    common = "static int more(int x) { return x; }\nint help(int x) { return more(x); }\nint main(void) { return help(1); }\n"
    for name, declared, called in (("alone", "static int other(int x) { return x; }\n", "other"),
                                   ("by-header", '#include "help.h"\n', "HELP")):
        files = {"old/help.h": "int help(int);\n#define HELP help\n", "new/help.h": "int help(int);\n#define HELP help\n"}
        for tree, sign in (("old", ">"), ("new", ">=")):
            files |= {tree + "/a.c": one % (declared, called, sign), tree + "/b.c": two, tree + "/common.c": common}
        place = place_of("several-programs-" + name, files)
        entries = reports_of(penumbra("diff", "old", "new", "--json", cwd=place))
        expect([one["inputs"] for one in entries["f"]["divergences"]] == [{"x": 10}], entries)
        report = json.loads(penumbra("diff", "old", "new", "--entry", "main", "--json", "--out", "main", cwd=place).stdout)
        expect(report["verdict"] == "equivalent", report)
    for tree, sign in (("old", ">"), ("new", ">=")): # a static function that the other file has, too
        write(f"{place}/{tree}/a.c", read(f"{place}/{tree}/a.c") + f"static int more(int x) {{ return help(x) {sign} 3; }}\n")
    entries = reports_of(penumbra("diff", "old", "new", "--json", "--out", "static", cwd=place))
    expect([one["inputs"] for one in entries["more"]["divergences"]] == [{"x": 3}], entries)


UNREACHED = """#include "unreached.h"
static int plain(int x) { return x + 1; }
static int by_table(int x) { return x + behind_table(x); }
int f(int x) { return plain(x) > 10; }
int g(int x) { return table.call(x) > 10; }
int h(int x) { return other(x) > 10; }
int unreached(int x) { extern int inner(int); return gone(x) + inner(x) + count + list[x] + (pointed(&nowhere) != 0); }
"""


def check_unreached():
    """What nobody defines is asked for only if the entry may come to it, over other files and pointers, too."""
    files = {}
    for tree, sign in (("old", ">"), ("new", ">=")):
        files[tree + "/unreached.h"] = (
            "struct opaque;\nextern struct opaque nowhere;\nextern int count, list[];\nint gone(int), behind(int), other(int);\n"
            "int behind_table(int), *pointed(struct opaque *);\n")
        files[tree + "/a.c"] = UNREACHED.replace("x + behind_table(x)", "x").replace(
            "int f(", "static struct { int (*call)(int); } table = {by_table};\nint f(").replace("> 10", sign + " 10")
        files[tree + "/b.c"] = '#include "unreached.h"\nint other(int x) { return behind(x); }\n'
    place = place_of("unreached", files)
    entries = reports_of(penumbra("diff", "old", "new", "--json", cwd=place))
    verdicts = {name: entry.get("verdict") for name, entry in entries.items()}
    expect(verdicts == {"f": "different", "g": "different", "h": "not-explored"}, entries)
    expect("C library: behind() (declared at " in entries["h"]["problem"], entries["h"])
    for tree in ("old", "new"):
        write(f"{place}/{tree}/a.c", read(f"{place}/{tree}/a.c").replace("{ return x; }", "{ return behind_table(x); }"))
    run = penumbra("diff", "old", "new", "--entry", "f", "--out", "again", cwd=place)
    expect(run.returncode == 1 and not run.stderr, run)
    run = penumbra("diff", "old", "new", "--entry", "g", "--out", "again", cwd=place)
    expect(run.returncode == 2 and "C library: behind_table() (declared at " in run.stderr, run)
    for tree in ("old", "new"):
        write(f"{place}/{tree}/a.c", read(f"{place}/{tree}/a.c").replace("int unreached(", "__attribute__((constructor)) int unreached("))
    run = penumbra("diff", "old", "new", "--entry", "f", "--out", "again", "--cflags=-w", cwd=place)
    expect(run.returncode == 2 and "gone() (declared at " in run.stderr, run)


# Statements whose declarations, or what stands where others have expressions, are not the same.
STATEMENTS = [
    ('for (int i = 0; i < n; i++) s += i;',
     'for (long i = 0; i < n; i++) s += i;'),
    ('for (int i = 0, k = 3; i < n; i++) s += i + k;',
     'for (long i = 0, k = 3; i < n; i++) s += i + k;'),
    ('for (int i = 0; i < n; i++) s += i;',
     'for (int *p = &s; !p; p++) s += 1;'),
    ('for (int i = 0; i < n; i++) s += i;',
     'int i; for (i = 0; i < n; i++) s += i;'),
    ('for (int i = 0; i < n; i++) s += i;',
     'for (; s < n; s++) t++;'),
    ('EACH(int, i, n) s += i;',
     'EACH(long, i, n) s += i;'),
    ('for (int i = 0; i < n; i++) for (int k = 0; k < i; k++) s += i;',
     'for (long i = 0; i < n; i++) for (short k = 0; k < i; k++) s += i;'),
    ('for (struct s v = {.a = 1}; v.a < n; v.a++) s++;',
     'for (struct s v = {.b = 2}; v.a < n; v.a++) s++;'),
    ('for (struct q {int x;} v = {1}; v.x < n; v.x++) s++;',
     'for (struct q {long x;} v = {1}; v.x < n; v.x++) s++;'),
    ('for (int a[2] = {1, 2}; a[0] < n; a[0]++) s++;',
     'for (int a[3] = {1, 2}; a[0] < n; a[0]++) s++;'),
    ('switch (n) { case 1: { int x = 1; s += x; } break; default: s = 2; }',
     'switch (n) { case 1: { long x = 1; s += x; } break; default: s = 2; }'),
    ('while (({ int q = n; q; })) n--;',
     'while (({ long q = n; q + 1; })) n--;'),
    ('do { int q = n; s += q; } while (n-- > 0);',
     'do { long q = n; s += q; } while (n-- > 0);'),
    ('struct s v = {.a = 1, .b = 2}; s = v.a;',
     'struct s v = {.b = 1, .a = 2}; s = v.a;'),
    ('s = _Generic(n, int: 1, long: 2);',
     's = _Generic(z, int: 1, long: 2);'),
    ('void *p = &&l; goto *p; l: s++;',
     'void *p = &&m; goto *p; m: s++;'),
    ('char c[3]; s = (int)_Alignof(c);',
     '_Alignas(8) char c[3]; s = (int)_Alignof(c);'),
    ('volatile int v = n; s = v;',
     'int v = n; s = v;'),
    ('int v __attribute__((cleanup(done))) = n; s = v;',
     'int v = n; s = v;'),
    ('switch (n) { case 0: s++; AT(1, t) s++; }',
     'switch (n) { case 0: s++; s++; }'),
    ('int old_name = n; assert(old_name > 0); s = old_name; t = old_name;',
     'int new_name = n; assert(new_name > 0); s = new_name; t = new_name + 1;'),
    ('enum {A, B} e = A; s = e;',
     'enum {B, A} e = A; s = e;'),
    ('__asm__(""); s = 1;',
     '__asm__("nop"); s = 1;'),
]
AROUND = """#include <assert.h>
int g(int);
void done(int *);
struct s { int a; long b; };
#define EACH(type, i, n) for (type i = 0; i < n; i++)
#define AT(n, x) case n: x = n; while (x > 2) x--;
int f(int n)
{
    int s = 0, t = 0;
    long z = 1;
    %s
    return s + t + (int)z;
}
"""


def check_statements():
    place = place_of("statements", {})
    for number, pair in enumerate(STATEMENTS):
        for old, new in (pair, pair[::-1]):
            write(place + "/old.c", AROUND % old)
            write(place + "/new.c", AROUND % new)
            run = penumbra("unify", "old.c", "new.c", "-o", "unified.c", "--verify", "--json", cwd=place)
            expect(run.returncode == 0 and not run.stderr, f"{old} {new}: {run}")
            report = json.loads(run.stdout)["files"][0]
            expect(not report["defects"] and report["changed"] == ["f"], f"{number}: {old} {new}: {report}")


def check_static_and_unused():
    """The compiler leaves out a static function that nobody calls: that it is not to be seen is no mistake of the merging."""
    place = place_of("static-and-unused", {})
    text = "int limit;\nint f(int x) { return x > limit; }\nint g(int x) { return x; }\n"
    for old, new in ((text, text.replace("\nint f", "\nstatic int f")),
                     (text, text.replace("\nint f", "\nstatic inline int f").replace("> limit", ">= limit"))):
        for one, other in ((old, new), (new, old)):
            write(place + "/old.c", one)
            write(place + "/new.c", other)
            run = penumbra("unify", "old.c", "new.c", "-o", "unified.c", "--verify", "--json", cwd=place)
            report = json.loads(run.stdout)["files"][0]
            expect(run.returncode == 0 and not report["defects"], f"{one} {other}: {report}")


def check_c89():
    place = place_of("c89", {"old.c": OLD, "new.c": NEW})
    run = penumbra("unify", "old.c", "new.c", "-o", "unified.c", "--verify", "--cflags", "-std=c89 -pedantic-errors", cwd=place)
    expect(run.returncode == 0 and "verified" in run.stdout, run)


def check_bad_input():
    place = place_of("bad", {"old.c": OLD, "new.c": NEW, "broken.c": "int f(int x) { return y; }\n", "a/one.c": OLD,
                             "b/two.c": OLD, "empty/README": "", "same/one.c": OLD + "/* layout */\n"})
    with open(place + "/binary.c", "wb") as file:
        file.write(b"\x7fELF\0\0")
    for fragment, *arguments in (("broken.c:1:", "unify", "old.c", "broken.c", "-o", "u.c"),
                                 ("no C file in common", "unify", "a", "b", "-o", "u"),
                                 ("there is no C file", "unify", "empty", "empty", "-o", "u"),
                                 ("is a directory", "unify", "a", "new.c", "-o", "u"),
                                 ("none.c", "unify", "none.c", "new.c", "-o", "u"),
                                 ("binary.c is no text", "unify", "old.c", "binary.c", "-o", "u"),
                                 ("no C file in common", "diff", "a", "b"),
                                 ("no git repository", "diff", "--git", "a..b"),
                                 ("--git and --patch", "diff", "--git", "a..b", "--patch", "x")):
        refused(place, fragment, *arguments)
    run = penumbra("unify", "a", "same", "-o", "u", cwd=place)
    expect(run.returncode == 0 and not os.path.exists(place + "/u"), run)
    run = penumbra("diff", "a", "same", cwd=place)
    expect(run.returncode == 0 and "identical" in run.stdout, run)


CASES = [("text", check_text), ("directories", check_directories), ("compile-commands", check_compile_commands),
         ("git", check_git), ("patch", check_patch), ("apart", check_apart), ("apart-in-directories", check_apart_in_directories),
         ("variables-of-one-name", check_variables_of_one_name), ("apart-in-git", check_apart_in_git),
         ("functions-of-other-types", check_functions_of_other_types), ("nothing-explored", check_nothing_explored),
         ("macros-of-headers", check_macros_of_headers),
         ("two-definitions", check_two_definitions), ("several-programs", check_several_programs),
         ("unreached", check_unreached), ("statements", check_statements), ("static-and-unused", check_static_and_unused),
         ("c89", check_c89), ("bad-input", check_bad_input)]
CASES += [("golden-" + os.path.basename(path)[:-2], lambda path=path: check_golden(path))
         for path in sorted(glob.glob(GOLDEN + "/*.c"))]


if __name__ == "__main__":
    sys.exit(run_rows(CASES))

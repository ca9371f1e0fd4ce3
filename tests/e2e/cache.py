#!/usr/bin/env python3
"""The cache of what was built. A second run builds nothing and says the same; whatever decides what a build would be,
when it is changed between two runs, the second run says what a run without a cache says."""

import json
import os
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "programs"))
from running import run_rows  # noqa: E402

PENUMBRA, SCRATCH = os.environ["PENUMBRA"], os.environ["SCRATCH"]


class Place:
    """A directory of one case, with a cache of its own."""

    def __init__(self, name):
        self.path = os.path.join(SCRATCH, name)
        self.cache = os.path.join(self.path, "cache")
        self.runs = 0
        os.makedirs(self.path)

    def write(self, name, text):
        path = os.path.join(self.path, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            file.write(text)
        return path

    def start(self, *options, tool=PENUMBRA, environment=None):
        variables = {"PENUMBRA_CACHE": self.cache, **(environment or {})}
        variables = {**os.environ, **variables}
        return subprocess.Popen([tool, "diff", *options, "--json", "--quiet", "--log", "info"], cwd=self.path, text=True,
                                env={name: value for name, value in variables.items() if value is not None},
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def finish(self, process):
        output, log = process.communicate()
        return Run(process.returncode, output, log)

    def diff(self, *options, **more):
        return self.finish(self.start(*options, **more))


class Run:
    def __init__(self, status, output, log):
        self.status, self.log = status, log
        self.report = json.loads(output) if status != 2 else None
        self.built = [line for line in log.splitlines() if ": compiling " in line or ": instrumenting " in line]
        self.cached = [line for line in log.splitlines() if ": from the cache: " in line]

    def findings(self):
        """What the run says, without the names of its directory and the time that it took."""
        if self.report is None:
            return self.log
        return json.dumps([self.status, without_run(self.report)], sort_keys=True)


VARYING = {"counts", "seconds", "time", "repro", "directory", "timing", "input_file", "peak_memory", "solver", "timeline"}


def without_run(value):
    if isinstance(value, dict):
        return {name: without_run(part) for name, part in value.items() if name not in VARYING}
    if isinstance(value, list):
        return [without_run(part) for part in value]
    return value


LIMIT = '#include "limit.h"\nint helper(int x);\nint f(int x)\n{\n    return helper(x) %s LIMIT;\n}\n'
HELPER = '#include <stdlib.h>\n#include "limit.h"\nint helper(int x) { return abs(x % 100) + EXTRA; }\n'


def limit(value, extra=0):
    return f"#define LIMIT {value}\n#define EXTRA {extra}\n"


def write_pair(place, header="limit.h", **more):
    for version, operator in (("old", ">"), ("new", ">=")):
        place.write(f"{version}/f.c", LIMIT % operator)
        place.write(f"{version}/helper.c", HELPER)
    place.write(header, limit(5, **more))


PAIR = ["old", "new", "--entry", "f", "--cflags", "-I."]


def expect(condition, sentence):
    return None if condition else sentence


def same_as_fresh(place, run, *options):
    """A complaint, when the run does not say what one without a cache says."""
    fresh = place.diff(*options, "--no-cache")
    if fresh.cached:
        return "--no-cache takes something from the cache"
    return expect(run.findings() == fresh.findings(), f"the cache says {run.findings()[:2000]}\nand a fresh build {fresh.findings()[:2000]}")


def changed(place, change, options=PAIR, differs=True):
    """Runs, changes something, runs again: the second run must say what a fresh build says, and not be the first one."""
    first = place.diff(*options)
    again = place.diff(*options)
    if first.report is None or again.report is None:
        return f"no report: {first.log}\n{again.log}"
    if not first.built or again.built:
        return f"the second of two equal runs builds {again.built}" if first.built else "the first run builds nothing"
    change()
    second = place.diff(*options)
    if not second.built:
        return "nothing is built although something was changed"
    if differs and second.findings() == first.findings():
        return "the change changes nothing: the case is none"
    return same_as_fresh(place, second, *options)


# ---- a second run ----


def case_second_run_builds_nothing():
    place = Place("second")
    write_pair(place)
    first, second = place.diff(*PAIR), place.diff(*PAIR)
    if first.status != 1 or not first.built:
        return f"the first run: status {first.status}, {len(first.built)} builds\n{first.log}"
    if second.built or not second.cached:
        return f"the second run builds {second.built}"
    if first.findings() != second.findings():
        return f"first {first.findings()}\nsecond {second.findings()}"
    return same_as_fresh(place, second, *PAIR)


def case_every_entry():
    place = Place("entries")
    write_pair(place)
    first, second = place.diff("old", "new", "--cflags", "-I."), place.diff("old", "new", "--cflags", "-I.")
    return expect(first.built and not second.built and first.findings() == second.findings(),
                  f"the second run builds {second.built}")


def case_versions_apart():
    place = Place("apart")
    place.write("old.c", "struct s { int a; };\nint f(int x)\n{\n    struct s s = {x};\n    return s.a > 3;\n}\n")
    place.write("new.c", "struct s { long b; char c; };\nint f(int x)\n{\n    struct s s = {x, 1};\n    return s.b > 4;\n}\n")
    first, second = place.diff("old.c", "new.c", "--entry", "f"), place.diff("old.c", "new.c", "--entry", "f")
    return expect(first.built and not second.built and first.findings() == second.findings(),
                  f"status {first.status}, {second.status}; the second run builds {second.built}")


def case_revisions():
    """Each run has the revisions in another directory, and tells of places in them by their names."""
    place = Place("revisions")
    git = ["git", "-C", place.path, "-c", "user.name=t", "-c", "user.email=t@t"]
    subprocess.run([*git, "init", "-q"], check=True)
    text = "int table[4] = {1, 2, 3, 4};\nint f(unsigned x)\n{\n    return x < %d ? table[x] : 0;\n}\n"
    for bound in (4, 5):
        place.write("src/f.c", text % bound)
        subprocess.run([*git, "add", "src"], check=True)
        subprocess.run([*git, "commit", "-qm", "x"], check=True)
    options = ["--git", "HEAD~..HEAD", "--entry", "f"]
    first, second = place.diff(*options), place.diff(*options)
    if first.status != 1 or first.findings() != second.findings():
        return f"first {first.findings()}\nsecond {second.findings()}"
    if "src/f.c:4" not in json.dumps(first.report) or "/.penumbra" in json.dumps(first.report) + json.dumps(second.report):
        return f"places are not what users call them: {json.dumps(first.report)}"
    return expect(first.built and not second.built, f"the second run builds {second.built}") or same_as_fresh(place, second, *options)


def case_error_has_real_names():
    place = Place("error")
    place.write("old.c", "int f(int x)\n{\n    return x;\n}\n")
    place.write("new.c", "int g(int x);\nint f(int x)\n{\n    return x + 1;\n}\n")
    for _ in range(2):
        run = place.diff("old.c", "new.c", "--entry", "f", "--link", "missing.o")
        if run.status != 2 or "/.penumbra" in run.log.replace("info:", ""):
            return run.log
    return None


# ---- what is changed between two runs ----


def case_header():
    place = Place("header")
    write_pair(place)
    return changed(place, lambda: place.write("limit.h", limit(9)))


def case_header_of_a_header():
    place = Place("nested")
    write_pair(place, header="real.h")
    place.write("limit.h", '#include "real.h"\n')
    return changed(place, lambda: place.write("real.h", limit(9)))


def case_header_of_the_same_size_and_time():
    place = Place("same-time")
    write_pair(place)
    path = os.path.join(place.path, "limit.h")

    def change():
        status = os.stat(path)
        place.write("limit.h", limit(9))
        os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    return changed(place, change)


def case_source():
    place = Place("source")
    write_pair(place)
    return changed(place, lambda: place.write("new/helper.c", HELPER.replace("100", "4")))


def case_header_that_appears_before():
    place = Place("before")
    write_pair(place, header="second/limit.h")
    os.makedirs(os.path.join(place.path, "first"))
    return changed(place, lambda: place.write("first/limit.h", limit(9)), ["old", "new", "--entry", "f", "--cflags", "-Ifirst -Isecond"])


def case_directory_that_appears_before():
    place = Place("before-all")
    write_pair(place, header="second/limit.h")
    return changed(place, lambda: place.write("first/limit.h", limit(9)), ["old", "new", "--entry", "f", "--cflags", "-Ifirst -Isecond"])


def case_header_that_appears_beside_the_source():
    place = Place("beside")
    write_pair(place)

    def change():
        for version in ("old", "new"):
            place.write(f"{version}/limit.h", limit(9))
    return changed(place, change)


def case_system_header_that_is_shadowed():
    place = Place("system")
    write_pair(place, header="include/limit.h")
    return changed(place, lambda: place.write("include/stdlib.h", "static int abs(int x) { return x < 0 ? 3 : x; }\n"),
                   ["old", "new", "--entry", "f", "--cflags", "-Iinclude"])


def case_header_that_is_asked_for():
    place = Place("asked")
    write_pair(place)
    place.write("limit.h", '#define EXTRA 0\n#if __has_include("special.h")\n#define LIMIT 9\n#else\n#define LIMIT 5\n#endif\n')
    return changed(place, lambda: place.write("special.h", ""))


def case_header_that_is_asked_for_by_a_macro():
    """What it asks for is not known: it is compiled each time."""
    place = Place("asked-by-macro")
    write_pair(place)
    place.write("limit.h", '#define EXTRA 0\n#define SPECIAL "special.h"\n#if __has_include(SPECIAL)\n#define LIMIT 9\n#else\n'
                           '#define LIMIT 5\n#endif\n')
    first = place.diff(*PAIR)
    place.write("special.h", "")
    second = place.diff(*PAIR)
    return expect(first.findings() != second.findings(), "the header is not seen") or same_as_fresh(place, second, *PAIR)


def case_link_that_leads_elsewhere():
    place = Place("link")
    write_pair(place, header="one/limit.h")
    place.write("two/limit.h", limit(9))
    link = os.path.join(place.path, "include")
    os.symlink("one", link)

    def change():
        os.unlink(link)
        os.symlink("two", link)
    return changed(place, change, ["old", "new", "--entry", "f", "--cflags", "-Iinclude"])


def case_same_file_by_two_names():
    """#pragma once knows a file by what it is, not by its name."""
    place = Place("once")
    write_pair(place)
    place.write("limit.h", '#define EXTRA 0\n#include "a.h"\n#include "b.h"\n#ifdef TWICE\n#define LIMIT 9\n#else\n#define LIMIT 5\n#endif\n')
    place.write("a.h", "#pragma once\n#ifdef ONCE\n#define TWICE\n#endif\n#define ONCE\n")
    os.symlink("a.h", os.path.join(place.path, "b.h"))

    def change():
        os.unlink(os.path.join(place.path, "b.h"))
        shutil.copy(os.path.join(place.path, "a.h"), os.path.join(place.path, "b.h"))
        place.write("b.h", open(os.path.join(place.path, "a.h")).read())
    return changed(place, change, differs=False)


def case_flag():
    place = Place("flag")
    write_pair(place)
    place.write("limit.h", "#define EXTRA 0\n")
    options = ["old", "new", "--entry", "f", "--cflags"]
    first = place.diff(*options, "-I. -DLIMIT=5")
    second = place.diff(*options, "-I. -DLIMIT=9")
    return expect(first.findings() != second.findings(), "the flag changes nothing") or \
        same_as_fresh(place, second, *options, "-I. -DLIMIT=9")


def case_environment():
    place = Place("environment")
    write_pair(place, header="one/limit.h")
    place.write("two/limit.h", limit(9))
    options = ["old", "new", "--entry", "f"]
    first = place.diff(*options, environment={"CPATH": "one"})
    second = place.diff(*options, environment={"CPATH": "two"})
    fresh = place.diff(*options, "--no-cache", environment={"CPATH": "two"})
    return expect(first.findings() != second.findings() and second.findings() == fresh.findings(), "CPATH changes nothing")


def case_header_that_appears_by_the_environment():
    place = Place("environment-before")
    write_pair(place, header="second/limit.h")
    options, paths = ["old", "new", "--entry", "f"], {"C_INCLUDE_PATH": "first:second"}
    first = place.diff(*options, environment=paths)
    place.write("first/limit.h", limit(9))
    second = place.diff(*options, environment=paths)
    fresh = place.diff(*options, "--no-cache", environment=paths)
    return expect(first.findings() != second.findings() and second.findings() == fresh.findings(), "the new header is not seen")


def case_harness():
    place = Place("harness")
    for version, operator in (("old", ">"), ("new", ">=")):
        place.write(f"{version}.c", f"int f(const char *s, int n)\n{{\n    return s[0] {operator} 'a' && n > 3;\n}}\n")
    options = ["old.c", "new.c", "--entry", "f"]
    place.diff(*options)
    for more in (["--size", "s=2"], ["--range", "n=0..3"], ["--assume", "n == 9"], ["--zero", "n"]):
        run = place.diff(*options, *more)
        complaint = same_as_fresh(place, run, *options, *more)
        if complaint:
            return f"{more}: {complaint}"
    return None


def case_compiler():
    place = Place("compiler")
    write_pair(place)
    real = shutil.which("clang-19")
    wrapper = place.write("bin/clang-19", f'#!/bin/sh\nexec {real} "$@"\n')
    os.chmod(wrapper, 0o755)
    path = {"PATH": os.path.join(place.path, "bin") + ":" + os.environ["PATH"]}
    place.diff(*PAIR)
    other, again = place.diff(*PAIR, environment=path), place.diff(*PAIR, environment=path)
    if not any("compiling" in line for line in other.built) or again.built:
        return "another compiler is taken for the same"
    place.write("bin/clang-19", f'#!/bin/sh\nexec {real} -DLIMIT_IS_NINE "$@"\n')
    run = place.diff(*PAIR, environment=path)
    return expect(run.built, "a changed compiler is taken for the same")


def case_tool():
    place = Place("tool")
    write_pair(place)
    tool = os.path.join(place.path, "bin", "penumbra")
    shutil.copytree(os.path.dirname(PENUMBRA) + "/lib", os.path.join(place.path, "bin", "lib"))
    shutil.copy(PENUMBRA, tool)
    first = place.diff(*PAIR, tool=tool)
    if place.diff(*PAIR, tool=tool).built:
        return "the same tool builds twice"
    with open(tool, "ab") as file:
        file.write(b"another build")
    run = place.diff(*PAIR, tool=tool)
    if len(run.built) != len(first.built):
        return f"another tool takes what this one has made: {run.cached}"
    models = os.path.join(place.path, "bin", "lib", "penumbra", "models.bc")
    shutil.copy(os.path.join(os.path.dirname(models), "hooks.bc"), models + ".new")
    place.diff(*PAIR, tool=tool)
    os.replace(models + ".new", models)
    run = place.diff(*PAIR, tool=tool)
    return expect(any("instrumenting" in line for line in run.built), "other models make no other program")


def case_unknown_flag():
    place = Place("unknown-flag")
    write_pair(place)
    options = ["old", "new", "--entry", "f", "--cflags", "-I. -march=native"]
    place.diff(*options)
    run = place.diff(*options)
    return expect(run.built, "what depends on the machine is kept") or same_as_fresh(place, run, *options)


# ---- the cache itself ----


def entries(place):
    return [os.path.join(directory, name) for directory, _, names in os.walk(place.cache) for name in names
            if name not in ("changed", "trimmed")]


def damage(path, number):
    with open(path, "rb") as file:
        content = bytearray(file.read())
    if number % 4 == 0:
        content = content[:len(content) // 2]
    elif number % 4 == 1:
        content[len(content) * 2 // 3] ^= 1
    elif number % 4 == 2:
        content = bytearray()
    else:
        content = bytearray(b"nonsense" * 1000)
    with open(path, "wb") as file:
        file.write(content)


def case_damaged_entries():
    place = Place("damaged")
    write_pair(place)
    first = place.diff(*PAIR)
    for number in range(4):
        for index, path in enumerate(sorted(entries(place))):
            damage(path, number + index)
        run = place.diff(*PAIR)
        if run.findings() != first.findings():
            return f"damage changes the result: {run.findings()} {run.log}"
        if len(run.built) != len(first.built):
            return f"{len(first.built) - len(run.built)} damaged entries are used"
    return None


def case_exchanged_entries():
    """Each entry under another's name."""
    place = Place("exchanged")
    write_pair(place)
    first, paths = place.diff(*PAIR), sorted(entries(place))
    contents = [open(path, "rb").read() for path in paths]
    for path, content in zip(paths, contents[1:] + contents[:1]):
        with open(path, "wb") as file:
            file.write(content)
    run = place.diff(*PAIR)
    return expect(run.findings() == first.findings() and len(run.built) == len(first.built), "an entry of another name is used")


def case_runs_beside_each_other():
    place = Place("beside-each-other")
    write_pair(place)
    runs = [place.finish(process) for process in [place.start(*PAIR) for _ in range(4)]]
    last = place.diff(*PAIR)
    if any(run.findings() != last.findings() for run in runs):
        return "they disagree"
    return expect(last.status == 1 and not last.built, f"a run after them builds {last.built}")


def case_no_directory():
    place = Place("no-directory")
    write_pair(place)
    file = place.write("file", "")
    first = place.diff(*PAIR)
    nowhere = {"PENUMBRA_CACHE": None, "XDG_CACHE_HOME": None, "HOME": None}
    for name, environment in (("a file", {"PENUMBRA_CACHE": file}), ("below a file", {"PENUMBRA_CACHE": file + "/x"}),
                              ("nowhere", nowhere)):
        for _ in range(2):
            run = place.diff(*PAIR, environment=environment)
            if run.findings() != first.findings() or not run.built or run.cached:
                return f"{name}: {run.log}"
    return None


def case_where_it_is():
    place = Place("where")
    write_pair(place)
    home = {"PENUMBRA_CACHE": None, "XDG_CACHE_HOME": None, "HOME": os.path.join(place.path, "home")}
    general = {**home, "XDG_CACHE_HOME": os.path.join(place.path, "general")}
    place.diff(*PAIR, environment=home)
    place.diff(*PAIR, environment=general)
    for directory in ("home/.cache/penumbra", "general/penumbra"):
        if not os.path.isdir(os.path.join(place.path, directory)):
            return f"there is no {directory}"
    return expect(not place.diff(*PAIR, environment=general).built, "it is not used")


def case_others_may_write():
    place = Place("others")
    write_pair(place)
    os.makedirs(place.cache)
    os.chmod(place.cache, 0o777)
    run = place.diff(*PAIR)
    return expect(not entries(place) and run.built and "others may write" in run.log, "a cache that others may write into is used")


def case_no_cache():
    place = Place("no-cache")
    write_pair(place)
    place.diff(*PAIR, "--no-cache")
    return expect(not os.path.exists(place.cache), "--no-cache writes into the cache")


def case_size():
    place = Place("size")
    write_pair(place)
    first = place.diff(*PAIR)
    full = sum(os.path.getsize(path) for path in entries(place))
    place.write("limit.h", limit(9))
    place.diff(*PAIR, environment={"PENUMBRA_CACHE_SIZE": str(full / 2e6)})
    kept = sum(os.path.getsize(path) for path in entries(place))
    place.write("limit.h", limit(5))
    return expect(0 < kept <= full / 2, f"{kept} bytes are kept, {full / 2} may be") or \
        expect(place.diff(*PAIR).findings() == first.findings(), "what is left says something else")


# ---- what the tool says of its work ----


def case_log():
    place = Place("log")
    write_pair(place)
    command = [PENUMBRA, "diff", *PAIR, "--quiet", "--no-cache"]

    def errors(*options):
        return subprocess.run([*command, *options], cwd=place.path, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True).stderr
    if errors() or errors("--log", "error"):
        return "something is said without being asked for"
    info, debug = errors("--log", "info"), errors("--log", "debug")
    if ": compiling " not in info or "clang-19 " in info:
        return f"info: {info[:400]}"
    if "clang-19 " not in debug or any(not line.startswith("penumbra: ") for line in debug.splitlines()):
        return f"debug: {debug[:400]}"
    return expect("takes error|warning|info|debug" in errors("--log", "loud"), "--log takes anything")


# ---- what is built at all ----


def case_only_what_is_needed():
    """Where no path differs, neither version's own checks are built, nor UBSan's programs, nor the exchanged program."""
    place = Place("needed")
    place.write("old.c", "int f(int x)\n{\n    return x * 2;\n}\n")
    place.write("new.c", "int f(int x)\n{\n    return x + x;\n}\n")
    run = place.diff("old.c", "new.c", "--entry", "f")
    if run.report["verdict"] != "equivalent":
        return f"verdict {run.report['verdict']}"
    words = ("-undefined", "-exchanged", "programOLD", "programNEW")
    needless = [line for line in run.built if any(word in line for word in words)]
    if not run.built or needless:
        return f"built without need: {needless}"
    for version, operator in (("old", ">"), ("new", ">=")):
        place.write(f"{version}.c", f"int f(int x)\n{{\n    if (x {operator} 3)\n        return 7;\n    return x;\n}}\n")
    run = place.diff("old.c", "new.c", "--entry", "f")
    missing = [word for word in words if not any(word in line for line in run.built)]
    return expect(not missing, f"not built: {missing}")


def row(name, case):
    def check():
        complaint = case()
        assert not complaint, complaint
    return name[len("case_"):].replace("_", "-"), check


ROWS = [row(name, case) for name, case in list(globals().items()) if name.startswith("case_")]
# every second one, unless all are asked for: make test-long has the others
sys.exit(run_rows(ROWS if os.environ.get("PENUMBRA_TEST_ALL") or os.environ.get("PENUMBRA_TEST_CASES") else ROWS[::2]))

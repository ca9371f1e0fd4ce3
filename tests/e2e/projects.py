#!/usr/bin/env python3
"""Whole projects: both versions are built by their own build system, a program is chosen, its test suite gives the seeds."""

import json
import os
import shutil
import signal
import subprocess
import sys
import textwrap
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "programs"))
from running import PENUMBRA, SCRATCH, run_rows  # noqa: E402

COMPILER = os.path.join(os.path.dirname(PENUMBRA), "penumbra-cc")
CACHE = os.path.join(SCRATCH, "projects-cache")
ROWS = []

# A Makefile that insists on gcc, a generated header, flags with quotes, an archive of which the program needs a part, a shared library,
# and a second program that defines the same names.
PROJECT = {
    "Makefile": """\
        CC = gcc
        CFLAGS = -O2 -Ilib -I. -D_FORTIFY_SOURCE=2 -DTITLE='"the list"'
        all: tools/sum tools/other
        config.h: Makefile
        \techo '#define LIMIT 100' > config.h
        lib/libparts.a: lib/clamp.o lib/spare.o
        \tar rcs $@ $^
        lib/libshared.so: lib/shared.c
        \t$(CC) $(CFLAGS) -fPIC -shared -o $@ $<
        tools/sum.o: tools/sum.c config.h
        tools/sum: tools/sum.o lib/libparts.a lib/libshared.so
        \t$(CC) -o $@ tools/sum.o -Llib -lparts -lshared -lm -Wl,-rpath,'$$ORIGIN/../lib'
        tools/other: tools/other.c
        \t$(CC) $(CFLAGS) -o $@ $<
        check: all
        \techo 1 2 | tools/sum -n
        \techo 1 2 | tools/sum -n
        \tmkdir -p checked && cd checked && echo 3 > three && ../tools/sum ../data three </dev/null
        \ttools/sum -h
        """,
    "data": "4 5\n",
    "lib/clamp.c": """\
        #include "parts.h"
        int clamp(int value, int limit)
        {
            if (value > limit)
                return limit;
            return value;
        }
        """,
    "lib/parts.h": "int clamp(int value, int limit);\nint doubled(int value);\n",
    "lib/spare.c": "int spare(void) { return missing_everywhere(); }\nint kept(int value) { return value + 1; }\n",
    "lib/shared.c": '#include "parts.h"\nint doubled(int value) { return 2 * value; }\n',
    "tools/sum.c": """\
        #include "config.h"
        #include "parts.h"
        #include <libintl.h>
        #include <math.h>
        #include <stdio.h>
        #include <string.h>
        static int add(FILE *file)
        {
            int value, sum = 0;
            while (file && fscanf(file, "%d", &value) == 1)
                sum += value;
            return sum;
        }
        int main(int argc, char **argv)
        {
            int sum = 0, names = 0;
            setlocale(LC_ALL, "C"); /* which <libintl.h> has declared, since the build optimises */
            if (argc > 1 && !strcmp(argv[1], "-h")) {
                puts(TITLE);
                return 0;
            }
            for (int i = 1; i < argc; i++)
                if (argv[i][0] != '-')
                    sum += add(fopen(argv[i], "r")), names++;
            if (!names)
                sum = clamp(add(stdin), LIMIT);
            printf("%d %g\\n", doubled(sum), sqrt(fabs((double)sum)));
            return 0;
        }
        """,
    "tools/other.c": '#include <stdio.h>\nint clamp(int value) { return value; }\nint main(void) { printf("%d\\n", clamp(3)); return 0; }\n',
}
CLAMP = ("lib/clamp.c", "value > limit", "value >= limit - 1")
SHARED = ("lib/shared.c", "2 * value", "value == 7 ? 0 : 2 * value")


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as file:
        file.write(textwrap.dedent(text))


def make_trees(place, *changes):
    shutil.rmtree(place, ignore_errors=True)
    for version in "old", "new":
        for name, text in PROJECT.items():
            write(os.path.join(place, version, name), text)
    for name, old, new in changes:
        path = os.path.join(place, "new", name)
        with open(path) as file:
            text = file.read()
        assert old in text, f"{old} is not in {name}"
        write(path, text.replace(old, new))


def penumbra(place, *arguments, cache=CACHE, **environment):
    return subprocess.run([PENUMBRA, *arguments], cwd=place, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          env={**os.environ, "PENUMBRA_CACHE": cache, **environment})


def until(condition):
    for _ in range(600):
        if condition():
            return
        time.sleep(0.1)
    raise AssertionError("it does not come to that")


def row(*changes):
    def take(function):
        place = os.path.join(SCRATCH, "project-" + function.__name__)

        def check():
            make_trees(place, *changes)
            function(place)
        ROWS.append((function.__name__.replace("_", " "), check))
        return function
    return take


def expect(done, status, *words):
    assert done.returncode == status, f"exit status {done.returncode}: {done.stdout[-1500:]}{done.stderr[-900:]}"
    for word in words:
        assert word in done.stdout + done.stderr, f"{word!r} is not in {done.stdout[-1500:]}{done.stderr[-900:]}"
    return done


DIFF = ("diff", "old", "new", "--out", "results", "--time", "60")


@row(CLAMP)
def functions_of_a_built_tree(place):
    cache = place + "/cache"
    expect(penumbra(place, *DIFF, "--build", "make", cache=cache), 1, "clamp() at lib/clamp.c: different", "old was built in", "new was built in")
    # only what changed is built again, and it is not there that the user's trees are
    assert not os.path.exists(os.path.join(place, "old/config.h"))
    expect(penumbra(place, *DIFF, "--build", "make", "--out", "again", cache=cache), 1, "old was built before", "new was built before")


@row(CLAMP)
def trees_behind_links(place):
    """The build is not done in the user's trees."""
    for version in "old", "new":
        os.symlink(version, os.path.join(place, "link-" + version))
    expect(penumbra(place, "diff", "link-old", "link-new", "--out", "results", "--time", "60", "--build", "make"), 1, "clamp() at lib/clamp.c: different")
    assert not os.path.exists(os.path.join(place, "old/config.h")) and not os.path.exists(os.path.join(place, "new/config.h"))


@row(("lib/spare.c", "value + 1", "value + 2"))
def what_an_entry_does_not_reach_need_not_be_there(place):
    """No program has the file: the whole tree counts."""
    expect(penumbra(place, *DIFF, "--build", "make"), 1, "kept() at lib/spare.c: different")


@row(("lib/clamp.c", "int clamp(int value, int limit)\n{", "int clamp(int value, int limit)\n{\n    value = doubled(value);"),
     ("tools/other.c", "#include <stdio.h>", "#include <stdio.h>\nint doubled(int x) { return x; }"))
def names_that_two_programs_define(place):
    """doubled() is defined in lib/shared.c, and in a file of another program."""
    shutil.copy(os.path.join(place, "new/tools/other.c"), os.path.join(place, "old/tools/other.c"))
    done = expect(penumbra(place, *DIFF, "--build", "make"), 1, "clamp() at lib/clamp.c: different", "files and flags are those of tools/sum")
    assert "is defined in 2 files" not in done.stdout, done.stdout


@row(CLAMP)
def a_program_with_arguments(place):
    write(os.path.join(place, "given"), "7 8\n")
    done = penumbra(place, *DIFF, "--build", "make", "--program", "tools/sum", "--stdin", "given", "--first")
    expect(done, 1, "output", "lib/clamp.c:4")


@row(SHARED)
def a_change_in_a_shared_library_of_the_project(place):
    write(os.path.join(place, "given"), "6\n")
    expect(penumbra(place, *DIFF, "--build", "make", "--program", "sum", "--stdin", "given", "--first"), 1, "old  14")


@row(CLAMP)
def the_only_program_that_differs(place):
    write(os.path.join(place, "given"), "7 8\n")
    expect(penumbra(place, *DIFF, "--build", "make", "--stdin", "given", "--first"), 1, "output")


@row(CLAMP, ("tools/other.c", "clamp(3)", "clamp(4)"))
def several_programs_that_differ(place):
    expect(penumbra(place, *DIFF, "--build", "make", "--", "1"), 2, "several programs are made of files that differ: tools/other (of "
           "tools/other.c), tools/sum (of lib/clamp.c); --program names one of them")


def add_small_program(place):
    """It is smaller than the other one, and has the file that differs, but nothing of what does."""
    for version in "old", "new":
        write(os.path.join(place, version, "tools/small.c"), "int clamp(int, int);\nint main(int argc, char **argv) { (void)argv; return clamp(argc, 3); }\n")
        for name, old, new in (("Makefile", "tools/other\n", "tools/other tools/small\ntools/small: tools/small.c lib/clamp.c\n"
                                "\t$(CC) $(CFLAGS) -DSMALL -o $@ $^\n"),
                               ("lib/clamp.c", "{\n    if", "{\n#ifndef SMALL\n    if"), ("lib/clamp.c", "limit;\n", "limit;\n#endif\n")):
            path = os.path.join(place, version, name)
            with open(path) as file:
                text = file.read()
            assert old in text, f"{old} is not in {name}"
            write(path, text.replace(old, new, 1))


@row(CLAMP)
def a_program_that_has_nothing_of_the_change(place):
    add_small_program(place)
    expect(penumbra(place, *DIFF, "--build", "make"), 1, "clamp() at lib/clamp.c: different", "files and flags are those of tools/sum")
    expect(penumbra(place, *DIFF, "--build", "make", "--", "-n"), 1, "different")


@row(CLAMP)
def a_program_without_the_change(place):
    expect(penumbra(place, *DIFF, "--build", "make", "--program", "tools/other"), 0, "no file that tools/other is made of differs",
           "equivalent")


@row(CLAMP)
def built_by_hand(place):
    for version in "old", "new":
        subprocess.run(["make", "-s", "CC=" + COMPILER], cwd=os.path.join(place, version), check=True, stderr=subprocess.DEVNULL)
    write(os.path.join(place, "given"), "7 8\n")
    expect(penumbra(place, *DIFF, "--program", "tools/sum", "--stdin", "given", "--first"), 1, "lib/clamp.c:4")


@row(CLAMP)
def seeds_from_the_test_suite(place):
    done = penumbra(place, *DIFF, "--build", "make", "--program", "tools/sum", "--test", "make check", "--first")
    expect(done, 1, "the test suite has started tools/sum 4 times, some of them alike", "of 3 different starts 1 reach", "1 is the seed",
           "lib/clamp.c:4")
    with open(os.path.join(place, "results/report.json")) as file:
        starts = json.load(file)["starts"]
    assert starts == {"recorded": 4, "different": 3, "oversized": 0, "touching": 1, "seeds": 1}, starts
    listed = expect(penumbra(place, "seeds", "results"), 0).stdout
    assert "00001 sc" in listed and "-n < stdin" in listed, listed
    # a file that lies elsewhere has come along
    assert " data three" in listed, listed
    again = penumbra(place, *DIFF, "--build", "make", "--program", "tools/sum", "--test", "make check", "--first", "--out", "again")
    assert "running the tests" not in again.stderr, again.stderr


@row(("tools/sum.c", "sum += value", "sum += value == 9 ? 8 : value"))
def a_file_of_a_test_is_an_input(place):
    done = penumbra(place, *DIFF, "--build", "make", "--program", "tools/sum", "--test", "make check", "--first", "--invocation", "3")
    expect(done, 1, "1 is the seed", "tools/sum.c")


@row()
def a_test_that_runs_among_many_files(place):
    """They are not copied; what the program opens there by itself is found all the same."""
    for version, limit in ("old", 5), ("new", 6):
        path = os.path.join(place, version, "tools/sum.c")
        with open(path) as file:
            text = file.read().replace("int sum = 0, names = 0;", "int sum = add(fopen(\"table\", \"r\")), names = 0;\n    if (sum == 7 && argc > 2 "
                                       f"&& atoi(argv[2]) == {limit})\n        return 3;")
        write(path, "#include <stdlib.h>\n" + text)
    done = penumbra(place, *DIFF, "--build", "make", "--program", "tools/sum", "--first", "--test",
                    "mkdir many && cd many && touch 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 && echo 7 > table && ../tools/sum -n 1 </dev/null")
    expect(done, 1, "tools/sum.c")


@row(CLAMP)
def test_suites_that_fail_or_hang(place):
    common = (*DIFF, "--build", "make", "--program", "tools/sum", "--first")
    expect(penumbra(place, *common, "--test", "make check; exit 7"), 1, "the test suite fails, with exit status 7")
    expect(penumbra(place, *common, "--test", "make check; sleep 100", "--test-time", "5"), 1, "the test suite did not end in 5 s")
    expect(penumbra(place, *common, "--test", "true"), 2, "the test suite has not started tools/sum")


@row(CLAMP)
def builds_that_fail(place):
    expect(penumbra(place, *DIFF, "--build", "echo alas; exit 3"), 2, "the build of old failed", "\n    alas")
    write(os.path.join(place, "new/tools/other.c"), "int main(void) { return x; }\n")
    expect(penumbra(place, *DIFF, "--build", "make"), 2, "the build of new failed", "use of undeclared identifier 'x'")
    expect(penumbra(place, *DIFF, "--build", "true"), 2, "made nothing with penumbra cc")
    expect(penumbra(place, *DIFF, "--program", "tools/sum"), 2, "neither old nor new was built with penumbra cc: --build COMMAND")
    expect(penumbra(place, "diff", "old/tools/sum.c", "new/tools/sum.c", "--build", "make"), 2, "is one file")


@row(CLAMP)
def programs_that_are_not_there(place):
    expect(penumbra(place, *DIFF, "--build", "make", "--program", "sums"), 2,
           "new has no program 'sums' that was built with penumbra cc; there is tools/other, tools/sum")
    expect(penumbra(place, "seeds", "old"), 2, "holds no starts")
    expect(penumbra(place, "seeds", "absent"), 2, "cannot read absent")


@row(CLAMP)
def a_patch_that_the_tree_has_already(place):
    difference = subprocess.run(["diff", "-ru", "old", "new"], cwd=place, stdout=subprocess.PIPE, text=True).stdout
    write(os.path.join(place, "fix.patch"), difference)
    expect(penumbra(os.path.join(place, "new"), "diff", "--patch", "../fix.patch", "--out", "../results", "--build", "make"), 1,
           "the tree has the patch already", "clamp() at lib/clamp.c: different")


@row()
def a_patch_that_would_apply_twice(place):
    """It adds what is there already; quilt knows that it was applied."""
    clamp = os.path.join(place, "new/lib/clamp.c")
    guard = "    if (value < 0)\n        return 0;\n"
    write(clamp, "int clamp(int value, int limit)\n{\n    (void)limit;\n    (void)limit;\n    (void)limit;\n" + guard + guard
          + "    return value;\n}\n")
    write(os.path.join(place, "old/lib/clamp.c"), open(clamp).read().replace(guard, "", 2))
    write(clamp, open(clamp).read().replace(guard, "", 1))
    difference = subprocess.run(["diff", "-U1", "old/lib/clamp.c", "new/lib/clamp.c"], cwd=place, stdout=subprocess.PIPE, text=True).stdout
    write(os.path.join(place, "new/debian/patches/guard.patch"), difference)
    write(os.path.join(place, "new/.pc/applied-patches"), "guard.patch\n")
    done = penumbra(os.path.join(place, "new"), "diff", "--patch", "debian/patches/guard.patch", "--out", "../results", "--time", "60")
    expect(done, 1, "the tree has the patch already", "clamp() at lib/clamp.c: different")


@row(CLAMP)
def a_patch_below_others_of_a_series(place):
    """Only when what comes behind it is taken back can it be."""
    patches = os.path.join(place, "new/debian/patches")
    difference = subprocess.run(["diff", "-ru", "old", "new"], cwd=place, stdout=subprocess.PIPE, text=True).stdout
    write(os.path.join(place, "later/lib/clamp.c"), open(os.path.join(place, "new/lib/clamp.c")).read().replace("limit - 1", "limit - 2"))
    later = subprocess.run(["diff", "-u", "new/lib/clamp.c", "later/lib/clamp.c"], cwd=place, stdout=subprocess.PIPE, text=True).stdout
    write(os.path.join(patches, "first.patch"), difference)
    write(os.path.join(patches, "second.patch"), later)
    write(os.path.join(patches, "series"), "# what Debian changes\nfirst.patch\nsecond.patch -p1\n")
    shutil.copy(os.path.join(place, "later/lib/clamp.c"), os.path.join(place, "new/lib/clamp.c"))
    done = penumbra(os.path.join(place, "new"), "diff", "--patch", "debian/patches/first.patch", "--out", "../results", "--time", "60")
    expect(done, 1, "the versions are without what comes behind it in its series", "+     if (value >= limit - 1)".replace("+     ", "+ "))


@row(CLAMP)
def revisions_of_a_repository(place):
    repository = os.path.join(place, "repository")
    shutil.copytree(os.path.join(place, "old"), repository)
    git = ["git", "-C", repository, "-c", "user.name=x", "-c", "user.email=x@y"]
    for version in "old", "new":
        shutil.copytree(os.path.join(place, version), repository, dirs_exist_ok=True)
        subprocess.run([*git, "init", "-q"], check=True)
        subprocess.run([*git, "add", "-A"], check=True)
        subprocess.run([*git, "commit", "-q", "-m", version], check=True)
    expect(penumbra(repository, "diff", "--git", "HEAD~1..HEAD", "--build", "make", "--out", "../results", "--time", "60"), 1,
           "HEAD was built", "clamp() at lib/clamp.c: different")


@row(CLAMP)
def what_is_not_committed(place):
    repository = os.path.join(place, "old")
    git = ["git", "-C", repository, "-c", "user.name=x", "-c", "user.email=x@y"]
    for arguments in ("init", "-q"), ("add", "-A"), ("commit", "-q", "-m", "old"):
        subprocess.run([*git, *arguments], check=True)
    shutil.copy(os.path.join(place, "new/lib/clamp.c"), os.path.join(repository, "lib/clamp.c"))
    diff = ("diff", "--out", "../results", "--time", "60", "--git")
    expect(penumbra(repository, *diff, "HEAD"), 1, "clamp() at lib/clamp.c: different")
    expect(penumbra(repository, *diff, "HEAD", "--cached"), 0, "equivalent")
    subprocess.run([*git, "add", "-A"], check=True)
    expect(penumbra(repository, *diff, "HEAD", "--cached"), 1, "clamp() at lib/clamp.c: different")
    expect(penumbra(repository, *diff, "HEAD..HEAD", "--cached"), 2, "--git takes two revisions")
    expect(penumbra(repository, "diff", "--cached"), 2, "--git HEAD --cached")


@row(CLAMP)
def an_interrupt_ends_the_build(place):
    marker = f"4{os.getpid()}"
    started = subprocess.Popen([PENUMBRA, *DIFF, "--build", f"sh -c 'sleep {marker}; true'"], cwd=place, stderr=subprocess.DEVNULL,
                               env={**os.environ, "PENUMBRA_CACHE": CACHE})
    asleep = lambda: subprocess.run(["pgrep", "-f", f"^sleep {marker}"], stdout=subprocess.DEVNULL).returncode == 0  # noqa: E731
    until(asleep)
    started.send_signal(signal.SIGINT)
    assert started.wait(timeout=30) == -signal.SIGINT
    until(lambda: not asleep())


if __name__ == "__main__":
    sys.exit(run_rows(ROWS))

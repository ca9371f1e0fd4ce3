#!/usr/bin/env python3
"""penumbra cc: what it makes is what clang makes, and each program knows the files that it was made from."""

import json
import os
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "programs"))
from running import PENUMBRA, SCRATCH, run_rows  # noqa: E402

COMPILER = os.path.join(os.path.dirname(PENUMBRA), "penumbra-cc")
FILES = {
    "main.c": '#include "part.h"\n#include <stdio.h>\nint main(void) { printf("%d\\n", part() + NUMBER); return 0; }\n',
    "part.c": '#include "part.h"\nint part(void) { return 40; }\n',
    "part.h": "int part(void);\n#ifndef NUMBER\n#define NUMBER 2\n#endif\n",
    "other.c": "int other(void) { return 1; }\n",
    "odd name's.c": "int odd(void) { return 1; }\n",
    "broken.c": "int f( { }\n",
    "fast.s": ".globl fast\n.text\nfast: mov $2, %eax\nret\n",
    "lenient.c": 'int main(void) { puts("yes"); return 0; }\n',
}
ROWS = []


def row(function):
    ROWS.append((function.__name__.replace("_", " "), lambda: function(make_place(function.__name__))))
    return function


def make_place(name):
    place = os.path.join(SCRATCH, "compiler-" + name)
    shutil.rmtree(place, ignore_errors=True)
    os.makedirs(place)
    for path, text in FILES.items():
        with open(os.path.join(place, path), "w") as file:
            file.write(text)
    return place


def run(place, *command, status=0, **environment):
    done = subprocess.run(command, cwd=place, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, **environment})
    assert done.returncode == status, f"{command}: exit status {done.returncode}, {done.stdout[-500:]}{done.stderr[-500:]}"
    return done.stdout


def cc(place, *arguments, **more):
    return run(place, COMPILER, *arguments, **more)


def section(place, path, name):
    """The records in a section; none where there is no such section."""
    copy = os.path.join(place, "section.bin")
    if os.path.exists(copy):
        os.unlink(copy)
    run(place, "objcopy", "-O", "binary", "--only-section=" + name, "--set-section-flags", name + "=alloc", path, copy)
    with open(copy) as file:
        return [json.loads(line) for line in file.read().replace("\0", "").splitlines()]


def units(place, path):
    return sorted(os.path.relpath(os.path.join(one["directory"], one["file"]), os.path.realpath(place)) for one in section(place, path, ".penumbra.unit"))


@row
def objects_and_a_program(place):
    cc(place, "-c", "-O2", "-DNUMBER=3", "main.c", "-o", "main.o")
    cc(place, "-c", "part.c")
    cc(place, "main.o", "part.o", "-o", "program")
    assert run(place, "./program") == "43\n"
    assert units(place, "program") == ["main.c", "part.c"]
    unit = section(place, "main.o", ".penumbra.unit")[0]
    assert "-DNUMBER=3" in unit["arguments"] and "-O2" in unit["arguments"]
    assert [os.path.basename(one) for one in unit["dependencies"]] == ["part.h"], unit["dependencies"]
    link = section(place, "program", ".penumbra.link")
    assert len(link) == 1 and link[0]["output"] == "program" and not link[0]["shared"], link


@row
def compiled_and_linked_at_once(place):
    cc(place, "-DNUMBER=1", "main.c", "part.c", "-lm")
    assert run(place, "./a.out") == "41\n"
    assert units(place, "a.out") == ["main.c", "part.c"]
    assert sorted(os.listdir(place)) == sorted([*FILES, "a.out", "section.bin"]), os.listdir(place)


@row
def the_linker_takes_what_it_needs_of_an_archive(place):
    for name in "main", "part", "other":
        cc(place, "-c", name + ".c")
    run(place, "ar", "rcs", "libparts.a", "part.o", "other.o")
    run(place, "ranlib", "libparts.a")
    cc(place, "main.o", "-L.", "-lparts", "-o", "program")
    assert units(place, "program") == ["main.c", "part.c"]


@row
def partial_links_and_shared_libraries(place):
    cc(place, "-c", "-fPIC", "part.c", "other.c")
    run(place, "ld", "-r", "-o", "both.o", "part.o", "other.o")
    assert units(place, "both.o") == ["other.c", "part.c"]
    cc(place, "-shared", "-o", "libboth.so", "both.o")
    assert units(place, "libboth.so") == ["other.c", "part.c"]
    assert section(place, "libboth.so", ".penumbra.link")[0]["shared"]
    cc(place, "-r", "-nostdlib", "-o", "again.o", "both.o")
    assert units(place, "again.o") == ["other.c", "part.c"]


@row
def response_files_and_odd_names(place):
    with open(os.path.join(place, "arguments"), "w") as file:
        file.write("-c -o odd.o 'odd name'\\''s.c'\n")
    cc(place, "@arguments")
    assert units(place, "odd.o") == ["odd name's.c"]


@row
def link_time_optimisation_is_left_out(place):
    cc(place, "-flto", "-O2", "-c", "main.c", "part.c")
    cc(place, "-flto", "main.o", "part.o", "-o", "program")
    assert units(place, "program") == ["main.c", "part.c"]


@row
def assembler_files(place):
    cc(place, "-c", "fast.s")
    with open(os.path.join(place, "calls.c"), "w") as file:
        file.write("int fast(void);\nint main(void) { return fast(); }\n")
    cc(place, "calls.c", "fast.o", "-o", "program")
    run(place, "./program", status=2)
    assert units(place, "program") == ["calls.c"]


@row
def what_makes_no_object_is_clang_alone(place):
    for arguments in ("-E", "main.c"), ("-M", "main.c"), ("-S", "-o", "-", "part.c"), ("--version",), ("-print-search-dirs",):
        assert cc(place, *arguments) == run(place, "clang-19", *arguments), arguments
    cc(place, "-c", "-MD", "-MF", "rule", "main.c")
    with open(os.path.join(place, "rule")) as file:
        assert "main.o: main.c part.h" in file.read()


@row
def from_standard_input(place):
    done = subprocess.run([COMPILER, "-x", "c", "-c", "-o", "piped.o", "-"], input="int x;\n", text=True, cwd=place)
    assert done.returncode == 0 and os.path.exists(os.path.join(place, "piped.o"))


@row
def switched_off_it_leaves_nothing(place):
    cc(place, "main.c", "part.c", "-o", "program", PENUMBRA_CC="plain")
    assert ".penumbra" not in run(place, "readelf", "-S", "program")


@row
def errors_are_those_of_the_compiler(place):
    cc(place, "-c", "broken.c", status=1)
    assert not os.path.exists(os.path.join(place, "broken.o"))
    cc(place, "absent.c", status=1)
    cc(place, "main.c", "-o", "program", status=1)
    cc(place, "@absent", status=1)


@row
def what_gcc_warns_of_is_no_error(place):
    cc(place, "lenient.c", "-o", "program")
    assert run(place, "./program") == "yes\n"
    cc(place, "-Werror=implicit-function-declaration", "-c", "lenient.c", status=1)
    with open(os.path.join(place, "unused.c"), "w") as file:
        file.write("static int unused;\n")
    cc(place, "-Wall", "-Werror", "-c", "unused.c")
    os.rename(os.path.join(place, "unused.c"), os.path.join(place, "conftest.c"))
    cc(place, "-Wall", "-Werror", "-c", "conftest.c", status=1)


if __name__ == "__main__":
    sys.exit(run_rows(ROWS))

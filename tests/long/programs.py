#!/usr/bin/env python3
"""Instrumented programs do what native ones do: programs of Debian source packages, which are downloaded (PENUMBRA_TEST_SOURCES names a
directory that keeps them), each on fifty invocations. Standard output, standard error, exit status and files that are left are compared."""

import glob
import os
import random
import shlex
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "random"))
import debian  # noqa: E402

PENUMBRA, SCRATCH = os.environ["PENUMBRA"], os.environ["SCRATCH"]
SOURCES = os.environ.get("PENUMBRA_TEST_SOURCES", os.path.join(SCRATCH, "sources"))
COUNT = int(os.environ.get("PENUMBRA_TEST_COUNT", 50))
CLANG = "clang-19"

WORDS = "the quick brown fox jumps over a lazy dog 12 -7 0x1f 3.5e2 [a-z]* \\n \t ; { } ( ) == != $x %d".split(" ")


def text(dice, longest=400):
    """Lines of words, sometimes with what few programs expect."""
    lines = [" ".join(dice.choice(WORDS) for _ in range(dice.randrange(9))) for _ in range(dice.randrange(longest // 20))]
    joined = dice.choice(["\n", "\n", "\r\n", "\n\n"]).join(lines) + dice.choice(["", "\n"])
    return (joined + dice.choice(["", "", "\x00", "\xe9\xff"])).encode("latin-1")


def options(dice, *choices):
    return [word for choice in choices if dice.randrange(2) for word in dice.choice(choice).split()]


AWK = ["{ print $2, NF }", "{ n += length($0) } END { print n, NR }", "/o/ { gsub(/o+/, \"<&>\"); print }", "BEGIN { for (i = 0; i < 20; i++) printf \"%d %x %5.2f|\", i, i * i, i / 7 }",
       "{ c[$1]++ } END { for (w in c) s += c[w]; print s }", "{ print toupper(substr($0, 3, 8)) }", "{ print index($0, \"fox\"), match($0, /[0-9]+/), RSTART }",
       "BEGIN { x[1]; print (1 in x), (2 in x); print 2 ^ 10 % 7, -3 % 2, int(-3.7), \"a\" < \"b\", 1e6, 1e300 * 1e300 }", "NR % 2 { next } { print NR \": \" $0 }",
       "BEGIN { printf \"%s %c %-5d| %05d %e\", \"s\", 65, 3, 42, 12345.678; print split(\"a:b:c\", p, \":\") p[2] }", "{ print > \"written\" }", "BEGIN { getline line; print line; exit 3 }"]
ED = ["1p\nq\n", "a\nnew line\n.\nw written\nq\n", ",s/o/0/g\n,p\nQ\n", "$p\n1d\n.=\nQ\n", "g/the/s//THE/p\nQ\n", "2,3j\n,n\nQ\n", "1m$\n,l\nQ\n", "/fox/p\n?the?p\nQ\n", "x\nh\nH\n99p\nQ\n", "1t.\nu\n,p\nwq\n"]
UNITS = [("3 miles", "km"), ("1 + 2", ""), ("5 lb", "kg"), ("tempF(98.6)", "tempC"), ("sqrt(2) m", "cm"), ("2^10", ""), ("10 furlong/fortnight", "m/s"), ("nonsense", ""), ("c", "mph"), ("1/0", "")]

# package: files, flags, libraries, what is done first, and (arguments, standard input, files) of an invocation
PROGRAMS = {
    "bzip2": (["bzip2.c", "blocksort.c", "huffman.c", "crctable.c", "randtable.c", "compress.c", "decompress.c", "bzlib.c"], "-D_FILE_OFFSET_BITS=64", [], None,
              lambda dice: (options(dice, ["-z", "-d", "-t"], ["-1", "-9", "-s"], ["-v", "-q", "-vv"], ["-k"], ["-c", "-f"]) + dice.choice([["data"], ["nothing"], []]), text(dice, 3000),
                            {"data": text(dice, 6000)})),
    "figlet": (["figlet.c", "zipio.c", "crc.c", "inflate.c", "utf8.c"], "-DDEFAULTFONTDIR=\"{tree}/fonts\" -DDEFAULTFONTFILE=\"standard.flf\"", [], None,
               lambda dice: (options(dice, ["-c", "-l", "-r"], ["-w 40", "-w 120", "-w 1"], ["-k", "-W", "-o", "-S", "-s"], ["-f small", "-f slant", "-f none"], ["-p", "-n"], ["-m 2", "-m -1"])
                             + dice.choice([["some", "words"], []]), text(dice, 200), {})),
    "ncompress": (["compress42.c"], "-DUSERMEM=800000 -DREGISTERS=3 -DBYTEORDER=1234 -DNOALLIGN=1 -DUTIME_H -DDIRENT -DCOMPILE_DATE=\"now\" -DNOFUNCDEF -DMAXSEG_64K=0", [], None,
                  lambda dice: (options(dice, ["-d", "-c"], ["-b 9", "-b 12", "-b 16"], ["-v", "-f"]) + dice.choice([["data"], []]), text(dice, 4000), {"data": text(dice, 4000)})),
    "tree": (["*.c"], "-DLINUX -D_LARGEFILE64_SOURCE -D_FILE_OFFSET_BITS=64", [], None,
             lambda dice: (options(dice, ["-a", "-d", "-f"], ["-L 1", "-L 2", "-L 0"], ["-J", "-X", "-H ."], ["-P d*", "-I one"], ["--noreport", "--dirsfirst", "-r", "-U"], ["-i", "-Q", "-q", "-N"]), b"",
                           {"one": b"1", "dir/two": b"2", "dir/deep/three": b"", ".hidden": b""})),
    "ed": (["buffer.c", "carg_parser.c", "global.c", "io.c", "main.c", "main_loop.c", "regex.c", "signal.c"], "-DPROGVERSION=\"1.19\"", [], None,
           lambda dice: (options(dice, ["-s", "-G", "-l"], ["-p %", "-v"]) + dice.choice([["data"], ["nothing"], []]), dice.choice(ED).encode(), {"data": text(dice)})),
    "mawk": (["array.c", "bi_funct.c", "bi_vars.c", "cast.c", "code.c", "da.c", "error.c", "execute.c", "fcall.c", "field.c", "files.c", "fin.c", "hash.c", "init.c", "jmp.c", "kw.c", "main.c", "matherr.c",
              "memory.c", "parse.c", "print.c", "re_cmpl.c", "regexp.c", "scan.c", "scancode.c", "split.c", "version.c", "zmalloc.c"], "-I. -DHAVE_CONFIG_H -DLOCAL_REGEXP", ["m"],
             "./configure -q && make",
             lambda dice: (options(dice, ["-F :", "-F o"], ["-v x=3"]) + [dice.choice(AWK)] + dice.choice([["data"], []]), text(dice), {"data": text(dice)})),
    "units": (["units.c", "parse.tab.c", "strfunc.c", "getopt.c", "getopt1.c"], "-I. -DUNITSFILE=\"{tree}/definitions.units\" -DDATADIR=\"{tree}\" -DLOCALEMAP=\"locale_map.txt\"", ["m"],
              "./configure -q && make units parse.tab.c",
              lambda dice: (options(dice, ["-t", "-v", "-1"], ["-o %.3g", "-d 4"], ["-q", "-s"]) + [word for word in dice.choice(UNITS) if word], b"", {})),
    "dos2unix": (["dos2unix.c", "common.c", "querycp.c"], "-DVER_REVISION=\"7\" -DVER_DATE=\"now\" -DVER_AUTHOR=\"us\" -DD2U_UNICODE -D_FILE_OFFSET_BITS=64", [], None,
                 lambda dice: (options(dice, ["-n data written", "-o data", "data"], ["-ascii", "-7", "-c mac", "-iso"], ["-q", "-v"], ["-f", "-s"], ["-l", "-e", "-i"]), text(dice, 600),
                               {"data": text(dice, 600)})),
}


def build(package, tree):
    """The native and the instrumented program."""
    files, flags, libraries, first, _ = PROGRAMS[package]
    if first and not os.path.exists(tree + "/.built"):
        done = debian.run(["sh", "-c", first], cwd=tree)
        if done.returncode:
            raise OSError(f"{first}: {done.stderr[-300:]}")
        open(tree + "/.built", "w", encoding="utf-8").close()
    sources = [path for name in files for path in sorted(glob.glob(os.path.join(tree, name)))]
    words = ["-w", "-I" + tree, *flags.replace("{tree}", tree).split()]
    native, instrumented = (os.path.join(SCRATCH, f"{package}-{kind}") for kind in ("native", "instrumented"))
    done = debian.run([CLANG, "-O1", "-fwrapv", *words, *sources, "-o", native, *("-l" + name for name in libraries)], cwd=tree)
    if done.returncode:
        raise OSError(f"it does not compile: {done.stderr[-300:]}")
    done = debian.run([PENUMBRA, "instrument", *sources, "--cflags", shlex.join(words), "-o", instrumented, *(f"--link={name}" for name in libraries)], cwd=tree)
    if done.returncode:
        raise OSError(f"it cannot be instrumented: {done.stderr[-300:]}")
    return native, instrumented


def run(program, place, invocation):
    """What is seen of it. The program has the same name, in the same directory."""
    arguments, given, files = invocation
    shutil.rmtree(place, ignore_errors=True)
    for name, content in files.items():
        path = os.path.join(place, "cwd", name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(content)
    os.makedirs(place + "/cwd", exist_ok=True)
    shutil.copy(program, place + "/program")
    try:
        done = subprocess.run(["../program", *arguments], cwd=place + "/cwd", input=given, capture_output=True, timeout=60, check=False,
                              env={"PATH": "/usr/bin:/bin", "LC_ALL": "C", "HOME": "/nonexistent"})
        seen = [done.returncode, done.stdout, done.stderr]
    except subprocess.TimeoutExpired:
        seen = ["does not end"]
    for path in sorted(glob.glob(place + "/cwd/**", recursive=True)):
        if os.path.isfile(path):
            with open(path, "rb") as file:
                seen.append((os.path.relpath(path, place), file.read()))
    return seen


def check(package, packages):
    tree = packages.tree(package)
    if not tree:
        raise OSError("the package cannot be fetched")
    native, instrumented = build(package, tree)
    dice = random.Random(package)
    place = os.path.join(SCRATCH, package + "-runs")
    statuses = set()
    for number in range(COUNT):
        invocation = PROGRAMS[package][4](dice)
        expected, seen = run(native, place, invocation), run(instrumented, place, invocation)
        if expected != seen:
            raise AssertionError(f"invocation {number}, {invocation[0]}: {str(expected)[:300]} natively, {str(seen)[:300]} instrumented")
        statuses.add(expected[0])
    return f"{COUNT} invocations, exit statuses {sorted(map(str, statuses))}"


def main():
    chosen = [name for name in PROGRAMS if not sys.argv[1:] or name in sys.argv[1:]]
    packages = debian.Packages(SOURCES)
    failed = 0
    print(f"1..{len(chosen)}")
    for package in chosen:
        try:
            print(f"ok {package}: {check(package, packages)}", flush=True)
        except (OSError, AssertionError) as problem:
            failed += 1
            print(f"not ok {package}: {problem}", flush=True)
    return failed > 0


sys.exit(main())

#!/usr/bin/env python3
"""Five thousand edits (tests/random/edits.py) of C files that people have written, from Debian's source packages, which are
downloaded (PENUMBRA_TEST_COUNT sets another number, PENUMBRA_TEST_SEED the first edit, PENUMBRA_TEST_SOURCES a directory that
keeps the packages). Each edited file is unified with the original and compared with both by LLVM IR: nothing may crash, and no
function may be merged into what it is not. An edit that makes no C is counted and passed over; so is a file that does not
compile as it is."""

import collections
import concurrent.futures
import glob
import itertools
import json
import os
import random
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "random"))
import debian  # noqa: E402
from edits import EDITS  # noqa: E402

PENUMBRA, SCRATCH = os.environ["PENUMBRA"], os.environ["SCRATCH"]
COUNT = int(os.environ.get("PENUMBRA_TEST_COUNT", 5000))
SOURCES = os.environ.get("PENUMBRA_TEST_SOURCES", os.path.join(SCRATCH, "sources"))
PACKAGES = ["bc", "hello", "tree", "figlet", "hostname", "sl", "time", "cjson", "libtommath", "zlib", "expat", "libyaml", "inih", "jansson",
            "lua5.4", "gzip", "bzip2", "minizip", "which", "lz4", "mawk", "giflib", "libpng1.6", "xxhash", "uthash", "libb64", "ncompress",
            "dash", "pigz", "rhash", "libmd", "unifdef", "cflow", "mujs", "mbedtls", "md4c", "libsodium", "zstd", "tcc", "cmark", "libwebp"]
LARGEST, MOST_FILES = 120_000, 12 # bytes of a file, files of a package
ATTEMPTS = 20 # files that are looked at for a place
STAND_INS = os.path.join(SOURCES, "stand-ins")
CLANG = ["clang-19", "-fsyntax-only", "-w", "-Werror=implicit-function-declaration", "-Wno-error"]


def run(command, cwd=None, limit=600):
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, errors="replace", timeout=limit, check=False,
                          stdin=subprocess.DEVNULL)


# ---- the sources ----

def flags_of(tree, path):
    """What most programs are content with: directories with headers, and an empty configuration."""
    directories = [os.path.dirname(path), tree, *(os.path.join(tree, name) for name in ("include", "src", "lib")), STAND_INS]
    return [f"-I{directory}" for directory in dict.fromkeys(directories) if os.path.isdir(directory)] + ["-D_GNU_SOURCE"]


def compiles(path, flags):
    return run([*CLANG, *flags, path], limit=60).returncode == 0


def make_stand_ins():
    """Headers that configure or the packaging would make."""
    os.makedirs(STAND_INS, exist_ok=True)
    for name in ("config.h", "jansson_private_config.h", "lua5.4-deb-multiarch.h", "expat_config.h"):
        with open(os.path.join(STAND_INS, name), "w", encoding="utf-8") as file:
            file.write("#define HAVE_UNISTD_H 1\n#define HAVE_STDINT_H 1\n#define HAVE_STDLIB_H 1\n#define HAVE_STRING_H 1\n"
                       "#define HAVE_FCNTL_H 1\n#define STDC_HEADERS 1\n#define VERSION \"1\"\n#define PACKAGE \"package\"\n"
                       "#define XML_DEV_URANDOM 1\n#define XML_CONTEXT_BYTES 1024\n#define XML_NS 1\n#define XML_DTD 1\n")


def find_files():
    """(package, path, flags, text) of files that compile as they are."""
    packages = debian.Packages(SOURCES)
    make_stand_ins()
    files = []
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for package in PACKAGES:
            tree = packages.tree(package)
            paths = [path for path in sorted(glob.glob((tree or SOURCES + "/none") + "/**/*.c", recursive=True))
                     if 500 < os.path.getsize(path) < LARGEST and "/test" not in path[len(tree):]][:4 * MOST_FILES]
            good = pool.map(lambda path, tree=tree: compiles(path, flags_of(tree, path)), paths)
            for path in [path for path, compiled in zip(paths, good) if compiled][:MOST_FILES]:
                with open(path, encoding="utf-8", errors="surrogateescape") as file:
                    files.append((package, path, flags_of(tree, path), file.read()))
    return files


# ---- one edit ----

def check(seed, files):
    """(kind, package, what became of it, what is wrong)"""
    chosen = random.Random(seed)
    edit = EDITS[seed % len(EDITS)]
    for _ in range(ATTEMPTS):
        package, path, flags, text = chosen.choice(files)
        edited = edit(text, chosen)
        if edited not in (None, text):
            break
    where = f"{edit.__name__} of {path[len(SOURCES) + 1:]}"
    if edited in (None, text):
        return edit.__name__, package, "no place", ""
    place = os.path.join(SCRATCH, f"edit-{seed}")
    os.makedirs(place)
    new = os.path.join(place, os.path.basename(path))
    with open(new, "w", encoding="utf-8", errors="surrogateescape") as file:
        file.write(edited)
    if not compiles(new, flags):
        os.remove(new)
        os.rmdir(place)
        return edit.__name__, package, "no C", ""
    done = run([PENUMBRA, "unify", path, new, "-o", os.path.join(place, "unified.c"), "--verify", "--json", "--cflags", " ".join(flags)])
    outcome, wrong = "apart", ""
    if done.returncode not in (0, 2) or "Sanitizer" in done.stderr or "runtime error" in done.stderr:
        wrong = f"{where} ended with {done.returncode}: {done.stderr[-300:]}"
    elif done.returncode == 0:
        report = json.loads(done.stdout)["files"][0]
        outcome = "identical" if report["identical"] else "coarse" if report["coarse"] else "fine"
        wrong = f"{where}: {report['defects'][0]}" if report["defects"] else ""
    elif os.environ.get("PENUMBRA_TEST_VERBOSE"):
        print(f"# {where}, seed {seed}: {done.stderr.strip()[:300]}", flush=True)
    if not wrong:
        for left in glob.glob(place + "/*"):
            os.remove(left)
        os.rmdir(place)
    return edit.__name__, package, outcome, " ".join(wrong.split())


OUTCOMES = ["fine", "coarse", "apart", "identical", "no C", "no place"]


def print_table(table, packages):
    print(f"# {'edit':24}" + "".join(f"{outcome:>10}" for outcome in OUTCOMES))
    total = collections.Counter()
    for kind in sorted(table):
        total.update(table[kind])
        print(f"# {kind:24}" + "".join(f"{table[kind][outcome]:10}" for outcome in OUTCOMES))
    print(f"# {'all':24}" + "".join(f"{total[outcome]:10}" for outcome in OUTCOMES))
    print(f"# {len(packages)} packages: {', '.join(sorted(packages))}", flush=True)


def main():
    first = int(os.environ.get("PENUMBRA_TEST_SEED", 1))
    files = find_files()
    print(f"# seed {first} (PENUMBRA_TEST_SEED overrides it), {len(files)} files", flush=True)
    table, packages, checked, wrong = collections.defaultdict(collections.Counter), set(), 0, 0
    seeds, running = itertools.count(first), collections.deque()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        while checked < COUNT:
            while len(running) < min(2 * os.cpu_count(), COUNT - checked):
                seed = next(seeds)
                running.append((seed, pool.submit(check, seed, files)))
            seed, result = running.popleft()
            kind, package, outcome, problem = result.result()
            table[kind][outcome] += 1
            if outcome in ("no C", "no place"):
                continue
            checked += 1
            packages.add(package)
            wrong += bool(problem)
            print(f"not ok edit-{seed}: {problem}" if problem else f"ok edit-{seed} # {outcome}, {kind}, {package}", flush=True)
    print_table(table, packages)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

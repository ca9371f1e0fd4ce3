"""What bench/projects and bench/libraries have in common: `penumbra diff` on patches of Debian's source packages and on planted changes, as a table.

Sources come from Debian by `apt-get source`, into a directory of their own ($PENUMBRA_PROJECTS, else a temporary one); nothing of them is
part of this repository. What a package needs to be built must be installed (`apt-get build-dep`, or what configure asks for). The table has,
for each row: whether both versions were built; how many functions were merged fine, coarse or not at all; entries explored (of how many) or the
program with the starts that its tests make and those that reach the change; the verdict; seconds.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "tests/random"))
import debian  # noqa: E402

PENUMBRA = os.environ.get("PENUMBRA", os.path.join(ROOT, "build/penumbra"))

# Makefiles would make themselves anew, by other versions of these tools than they were made with.
CONFIGURE = "./configure -q && make MAKEINFO=true AUTOMAKE=true ACLOCAL=true AUTOCONF=true AUTOHEADER=true"


def plant(tree, row, place):
    """A copy of the tree with the change."""
    changed = os.path.join(place, row["name"] + "-changed")
    shutil.rmtree(changed, ignore_errors=True)
    shutil.copytree(tree, changed, symlinks=True)
    path = os.path.join(changed, row["file"])
    status = os.stat(path)
    with open(path, encoding="latin-1") as file:
        text = file.read()
    if row["old"] not in text:
        raise ValueError(f"{row['old']!r} is not in {row['file']}")
    with open(path, "w", encoding="latin-1") as file:
        file.write(text.replace(row["old"], row["new"], 1))
    os.utime(path, (status.st_atime, status.st_mtime))
    return changed


def rows(patched, planted):
    """patched: package, build command, patches of debian/patches. planted: package, build command, file, text, what takes its place, further
    arguments of penumbra diff."""
    for package, build, patches in patched:
        for patch in patches:
            yield {"name": package, "build": build, "what": patch, "patch": patch, "more": []}
    for package, build, path, old, new, more in planted:
        yield {"name": package, "build": build, "what": f"planted in {path}", "file": path, "old": old, "new": new, "more": more}


def read_report(out):
    try:
        with open(os.path.join(out, "report.json")) as file:
            return json.load(file)
    except (OSError, ValueError):
        return {}


def explored(report):
    starts = report.get("starts")
    if starts:
        return f"program, {starts['touching']} of {starts['recorded']} starts touch"
    entries = report.get("entries") or []
    good = [one for one in entries if not one.get("problem")]
    return f"{len(good)} of {len(entries)} functions"


def measure(row, packages, seconds):
    place = packages.place
    tree = packages.tree(row["name"])
    if not tree:
        raise ValueError("the package cannot be fetched")
    out = os.path.join(place, "results", re.sub(r"\W+", "-", f"{row['name']}-{row['what']}-{row.get('new', '')}").strip("-"))
    shutil.rmtree(out, ignore_errors=True)
    os.makedirs(os.path.dirname(out), exist_ok=True)
    if "patch" in row:
        where = ["--patch", os.path.join(tree, "debian/patches", row["patch"]), tree]
    else:
        where = [tree, plant(tree, row, place)]
    command = [PENUMBRA, "diff", *where, "--build", row["build"], "--time", str(seconds), "--out", out, "--quiet", *row["more"]]
    start = time.time()
    done = subprocess.run(command, cwd=place, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace", stdin=subprocess.DEVNULL)
    took = time.time() - start
    with open(out + ".log", "w", encoding="utf-8") as file:
        file.write(f"{' '.join(command)}\n{done.stdout}{done.stderr}")
    report = read_report(out)
    unification = report.get("unification") or {}
    counts = unification.get("functions") or unification
    merged = "/".join(str(counts.get(name, "-")) for name in ("fine", "coarse", "not_merged"))
    built = "no" if "the build of" in done.stderr and done.returncode == 2 else "yes"
    verdict = report.get("verdict") or "none"
    message = done.stderr.strip().splitlines()[-1] if done.returncode == 2 and done.stderr.strip() else ""
    return built, merged, explored(report), verdict, done.returncode, took, message


def main(description, patched, planted, seconds):
    """Prints the table; `seconds` is the limit of a row unless --time says otherwise."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--time", type=float, default=seconds)
    parser.add_argument("--list", action="store_true")
    parser.add_argument("words", nargs="*")
    arguments = parser.parse_args()
    chosen = [row for row in rows(patched, planted) if not arguments.words or any(word in row["name"] or word in row["what"] for word in arguments.words)]
    if arguments.list:
        for row in chosen:
            print(f"{row['name']:12} {row['what']}")
        return 0
    place = os.environ.get("PENUMBRA_PROJECTS") or tempfile.mkdtemp(prefix="penumbra-projects-")
    os.makedirs(place, exist_ok=True)
    packages = debian.Packages(place)
    print(f"{'package':12} {'patch':52} built fine/coarse/not {'explored':34} {'verdict':22} seconds")
    decided = merged_rows = 0
    for row in chosen:
        try:
            built, merged, what, verdict, status, took, message = measure(row, packages, arguments.time)
        except (subprocess.CalledProcessError, ValueError, OSError) as problem:
            print(f"{row['name']:12} {row['what'][:52]:52} {problem}", flush=True)
            continue
        merged_rows += built == "yes" and merged != "-/-/-"
        decided += verdict in ("different", "equivalent")
        print(f"{row['name']:12} {row['what'][:52]:52} {built:5} {merged:15} {what:34} {verdict:22} {took:7.1f}", flush=True)
        if message:
            print(f"{'':12} {message[:200]}", flush=True)
    print(f"{len(chosen)} patches: {merged_rows} built and merged, {decided} decided; sources and results in {place}")
    return 0


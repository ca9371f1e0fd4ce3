#!/usr/bin/env python3
"""The report is one model: documents of every kind are what docs/report.schema.json says, and say of the whole what follows from
its parts."""

import contextlib
import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests", "programs"))
from running import PENUMBRA, SCRATCH, entries_of, limits_of, run_rows  # noqa: E402
from schema import problems  # noqa: E402

with open(os.path.join(ROOT, "docs", "report.schema.json"), encoding="utf-8") as schema_file:
    SCHEMA = json.load(schema_file)

ANNOTATED = "#include <penumbra.h>\nint f(int x) { return x > change(10, 20); }\n"
# Three functions of each version: one is the same, one is said otherwise, one is different.
LIBRARY = ("int f(int x) { return x + x; }\nint g(int x) { return x > 3; }\nint h(int x) { return x; }\n",
           "int f(int x) { return 2 * x; }\nint g(int x) { return x > 4; }\nint h(int x) { return x; }\n")
SAME = tuple(text.replace("x > 4", "3 < x") for text in LIBRARY)
LONG = """int f(unsigned char *s, int x)
{
    int sum = 0;
    if (x > 10)
        return -1;
    for (int i = 0; i < 16; i++)
        if (s[i] * s[(i + 1) % 16] > 100 + i)
            sum += s[i];
    return sum;
}
"""


def expect(condition, what):
    if not condition:
        raise AssertionError(str(what)[:3000])


def place_of(name, files):
    for path, text in files.items():
        path = os.path.join(SCRATCH, name, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    return os.path.join(SCRATCH, name)


def pair(name, versions, more=None):
    return place_of(name, {"old.c": versions[0], "new.c": versions[1], **(more or {})})


def valid(document):
    expect(not problems(SCHEMA, document), problems(SCHEMA, document))
    names = [entry["entry"] for entry in document["entries"]]
    expect(len(set(names)) == len(names), names)
    for table, extra in (("divergences", set()), ("groups", set()), ("limits", {""}), ("assumptions", set())):
        expect({one["entry"] for one in document[table]} <= set(names) | extra, f"{table}: {document[table]}")
    return document


def read(path):
    with open(path, encoding="utf-8") as file:
        return valid(json.load(file))


def explored(place, *arguments, out="out"):
    """The document that is printed, which is the one in the directory; every entry has one of its own."""
    run = subprocess.run([PENUMBRA, *arguments, "--json", "--out", out], cwd=place, capture_output=True, text=True, check=False)
    document = valid(json.loads(run.stdout))
    expect(read(os.path.join(place, out, "report.json")) == document, "report.json is another document")
    expect(document["exit_status"] == run.returncode, (document["exit_status"], run))
    for entry in document["entries"]:
        if entry["counts"]:
            own = read(os.path.join(place, entry["directory"], "report.json"))
            expect(own["verdict"] == entry["verdict"] and [one["entry"] for one in own["entries"]] == [entry["entry"]], own)
            expect([one for one in document["divergences"] if one["entry"] == entry["entry"]] == own["divergences"], own)
    return document


def check_one():
    for mode in ("complete", "bounded"):
        place = place_of("one-" + mode, {"a.c": ANNOTATED})
        document = explored(place, "run", "a.c", "--entry", "f", "--mode", mode, "--seed", "x=0")
        expect(document["verdict"] == "different" and document["entry"] == "f" and document["unification"] is None, document)
        expect([entry["place"] for entry in document["entries"]] == ["a.c"], document["entries"])
    document = explored(pair("one-of-diff", LIBRARY), "diff", "old.c", "new.c", "--entry", "f")
    expect(document["verdict"] == "equivalent" and document["unification"]["fine"] == 2, document)


def check_many():
    document = explored(pair("many", LIBRARY), "diff", "old.c", "new.c")
    entries = entries_of(document)
    expect(document["verdict"] == "different" and document["entry"] is None, document)
    expect({name: entry["verdict"] for name, entry in entries.items()} == {"f": "equivalent", "g": "different"}, entries)
    expect([one["inputs"] for one in entries["g"]["divergences"]] == [{"x": 4}], entries["g"])
    lenient = explored(os.path.join(SCRATCH, "many"), "diff", "old.c", "new.c", "--fail-on", "regression", out="lenient")
    expect(lenient["verdict"] == "different" and lenient["exit_status"] == 0, lenient)
    expect(document["counts"]["paths"] == sum(entry["counts"]["paths"] for entry in entries.values()), document["counts"])


def check_many_equivalent():
    """The whole is equivalent when all its parts are, and rests on what they rest on."""
    document = explored(pair("many-equivalent", SAME), "diff", "old.c", "new.c", "--no-proofs")
    expect(document["verdict"] == "equivalent" and not document["limits"], document)
    expect({(one["entry"], one["kind"]) for one in document["assumptions"]} == {("f", "overflow")}, document["assumptions"])


def check_beyond_functions():
    """What no function has in it keeps the whole from being equivalent: nobody has looked at it."""
    cases = {
        "variable": (("static const int t[] = {1, 2};\nint look(int i) { return t[i & 1]; }\n", "static const int t[] = {1, 3};\nint look(int i) { return t[i & 1]; }\n"), "variable 't'"),
        "gone": (("int gone(int x) { return x; }\n", ""), "only the old version has 'gone'"),
        "added": (("", "int added = 1;\n"), "only the new version has 'added'"),
        "hidden": (("int seen(int x) { return x; }\nint user(int x) { return seen(x); }\n",
                    "static int seen(int x) { return x; }\nint user(int x) { return seen(x); }\n"), "only the old version has 'seen'"),
    }
    for name, (texts, wanted) in cases.items():
        document = explored(pair("beyond-" + name, [one + two for one, two in zip(SAME, texts)]), "diff", "old.c", "new.c")
        expect(document["verdict"] != "equivalent", (name, document["entries"]))
        expect(any(wanted in limit for limit in limits_of(document)), (name, document["limits"]))
    fine = [one + two for one, two in zip(SAME, ("", "static int helper(int x) { return x; }\n"))]
    expect(explored(pair("beyond-static", fine), "diff", "old.c", "new.c")["verdict"] == "equivalent", "a static function")
    trees = {f"{tree}/a.c": text for tree, text in zip(("old", "new"), SAME)}
    document = explored(place_of("beyond-file", {**trees, "new/b.c": "int b;\n"}), "diff", "old", "new")
    expect(document["verdict"] == "no-difference-found" and any("b.c" in limit for limit in limits_of(document)), document)


def check_identical():
    place = pair("identical", (LIBRARY[0], "/* the same */\n" + LIBRARY[0]))
    for name, more in (("all", []), ("one", ["--entry", "f"])):
        document = explored(place, "diff", "old.c", "new.c", *more, out=name)
        expect(document["verdict"] == "equivalent" and document["identical"] and not document["counts"]["runs"], document)
        expect([entry["entry"] for entry in document["entries"]] == more[1:], document["entries"])


def check_nothing_explored():
    variadic = ["#include <stdarg.h>\nint f(int x, ...) { va_list a; va_start(a, x); x += %s va_arg(a, int); va_end(a); return x; }\n" % sign
                for sign in ("", "-")]
    document = explored(pair("nothing", variadic), "diff", "old.c", "new.c")
    expect(document["verdict"] == "not-explored" and document["exit_status"] == 3, document)
    expect([(entry["verdict"], bool(entry["problem"])) for entry in document["entries"]] == [("not-explored", True)], document)


def check_apart():
    texts = [text + "int k(int x) { return x < %s; }\n" % end for text, end in
             zip(("#define N 1\n#undef N\n#define N 2\n", "#define N 2\n"), ("5 - N", "6 - N"))]
    document = explored(pair("apart", texts), "diff", "old.c", "new.c")
    expect(document["verdict"] == "different", document)


def check_names():
    """Functions of one name are told apart as --entry does it."""
    files = {f"{tree}/{name}.c": f"static int step(int x) {{ return x > {number}; }}\nint {name}(int x) {{ return step(x); }}\n"
             for tree, number in (("old", 3), ("new", 4)) for name in ("one", "two")}
    document = explored(place_of("names", files), "diff", "old", "new")
    expect(sorted(entry["entry"] for entry in document["entries"]) == ["one.c:step", "two.c:step"], document["entries"])


def has_divergence(journal):
    with contextlib.closing(sqlite3.connect(journal, timeout=60)) as database:
        return database.execute("SELECT count(*) FROM records WHERE record = 'divergence'").fetchone()[0] > 0


def stop(name, versions, how, arguments):
    """What a campaign prints that does not come to its end: `how` is done to it when the journal has a divergence."""
    place = pair(name, versions)
    journal = os.path.join(place, "out", "campaign.db")
    command = [PENUMBRA, "diff", "old.c", "new.c", "--size", "s=16", "--out", "out", *arguments]
    with subprocess.Popen(command, cwd=place, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True) as program:
        deadline = time.monotonic() + 300
        while not (os.path.exists(journal) and has_divergence(journal)):
            expect(time.monotonic() < deadline and program.poll() is None, "nothing was found")
            time.sleep(0.05)
        how(program.pid)
        out, _ = program.communicate(timeout=300)
    document = valid(read(os.path.join(place, "out", "report.json")))
    expect(document["verdict"] == "different" and document["exit_status"] == program.returncode == 1, document)
    return out.decode(), document


def stopped(name, versions, how, arguments=()):
    out, document = stop(name, versions, how, ("--json", *arguments))
    expect(json.loads(out) == document, "report.json is another document")
    return document


def kill_worker(supervisor):
    with open(f"/proc/{supervisor}/task/{supervisor}/children", encoding="ascii") as file:
        os.kill(int(file.read().split()[0]), signal.SIGKILL)


def check_interrupted():
    long = (LONG, LONG.replace("x > 10", "x > 20"))
    document = stopped("interrupted", long, lambda process: os.kill(process, signal.SIGTERM), ("--entry", "f"))
    expect(any(limit["kind"] == "interrupted" for limit in document["limits"]), document["limits"])
    several = [text + text.replace("f(", "g(") for text in long]
    document = stopped("interrupted-many", several, lambda process: os.killpg(process, signal.SIGINT), ("--jobs", "1"))
    expect(any(limit["kind"] == "interrupted" for limit in document["limits"]), document["limits"])
    expect([entry["entry"] for entry in document["entries"]] == ["f", "g"], document["entries"])
    expect(document["entries"][1]["state"] == "queued" and document["entries"][1]["verdict"] == "not-explored", document["entries"])


def check_salvaged():
    long = (LONG, LONG.replace("x > 10", "x > 20"))
    document = stopped("salvaged", long, kill_worker, ("--entry", "f"))
    expect([limit["kind"] for limit in document["limits"]] == ["crashed"] and document["entries"][0]["state"] == "begun", document)
    text, document = stop("salvaged-text", long, kill_worker, ("--entry", "f"))
    group = document["groups"][0]
    expect(f"] output  {group['input']}\n    the versions' outputs differ: f() at new.c:" in text and "{" not in group["input"], text)
    several = [text + text.replace("f(", "g(") for text in long]
    document = stopped("salvaged-many", several, kill_worker, ("--jobs", "1"))
    expect([entry["state"] for entry in document["entries"]] == ["begun", "queued"], document["entries"])


def check_jobs():
    """Several at the same time: the same results, the same text in the same order."""
    def scrubbed(text):
        return re.sub(r"\d+\.\d\d s|alone-?\d*|beside-?\d*", "", text)
    functions = ["int f%d(int x) { return x > %d; }\n" % (i, i) for i in range(6)]
    place = pair("jobs", ("".join(functions), "".join(functions).replace("x > ", "x >= ").replace("x >= 3", "3 < x")))
    texts = [subprocess.run([PENUMBRA, "diff", "old.c", "new.c", "--jobs", jobs, "--out", out], cwd=place, capture_output=True,
                            text=True, check=False).stdout for jobs, out in (("1", "alone"), ("4", "beside"))]
    expect(scrubbed(texts[0]) == scrubbed(texts[1]) and "6 of 6 changed functions explored, 5 with differences" in texts[1], texts)
    document = read(os.path.join(place, "beside", "report.json"))
    expect([entry["entry"] for entry in document["entries"]] == [f"f{i}" for i in range(6)], document["entries"])


def check_words():
    """What the sources say the schema lists, and what it lists docs/json.md lists, too."""
    for name, file, pattern in (("limit", "limits.c", r'(?:add_single\([^"]*|\.kind = |\] = \{)"([a-z-]+)"'),
                                ("assumption", "assumptions.c", r'\badd\(&?collector, "([a-z-]+)"')):
        with open(os.path.join(ROOT, "src", "report", file), encoding="utf-8") as source:
            said = set(re.findall(pattern, source.read()))
        expect(len(said) > 5 and said <= set(SCHEMA["$defs"][name]["properties"]["kind"]["enum"]), (name, said))
    with open(os.path.join(ROOT, "docs", "json.md"), encoding="utf-8") as file:
        text = file.read()
    kinds = [name for one in ("limit", "assumption") for name in SCHEMA["$defs"][one]["properties"]["kind"]["enum"]]
    kinds += [name for key in ("kind", "class") for name in SCHEMA["$defs"][key]["enum"]]
    keys = [*SCHEMA["properties"], *(key for one in SCHEMA["$defs"].values() for key in one.get("properties", {}))]
    missing = sorted({word for word in kinds + keys if f"`{word}`" not in text})
    expect(not missing, f"docs/json.md says nothing of {missing}")


def check_the_checker():
    document = explored(pair("checker", SAME), "diff", "old.c", "new.c", "--entry", "f")
    broken = {"no-key": lambda d: d.pop("verdict"), "new-key": lambda d: d.update(more=1), "word": lambda d: d.update(verdict="same"),
              "type": lambda d: d["counts"].update(runs="1"), "deep": lambda d: d["entries"][0].update(state="open"),
              "list": lambda d: d["assumptions"].append({"kind": "size"}), "range": lambda d: d.update(exit_status=4)}
    for name, change in broken.items():
        other = json.loads(json.dumps(document))
        change(other)
        expect(problems(SCHEMA, other), f"{name} is not seen")


if __name__ == "__main__":
    sys.exit(run_rows([(name.removeprefix("check_").replace("_", "-"), check) for name, check in list(globals().items())
                       if name.startswith("check_")]))

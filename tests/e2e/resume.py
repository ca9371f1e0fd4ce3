#!/usr/bin/env python3
"""A campaign that is killed with SIGKILL at any moment: what it has shown is there, and going on ends with the result of a run
that nobody disturbed. PENUMBRA_TEST_KILLS says how often; tests/long/resume.py has a hundred."""

import json
import os
import random
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests", "programs"))
from running import PENUMBRA, SCRATCH, run_rows  # noqa: E402

KILLS = int(os.environ.get("PENUMBRA_TEST_KILLS", "3"))
# What is shown of a difference when it is proven: its number, class, entry, and line.
SHOWN = re.compile(r"^penumbra: \[(\d+)\] ([a-z-]+)  (\w+)\(\) at \S+:(\d+)  ", re.MULTILINE)
OLD = """#include "shared.h"
int many(unsigned char *s, int x)
{
    int sum = 0;
    if (x > LIMIT)
        return -1;
    for (int i = 0; i < 4; i++)
        if (s[i] > 100 + i)
            sum += s[i];
    return sum;
}
int table[4];
int stored(unsigned x)
{
    if (x > 3)
        return 0;
    table[x & 3] = 1;
    return 2;
}
int doubled(int x) { return x * 2; }
int state;
int counted(int x) { state += x; return state > 10; }
"""
NEW = OLD.replace("return -1", "return -2").replace("x > 3", "x > 4").replace("x & 3", "x").replace("x * 2", "x + x").replace("> 10", "> 11")


def expect(condition, what):
    if not condition:
        raise AssertionError(str(what)[:3000])


def place_of(name, old=OLD, new=NEW):
    place = os.path.join(SCRATCH, name)
    os.makedirs(place)
    for path, text in (("old.c", old), ("new.c", new), ("shared.h", "#define LIMIT 10\n")):
        with open(os.path.join(place, path), "w", encoding="utf-8") as file:
            file.write(text)
    return place


def penumbra(place, *arguments):
    return subprocess.run([PENUMBRA, *arguments], cwd=place, capture_output=True, text=True, check=False, timeout=300)


def shown_document(place):
    run = penumbra(place, "show", "out", "--json")
    expect(run.returncode == 0, run)
    return json.loads(run.stdout)


def outcome(document):
    """What must be the same: verdicts, and each group by what it shows and where."""
    groups = sorted((one["entry"], one["class"], one["kind"], one["place"]["line"], one["id"], one["input"]) for one in document["groups"])
    return (document["verdict"], document["exit_status"], [(one["entry"], one["state"], one["verdict"]) for one in document["entries"]], groups)


def killed(place, command, seconds, chance):
    """What the tool has shown until it is killed: it alone, or it and everything that it has started."""
    with subprocess.Popen([PENUMBRA, *command], cwd=place, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                          start_new_session=True) as program:
        try:
            _, text = program.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            (os.kill if chance.random() < 0.5 else os.killpg)(program.pid, signal.SIGKILL)
            _, text = program.communicate()
    return {(int(number), kind, entry, int(line)) for number, kind, entry, line in SHOWN.findall(text)}


def check_nothing_lost(place, shown):
    found = {(one["number"], one["class"], one["entry"], one["location"]["line"]) for one in shown_document(place)["divergences"]}
    expect(shown <= found, f"shown {shown}, found {found}")


COMMAND = ("diff", "old.c", "new.c", "--no-proofs", "--progress", "--out", "out", "--jobs", "1")


def kill_at_random_moments():
    place = place_of("undisturbed")
    start = time.monotonic()
    run = penumbra(place, *COMMAND)
    seconds = time.monotonic() - start
    wanted = outcome(shown_document(place))
    expect(run.returncode == 1 and len(wanted[3]) >= 3 and SHOWN.search(run.stderr), run)
    for number in range(KILLS):
        chance = random.Random(number)
        place = place_of(f"killed-{number}")
        shown = killed(place, COMMAND, (number + chance.random()) / KILLS * seconds, chance)
        if not os.path.exists(os.path.join(place, "out", "campaign.db")):
            expect(not shown, shown)
            continue
        check_nothing_lost(place, shown)
        if chance.random() < 0.5:
            shown |= killed(place, ("resume", "out"), chance.random() * seconds, chance)
            check_lost_groups(place, shown)
        run = penumbra(place, "resume", "out")
        expect(run.returncode == 1, run)
        expect(outcome(shown_document(place)) == wanted, f"{number}: {outcome(shown_document(place))}, not {wanted}")
        check_lost_groups(place, shown)
        shutil.rmtree(place)


def check_lost_groups(place, shown):
    """When an entry is done its groups stand for all, whichever of them is the witness."""
    found = {(one["class"], one["entry"], one["place"]["line"]) for one in shown_document(place)["groups"]}
    expect({one[1:] for one in shown} <= found, f"shown {shown}, found {found}")


# A search that does not come to its end in time, after a difference that it finds at once.
ENDLESS = OLD.replace("i < 4", "i < 16").replace("s[i] > 100 + i", "s[i] * s[(i + 1) % 16] > 100 + i")
ENDLESS_NEW = ENDLESS.replace("return -1", "return -2").replace("sum += s[i]", "sum += s[i] + (sum == 2000)")


def stop_when_found(place, *more):
    command = [PENUMBRA, "diff", "old.c", "new.c", "--size", "s=16", "--entry", "many", "--progress", "--out", "out", *more]
    with subprocess.Popen(command, cwd=place, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as program:
        for line in program.stderr:
            if SHOWN.match(line):
                break
        program.kill()
    return SHOWN.match(line)


def what_was_proven_is_kept():
    """The second exploration has no time to find it again."""
    place = place_of("kept", ENDLESS, ENDLESS_NEW)
    expect(stop_when_found(place, "--time", "20"), "nothing was found")
    database = sqlite3.connect(os.path.join(place, "out", "campaign.db"))
    asked = json.loads(database.execute("SELECT content FROM asked").fetchone()[0])
    asked["command"] = [word if word != "20" else "0.1" for word in asked["command"]]
    asked["command"] += ["--native-runs", "0"]
    database.execute("UPDATE asked SET content = ?", (json.dumps(asked),))
    database.commit()
    database.close()
    run = penumbra(place, "resume", "out")
    document = shown_document(place)
    expect(run.returncode == 1 and document["verdict"] == "different" and document["groups"][0]["source"], (run, document))
    repro = subprocess.run(document["groups"][0]["witness"]["repro"], shell=True, cwd=place, check=False, capture_output=True)
    expect(b"# -1\n" in repro.stdout and b"# -2\n" in repro.stdout, repro)
    run = penumbra(place, "resume", "out")
    expect(run.returncode == 1 and "nothing is left to do" in run.stdout, run)


def refused():
    place = place_of("refused", ENDLESS, ENDLESS_NEW)
    expect(stop_when_found(place), "nothing was found")
    before = outcome(shown_document(place))

    def expect_refusal(wanted, *command):
        run = penumbra(place, *(command or ("resume", "out")))
        expect(run.returncode == 2 and wanted in run.stderr and run.stderr.count("\n") == 1, run)

    for name in ("new.c", "shared.h"):
        with open(os.path.join(place, name), "a", encoding="utf-8") as file:
            file.write("/* more */\n")
        expect_refusal(name + " has changed since")
        with open(os.path.join(place, name), encoding="utf-8") as file:
            text = file.read().replace("/* more */\n", "")
        with open(os.path.join(place, name), "w", encoding="utf-8") as file:
            file.write(text)
    expect(outcome(shown_document(place)) == before, "the refusal has changed the results")
    with subprocess.Popen([PENUMBRA, "resume", "out"], cwd=place, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as other:
        other.stderr.readline()  # it is at work
        time.sleep(1)
        expect_refusal("another penumbra is at work")
        other.kill()
    stats = penumbra(place, "stats", "out")
    expect(stats.returncode == 0 and re.search(r"^many +begun +different", stats.stdout, re.MULTILINE), stats)
    store = os.path.join(place, "out", "campaign.db")
    for content, wanted in ((b"no database at all, but long enough to be one" * 30, "is damaged"), (None, "is no campaign of penumbra")):
        os.remove(store)
        if content:
            with open(store, "wb") as file:
                file.write(content)
        else:
            sqlite3.connect(store).execute("CREATE TABLE other(x)").connection.close()
        for command in ("resume", "show", "stats"):
            expect_refusal(wanted, command, "out")
    expect_refusal("no results directory", "resume", ".")


FULL = """set -e
cp -a $PLACE $PLACE.copy
mount -t tmpfs -o size=60m none $PLACE
cp -a $PLACE.copy/. $PLACE
cd $PLACE
cat /dev/zero >filler 2>/dev/null || true
status=0
$PENUMBRA resume out >text 2>../errors || status=$?
echo $status
rm filler
$PENUMBRA show out --json
"""


def disk_full():
    """One sentence, and the results are as they were."""
    place = place_of("full", ENDLESS, ENDLESS_NEW)
    if subprocess.run(["unshare", "-m", "mount", "-t", "tmpfs", "none", place], check=False, capture_output=True).returncode:
        print("# mounting is not allowed here, so no disk is filled")
        return
    expect(stop_when_found(place), "nothing was found")
    before = outcome(shown_document(place))
    run = subprocess.run(["unshare", "-m", "sh", "-c", FULL], capture_output=True, text=True, check=False,
                         env={**os.environ, "PLACE": place, "TMPDIR": SCRATCH})
    with open(os.path.join(SCRATCH, "errors"), encoding="utf-8") as file:
        errors = file.read()
    status, text = run.stdout.split("\n", 1)
    problems = [line for line in errors.splitlines() if "reading" not in line and "building" not in line]
    expect(status == "2" and len(problems) == 1 and "the disk is full" in problems[0], (status, errors))
    expect(outcome(json.loads(text)) == before, text)


def a_dead_campaign_leaves_nothing_for_long():
    """Its temporary files go when the next one begins; those of one that lives do not."""
    place = place_of("scratch")
    temporary = os.path.join(place, "temporary")
    os.makedirs(os.path.join(temporary, "penumbra-mine"))  # no campaign's
    environment = {**os.environ, "TMPDIR": temporary}

    def others():
        return sorted(set(os.listdir(temporary)) - {"penumbra-mine"})

    def run_another():
        subprocess.run([PENUMBRA, "diff", "old.c", "old.c", "--entry", "doubled", "--out", "another"], cwd=place, env=environment,
                       capture_output=True, check=False)

    with subprocess.Popen([PENUMBRA, "diff", "old.c", "new.c", "--quiet"], cwd=place, env=environment, stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL) as program:
        deadline = time.monotonic() + 60
        while not (others() and os.path.exists(os.path.join(temporary, others()[0], ".lock"))):
            expect(time.monotonic() < deadline and program.poll() is None, others())
            time.sleep(0.01)
        before = others()
        run_another()
        expect(program.poll() is None and others() == before, (before, others()))
        program.kill()
    while others() and time.monotonic() < deadline:
        run_another()
    expect(os.listdir(temporary) == ["penumbra-mine"], os.listdir(temporary))


if __name__ == "__main__":
    sys.exit(run_rows([(row.__name__.replace("_", "-"), row) for row in
                       (kill_at_random_moments, what_was_proven_is_kept, refused, disk_full, a_dead_campaign_leaves_nothing_for_long)]))

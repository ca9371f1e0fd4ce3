#!/usr/bin/env python3
"""Seeds for functions: what they were called with while the tests of a project ran."""

import json
import os
import subprocess
import sys
import textwrap

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "programs"))
from running import PENUMBRA, SCRATCH, run_rows  # noqa: E402

CACHE = os.path.join(SCRATCH, "recorded-cache")
ROWS = []

# No solver inverts the checksum, no guess hits it, and a usual string is too short for the name: what differs lies beside a start of the
# test suite. The rest is called with what is hard to copy, in a second program too, or not at all.
PROJECT = {
    "Makefile": """\
        all: tool other
        tool: main.o message.o libparts.a
        \t$(CC) -o $@ main.o message.o -L. -lparts
        libparts.a: parts.o
        \tar rcs $@ $^
        other: other.o libparts.a
        \t$(CC) -o $@ other.o -L. -lparts
        """,
    "message.h": """\
        struct message {
            const char *name;
            unsigned length;
            unsigned urgent : 1;
        };
        int rate(const struct message *message, int level, short flags);
        """,
    "message.c": """\
        #include "message.h"
        static unsigned long sum(const char *text)
        {
            unsigned long sum = 0xcbf29ce484222325u;
            for (; *text; text++)
                sum = (sum ^ (unsigned char)*text) * 0x100000001b3u;
            return sum;
        }
        int rate(const struct message *message, int level, short flags)
        {
            if (sum(message->name) == SUMul && message->length == 4711 && message->urgent && flags == 12)
                return level < 907 ? 1 : 2;
            return 0;
        }
        """,
    "parts.h": """\
        struct node { int value; struct node *next; };
        struct pair { double x; float y; char c; };
        int bad(const char *text, const struct node *list, int n);
        int depth(int n);
        int initial(int n);
        int never(int n);
        int split(register int n);
        double shape(struct pair pair, const unsigned char *bytes, int (*how)(int));
        """,
    "parts.c": """\
        #include "parts.h"
        int bad(const char *text, const struct node *list, int n)
        {
            return n ? text[0] + list->value : 1000;
        }
        int depth(int n)
        {
            return n <= 0 ? 1000 : depth(n - 1) + 1;
        }
        int initial(int n)
        {
            return n > 0 ? n : 0;
        }
        int never(int n)
        {
            return n + 1000;
        }
        int split(register int n)
        {
            return n + 1000;
        }
        double shape(struct pair pair, const unsigned char *bytes, int (*how)(int))
        {
            return pair.x + pair.y + bytes[0] + bytes[7] + how(pair.c) + 1000;
        }
        """,
    "main.c": """\
        #include "message.h"
        #include "parts.h"
        #include <stdio.h>
        #include <stdlib.h>
        static int twice(int n) { return 2 * n; }
        int main(int argc, char **argv)
        {
            struct node second = {2, 0}, first = {1, &second};
            struct message message = {argv[1], 4711, 1};
            if (argc > 2)
                printf("%d\\n", rate(&message, atoi(argv[2]), 12));
            printf("%d %g\\n", depth(300), shape((struct pair){0.5, 0.25f, 'x'}, (const unsigned char *)"12345678", twice));
            printf("%d %d\\n", bad((const char *)16, (const struct node *)-8, 0), bad("some text", &first, 1));
            return initial(3) == 0;
        }
        """,
    "other.c": """\
        #include "parts.h"
        #include <stdio.h>
        int main(void) { char text[9] = ""; struct node node = {0, 0}; return scanf("%8s", text) == 1 ? bad(text, &node, 7) > 1000 : 2; }
        """,
    "test": "./tool a-message-of-some-kind-with-id 900; ./tool other 3; ./tool; echo piped | ./other\n",
}
NAME = "a-message-of-some-kind-with-id"


def checksum(text):
    result = 0xcbf29ce484222325
    for byte in text.encode():
        result = ((result ^ byte) * 0x100000001b3) % 2**64
    return result


def make_trees(place, *changes):
    for version in "old", "new":
        for name, text in PROJECT.items():
            path = os.path.join(place, version, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            text = textwrap.dedent(text).replace("SUM", str(checksum(NAME)))
            for file, before, after in changes if version == "new" else []:
                assert name != file or before in text, f"{before} is not in {name}"
                text = text.replace(before, after) if name == file else text
            with open(path, "w", encoding="utf-8") as written:
                written.write(text)


RATE = ("message.c", "level < 907", "level < 908")
PARTS = ("parts.c", "1000", "1001")


def penumbra(place, *arguments):
    return subprocess.run([PENUMBRA, *arguments], cwd=place, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          env={**os.environ, "PENUMBRA_CACHE": CACHE}, timeout=300)


def diff(place, *arguments, test=True):
    return penumbra(place, "diff", "old", "new", "--build", "make", *(["--test", "sh ./test"] if test else []), "--first",
                    "--out", "results", *arguments)


def recorded(place):
    with open(os.path.join(place, "results/report.json"), encoding="utf-8") as file:
        return {entry["entry"]: entry for entry in json.load(file)["entries"]}


def row(*changes):
    def take(function):
        place = os.path.join(SCRATCH, "recorded-" + function.__name__)

        def check():
            make_trees(place, *changes)
            function(place)
        ROWS.append((function.__name__.replace("_", " "), check))
        return function
    return take


def expect(done, status, *words):
    assert done.returncode == status, f"exit status {done.returncode}: {done.stdout[-1500:]}{done.stderr[-900:]}"
    for word in words:
        assert word in done.stdout + done.stderr, f"{word!r} is not in {done.stdout[-2500:]}{done.stderr[-900:]}"


@row(RATE)
def a_regression_beside_a_recorded_call(place):
    expect(diff(place, "--entry", "rate", "--time", "200"), 1, f'message->name="{NAME}"', "level=907",
           "2 calls of rate() recorded from 2 starts: 2 seeds")
    entry = recorded(place)["rate"]["recorded"]
    assert (entry["calls"], entry["starts"], entry["different"]) == (2, 2, 2), entry
    listed = penumbra(place, "seeds", "results")
    expect(listed, 0, "rate(): 2 calls in 2 starts, 2 different inputs, 2 seeds",
           f'  message->name="{NAME}", message->length=4711, message->urgent=1, level=900, flags=12\n',
           '  message->name="other", message->length=4711, message->urgent=1, level=3, flags=12\n')


@row(RATE)
def without_tests_it_is_not_found(place):
    done = diff(place, "--entry", "rate", "--time", "4", test=False)
    assert done.returncode in (0, 3), done.stdout + done.stderr


@row(RATE)
def seeds_of_the_concolic_phase(place):
    done = diff(place, "--entry", "rate", "--program", "tool", "--mode", "concolic", "--time", "200", "--range", "level=10..1000")
    expect(done, 1, "level=907", "the test suite has started tool 3 times")
    entry = recorded(place)["rate"]["recorded"]
    assert len(entry["seeds"]) == 1 and entry["different"] == 2, entry  # the other one is out of its range


@row(PARTS)
def every_changed_function(place):
    done = diff(place, "--functions", "--time", "400")
    expect(done, 1, "the tests never call never()", "how(): zero in the recorded seeds", "calls of split() could not be recorded: parts.c does not compile")
    entries = recorded(place)
    calls = {name: (entry["recorded"]["calls"], entry["recorded"]["starts"]) for name, entry in entries.items()}
    assert calls == {"bad": (7, 4), "depth": (903, 3), "never": (0, 0), "split": (0, 0), "shape": (3, 3)}, calls
    seeds = {name: entry["recorded"]["seeds"] for name, entry in entries.items()}
    assert sorted(seeds["bad"]) == ['text="", n=0, other members 0', 'text="piped", n=7, other members 0', # what bad pointers lead to is zero
                                    'text="some text", list->value=1, list->next->value=2, n=1, other members 0'], seeds["bad"]
    assert len(seeds["depth"]) == 16 and {"n=300", "n=299", "n=297", "n=45"} <= set(seeds["depth"]), seeds["depth"]
    assert seeds["shape"] == ["pair.x=0.5, pair.y=0.25, pair.c='x', bytes=\"12345678\", how()={0,0,0,0,0,0,0,0}"], seeds["shape"]


@row(("parts.c", "n > 0 ? n : 0", "n < 1 ? 0 : n"))
def versions_that_are_equivalent(place):
    done = diff(place, "--entry", "initial", "--no-proofs", "--time", "200")
    expect(done, 0, "equivalent", "3 calls of initial() recorded from 3 starts: 1 seed")


@row(PARTS)
def tests_that_start_nothing(place):
    done = penumbra(place, "diff", "old", "new", "--build", "make", "--test", "true", "--entry", "never", "--time", "200", "--first")
    expect(done, 1, "the test suite has not started the programs of the build", "the tests never call never()")


run_rows(ROWS)

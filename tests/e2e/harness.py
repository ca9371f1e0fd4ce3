#!/usr/bin/env python3
"""`penumbra harness`: the C that it prints, given to `penumbra run`, finds what the entry itself shows."""

import json
import os
import subprocess

PENUMBRA, SCRATCH = os.environ["PENUMBRA"], os.environ["SCRATCH"]
HEAD = "#include <penumbra.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n"
CASES = [
    ("a number and a string", "int f(const char *s, unsigned n) { return n < change(3, 4) && s[n] == 'x'; }", [], "different"),
    ("NULL, a structure, a list", "struct l { int x; struct l *next; }; int f(struct l *l) { int n = 0; for (; l; l = l->next) n += l->x == change(5, 6); return n; }",
     ["--depth=2"], "different"),
    ("a callback", "int f(int (*get)(int)) { return get(change(1, 2)) == 3; }", [], "different"),
    ("streams", "int f(FILE *in, FILE *out) { int c = getc(in); fputc(c == change('a', 'b') ? '!' : c, out); return 0; }", [], "different"),
    ("an assumption", "int f(int x) { return x > change(10, 20); }", ["--assume=x < 11"], "equivalent"),
    ("made by the library", "typedef char *text; text text_new(const char *s) { char *p = malloc(9); if (!p) return 0; p[0] = strlen(s); strncpy(p + 1, s, 8); return p + 1; }\n"
     "int f(text t) { return t[-1] > change(2, 3); }", [], "different"),
]


def run(directory, *command):
    done = subprocess.run([PENUMBRA, *command], cwd=directory, capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def judge(number, source, options, expected):
    directory = os.path.join(SCRATCH, str(number))
    os.mkdir(directory)
    with open(os.path.join(directory, "both.c"), "w") as file:
        file.write(HEAD + source + "\n")
    status, text = run(directory, "harness", "both.c", "--entry", "f", "-o", "harness.c", *options)
    with open(os.path.join(directory, "harness.c")) as file:
        harness = file.read()
    if status or '#include "both.c"' not in harness:
        return f"{status}: {text} {harness}"
    _, text = run(directory, "run", "harness.c", "--entry", "harness_f", "--mode=complete", "--first", "--json", "--quiet")
    report = json.loads(text)
    return None if report["verdict"] == expected else f"{report['verdict']}, {report['limits']}"


chosen = CASES if os.environ.get("PENUMBRA_TEST_ALL") else CASES[1:5]
print(f"1..{len(chosen) + 1}")
for i, (name, *rest) in enumerate(chosen):
    why = judge(i, *rest)
    print(f"not ok {name}: {why}" if why else f"ok {name}", flush=True)
status, text = run(SCRATCH, "harness", "0/both.c", "--entry", "f")
good = status == 0 and f'#include "{os.path.realpath(SCRATCH)}/0/both.c"' in text and "harness_f(void)" in text
print("ok to standard output" if good else f"not ok to standard output: {text}")

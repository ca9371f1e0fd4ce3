#!/usr/bin/env python3
"""Changed functions that cannot be entries are explored through the nearest functions that call them and can, with no option at all."""

import json
import os
import re
import subprocess
import sys

PENUMBRA, SCRATCH = os.environ["PENUMBRA"], os.environ["SCRATCH"]
CASES = []

FORMAT = """#include <stdarg.h>
#include <stdio.h>
static int format(long double unit, char *to, size_t size, const char *text, ...)
{
    va_list list;
    va_start(list, text);
    int n = vsnprintf(to, size, text, list);
    va_end(list);
    return n [[<|<=]] (int)size ? n : -1;
}
"""


def case(name, files, expected, *options):
    """files: name to source, with [[old|new]] in it. expected: entry to verdict, or to None where it cannot be explored; `f<g` for g() that
    is explored because it leads to f()."""
    CASES.append((name, files, expected, options))


case("what cannot be an input", {"a.c": FORMAT + 'int show(int x) { char to[6]; return format(1, to, sizeof to, "%d", x & 0xfffff); }'},
     {"format": None, "format<show": "different"})
case("two calls away", {"a.c": FORMAT + 'static int inner(long double out, int x) { char to[4]; return format(1, to, 4, "%d", x) + (out != 0); }\n'
                        "int outer(unsigned char x) { return inner(0, x + 990); }"},
     {"format": None, "format<outer": "different"})
case("callers that can be entries and such that cannot", {"a.c": FORMAT +
     'static int one(int n, ...) { char to[4]; return format(1, to, 4, "%d", n); }\nint two(unsigned char x) { return one(x + 990, 1); }\n'
     'int three(signed char x) { char to[4]; return format(1, to, 4, "%d", x); }'},
     {"format": None, "format<two": "different", "format<three": "different"})
case("a variable number of arguments, of which no call tells",
     {"a.c": "#include <stdarg.h>\nstatic int level(int n, ...) { va_list l; va_start(l, n); int x = va_arg(l, int); va_end(l); return n && x > [[3|4]]; }\n"
             "int f(int n, int x) { return level(n, x); }"}, {"level": None, "level<f": "different"})
case("a variable number of arguments, and callers, too",
     {"a.c": "#include <stdarg.h>\nstatic int level(int n, ...) { va_list l; va_start(l, n); int x = va_arg(l, int); va_end(l); return n && x > [[3|4]]; }\n"
             "int f(int n, int x) { return level(2, x); }"}, {"level": "different", "level<f": "different"})
case("another type of a parameter", {"a.c": "static int limit([[short|int]] x) { return x > 5; } int f(int x) { return limit(x); }"},
     {"limit": "different", "limit<f": "different"})
case("another number of parameters", {"a.c": "static int add(int a, int b[[|, int c]]) { return a + b [[|+ c]]; } int f(int x) { return add(x, 1[[|, 0]]); }"},
     {"add": None, "add<f": "equivalent"})
case("a caller in another file", {"a.c": FORMAT.replace("static int format", "int format"),
                                  "b.c": '#include <stddef.h>\nint format(long double, char *, size_t, const char *, ...);\n'
                                         'int show(unsigned char x) { char to[3]; return format(1, to, sizeof to, "%d", x); }\n'},
     {"format": None, "format<show": "different"})
case("a static function of the same name in another file",
     {"a.c": FORMAT + 'int show(unsigned char x) { char to[3]; return format(1, to, sizeof to, "%d", x); }',
      "b.c": "static int format(int x) { return x; }\nint other(int x) { return format(x); }\n"},
     {"format": None, "format<show": "different"})
case("functions that call each other", {"a.c": FORMAT +
     'static int a(int n, ...);\nstatic int b(int n, ...) { return n > 3 ? a(n - 1) : 0; }\n'
     'static int a(int n, ...) { char to[4]; return b(n - 1) + format(1, to, 4, "%d", n); }\n'}, {"format": None})
case("a caller that only one version has", {"a.c": FORMAT + '[[|int show(unsigned char x) { char to[3]; return format(1, to, sizeof to, "%d", x); }]]'},
     {"format": None})
case("a caller that is changed itself", {"a.c": FORMAT + 'int show(unsigned char x) { char to[3]; return format(1, to, sizeof to, "%d", x) [[- 1|- 2]]; }'},
     {"format": None, "format<show": "different"})
case("what reads through a callback", {"a.c": "#include <string.h>\nstatic int digits(char *(*read)(char *, int)) { char line[8] = {0}; int n = 0; "
     "if (read(line, 8)) for (char *p = line; *p; p++) n += *p >= '0' && *p [[<|<=]] '9'; return n; }\n"
     "static const char *text; static char *next(char *line, int size) { strncpy(line, text, size - 1); return line; }\n"
     "int count(const char *t) { text = t; return digits(next); }"},
     {"digits": "no-difference-found", "digits<count": "different"}, "--time=10")
case("what a call leaves for the next", {"a.c": "int f(int x) { static int last; int r = last == 7 ? x > [[3|4]] : 0; last = x; return r; }"},
     {"f": "different"})
case("what the library makes", {"a.c": "#include <stdlib.h>\nstruct s { int x; }; struct s *s_new(int x) { struct s *s = malloc(sizeof *s); if (s) s->x = x; return s; }\n"
     "void s_drop(struct s *s) { free(s); [[|free(s);]] }"}, {"s_drop": "different"})
case("a structure that only another file defines",
     {"a.c": '#include <stdlib.h>\nstruct box { int n; };\nstruct box *box_make(const int *n, int (*rate)(int)) { struct box *b = malloc(sizeof *b); if (b) b->n = *n + rate(1); return b; }\n'
             "int box_get(struct box *b) { return b->n; }\n",
      "b.c": "struct box;\nstruct box *box_make(const int *, int (*)(int));\nint box_get(struct box *);\nint full(struct box *b) { return box_get(b) > [[9|8]]; }\n"},
     {"full": "different"})
case("members that cannot be inputs", {"a.c": "struct jump; struct state { struct jump *handler; struct state *next; long double scale; int n; };\n"
     "static int step(struct state *s) { return s->next->n > [[3|4]]; }\nint f(int n) { struct state a = {.n = n}, b = {.next = &a}; return step(&b); }"},
     {"step": "different", "step<f": "different"})
case("bodies that are only there to be inlined", {"a.c": '#include "inline.h"\nextern inline __attribute__((__gnu_inline__)) int twice(int x) { return 2 * x; }\n'
     "inline int more(int x) { return x + 1; }\nint f(signed char x) { return twice(x) + more(x) + systematic(x) > [[10|12]]; }",
     "inline.h": "#pragma GCC system_header\nextern inline __attribute__((__gnu_inline__)) int systematic(int x) { return x - 2; }\n"}, {"f": "different"})
case("a number that does not fit its type", {"a.c": "#include <stdlib.h>\nint f(const char *s) { return strtol(s, NULL, 10) > [[1000000007|1000000008]]; }"},
     {"f": "different"})
case("an allocator in a variable that fails", {"a.c": "#include <stdlib.h>\nstatic struct { void *(*take)(size_t); void (*give)(void *); } memory = {malloc, free};\n"
     "static void drop(char *p) { memory.give(p); }\n"
     "char *f(void) { char *a = memory.take(1); if (!a) return NULL; char *b = memory.take(1); [[if (!b) return a;|if (!b) { drop(a); return NULL; }]] drop(b); return a; }"},
     {"f": "different"})
case("no caller is needed", {"a.c": "static int inner(int x) { return x > [[1|2]]; } int f(int x) { return inner(x); }"}, {"inner": "different"})


def version_of(source, number):
    return re.sub(r"\[\[(.*?)\|(.*?)\]\]", lambda match: match.group(number), source, flags=re.DOTALL)


def judge(number, files, expected, options):
    place = os.path.join(SCRATCH, str(number))
    for version, name in ((1, "old"), (2, "new")):
        os.makedirs(os.path.join(place, name))
        for file, source in files.items():
            with open(os.path.join(place, name, file), "w") as out:
                out.write(version_of(source, version))
    names = ["old", "new"] if len(files) > 1 else ["old/a.c", "new/a.c"]
    command = [PENUMBRA, "diff", *names, "--json", "--quiet", "--out", "results", "--first", *options]
    done = subprocess.run(command, cwd=place, capture_output=True, text=True)
    report = json.loads(done.stdout)
    found = {}
    for entry in report["entries"]:
        for target in entry["leads_to"] or [None]:
            key = f"{target}<{entry['entry']}" if target else entry["entry"]
            found[key] = None if entry["verdict"] == "not-explored" else entry["verdict"]
        for through in entry["through"]:
            if f"{entry['entry']}<{through}" not in expected:
                return f"{entry['entry']} through {through}"
    return None if found == expected else f"{found} instead of {expected}; {done.stderr[-300:]}"


def main():
    words = sys.argv[1:]
    every = 1 if words or os.environ.get("PENUMBRA_TEST_ALL") else 2  # the others are for make test-long
    chosen = [i for i, one in enumerate(CASES) if i % every == 0 and (not words or any(word in one[0] for word in words))]
    print(f"1..{len(chosen)}", flush=True)
    for number in chosen:
        name, *rest = CASES[number]
        try:
            why = judge(number, *rest)
        except Exception as problem:  # a test that cannot run has failed
            why = repr(problem)
        print(f"not ok {name}: {why}" if why else f"ok {name}", flush=True)


main()

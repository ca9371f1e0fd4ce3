#!/usr/bin/env python3
"""How whole programs are started, and read what they are given: each way of reading must lead from a start that shows nothing to one that
does; and what users get wrong."""

import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "programs"))
from running import PENUMBRA, SCRATCH, run_rows  # noqa: E402

HEAD = ("#define _GNU_SOURCE\n#include <err.h>\n#include <errno.h>\n#include <error.h>\n#include <fcntl.h>\n#include <getopt.h>\n"
        "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <sys/mman.h>\n#include <sys/stat.h>\n#include <sys/uio.h>\n"
        "#include <unistd.h>\n")
ALL = os.environ.get("PENUMBRA_TEST_ALL")
ROWS = []


def write(path, text):
    with open(path, "w") as file:
        file.write(text)


def versions(text):
    """The old and the new version of a text with [[old|new]] in it."""
    old = new = ""
    while "[[" in text:
        before, rest = text.split("[[", 1)
        change, text = rest.split("]]", 1)
        one, other = change.split("|", 1)
        old, new = old + before + one, new + before + other
    return HEAD + old + text, HEAD + new + text


def diff(name, text, *options, seconds="60"):
    place = os.path.join(SCRATCH, f"start-{name.replace(' ', '-')}")
    os.makedirs(place + "/cwd", exist_ok=True)
    old, new = versions(text)
    write(place + "/old.c", old)
    write(place + "/new.c", new)
    write(place + "/cwd/data", "12 ab\nc\n")
    write(place + "/given", "12 ab\nc\n")
    command = [PENUMBRA, "diff", "old.c", "new.c", "--time", seconds, "--first", "--out", "results", *options]
    return subprocess.run(command, cwd=place, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def shows(name, text, options, *words, often=True):
    """The exploration finds a difference, and the report says these words."""
    def check():
        done = diff(name, text, *options)
        assert done.returncode == 1, f"exit status {done.returncode}: {done.stdout[-900:]}{done.stderr[-500:]}"
        for word in words:
            assert word in done.stdout, f"{word!r} is not in {done.stdout[:900]}"
    if often or ALL:
        ROWS.append((name, check))


def refuses(name, text, options, *words):
    def check():
        done = diff(name, text, *options)
        assert done.returncode == 2, f"exit status {done.returncode}: {done.stdout[-900:]}{done.stderr[-500:]}"
        assert all(word in done.stderr for word in words), done.stderr
        assert not os.path.exists(os.path.join(SCRATCH, f"start-{name.replace(' ', '-')}", "results")), "results were left"
    ROWS.append((name, check))


def same(name, text, options, verdict="no-difference-found"):
    def check():
        done = diff(name, text, *options, "--max-paths", "200", seconds="60")
        assert done.returncode == 0 and verdict in done.stdout, f"{done.returncode}: {done.stdout[-900:]}{done.stderr[-500:]}"
    ROWS.append((name, check))


MAIN = "int main(int argc, char **argv) { %s }"
FILE_START = ["--cwd", "cwd", "--", "data"]
# Each reads until it meets a byte that the start does not have.
READERS = {
    "getc": 'FILE *f = fopen(argv[1], "r"); int c; while (f && (c = getc(f)) != EOF) if (c == [[\'x\'|\'y\']]) puts("found"); return argc > 5;',
    "fgets": 'char l[9]; FILE *f = fopen(argv[1], "r"); while (f && fgets(l, 9, f)) if (!strcmp(l, [["x\\n"|"y\\n"]])) puts("found"); return argc > 5;',
    "getline": 'char *l = NULL; size_t n = 0; FILE *f = fopen(argv[1], "r"); while (f && getline(&l, &n, f) > 0) if (*l == [[\'x\'|\'y\']]) puts("found"); return argc > 5;',
    "fread": 'char b[4]; size_t n; FILE *f = fopen(argv[1], "r"); while (f && (n = fread(b, 1, 4, f)) > 0) if (memchr(b, [[\'x\'|\'y\']], n)) puts("found"); return argc > 5;',
    "fscanf": 'int i; char w[9]; FILE *f = fopen(argv[1], "r"); if (f && fscanf(f, "%d %8s", &i, w) == 2 && i == [[99|98]]) puts(w); return argc > 5;',
    "ungetc": 'FILE *f = fopen(argv[1], "r"); int c = f ? getc(f) : 0; if (f && c == [[\'x\'|\'y\']]) { ungetc(\'q\', f); putchar(getc(f)); } return argc > 5;',
    "fseek": 'FILE *f = fopen(argv[1], "r"); if (f && !fseek(f, 3, SEEK_SET) && getc(f) == [[\'x\'|\'y\']]) puts("found"); return argc > 5;',
    "unlocked": 'FILE *f = fopen(argv[1], "r"); int c; while (f && (c = getc_unlocked(f)) != EOF) if (c == [[\'x\'|\'y\']]) puts("found"); return argc > 5;',
    "read": 'char b[3]; int f = open(argv[1], O_RDONLY); ssize_t n; while ((n = read(f, b, 3)) > 0) if (memchr(b, [[\'x\'|\'y\']], (size_t)n)) puts("found"); return argc > 5;',
    "read of all at once": 'static char b[8192]; int f = open(argv[1], O_RDONLY); if (read(f, b, sizeof b) == [[3|4]]) puts("found"); return argc > 5;',
    "pread": 'char b; int f = open(argv[1], O_RDONLY); if (pread(f, &b, 1, 2) == 1 && b == [[\'x\'|\'y\']]) puts("found"); return argc > 5;',
    "mmap": 'int f = open(argv[1], O_RDONLY); char *m = mmap(NULL, 8, PROT_READ, MAP_PRIVATE, f, 0); if (m != MAP_FAILED && m[2] == [[\'x\'|\'y\']]) puts("found"); return argc > 5;',
    "length by fstat": 'struct stat s; int f = open(argv[1], O_RDONLY); if (!fstat(f, &s) && s.st_size == [[5|4]]) puts("found"); return argc > 5;',
    "length by stat": 'struct stat s; if (!stat(argv[1], &s) && s.st_size == [[9|10]]) puts("found"); return argc > 5;',
}
for reader, body in READERS.items():
    shows(f"a file by {reader}", MAIN % body, FILE_START, "file(data)", often=reader in ("getline", "read"))

shows("standard input by getchar", "int main(void) { int c; while ((c = getchar()) != EOF) if (c == [['x'|'y']]) puts(\"found\"); return 0; }",
      ["--stdin", "given", "--"], "stdin=")
shows("standard input by scanf", "int main(void) { int i; while (scanf(\"%d\", &i) == 1) if (i == [[77|78]]) puts(\"found\"); return 0; }",
      ["--stdin", "given"], "stdin=", often=False)
shows("standard input that ends early", "int main(void) { int c = getchar(), d = getchar(); return [[d == EOF && c != EOF|0]]; }", ["--stdin", "given"], often=False)
shows("a zero byte", "int main(void) { return getchar() == 0 && getchar() == [['x'|'y']]; }", ["--stdin", "given"], "stdin=$'\\000")
shows("multibyte characters", "#include <locale.h>\n#include <wchar.h>\n#include <wctype.h>\nint main(int argc, char **argv) { setlocale(LC_ALL, \"\"); "
      "mbstate_t state = {0}; wchar_t wide; int letters = 0; for (char *at = argc > 1 ? argv[1] : \"\"; ; ) { "
      "size_t length = mbrtowc(&wide, at, MB_CUR_MAX, &state); if (!length) break; if (length > 9) return [[1|2]]; letters += iswupper(wide) != 0; at += length; } "
      "return letters == [[4|5]] ? 3 : 0; }", ["--", "abcd"], "program ")
shows("no argument", MAIN % "if (argc < 2) [[return 3|return 4]]; return 0;", ["--", "a"], "exit status 3", often=False)
shows("one argument more", MAIN % "(void)argv; if (argc > 2) puts([[\"a\"|\"b\"]]); return 0;", ["--", "a"], often=False)
shows("an empty argument", MAIN % "return argc > 1 && !*argv[1] [[|&& 0]];", ["--", "a"], often=False)
shows("an argument that grows", MAIN % "return argc > 1 && strlen(argv[1]) == 5 [[|&& 0]];", ["--", "a"])
shows("an option", MAIN % "int o, r = 0; while ((o = getopt(argc, argv, \"ab:\")) != -1) if (o == 'b') r = atoi(optarg) == [[42|43]]; return r;", ["--", "-a"])
shows("a long option", MAIN % "static const struct option l[] = {{\"alpha\", 0, 0, 'a'}, {\"beta\", 1, 0, 'b'}, {0, 0, 0, 0}}; int o; "
      "while ((o = getopt_long(argc, argv, \"\", l, NULL)) != -1) if (o == 'b' && *optarg == [['x'|'y']]) puts(\"b\"); return 0;", ["--", "--alpha"], often=False)
shows("an environment variable", MAIN % "const char *v = getenv(\"LEVEL\"); (void)argv; return argc > 0 && v && !strcmp(v, [[\"9\"|\"8\"]]);",
      ["--env", "LEVEL=1", "--"], "getenv(LEVEL)")
shows("a message by error", MAIN % "if (argc > 1 && *argv[1] == 'x') error(2, 0, [[\"wrong: %s\"|\"bad: %s\"]], argv[1]); return 0;", ["--", "a"], often=False)
shows("a message by errx", MAIN % "if (argc > 1 && *argv[1] == 'x') errx(2, [[\"wrong: %s\"|\"bad: %s\"]], argv[1]); return 0;", ["--", "a"], often=False)
shows("a file that is written", MAIN % "FILE *f = fopen(\"out\", \"w\"); if (f) fputs(argc > 1 && *argv[1] == 'x' ? [[\"1\"|\"2\"]] : \"0\", f); return 0;",
      ["--cwd", "cwd", "--", "a"], "./out")
shows("an end in one version", MAIN % "[[if (argc > 1 && *argv[1] == 'x') exit(7);|]] puts(\"end\"); return argv[0] == NULL;", ["--", "a"], "exit status 7")
shows("a signal in one version", MAIN % "[[|if (argc > 1 && *argv[1] == 'x') abort();]] puts(\"end\"); return argv[0] == NULL;", ["--", "a"], "regression", often=False)
shows("a program that reads everything twice", MAIN % 'FILE *f = fopen(argv[1], "r"); int n = 0; while (f && getc(f) != EOF) n++; if (f) rewind(f); '
      'while (f && getc(f) != EOF) n++; return argc > 1 && n == [[6|8]];', FILE_START, often=False)
shows("arguments that stay", MAIN % "int c = getchar(); return argc == 2 && *argv[1] == 'a' && c == [['x'|'y']];",
      ["--concrete", "args", "--stdin", "given", "--", "a"], "program a,")

same("the same in other words", MAIN % "int n = 0; for (int i = 1; i < argc; i++) [[n += argv[i][0] == 'x'|if (argv[i][0] == 'x') n = n + 1]]; return n;",
     ["--", "a"], "equivalent")
same("the name of the program", MAIN % "error(0, 0, \"%s %d\", argv[0], argc [[+|-]] 0); return 0;", ["--no-proofs", "--", "a"])
same("names that vary", MAIN % "char n[] = \"aXXXXXX\"; (void)argv; return mkstemp(n) < 0 || argc [[>|>=]] 100;", ["--no-proofs", "--cwd", "cwd", "--", "a"])
same("time and numbers of processes", "#include <time.h>\n" + MAIN % "(void)argv; printf(\"%ld %d %p\\n\", (long)time(NULL), getpid(), (void *)&argc); "
     "return argc [[>|>=]] 100;", ["--no-proofs", "--", "a"])
CONSTRUCTOR = ("static int x; __attribute__((constructor)) static void begin(void) { x = [[1|2]]; }\n"
               "int main(int argc, char **argv) { (void)argv; return argc > 5 ? x : argc [[>|>=]] 100; }")
shows("a constructor", CONSTRUCTOR, ["--grow", "6", "--", "a", "b", "c", "d"], "exit status 1", often=False)

NOTHING = MAIN % "(void)argv; return argc [[+|-]] 1;"
refuses("a program of 32 bits", NOTHING, ["--cflags=-m32", "--"], "-m32", "64-bit")
refuses("no such file for standard input", NOTHING, ["--stdin", "absent", "--"], "absent")
refuses("no such working directory", NOTHING, ["--cwd", "absent", "--"], "absent")
refuses("a working directory that is a file", NOTHING, ["--cwd", "given", "--"], "given")
refuses("no such input file", NOTHING, ["--cwd", "cwd", "--file", "absent", "--"], "absent")
refuses("a word that is none", NOTHING, ["--concrete", "all", "--"], "args, stdin or files")
refuses("everything of a program", NOTHING, ["--mode", "complete", "--"], "--mode")
refuses("a program without main", "int f(int x) { return x [[+|-]] 1; }", ["--", "a"], "main")
refuses("a folder without seeds", NOTHING, ["--seeds", "cwd"], "cwd")


shows("a name of the directory", MAIN % "struct stat s; if (argc > 1 && !stat(argv[1], &s) && S_ISREG(s.st_mode)) puts([[\"a\"|\"b\"]]); return 0;",
      ["--cwd", "cwd", "--concrete", "files", "--", "-x", "nothing"], " data")
shows("memory that only one version wants", "int main(int argc, char **argv) { unsigned n = argc > 1 ? (unsigned)atoi(argv[1]) : 1; if (n > 3000) return 1; "
      "char *p = calloc(n, [[8|8ul * n * n]]); if (!p) { puts(\"memory exhausted\"); return 2; } puts(\"done\"); free(p); return 0; }",
      ["--memory", "500", "--", "12"], "new  memory exhausted", "in calloc()")
THREADS = ("#include <pthread.h>\nstatic char text[16]; static int counts[2];\n"
           "static void *count(void *part) { for (int k = 0; k < 2000; k++) for (int i = 0; i < 8; i++) "
           "if (k == 0 && text[(part == counts ? 0 : 8) + i] == [['x'|'y']]) ++*(int *)part; return NULL; }\n"
           "int main(void) { pthread_t t[2]; if (read(0, text, 16) < 0) return 1; for (int i = 0; i < 2; i++) pthread_create(&t[i], NULL, count, &counts[i]); "
           "for (int i = 0; i < 2; i++) pthread_join(t[i], NULL); printf(\"%d\\n\", counts[0] + counts[1]); return 0; }")


def limits_of(name, text, *options):
    done = diff(name, text, *options)
    assert done.returncode in (0, 1), f"exit status {done.returncode}: {done.stderr[-500:]}"
    with open(os.path.join(SCRATCH, f"start-{name.replace(' ', '-')}", "results", "report.json"), encoding="utf-8") as file:
        return done, {limit["kind"]: limit["place"] for limit in json.load(file)["limits"]}


def threads():
    done, limits = limits_of("threads", THREADS, "--stdin", "given", "--")
    assert done.returncode == 1 and "threads" in limits and "damaged-trace" not in limits, f"{done.returncode}: {limits}"


def file_that_is_not_opened():
    text = MAIN % 'FILE *f = fopen(argv[1], "r"); return argc > 5 || (f && getc(f) == [[\'x\'|\'y\']]);'
    for name, is_opened in (("other", False), ("data", True)):
        os.makedirs(os.path.join(SCRATCH, "start-" + name, "cwd"))
        write(os.path.join(SCRATCH, "start-" + name, "cwd", "other"), "1\n")
        done, limits = limits_of(name, text, "--cwd", "cwd", "--file", name, "--concrete", "args", "--max-paths", "20", "--", "data")
        assert limits.get("unopened") == (None if is_opened else "other"), f"{limits} {done.stdout[-500:]}"


def seed_that_fails():
    done, limits = limits_of("seed that fails", MAIN % "if (argc > 1 && *argv[1] == 'a') abort(); return argc > 1 && *argv[1] == [['x'|'y']];", "--", "a")
    assert done.returncode == 1 and "failing-seed" in limits, f"{done.returncode}: {limits}"


ROWS += [("a seed that fails", seed_that_fails), ("threads", threads), ("a file that is not opened", file_that_is_not_opened)]


def several_seeds():
    place = os.path.join(SCRATCH, "start-several")
    for name, args in (("1", "a"), ("2", "b 'c d'")):
        os.makedirs(f"{place}/seeds/{name}")
        write(f"{place}/seeds/{name}/args", args + "\n")
    os.makedirs(f"{place}/seeds/1/cwd")
    write(f"{place}/seeds/1/cwd/config", "level=1\n")
    done = diff("several", MAIN % "return argc == 3 && !strcmp(argv[1], \"b\") && argv[2][1] == ' ' && argv[2][2] == [['x'|'y']];", "--seeds", "seeds")
    assert done.returncode == 1 and "program b 'c " in done.stdout, done.stdout[-900:] + done.stderr
    done = diff("several", MAIN % 'FILE *f = fopen("config", "r"); int c = 0; while (f && c != \'=\' && c != EOF) c = getc(f); '
                'return f && argc > 1 && getc(f) == [[\'7\'|\'8\']];', "--seeds", "seeds")
    assert done.returncode == 1 and "file(config)=" in done.stdout, done.stdout[-900:] + done.stderr


ROWS.append(("several seeds", several_seeds))


def several_that_stay():
    place = os.path.join(SCRATCH, "start-several-that-stay")
    for name in "12":
        os.makedirs(f"{place}/seeds/{name}")
        write(f"{place}/seeds/{name}/args", name + "\n")
    done = diff("several that stay", NOTHING, "--seeds", "seeds", "--concrete", "args")
    assert done.returncode == 2 and "several seeds" in done.stderr, done.stderr


ROWS.append(("several that stay", several_that_stay))


def pure_functions():
    """strncmp() is declared to be pure, and its model writes labels all the same."""
    done, limits = limits_of("a pure function", 'int main(void) { char l[32]; int n = 0; FILE *f = fopen("data", "r"); while (f && fgets(l, sizeof l, f)) '
                       'if (!strncmp(l, "12 ", 3)) n = atoi(l + 3); printf("%d\\n", n > [[40|41]]); return 0; }',
                       "--cwd", "cwd", "--")
    assert done.returncode == 1 and "damaged-trace" not in limits, f"{done.returncode}: {limits}"


ROWS.append(("a pure function", pure_functions))

ROOTED = ('int main(int argc, char **argv) { char l[32] = ""; FILE *f = fopen(argc > 1 ? argv[1] : "/etc/penumbra-test/configuration", "r"); '
          'if (!f) return 2; if (!fgets(l, sizeof l, f)) return 3; fclose(f); f = fopen("/etc/penumbra-test/state", "w"); '
          'if (f) { fprintf(f, "%zu\\n", strlen(l)); fclose(f); } if (*l == \'x\') unlink([["/etc/penumbra-test/configuration"|"/etc/penumbra-test/other"]]); return 0; }')


def make_root(name):
    place = os.path.join(SCRATCH, f"start-{name.replace(' ', '-')}")
    os.makedirs(place + "/own/etc/penumbra-test")
    write(place + "/own/etc/penumbra-test/configuration", "abc\n")
    return place


def root_of_its_own():
    """A file that only the program sees becomes an input, what the program does to it an output, and nothing of it is left."""
    for name, options in (("a root", ["--file", "/etc/penumbra-test/configuration", "--"]), ("a root by an argument", ["--concrete", "args", "--", "/etc/penumbra-test/configuration"])):
        place = make_root(name)
        done = diff(name, ROOTED, "--cwd", "cwd", "--root", "own", *options)
        assert done.returncode == 1, done.stdout + done.stderr
        for words in ("/etc/penumbra-test/configuration = removed", "file(/etc/penumbra-test/configuration)"):
            assert words in done.stdout, done.stdout
        number = min(one for one in os.listdir(place + "/results") if one.isdigit())  # what was guessed has 000
        again = subprocess.run([f"results/{number}/repro"], cwd=place, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, "PENUMBRA": PENUMBRA})
        assert again.returncode == 1 and "configuration = removed" in again.stdout, again.stdout + again.stderr
        assert os.listdir(place + "/own/etc/penumbra-test") == ["configuration"], "the user's files have changed"
        assert not os.path.exists("/etc/penumbra-test"), "the system's files have changed"
        tests = subprocess.run([PENUMBRA, "export", "results"], cwd=place, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        assert "--root" in tests.stdout, tests.stdout


def roots_that_cannot_be():
    place = make_root("no root")
    os.makedirs(place + "/new/not-of-the-system")
    os.makedirs(place + "/temporary/tmp")
    write(place + "/temporary/tmp/x", "")
    for root, words in (("new", "has no directory 'not-of-the-system'"), ("temporary", "which each run has of its own"), ("missing", "--root missing")):
        done = diff("no root", ROOTED, "--root", root, "--")
        assert done.returncode == 2 and words in done.stderr, done.stderr
    done = diff("no root", ROOTED, "--root", "own", "--no-sandbox", "--")
    assert done.returncode == 2 and "--root needs namespaces" in done.stderr, done.stderr
    done = diff("no root", ROOTED, "--file", "/etc/passwd", "--")
    assert done.returncode == 2 and "--root DIR" in done.stderr, done.stderr


def has_namespaces():
    return "used         namespaces" in subprocess.run([PENUMBRA, "doctor"], stdout=subprocess.PIPE, text=True).stdout


if has_namespaces():
    ROWS += [("a root of its own", root_of_its_own), ("roots that cannot be", roots_that_cannot_be)]


def directories():
    """The changed file is not the one with main, two others have one, too, and each file has flags of its own."""
    place = os.path.join(SCRATCH, "start-directories")
    for version, least in (("old", 0), ("new", 1)):
        for folder in ("src", "include", "tests"):
            os.makedirs(f"{place}/{version}/{folder}")
        write(f"{place}/{version}/include/level.h", "int level(const char *text);\n")
        write(f"{place}/{version}/src/level.c", f"""#include "level.h"
#include <stdlib.h>
int level(const char *text) {{ int n = atoi(text); return n > LIMIT ? LIMIT : n < {least} ? {least} : n; }}
""")
        write(f"{place}/{version}/src/main.c", '#include "level.h"\n#include <stdio.h>\n'
              'int main(int argc, char **argv) { for (int i = 1; i < argc; i++) printf("%d\\n", level(argv[i])); return 0; }\n')
        write(f"{place}/{version}/tests/check.c", '#include "level.h"\nint main(void) { return level("3") != 3; }\n')
        here = f"{place}/{version}"
        write(here + "/compile_commands.json", json.dumps([
            {"directory": here, "file": file, "command": f"cc -Iinclude {flags} -c {file}"}
            for file, flags in (("src/main.c", ""), ("src/level.c", "-DLIMIT=50"), ("tests/check.c", ""))]))
    command = [PENUMBRA, "diff", "old", "new", "--time", "60", "--first", "--out", "results", "--", "7"]
    done = subprocess.run(command, cwd=place, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 1 and "src/level.c" in done.stdout, f"{done.returncode}: {done.stdout[-900:]}{done.stderr[-500:]}"


ROWS.append(("directories", directories))
# ---- changed functions that only main leads to ----

READS = """
static int count(FILE *file, long double weight) /* which cannot be an input */
{
    int found = 0, c;
    while ((c = getc(file)) != EOF)
        found += c == '[[a|b]]';
    return weight > 0 ? found : 0;
}
int main(int argc, char **argv)
{
    if (argc > 1 && !strcmp(argv[1], "-n"))
        printf("%d\\n", count(stdin, 1));
    return 0;
}
"""
shows("through main without a start", READS, (), "explored through main()", "program -n")
shows("main itself without a start", """
int main(int argc, char **argv) { if (argc > 1 && argv[1][0] == '-') return [[1|2]]; return 0; }
""", (), "program -")
shows("c90 main", "int main(int argc, char **argv) { if (argc > 1 && argv[1][0] == 'x') return [[1|2]]; return 0; }",
      ("--cflags", "-std=c89"), "program x")

sys.exit(run_rows([row for row in ROWS if all(word in row[0] for word in sys.argv[1:])]))

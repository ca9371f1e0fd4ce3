#!/usr/bin/env python3
"""Streams that a function is given (tests/programs/pairs.py): what is read is an input, what is written and what is left of the stream
are outputs. A difference becomes an exported test, too."""

import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "programs"))
import pairs  # noqa: E402
from pairs import DIFFERENT, NOT_DIFFERENT, NOT_SAME, SAME, case, main  # noqa: E402

FIRST = ("--first",)
COUNT = "int c, n = 0; while ((c = getc(in)) != EOF) if (c == %s) n++; return n;"
WORD = "int f(FILE *in) { char word[4]; size_t n = fread(word, 1, sizeof word, in); return n == 4 && [[!memcmp(word, \"PK\\3\\4\", 4)|word[0] == 'P' && word[1] == 'K']]; }"

case("bytes", DIFFERENT, "int f(FILE *in) { " + COUNT % "[['x'|'y']]" + " }", *FIRST, shows="length(in)=1")
case("a length", DIFFERENT, "int f(FILE *in) { int n = 0; while (getc(in) != EOF) n++; return n [[>|>=]] 3; }", *FIRST, shows="length(in)=3")
case("a block", DIFFERENT, WORD, *FIRST, rare=True)
case("lines", DIFFERENT, "int f(FILE *in) { char line[6]; int n = 0; while (fgets(line, sizeof line, in)) n += strlen(line) [[== 5|>= 4]]; return n; }", *FIRST, rare=True)
case("a number", DIFFERENT, "int f(FILE *in) { int n; return fscanf(in, \"%d\", &n) == 1 ? n [[< 90|<= 90]] : -1; }", *FIRST)
case("what is left to be read", DIFFERENT, "void f(FILE *in) { int c = getc(in); [[|if (c == 'x') ungetc(c, in);]] }", *FIRST, shows="ftell(in)", rare=True)
case("its end was seen", DIFFERENT, "int f(FILE *in) { char b[2]; return fread(b, 1, 2, in) == 2 [[|&& getc(in) != EOF]] ? 0 : 0; }", *FIRST, rare=True)
case("closed by one version", DIFFERENT, "void f(FILE *in, int x) { if (x == [[5|6]]) fclose(in); }", *FIRST, shows="fclose(in)")
case("the size first", DIFFERENT, "long f(FILE *in) { fseek(in, 0, SEEK_END); long n = ftell(in); rewind(in); return n [[>|>=]] 4 && getc(in) == 'a'; }", *FIRST, rare=True)
case("the same, read in two ways", SAME,
     "int f(FILE *in) { [[int a = getc(in), b = getc(in); return a == 'x' && b == 'y';|char b[2]; return fread(b, 1, 2, in) == 2 && b[0] == 'x' && b[1] == 'y';]] }", "--size=in=4")
case("NULL", DIFFERENT, "int f(FILE *in) { [[if (!in) return -1;|]] return getc(in); }", *FIRST, shows='"in == NULL": true', rare=True)
case("what is written", DIFFERENT, "void f(FILE *out, int n) { fprintf(out, n == 77 ? \"[[%d|%x]]\" : \"%d\", n); }", *FIRST, shows="written(out)")
case("what is written in other parts", SAME, "void f(FILE *out, int c) { [[fputs(\"ab\", out); fputc(c, out);|fputc('a', out); fprintf(out, \"b%c\", c);]] }")
case("to the other stream", DIFFERENT, "void f(FILE *a, FILE *b, int n) { fputc('x', n == 9 ? [[a|b]] : b); fputc('y', a); }", *FIRST, rare=True)
case("from one to the other", DIFFERENT, "void f(FILE *in, FILE *out) { int c; while ((c = getc(in)) != EOF) if (c [[!=|>]] '\\r') putc(c, out); }", *FIRST)
case("written over", NOT_SAME, "void f(FILE *out, int n) { fputs(\"abc\", out); fseek(out, n == [[1|2]], SEEK_SET); fputc('x', out); }", *FIRST, rare=True)
case("written over alike", NOT_DIFFERENT, "void f(FILE *out, int n) { fputs(\"abc\", out); fseek(out, n [[== 1|- 1 == 0]], SEEK_SET); fputc('x', out); }", "--time=5", rare=True)
case("read by what has no model", NOT_SAME, "#include <wchar.h>\nint f(FILE *in) { return fgetwc(in) == [[L'a'|L'b']]; }", "--time=5")
case("both read and written", NOT_SAME, "int f(FILE *file) { int c = getc(file); fseek(file, 0, SEEK_CUR); putc('x', file); return c == [['a'|'b']]; }", "--time=5")
case("in a structure", DIFFERENT, "struct r { FILE *file; int line; }; int f(struct r *r) { int c = getc(r->file); r->line += c == [['\\n'|'\\r']]; return c; }", *FIRST, shows="r->file=")
case("through functions", DIFFERENT, "static int next(FILE *s) { return getc(s); } struct r { FILE *file; }; int f(FILE *in) { struct r r = {in}; return next(r.file) == [['a'|'b']]; }", *FIRST, rare=True)


def export():
    """The test that is made of a difference passes with the old version and fails with the new one."""
    directory = os.path.join(pairs.SCRATCH, "export")
    os.mkdir(directory)
    source = "void f(FILE *in, FILE *out) { int c = getc(in); fprintf(out, \"<%c>\", c == '<' ? [['('|'<']] : c); }"
    for version, name in ((1, "old.c"), (2, "new.c")):
        with open(os.path.join(directory, name), "w") as file:
            file.write(pairs.version_of(source, version))

    def run(*command):
        return subprocess.run(command, cwd=directory, capture_output=True, text=True)
    found = run(pairs.PENUMBRA, "diff", "old.c", "new.c", "--entry", "f", "--first", "--quiet", "--native-runs", "0", "--out", "results")
    repro = run("results/001/repro")
    if found.returncode != 1 or repro.returncode != 1 or "28" not in repro.stdout:
        return f"{found.returncode} {repro.returncode} {repro.stdout}"
    made = run(pairs.PENUMBRA, "export", "results", "--out", "tests")
    with_new = run("tests/run")
    with_old = subprocess.run(["tests/run"], cwd=directory, capture_output=True, text=True,
                              env={**os.environ, "CFLAGS": f"-DPENUMBRA_SOURCE_0='\"{directory}/old.c\"'".replace("'", "")})
    if made.returncode != 0 or with_new.returncode != 1 or with_old.returncode != 0:
        return f"{made.stdout}{made.stderr} {with_new.returncode} {with_old.stdout}{with_old.stderr}"
    return None


pairs.also("a test and a repro", export)
main()

#!/usr/bin/env python3
"""Memory that is lost (tests/programs/pairs.py): `--leaks` compares how many blocks nothing leads to any more, which is a class of its own.
Objects that the library has made are destroyed by it first."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "programs"))
from pairs import DIFFERENT, NOT_DIFFERENT, SAME, case, main  # noqa: E402

LEAKS = ("--first", "--leaks")
LEAK = '"class": "leak"'
PAIR = """struct pair { char *a, *b; };
void pair_free(struct pair *p) { if (!p) return; free(p->a); free(p->b); free(p); }
struct pair *pair_new(int a)
{
    struct pair *p = calloc(1, sizeof *p);
    if (p && !(p->a = malloc(1))) { free(p); return NULL; }
    if (p) p->a[0] = a;
    return p;
}
"""
TWO = "char *f(void) { char *a = malloc(1); if (!a) return NULL; a[0] = 1; char *b = malloc(1); if (!b) { [[free(a);|]] return NULL; } free(b); return a; }"

case("where an allocation fails", DIFFERENT, TWO, "--alloc-fail", *LEAKS, shows=LEAK + "|failing_allocation")
case("nobody asks", NOT_DIFFERENT, TWO, "--alloc-fail", "--time=5", rare=True)
case("on a path of one version", DIFFERENT, "int f(int x) { char *p = malloc(4); if (!p) return 0; p[0] = x; [[if (x == 77)|if (x != 77)]] x++, x--; else { int y = p[0]; free(p); return y == (char)x; } "
     "return (char)x == p[0] && x == x; }", *LEAKS, shows=LEAK, rare=True)
case("what the library made, destroyed by it", DIFFERENT, PAIR.replace("free(p->b); ", "[[free(p->b);|]] ") + "int f(struct pair *p, char x) { if (!(p->b = malloc(1))) return 0; p->b[0] = x; return 1; }",
     "--made", *LEAKS, shows=LEAK + "|destroyed by pair_free()")
case("freed and kept", DIFFERENT, PAIR + "void f(struct pair *p) { free(p->a); [[p->a = NULL;|]] }", "--made", *LEAKS, shows='"class": "regression"')
case("what is overwritten", DIFFERENT, PAIR + "void f(struct pair *p) { char *a = malloc(1); if (!a) return; a[0] = 0; [[free(p->a);|]] p->a = a; }", "--made", *LEAKS, shows=LEAK, rare=True)
case("what is returned is not lost", SAME, "char *f(int x) { char *p = malloc(1); if (p) *p = [[x + 1|1 + x]]; return p; }", "--leaks")
case("what a variable leads to is not lost", SAME, "static struct n { struct n *next; } *all; void f(void) { struct n *n = malloc(sizeof *n); [[if (n) { n->next = all; all = n; }|if (!n) return; n->next = all; all = n;]] }",
     "--leaks", "--no-proofs", rare=True)
case("what both lose", SAME, "int f(int x) { char *p = malloc(1); if (!p) return 0; *p = x; return [[x > 3|x >= 4]]; }", "--leaks")
main()

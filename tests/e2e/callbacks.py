#!/usr/bin/env python3
"""Functions that are made for pointers to functions, and return pointers: fresh memory or NULL where they are like malloc(), an object
that is an input, or NULL, elsewhere (tests/programs/pairs.py)."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "programs"))
from pairs import ALONE, DIFFERENT, NOT_DIFFERENT, case, main  # noqa: E402

ALONE.remove("--native-runs=0")

SHORT = ("--size=s=3",)
COPY = """struct hooks { %s; void (*release)(void *); };
char *f(struct hooks *hooks, const char *s)
{
    size_t n = strlen(s) + 1;
    char *c = hooks->%s;
    [[|if (!c) return NULL;]]
    memcpy(c, s, n);
    return c;
}"""

case("a check of memory from a hook", DIFFERENT, COPY % ("void *(*take)(size_t)", "take(n)"), *SHORT, shows='hooks->take() fails|"fix"')
case("with something for the hook itself", DIFFERENT, COPY % ("void *(*alloc)(void *, size_t), *own", "alloc(hooks->own, n)"), *SHORT, shows="fix")
case("elements and their size", DIFFERENT, COPY % ("void *(*make)(size_t, size_t)", "make(n, 1)"), *SHORT, shows="fix")
case("an int for the size", DIFFERENT, COPY % ("void *(*get)(int)", "get((int)n)"), *SHORT, shows="fix")
case("a block that is made larger", DIFFERENT,
     "int f(void *(*my_realloc)(void *, size_t)) { char *a = my_realloc(NULL, 4); if (!a) return 0; a[0] = 1; char *b = my_realloc(a, 8); "
     "[[|if (!b) return -1;]] int r = b[0]; free(b); return r; }", shows="my_realloc() fails")
case("one byte too few", DIFFERENT,
     "char *f(void *(*take)(size_t), const char *s) { char *c = take(strlen(s) [[+ 1|]]); return c ? strcpy(c, s) : NULL; }", *SHORT, shows="regression")
case("the second of two blocks", DIFFERENT,
     "int f(void *(*take)(size_t)) { char *a = take(1), *b = take(1); if (!a) return 1; [[if (!b) return 2;|]] *b = 5; return *b; }", shows="regression")
case("the same checks in another way", NOT_DIFFERENT,
     "int f(void *(*take)(size_t)) { char *a = take(1); [[if (!a) return 1; *a = 3; return *a;|if (a) { *a = 3; return *a; } return 1;]] }")
case("a string", DIFFERENT,
     "int f(const char *(*get)(const char *)) { const char *v = get(\"key\"); return v && *v >= [['a'|'b']]; }", shows="get()")
case("a string that may be NULL", DIFFERENT, "size_t f(const char *(*get)(int), int i) { const char *v = get(i); return [[v ? strlen(v) : 0|strlen(v)]]; }",
     shows="regression")
case("a structure", DIFFERENT,
     "struct item { int key, value; }; int f(struct item *(*next)(int), int key) { struct item *it = next(1); return it && it->key == key ? [[it->value|it->key]] : -1; }",
     shows="next()")
case("a structure that it changes", DIFFERENT,
     "struct item { int key, value; }; void f(struct item *(*next)(void)) { struct item *it = next(); if (it) it->value [[+= 1|= 1]]; }", shows="next()")
case("a number behind it", DIFFERENT, "int f(int *(*where)(void)) { int *p = where(); return p ? [[*p|*p + (*p == 77)]] : 0; }", shows="where()")
case("a chain of functions", DIFFERENT,
     "struct node { int value; struct node *(*next)(struct node *); }; int f(struct node *n) { struct node *m = n->next(n); return m ? [[m->value|-m->value]] : 0; }")
case("what both do alike", NOT_DIFFERENT,
     "struct item { int key, value; }; int f(struct item *(*next)(int)) { struct item *it = next(1); return it ? [[it->key + it->value|it->value + it->key]] : -1; }",
     "--size=next=2", shows="the same object in all calls")
case("without NULL", NOT_DIFFERENT, "int f(int *(*where)(void)) { int *p = where(); return [[p ? *p : 0|*p]]; }", "--no-null")

case("one that returns nothing but NULL", NOT_DIFFERENT, "struct unknown; int f(struct unknown *(*get)(int)) { return [[get(1) == NULL|!get(1)]]; }", "--zero=get()")

main(every=2)

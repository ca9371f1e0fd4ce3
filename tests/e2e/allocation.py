#!/usr/bin/env python3
"""Memory allocation that fails: which one is an input where a change can tell (tests/programs/pairs.py)."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "programs"))
from pairs import DIFFERENT, NOT_DIFFERENT, SAME, case, main  # noqa: E402

CHECK = "int f(int x) { int *p = malloc(sizeof *p); [[|if (!p) return -1;]] *p = x; x = *p; free(p); return x; }"
MAKE = "struct node { int x; struct node *next; };\nstatic struct node *make(int x) { struct node *n = calloc(1, sizeof *n); if (n) n->x = x; return n; }\n"

case("a check is added", DIFFERENT, CHECK, shows='"failing_allocation": 1|"fix"')
case("it never fails", SAME, CHECK, "--no-alloc-fail", shows="memory allocation never fails", rare=True)
case("what the verdict rests on", SAME, "int f(int x) { int *p = malloc(sizeof *p); if (!p) return -1; *p = x; x = [[*p + 1|1 + *p]]; free(p); return x; }",
     shows="at most one fails")
case("in a function that is called", DIFFERENT, MAKE + "int f(int x) { struct node *n = make(x); [[n->x++|if (n) n->x++]]; free(n); return 0; }", shows='"fix"', rare=True)
case("what the first left behind", DIFFERENT, MAKE +
     "int left; int f(int x) { struct node *a = make(x), *b = make(x); if (!a || !b) { [[|free(a);]] free(b); left = [[a != NULL|1]]; return 1; } free(a); free(b); return 0; }",
     shows="failing_allocation", rare=True)
case("the second one only", DIFFERENT, "char *f(const char *s) { char *p = strdup(s); if (!p) return NULL; char *q = realloc(p, 20); [[if (!q) { free(p); return NULL; }|]] "
     "q[10] = 1; return q; }", "--size=s=2", shows='"failing_allocation": 2')
case("another number of allocations", SAME, "int f(int x) { [[int *a = malloc(4), *b = malloc(4)|int *a = malloc(8), *b = a + 1]]; if (!a || !b) return -1; "
     "*a = x; *b = 1; x = *a + *b; [[free(b);|]] free(a); return x; }", shows="memory allocation never fails")
case("always, if it is said", NOT_DIFFERENT, "static int g(int x) { return x [[+ 1|- -1]]; } int f(int x) { int *p = malloc(4); if (p) *p = 1; free(p); return g(x); }",
     "--alloc-fail", shows="at most one fails", rare=True)
case("code that does not allocate", SAME, "static int g(int x) { return x [[+ 1|- -1]]; } int f(int x) { int *p = malloc(4); *p = x; x = *p; free(p); return g(x); }",
     shows="memory allocation never fails")
case("a hook that is malloc()", DIFFERENT, "static void *(*const take)(size_t) = malloc; int f(int x) { int *p = take(4); [[|if (!p) return 1;]] *p = x; free(p); return 0; }",
     shows="failing_allocation", rare=True)
case("errno", DIFFERENT, "int f(int x) { int *p = malloc(4); if (!p) return [[errno|ENOMEM + 1]]; *p = x; x = *p; free(p); return x; }", shows="failing_allocation", rare=True)
case("versions that are explored apart", DIFFERENT, "struct s { [[int a; long b|long b; int a]]; }; int f(struct s *s) { int *p = malloc(4); [[|if (!p) return 1;]] *p = s->a; free(p); return 0; }",
     "--alloc-fail", shows="failing_allocation")
case("an allocator of the program's own", DIFFERENT, "static char heap[64]; static size_t used; char *strdup(const char *s) { char *p = heap + used; used += strlen(s) + 1; "
     "return used > 64 ? NULL : strcpy(p, s); } int f(const char *s) { return strdup(s)[0] == [[1|2]]; }", "--size=s=2", "--alloc-fail")
case("a seed", DIFFERENT, CHECK, "--mode", "concolic", "--seed=failing_allocation=1", shows='"failing_allocation": 1', rare=True)
main()

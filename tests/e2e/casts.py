#!/usr/bin/env python3
"""`void *` is what the entry's code takes it for (tests/programs/pairs.py)."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "programs"))
from pairs import DIFFERENT, NOT_DIFFERENT, case, main  # noqa: E402

ITEM = "struct item { char name[16]; int rank; };\n"
case("a comparison of structures", DIFFERENT, ITEM + "int f(const void *a, const void *b) { const struct item *x = a, *y = b; "
     "return [[x->rank - y->rank|(x->rank > y->rank) - (x->rank < y->rank)]]; }", shows="a->rank")
case("an explicit cast", DIFFERENT, ITEM + "int f(void *p) { return ((struct item *)p)->rank [[> 3|> 4]]; }", shows="p->rank")
case("numbers", DIFFERENT, "int f(const void *p) { const long *n = p; return n[1] [[> 3|> 4]]; }", "--size=p=2", rare=True)
case("a cast in one version", DIFFERENT, ITEM + "int f(void *p) { [[return 0|struct item *i = p; return i->rank == 9]]; }", shows="p->rank")
case("two types", NOT_DIFFERENT, ITEM + "int f(void *p) { int *n = p; if (*n == 1) return ((struct item *)p)->name[4]; return *n [[+ 1|- -1]]; }", rare=True)
case("bytes", DIFFERENT, "int f(void *p) { return ((char *)p)[3] [[> 3|> 4]]; }", rare=True)
case("NULL", DIFFERENT, ITEM + "int f(void *p) { struct item *i = p; [[if (!i) return 0;|]] return i->rank; }", shows='"p == NULL": true', rare=True)
main()

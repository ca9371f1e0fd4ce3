#!/usr/bin/env python3
"""How much lies behind a pointer, and between members (tests/programs/pairs.py): structures and pointers that the code goes on from are several,
sizes that nobody gave keep from `equivalent` only where a run went beyond them, and padding that the code may look at is an input."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "programs"))
from pairs import DIFFERENT, NOT_DIFFERENT, NOT_SAME, SAME, case, main  # noqa: E402

CELL = "struct cell { short value; unsigned char flags; };\n"
PADDED = "struct padded { char a; int b; };\n"

case("the second structure", DIFFERENT, CELL + "int f(const struct cell *c, unsigned n) { int used = 0; for (unsigned i = 0; i < n; i++) if (c[i].flags & 1) used += 1[[| + (i > 0)]]; return used; }",
     "--first", shows="c[1].flags")
case("by steps", DIFFERENT, CELL + "int f(const struct cell *c, int n) { int sum = 0; for (; n-- > 0; c++) sum += c->value[[| * (c->flags != 9)]]; return sum; }", "--first", shows="c[1].flags")
case("by a sum, in a callee", DIFFERENT, CELL + "static void clear(struct cell *c) { c->value = 0; }\nvoid f(struct cell *list) { clear(list); [[|clear(list + 1);]] }", "--first", shows="list[1].value")
case("behind a member", DIFFERENT, CELL + "struct list { struct cell *items; int count; };\nint f(struct list *l) { return l->count > 1 && l->items[1].value == [[7|8]]; }", "--first", shows="l->items[1].value")
case("pointers", DIFFERENT, CELL + "int f(struct cell **c, int n) { return n > 1 ? c[1]->value [[+|-]] c[0]->value : 0; }", "--first", shows="c[1]->value")
case("strings", DIFFERENT, "int f(char **words) { int n = 0; while (*words) n += (*words++)[0] == [['x'|'y']]; return n; }", "--first", rare=True)
case("a union", DIFFERENT, "union u { int i; unsigned char c[4]; };\nint f(const union u *u, int n) { return n == 2 && u[1].c[0] == [[1|2]]; }", "--first", rare=True)
case("one is one", SAME, CELL + "int f(struct cell *c) { return c->value [[+ c->value|* 2]]; }")
case("bytes of one are no others", SAME, CELL + "int f(const struct cell *c) { const unsigned char *p = (const unsigned char *)&c->flags; int s = 0; for (int i = 0; i < 1; i++) s += p[i]; return s [[* 2|+ s]]; }")
case("as many as were given", NOT_SAME, CELL + "int f(const struct cell *c, unsigned n) { int used = 0; for (unsigned i = 0; i < n; i++) if (c[i].flags & 1) used += 1[[| + (i > 5)]]; return used; }",
     shows="c: 3 elements")
case("beyond one", NOT_SAME, CELL + "int f(const struct cell *c, int n) { struct cell copy[4]; if (n < 0 || n > 4) return 0; memcpy(copy, c, n * sizeof *c); return n > 1 ? copy[1].value [[> 0|> 1]] : 0; }",
     shows="raise --size")
case("eight are enough", SAME, "unsigned f(const unsigned char *p) { return p[0] + (p[1] << 8) + (p[2] << 16) [[+ ((unsigned)p[3] << 24)|+ p[3] * 16777216u]]; }", shows="p points to 8 elements")
case("eight are not enough", NOT_SAME, "int f(const int *p, unsigned n) { int s = 0; for (unsigned i = 0; i < n; i++) s += p[i] [[|+ (i > 30)]]; return s; }", "--max-loop", "12", shows="p: 8 elements")
case("compared bytes", DIFFERENT, PADDED + "int f(const struct padded *x, const struct padded *y) { return [[x->a == y->a && x->b == y->b|!memcmp(x, y, sizeof *x)]]; }", "--first", shows="padding(x->a)")
case("bytes through a pointer", DIFFERENT, PADDED + "unsigned f(const struct padded *x) { unsigned h = 0; const unsigned char *p = (const unsigned char *)x; for (unsigned i = 0; i < sizeof *x; i++) h = h * 31 + [[p[i]|(i > 0 && i < 4 ? 0 : p[i])]]; return h; }",
     "--first", shows="padding(x->a)")
case("behind bits", DIFFERENT, "struct bits { unsigned mode : 3; };\nint f(const struct bits *b) { static const struct bits none; return [[!b->mode|!memcmp(b, &none, sizeof none)]]; }", "--first", shows="padding(b->mode)", rare=True)
case("padding of a copy", NOT_SAME, PADDED + "int f(struct padded x, struct padded y) { return [[x.a == y.a && x.b == y.b|!memcmp(&x, &y, sizeof x)]]; }", shows="passed by value")
case("padding that nothing sees", SAME, PADDED + "int f(struct padded *x, const struct padded *y) { [[*x = *y;|x->a = y->a; x->b = y->b;]] return x->b; }", "--distinct")

# A structure that leads to eight others, as each of these does: 585 parts at the usual depth, 73 at one less.
MANY = "int a, b, c, d, e, f, g;"
NODE = "struct node { int value; %s struct node *" + ", *".join(f"n{i}" for i in range(8)) + "; };\n"
case("very many parts", DIFFERENT, NODE % MANY + "int f(const struct node *n) { return n->n3->value > [[5|6]]; }", "--first", shows="behind 2 other pointers")
case("parts that are many in one version only", NOT_DIFFERENT, NODE % f"[[|{MANY}]]" + "int f(const struct node *n) { return n->n3 ? n->n3->value : 0; }", rare=True)
main()

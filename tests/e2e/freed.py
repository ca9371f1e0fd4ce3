#!/usr/bin/env python3
"""Memory of parameters that the entry frees or moves (tests/programs/pairs.py): where it may do so, what pointers lead to are blocks, and which of
them are freed is compared."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "programs"))
from pairs import DIFFERENT, NOT_DIFFERENT, case, main  # noqa: E402

NODE = "struct node { struct node *next; char *key; int value; };\n"
HOOKS = "static struct { void *(*take)(size_t); void (*give)(void *); } hooks = {malloc, free};\n"

case("behind a free", DIFFERENT, NODE + "int f(struct node *n, const char *k) { char *c = strdup(k); if (!c) return -1; free(n->key); n->key = c; return n->value [[+|-]] 1; }", "--first",
     shows='"class": "output"')
case("behind a pointer to free", DIFFERENT, HOOKS + NODE + "int f(struct node *n) { hooks.give(n->key); n->key = NULL; return n->value [[+|-]] 1; }", "--first")
case("one version frees", DIFFERENT, NODE + "void f(struct node *n) { if (n->value == 77) { free(n->key); n->key = NULL; } [[free(n);|]] }", "--first", shows="n freed")
case("freed where the value is another", DIFFERENT, "void f(char *s, int x) { if (x [[>|>=]] 1) free(s); }", "--first", shows="s freed", rare=True)
case("freed twice", DIFFERENT, NODE + "void f(struct node *n) { free(n->key); [[if (n->value > 3) free(n->key);|]] free(n); }", "--first", shows='"class": "fix"')
case("used after that", DIFFERENT, NODE + "int f(struct node *n) { [[int v = n->value; free(n); return v;|free(n); return n->value;]] }", "--first", shows='"class": "regression"')
case("the middle of a block", DIFFERENT, "void f(char *s, int x) { if (x == 7) free(s [[+ 1|]]); }", "--first", shows='"class": "fix"', rare=True)
case("moved by realloc", DIFFERENT, "struct b { char *data; unsigned len, cap; };\nint f(struct b *b, char c) { if (b->cap > 64 || b->len > b->cap) return -1; if (b->len [[|+ 1]] == b->cap) "
     "{ unsigned n = b->cap ? b->cap * 2 : 8; char *d = realloc(b->data, n); if (!d) return -1; b->data = d; b->cap = n; } return b->cap; }", "--first")
case("elements of a list", DIFFERENT, NODE + "struct node *f(struct node *h, int v) { struct node **p = &h; while (*p) { struct node *c = *p; if (c->value == v) { *p = c->next; free(c->key); free(c); [[|break;]] } "
     "else p = &c->next; } return h; }", "--first", rare=True)
case("behind a flexible member", DIFFERENT, "struct t { int n; char d[]; };\nint f(struct t *t) { if (t->n == 3) { free(t); return 1; } t->d[0] = [[1|2]]; return 0; }", "--first", rare=True)
case("by realloc to 0", DIFFERENT, "int f(char **p, size_t n) { if (n > 8) return 2; char *q = realloc(*p, n); if (!q[[| && n]]) return -1; *p = q; return 0; }", "--no-alloc-fail",
     shows='"kind": "diff-false"')
case("handed to a callback", DIFFERENT, "struct w { void (*done)(struct w *, char *); char *data; };\nint f(struct w *w, int k) { char *d = w->data; free(d); w->data = NULL; w->done(w, d); return k == 3 ? [[1|2]] : 0; }",
     "--first")
case("in another order", NOT_DIFFERENT, NODE + "void f(struct node *n) { [[free(n->key); free(n);|char *k = n->key; free(n); free(k);]] }", "--no-proofs")
case("both alike", NOT_DIFFERENT, NODE + "int f(struct node *n, int k) { free(n->key); n->key = NULL; n->value = [[k * 2|k + k]]; return 1; }")
case("a table of them", NOT_DIFFERENT, "struct t { int *slots[4]; };\nvoid f(struct t *t) { for (int i = 0; i [[< 4|<= 3]]; i++) { free(t->slots[i]); t->slots[i] = NULL; } }", rare=True)
main()

#!/usr/bin/env python3
"""Pointers that may be NULL (tests/programs/pairs.py): whether one is, is decided where the code asks, and nowhere else. Of what it never looks
at, each pointer would double the paths; and where it leads is compared all the same."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "programs"))
from pairs import DIFFERENT, SAME, case, main  # noqa: E402

# No text: one of a limited length is a limit of what is `equivalent`, and so is where pointers are followed no further.
NODE = "struct leaf { int v; };\nstruct node { struct leaf *next, *child, *third, *fourth; int v; };\n"
LIST = "struct list { struct list *next, *other; char *name; int v; };\n"
FEW = ("--null", "--max-paths=12", "--no-fold")

case("nobody looks", DIFFERENT, NODE + "int f(struct node *n) { return n->v > [[3|4]]; }", *FEW, shows='n->v == 4')
case("nobody looks, and they are the same", SAME, NODE + "int f(struct node *n) { return [[n->v > 3|n->v >= 4 && n->v != 3]]; }", *FEW)
case("what the code asks is decided", DIFFERENT, NODE + "int f(struct node *n) { return n && n->next && n->next->v > 3 && [[n->next|n->child]]; }", "--null", "--max-paths=40")
case("returned", DIFFERENT, NODE + "struct leaf *f(struct node *n) { return n ? n->[[next|child]] : 0; }", *FEW)
case("returned by one version, NULL by the other", DIFFERENT, NODE + "struct leaf *f(struct node *n) { return [[n ? n->next : 0|0]]; }", *FEW)
case("set to NULL by one version", DIFFERENT, NODE + "void f(struct node *n) { if (n && n->v) [[;|n->next = 0;]] }", *FEW)
case("set to NULL where it is", SAME, NODE + "void f(struct node *n) { if (n && !n->next) [[;|n->next = 0;]] }", *FEW)
case("exchanged", DIFFERENT, NODE + "void f(struct node *n) { if (!n) return; struct leaf *p = n->next; n->next = n->child; n->child = [[p|n->next]]; }", *FEW)
case("exchanged twice", SAME, NODE + "void f(struct node *n) { [[;|if (!n) return; struct leaf *p = n->next; n->next = n->child; n->child = p; p = n->next; n->next = n->child; n->child = p;]] }", *FEW)
case("moved up", DIFFERENT, LIST + "struct list *f(struct list *n) { if (!n || !n->next) return 0; struct list *p = n->next; n->next = p->[[next|other]]; return p; }", "--null", "--max-paths=40")
# On paths that are not the same, what each version leaves is compared symbolically.
case("apart, the same choice", SAME, NODE + "struct leaf *f(struct node *n) { if (!n) return 0; if (n->v [[> 3|< 9]]) return n->next; return n->next; }", *FEW)
case("apart, another choice", DIFFERENT, NODE + "struct leaf *f(struct node *n) { if (!n) return 0; if (n->v [[> 3|> 4]]) return n->next; return 0; }", *FEW, shows="n->v == 4")
case("apart, where the choice is none", SAME, NODE + "struct leaf *f(struct node *n) { if (!n || n->next) return 0; if (n->v [[> 3|> 4]]) return n->next; return 0; }", *FEW)
case("apart, a text", DIFFERENT, LIST + "char *f(struct list *n) { if (!n) return 0; if (n->v [[> 3|> 4]]) return n->name; return 0; }", *FEW)
case("a function", DIFFERENT, "struct hooks { int (*one)(int); int (*other)(int); int v; };\nint f(struct hooks *h) { return h->v > [[3|4]]; }", *FEW, shows="h->v == 4")
case("to a callback", DIFFERENT, NODE + "int f(struct node *n, int (*call)(struct leaf *)) { return n && call ? call(n->[[next|child]]) : 0; }", "--null")
case("freed", DIFFERENT, LIST + "void f(struct list *n) { if (n) { [[free(n->name);|]] n->v = 0; } }", "--null")
main()

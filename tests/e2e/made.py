#!/usr/bin/env python3
"""Objects that only the library can make are made by the library (tests/programs/pairs.py): a header lies in front of the pointer."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "programs"))
from pairs import DIFFERENT, NOT_DIFFERENT, case, main  # noqa: E402

TEXT = """#include <stddef.h>
typedef char *text;
struct header { size_t length, room; char bytes[]; };
static struct header *header(const char *t) { return (struct header *)(t - offsetof(struct header, bytes)); }
text text_new(const char *from)
{
    size_t n = strlen(from);
    struct header *h = malloc(sizeof *h + n + 5);
    if (!h) return NULL;
    h->length = n, h->room = n + 4;
    memcpy(h->bytes, from, n + 1);
    return h->bytes;
}
void text_free(text t) { if (t) free(header(t)); }
text text_add(text t, char c)
{
    struct header *h = header(t);
    if (h->length == h->room) return NULL;
    t[h->length++] = c, t[h->length] = 0;
    return t;
}
"""
FIRST = ("--first",)
SHORT = ("--time=10",)

case("what the header says", DIFFERENT, TEXT + "size_t f(text t) { return header(t)->length [[> 2|> 3]]; }", *FIRST, shows="t made by")
case("what was added", DIFFERENT, TEXT + "int f(text t) { return header(t)->room - header(t)->length [[> 3|> 2]]; }", *FIRST, shows="t then", rare=True)
case("added three times", DIFFERENT, TEXT + "int f(text t) { return header(t)->room - header(t)->length [[> 1|> 0]]; }", *FIRST, shows="t then#3")
case("what is left in it", DIFFERENT, TEXT + "void f(text t) { header(t)->length = 0; [[t[0] = 0;|]] }", *FIRST, shows="made by text_new()", rare=True)
case("a constructor that differs", DIFFERENT, TEXT.replace("n + 4", "[[n + 4|n + 3]]") + "size_t f(text t) { return header(t)->room; }", *FIRST, rare=True)
case("freed by one version", DIFFERENT, TEXT + "void f(text t) { [[|text_free(t);]] }", *FIRST, rare=True)
case("used after it is freed", DIFFERENT, TEXT + "int f(text t) { int c = t[0]; text_free(t); return c [[|+ 0 * *(t + 1)]]; }", *FIRST, shows="regression")
case("NULL", DIFFERENT, TEXT + "int f(text t) { [[if (!t) return 0;|]] return t[0]; }", *FIRST, shows='"t == NULL": true', rare=True)
case("two of them", DIFFERENT, TEXT + "int f(text a, const text b) { return header(a)->length [[<|<=]] header(b)->length; }", *FIRST, rare=True)
case("the same", NOT_DIFFERENT, TEXT + "int f(text t) { return header(t)->length [[>= 2|> 1]]; }", *SHORT, rare=True)
case("a constructor that never succeeds", NOT_DIFFERENT, "typedef char *text; text text_new(int n) { return NULL; } int f(text t) { return t[-1] [[+ 1|+ 2]]; }", *SHORT)
case("a function of one version is none", DIFFERENT,
     "typedef char *text; [[|text text_new(void) { return NULL; }]] int f(text t) { return t[0] [[> 1|> 2]]; }", *FIRST, rare=True)
case("a name for a pointer that nothing returns", DIFFERENT, "typedef char *name; int f(name n) { return n[0] [[> 1|> 2]]; }", *FIRST, rare=True)
RING = """struct ring { char *bytes; int size, used; };
struct ring *ring_new(int size)
{
    if (size < 1 || size > 4) return NULL;
    struct ring *r = malloc(sizeof *r);
    if (!r || !(r->bytes = malloc(size))) { free(r); return NULL; }
    r->size = size, r->used = 0;
    return r;
}
int ring_put(struct ring *r, char c) { return r->used < r->size ? r->bytes[r->used++] = c, 1 : 0; }
"""
case("a structure: freed twice", DIFFERENT, RING + "void f(struct ring *r) { free(r->bytes); [[|free(r->bytes);]] free(r); }", "--made", *FIRST, shows="r made by")
case("a structure that can only be full", NOT_DIFFERENT, RING + "int f(const struct ring *r) { return r->used [[>=|==]] r->size; }", "--made", *SHORT)
case("a structure in plain memory", DIFFERENT, RING + "int f(const struct ring *r) { return r->used [[>=|==]] r->size; }", *FIRST, rare=True)
main()

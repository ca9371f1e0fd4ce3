#!/usr/bin/env python3
"""Versions that the optimiser makes the same of (docs/proofs.md). [[this@that@broken]] is `this` in the old version and
`that` in the new one, which must be proven equivalent without a run; with `broken` in its place, a difference must be
found. Behind them, pairs that an optimiser that may exploit undefined behaviour would make the same of, and that differ
in how they fail, in what they print before, in errno, in volatile accesses, in what was never written, in rounding:
nothing may be proven of these."""

import concurrent.futures
import json
import os
import re
import subprocess
import sys

PENUMBRA, SCRATCH = os.environ["PENUMBRA"], os.environ["SCRATCH"]
HEAD = "".join(f"#include <{name}.h>\n" for name in
               "stdlib stdio string errno assert limits stdint math stdbool ctype stddef".split())
EQUAL, EXPLORED, UNEQUAL, RECURSIVE = [], [], [], []


def equal(name, source, *options):
    EQUAL.append((name, source, options))


def explored(name, source, *options):
    """Not the same to the optimiser; but they have few paths."""
    EXPLORED.append((name, source, options))


def unequal(name, source, *options):
    UNEQUAL.append((name, source, options))


def recursive(name, source, *options):
    """The same if the stack is enough for the recursion, which is said; unless runs show that it is not."""
    RECURSIVE.append((name, source, options))


# ---- the same ----

equal("a temporary", "int f(int a, int b) { [[return a * b + a;@int t = a * b; t += a; return t;@int t = a * b; t += b; return t;]] }")
equal("a temporary for memory", "int f(int *p, int n) { [[return p[n] * p[n];@int t = p[n]; return t * t;@int t = p[n]; return t + t;]] }")
equal("a temporary in a loop", "long f(const int *p, unsigned n) { long s = 0; for (unsigned i = 0; i < n; i++) "
      "[[s += p[i] * 2;@{ int t = p[i]; s += t + t; }@{ int t = p[i]; s += t + i; }]] return s; }")
equal("constants", "int f(int x) { return x * [[60 * 60 * 24@86400@86401]]; }")
equal("constants from a table", "static const int days[] = {31, 28, 31}; int f(int x) { return x + [[days[1]@28@29]]; }")
equal("an enumerator", "enum { A, B = 7 }; int f(int x) { return x == [[B@7@8]] ? 1 : x; }")
equal("a constant macro", "#define N 16\nint f(int x) { return x % [[N@16@15]]; }")
equal("a dead store", "int f(int a) { int t = a; [[t = 5; t = a + 1;@t = a + 1;@t = a + 2;]] return t; }")
equal("a dead store to a global", "int g; void f(int a) { [[g = 0; g = a;@g = a;@g = 0;]] }")
equal("a dead branch", "int f(int a) { [[if (a > 5 && a < 3) return 9;@@if (a > 5 && a < 8) return 9;]] return a; }")
equal("a reordered sum", "int f(int a, int b, int c) { return [[a + b + c@c + a + b@c + a - b]]; }")
equal("a reordered product", "unsigned f(unsigned a, unsigned b) { return [[a * 3 * b@b * (a * 3)@b * (a * 2)]]; }")
equal("reordered bits", "unsigned f(unsigned a, unsigned b) { return [[(a ^ b) & 255@(255 & b) ^ (255 & a)@(255 & b) | (255 & a)]]; }")
equal("a turned comparison", "int f(int a, int b) { return [[a < b@b > a@b < a]] ? a : b; }")
equal("a negated condition", "int f(int a, int b) { [[if (!(a <= b)) return 1; return 2;@if (a <= b) return 2; return 1;@if (a < b) return 2; return 1;]] }")
equal("a nested condition", "int f(int a, int b) { [[if (a) if (b) return 1; return 0;@return a && b;@return a || b;]] }")
equal("an extracted function", "[[@static int twice(int x) { return 2 * x; }@static int twice(int x) { return 3 * x; }]]\n"
      "int f(int a, int b) { return [[2 * a@twice(a)@twice(a)]] + b; }")
equal("an extracted function with a result by pointer",
      "[[@static void split(unsigned x, unsigned *h, unsigned *l) { *h = x >> 16; *l = x & 0xffff; }@"
      "static void split(unsigned x, unsigned *h, unsigned *l) { *h = x >> 16; *l = x & 0x7fff; }]]\n"
      "unsigned f(unsigned x) { [[return (x >> 16) + (x & 0xffff);@unsigned h, l; split(x, &h, &l); return h + l;@"
      "unsigned h, l; split(x, &h, &l); return h + l;]] }")
equal("an extracted loop", "[[@static long total(const int *p, int n) { long s = 0; for (int i = 0; i < n; i++) s += p[i]; return s; }@"
      "static long total(const int *p, int n) { long s = 0; for (int i = 1; i < n; i++) s += p[i]; return s; }]]\n"
      "long f(const int *p, int n) { [[long s = 0; for (int i = 0; i < n; i++) s += p[i]; return s;@return total(p, n);@return total(p, n);]] }")
equal("an inlined function", "[[static bool is_space(char c) { return c == ' ' || c == '\\t'; }@@]]\n"
      "int f(const char *s) { int n = 0; while ([[is_space(s[n])@s[n] == ' ' || s[n] == '\\t'@s[n] == ' ' || s[n] == '\\n']]) n++; return n; }")
equal("a renamed function", "static int [[work@task@task]](int x) { return x * 5 + [[1@1@2]]; }\nint f(int x) { return [[work@task@task]](x) * [[work@task@task]](x + 1); }")
equal("a renamed structure", "struct [[pair@couple@couple]] { int a, b; };\n"
      "int f(int x) { struct [[pair@couple@couple]] p = {x, x + [[1@1@2]]}; return p.a * p.b; }")
equal("a renamed static variable", "static int [[count@calls@calls]]; int f(int x) { return [[count@calls@calls]] += x + [[0@0@1]]; }")
equal("renamed loop variables", "int f(const int *p, int n) { int m = p[0]; for (int [[i@k@k]] = 1; [[i@k@k]] < n; [[i++@k++@k += 2]]) "
      "if (p[ [[i@k@k]] ] > m) m = p[ [[i@k@k]] ]; return m; }")
equal("for and while", "int f(const char *s) { int n = 0; [[for (; *s; s++) n += *s == 'x';@while (*s) { if (*s == 'x') n++; s++; }@"
      "while (*s) { s++; if (*s == 'x') n++; }]] return n; }")
equal("while and do", "int f(unsigned n) { int d = 0; [[while (n) { n /= 10; d++; }@if (n) do { d++; n /= 10; } while (n);@"
      "do { d++; n /= 10; } while (n);]] return d; }")
equal("an unrolled loop", "int f(int a, int b) { int t[4] = {a, b, a + b, a - b}, s = 0; [[for (int i = 0; i < 4; i++) s = s * 3 + t[i];@"
      "s = t[0]; s = s * 3 + t[1]; s = s * 3 + t[2]; s = s * 3 + t[3];@s = t[0]; s = s * 3 + t[1]; s = s * 3 + t[3]; s = s * 3 + t[2];]] return s; }")
equal("an unrolled loop over a parameter", "int f(const int *p) { int s = 0; [[for (int i = 0; i < 4; i++) s += p[i];@s += p[0]; s += p[1]; s += p[2]; s += p[3];@"
      "s += p[0]; s += p[1]; s += p[2]; s += p[2];]] return s; }")
equal("a fused loop", "int f(int x) { int a[4], s = 0; [[for (int i = 0; i < 4; i++) a[i] = x + i; for (int i = 0; i < 4; i++) s += a[i];@"
      "for (int i = 0; i < 4; i++) { a[i] = x + i; s += a[i]; }@for (int i = 0; i < 4; i++) { a[i] = x - i; s += a[i]; }]] return s; }")
equal("a switch and conditions", "int f(int x) { [[switch (x) { case 1: return 10; case 2: return 20; default: return 0; }@"
      "if (x == 1) return 10; if (x == 2) return 20; return 0;@if (x == 1) return 10; if (x == 3) return 20; return 0;]] }")
equal("a moved function", "[[static int one(int x) { return x + 1; } static int two(int x) { return x * 2; }@"
      "static int two(int x) { return x * 2; } static int one(int x) { return x + 1; }@"
      "static int two(int x) { return x * 3; } static int one(int x) { return x + 1; }]] int f(int x) { return one(two(x)); }")
equal("a printed message", 'void f(int x) { [[printf("%d\\n", x + 1);@int y = x; y++; printf("%d\\n", y);@int y = x; y++; printf("%i \\n", y);]] }')
equal("the same sine", "double f(double x) { [[return sin(x) * 2.0;@double s = sin(x); return s * 2.0;@double s = cos(x); return s * 2.0;]] }")
equal("sines in a loop", "double f(const double *p, int n) { double s = 0; for (int i = 0; i < n; i++) [[s += sin(p[i]);@{ double t = sin(p[i]); s += t; }@"
      "{ double t = sin(p[i]); s -= t; }]] return s; }")
equal("an argument that nothing reads", "int f(int argc, char **argv) { return [[argc + 1@1 + argc@2 + argc]]; }")
equal("recursion on both sides", "static unsigned fib(unsigned n) { [[if (n < 2) return n; return fib(n - 1) + fib(n - 2);@"
      "return n < 2 ? n : fib(n - 1) + fib(n - 2);@return n < 3 ? n : fib(n - 1) + fib(n - 2);]] } unsigned f(unsigned n) { return fib(n); }")
equal("a list", "struct node { int value; struct node *next; }; int f(struct node *p) { int n = 0; [[for (; p; p = p->next) n += p->value;@"
      "while (p != NULL) { n = n + p->value; p = p->next; }@while (p != NULL) { n = n | p->value; p = p->next; }]] return n; }")
equal("a pointer for an index", "int f(const char *s, char c) { [[int n = 0; for (size_t i = 0; s[i]; i++) if (s[i] == c) n++; return n;@"
      "int n = 0; while (*s != 0) { n += *s == c; s += 1; } return n;@int n = 1; while (*s != 0) { n += *s == c; s += 1; } return n;]] }")
equal("a division with a check", "int f(int a, int b) { [[if (b == 0) return 0; return a / b;@return b ? a / b : 0;@return b > 0 ? a / b : 0;]] }")
equal("a power of two", "unsigned f(unsigned x) { return [[x / 8 + x % 8@(x >> 3) + (x & 7)@(x >> 3) + (x & 3)]]; }")
equal("a mask", "uint32_t f(uint8_t a, uint8_t b) { return [[(uint32_t)a << 8 | b@((uint32_t)a * 256) + b@((uint32_t)a * 255) + b]]; }")
equal("a callback", "int f(int (*get)(void), int n) { int s = 0; for (int i = 0; i < n; i++) [[s += get();@{ int v = get(); s = v + s; }@{ int v = get(); s = v - s; }]] return s; }")
equal("a copied string", "void f(char *d, const char *s) { [[while ((*d++ = *s++)) ;@for (;;) { char c = *s++; *d++ = c; if (!c) break; }@"
      "for (;;) { char c = *s++; if (!c) break; *d++ = c; }]] }")
equal("an allocated block", "char *f(unsigned n) { [[char *p = malloc(n + 1u); if (!p) return NULL; p[n] = 0; return p;@char *p; if ((p = malloc(1u + n)) != NULL) p[n] = 0; return p;@"
      "char *p; if ((p = malloc(1u + n)) != NULL) p[n] = 1; return p;]] }")
equal("a structure by value", "struct v { long x, y, z; }; long f(struct v v) { [[return v.x * v.y + v.z;@struct v w = v; return w.z + w.y * w.x;@struct v w = v; return w.x + w.y * w.z;]] }")
equal("goto and break", "int f(const int *p, int n) { int i; [[for (i = 0; i < n; i++) if (p[i] < 0) goto out; out: return i;@"
      "for (i = 0; i < n; i++) { if (p[i] < 0) break; } return i;@for (i = 0; i < n; i++) { if (p[i] <= 0) break; } return i;]] }")
equal("de Morgan", "int f(int a, int b) { return [[!(a && b)@!a || !b@!a && !b]]; }")
equal("bool", "bool f(int a) { [[if (a) return true; return false;@return a != 0;@return a == 0;]] }")
equal("a hoisted computation", "void f(int *p, int n, int a, int b) { [[for (int i = 0; i < n; i++) p[i] = a * b + i;@int c = a * b; for (int i = 0; i < n; i++) p[i] = c + i;@"
      "int c = a + b; for (int i = 0; i < n; i++) p[i] = c + i;]] }")
equal("a struct member kept", "struct s { int n; int *p; }; int f(struct s *s) { [[if (s->n > 3) return s->n; return s->n + 1;@int n = s->n; return n > 3 ? n : n + 1;@"
      "int n = s->n; return n >= 3 ? n : n + 1;]] }")
equal("early and late checks", "int f(const char *s) { [[if (s == NULL) return -1; int n = 0; while (s[n]) n++; return n;@int n = 0; if (!s) { n = -1; } else { while (s[n] != '\\0') n++; } return n;@"
      "int n = 0; if (!s) { n = -2; } else { while (s[n] != '\\0') n++; } return n;]] }")

equal("the same sine twice", "double f(double x) { [[return sin(x) * sin(x);@double s = sin(x); return s * s;@double s = sin(x); return s + s;]] }")
equal("a length that is measured once", "int f(const char *s) { [[if (strlen(s) > 3) return (int)strlen(s); return 0;@size_t n = strlen(s); return n > 3 ? (int)n : 0;@"
      "size_t n = strlen(s); return n >= 3 ? (int)n : 0;]] }")
equal("an assertion on another line", "int f(int x) {[[@\n\n@\n\n]] assert(x != 3); return [[x + 1@1 + x@2 + x]]; }")

# loops that LLVM does not make the same of, and that are followed side by side

equal("a loop that counts down", "int f(const int *p, int n) { int s = 0; [[for (int i = 0; i < n; i++) s += p[i] & 3;@"
      "for (int left = n; left > 0; left--) s += *p++ & 3;@for (int left = n; left > 1; left--) s += *p++ & 3;]] return s; }")
equal("a pointer to the end", "int f(const char *p, size_t n) { int s = 0; [[for (size_t i = 0; i < n; i++) s ^= p[i];@"
      "for (const char *q = p, *e = p + n; q != e; q++) s ^= *q;@for (const char *q = p, *e = p + n; q + 1 < e; q++) s ^= *q;]] return s; }")
equal("a remainder that is counted", "unsigned f(unsigned n, const unsigned char *key) { unsigned s = 0; [[for (unsigned i = 0; i < n; i++) s += key[i % 4] ^ i;@"
      "unsigned k = 0; for (unsigned i = 0; i < n; i++) { s += key[k] ^ i; if (++k == 4) k = 0; }@"
      "unsigned k = 0; for (unsigned i = 0; i < n; i++) { s += key[k] ^ i; if (++k == 3) k = 0; }]] return s; }")
equal("a condition before the loop", "int f(const int *p, int n, int flag) { int s = 0; [[for (int i = 0; i < n; i++) { if (flag) s += p[i]; else s -= p[i]; }@"
      "if (flag) for (int i = 0; i < n; i++) s += p[i]; else for (int i = 0; i < n; i++) s -= p[i];@"
      "if (flag) for (int i = 0; i < n; i++) s += p[i]; else for (int i = 0; i < n; i++) s ^= p[i];]] return s; }")
equal("a loop unrolled by two", "unsigned f(const unsigned char *p, unsigned n) { unsigned s = 0; [[for (unsigned i = 0; i < n; i++) s = s * 5 + p[i];@"
      "unsigned i = 0; for (; n - i >= 2; i += 2) { s = s * 5 + p[i]; s = s * 5 + p[i + 1]; } if (i < n) s = s * 5 + p[i];@"
      "unsigned i = 0; for (; n - i >= 2; i += 2) { s = s * 5 + p[i]; s = s * 5 + p[i + 1]; } if (i + 1 < n) s = s * 5 + p[i];]] return s; }")
equal("fused loops", "int f(const int *p, int n) { int s = 0, m = 0; [[for (int i = 0; i < n; i++) s += p[i]; for (int i = 0; i < n; i++) if (p[i] > m) m = p[i];@"
      "for (int i = 0; i < n; i++) { s += p[i]; if (p[i] > m) m = p[i]; }@for (int i = 0; i < n; i++) { s += p[i]; if (p[i] > s) m = p[i]; }]] return s ^ m; }")
equal("three loops that become one", "int f(const char *s) { int a = 0, b = 0, c = 0; [[for (const char *p = s; *p; p++) a += *p == 'a'; for (const char *p = s; *p; p++) b += *p == 'b'; "
      "for (size_t i = 0; s[i]; i++) c ^= s[i];@for (; *s; s++) { c ^= *s; b += *s == 'b'; a += *s == 'a'; }@for (; *s; s++) { c ^= *s; b += *s == 'a'; a += *s == 'a'; }]] return a * 100 + b * 10 + c; }")
equal("a loop that is split", "void f(const unsigned *p, unsigned n, unsigned out[2]) { unsigned s = 1, t = 0; [[for (unsigned i = 0; i < n; i++) { s = s * 3 + p[i]; if (p[i] & 1) t++; }@"
      "for (unsigned i = 0; i < n; i++) s = s * 3 + p[i]; for (unsigned i = 0; i < n; i++) if (p[i] & 1) t++;@"
      "for (unsigned i = 0; i < n; i++) s = s * 3 + p[i]; for (unsigned i = 1; i < n; i++) if (p[i] & 1) t++;]] out[0] = s; out[1] = t; }")
equal("a loop that is split before another", "int f(const char *s, const int *p, int n) { int a = 0, b = 0, c = 0; [[for (int i = 0; s[i]; i++) { a += s[i]; b ^= s[i]; }@for (int i = 0; s[i]; i++) a += s[i]; "
      "for (int i = 0; s[i]; i++) b ^= s[i];@for (int i = 0; s[i]; i++) a += s[i]; for (int i = 0; s[i]; i++) b |= s[i];]] for (int i = 0; i < n; i++) c = c * 7 + p[i]; return a - b * c; }")
equal("a first round before the loop", "int f(const int *p, int n) { [[int m = 0; for (int i = 0; i < n; i++) m = m * 7 + p[i];@"
      "int m = 0; if (n > 0) { m = p[0]; for (int i = 1; i < n; i++) m = m * 7 + p[i]; }@"
      "int m = 0; if (n > 0) { m = p[0]; for (int i = 2; i < n; i++) m = m * 7 + p[i]; }]] return m; }")
equal("an end in the middle", "int f(const char *s) { [[int i = 0; while (s[i] && s[i] != ':') i++; return s[i] == ':' ? i : -1;@"
      "for (int i = 0;; i++) { if (!s[i]) return -1; if (s[i] == ':') return i; }@"
      "for (int i = 0;; i++) { if (s[i] == ':') return i; if (s[i] == '!') return -1; if (!s[i]) return -1; }]] }")
equal("a flag that ends a loop", "int f(const int *p, unsigned n) { [[for (unsigned i = 0; i < n; i++) if (p[i] == 42) return 1; return 0;@"
      "bool found = false; unsigned i = 0; while (!found && i < n) { found = p[i] == 42; i++; } return found;@"
      "bool found = false; unsigned i = 0; while (!found && i < n) { found = p[i] == 41; i++; } return found;]] }")
equal("a switch in a loop", "int f(const char *s) { int d = 0; for (; *s; s++) [[switch (*s) { case '(': d++; break; case ')': d--; break; default: break; }@"
      "{ if (*s == '(') d = d + 1; else if (*s == ')') d = d - 1; }@{ if (*s == '(') d = d + 1; else if (*s == ']') d = d - 1; }]] return d; }")
equal("digits", "unsigned f(const char *s) { unsigned v = 0; [[while (*s >= '0' && *s <= '9') v = v * 10 + (unsigned)(*s++ - '0');@"
      "while ((unsigned)(*s - '0') < 10u) { v = (v << 3) + (v << 1) + (unsigned)(*s - '0'); s++; }@"
      "while ((unsigned)(*s - '0') < 11u) { v = (v << 3) + (v << 1) + (unsigned)(*s - '0'); s++; }]] return v; }")
equal("capital letters", "void f(char *s) { [[for (; *s; s++) if (*s >= 'a' && *s <= 'z') *s = (char)(*s - 'a' + 'A');@"
      "for (size_t i = 0; s[i]; i++) { char c = s[i]; if (c - 'a' >= 0 && c - 'z' <= 0) s[i] = (char)(c ^ 32); }@"
      "for (size_t i = 0; s[i]; i++) { char c = s[i]; if (c - 'a' > 0 && c - 'z' <= 0) s[i] = (char)(c ^ 32); }]] }")
equal("a choice by arithmetic", "int f(int argc, char **argv) { int s = 0; for (int i = 0; i < argc; i++) "
      "[[s += i & 1 ? 3 : 5;@s += 5 - 2 * (i & 1);@s += 5 - 3 * (i & 1);]] return s; }")
equal("two pointers that meet", "int f(const char *s, unsigned n) { [[for (unsigned i = 0; i < n / 2; i++) if (s[i] != s[n - 1 - i]) return 0; return 1;@"
      "const char *a = s, *b = s + n; for (unsigned k = n >> 1; k; k--) if (*a++ != *--b) return 0; return 1;@"
      "const char *a = s, *b = s + n; for (unsigned k = n >> 1; k > 1; k--) if (*a++ != *--b) return 0; return 1;]] }")
equal("a sum that is carried along", "void f(int *p, int n, int k) { [[for (int i = 0; i < n; i++) p[i] = i * k + (p[i] & 1);@"
      "int v = 0; for (int *q = p; n > 0; n--, q++) { *q = (*q & 1) + v; v += k; }@int v = 0; for (int *q = p; n > 0; n--, q++) { v += k; *q = (*q & 1) + v; }]] }")
equal("the middle of three", "int f(int a, int b, int c) { [[if (a > b) { int t = a; a = b; b = t; } if (b > c) b = c; return a > b ? a : b;@"
      "return a < b ? (b < c ? b : (a < c ? c : a)) : (a < c ? a : (b < c ? c : b));@"
      "return a < b ? (b < c ? b : (a < c ? c : a)) : (a < c ? a : (b < c ? b : c));]] }")
equal("calls in a loop from both ends", "void f(void (*put)(int), unsigned n) { [[for (unsigned i = 0; i < n; i++) put((int)(n - i));@"
      "for (; n; n--) put((int)n);@for (; n; n--) put((int)n - 1);]] }")

equal("elements in another order", "int f(int x, const int *c) { [[return c[0] + c[1] * x + c[2] * x * x + c[3] * x * x * x;@return ((c[3] * x + c[2]) * x + c[1]) * x + c[0];@"
      "return ((c[3] * x + c[2]) * x - c[1]) * x + c[0];]] }")
equal("elements of a loop in another order", "unsigned f(const unsigned char *p, unsigned n) { unsigned s = 0; for (unsigned i = 0; i < n; i++) "
      "[[s = s * 7 + (p[2 * (size_t)i] | (unsigned)p[2 * (size_t)i + 1] << 8);@s = s * 7 + (((unsigned)p[2 * (size_t)i + 1] << 8) + p[2 * (size_t)i]);@"
      "s = s * 7 + (((unsigned)p[2 * (size_t)i + 1] << 7) + p[2 * (size_t)i]);]] return s; }")
equal("a flag and the character before", "int f(const char *s) { [[int in = 0, n = 0; for (; *s; s++) { if (*s == ' ') in = 0; else if (!in) { in = 1; n++; } } return n;@"
      "int n = 0; char before = ' '; for (; *s; before = *s++) if (*s != ' ' && before == ' ') n++; return n;@"
      "int n = 0; char before = 0; for (; *s; before = *s++) if (*s != ' ' && before == ' ') n++; return n;]] }")

equal("bits that are counted", "unsigned f(unsigned x) { [[unsigned n = 0; for (int i = 0; i < 32; i++) n += (x >> i) & 1; return n;@"
      "x -= (x >> 1) & 0x55555555u; x = (x & 0x33333333u) + ((x >> 2) & 0x33333333u); x = (x + (x >> 4)) & 0x0f0f0f0fu; return (x * 0x01010101u) >> 24;@"
      "x -= (x >> 1) & 0x55555555u; x = (x & 0x33333333u) + ((x >> 2) & 0x33333333u); x = (x + (x >> 4)) & 0x0f0f0f0fu; return (x * 0x01010101u) >> 25;]] }")
equal("the highest bit", "int f(unsigned x) { [[int n = -1; while (x) { x >>= 1; n++; } return n;@if (!x) return -1; int n = 31; while (!(x & 0x80000000u)) { x <<= 1; n--; } return n;@"
      "if (!x) return 0; int n = 31; while (!(x & 0x80000000u)) { x <<= 1; n--; } return n;]] }")

# parts: functions that both versions have, compared one by one

equal("a changed loop that is called in a loop", "static unsigned sum(const unsigned char *p, unsigned n) { unsigned s = 0; [[for (unsigned i = 0; i < n; i++) s = s * 5 + p[i];@"
      "unsigned i = 0; for (; n - i >= 2; i += 2) { s = s * 5 + p[i]; s = s * 5 + p[i + 1]; } if (i < n) s = s * 5 + p[i];@"
      "unsigned i = 0; for (; n - i >= 2; i += 2) { s = s * 5 + p[i]; s = s * 5 + p[i + 1]; } if (i < n) s = s * 6 + p[i];]] return s; }\n"
      "unsigned f(const unsigned char *p, unsigned n) { unsigned r = [[0@1 - 1@0]]; for (unsigned i = 0; i < n; i++) r = r * 3 + sum(p, i); return r + sum(p + 1, n) * sum(p + 2, n); }")
equal("a changed choice that is made twice", "static int digit(char c) { [[if (c >= '0' && c <= '9') return c - '0'; if (c >= 'a' && c <= 'f') return c - 'a' + 10; return -1;@"
      "switch (c) { case '0' ... '9': return c - 48; case 'a' ... 'f': return c - 87; default: return -1; }@"
      "switch (c) { case '0' ... '9': return c - 48; case 'a' ... 'g': return c - 87; default: return -1; }]] }\n"
      "int f(const char *s, unsigned char *out, unsigned n) { for (unsigned i = 0; i < n; i++) { int h = digit(s[2 * (size_t)i]), l = digit(s[2 * (size_t)i + 1]); "
      "if (h < 0 || l < 0) return -1; out[i] = (unsigned char)([[h << 4 | l@16 * h + l@16 * h + l]]); } return 0; }")
equal("a function that is the same as it is used", "static int g(int x) { return x > 100 ? [[1@3@3]] : x; }\nint f(int x) { return g(x & [[63@63@127]]) + [[2 * x@x + x@2 * x]]; }")

equal("sin() on both sides, and a conversion", "double f(double x, int k) { [[return k > 3 ? sin(x) + k : sin(x);@double r = sin(x); if (k >= 4) r += k; return r;@"
      "double r = sin(x); if (k >= 5) r += k; return r;]] }")
equal("a library that is linked", "int helper(int x) { return x [[* 2@+ x@+ 2]]; }\nint f(int x) { return helper(x) + 1; }", "--link", "resolv")

explored("recursion and a loop", "static unsigned sum(unsigned char n) { [[return n ? n + sum(n - 1) : 0;@unsigned s = 0; while (n) s += n--; return s;@"
         "unsigned s = 0; while (n) s += --n; return s;]] }\nunsigned f(unsigned char n) { return n < 40 ? sum(n) : 0; }")
explored("recursion over a list and a loop", "struct node { int value; struct node *next; }; static int count(struct node *p) { "
         "[[return p ? 1 + count(p->next) : 0;@int n = 0; for (; p; p = p->next) n++; return n;@int n = 1; for (; p; p = p->next) n++; return n;]] }\n"
         "int f(struct node *p) { return count(p); }", "--depth", "3")
explored("fused loops over global arrays", "int a[4], b[4]; void f(int x) { [[for (int i = 0; i < 4; i++) a[i] = x; for (int i = 0; i < 4; i++) b[i] = x + i;@"
         "for (int i = 0; i < 4; i++) { a[i] = x; b[i] = x + i; }@for (int i = 0; i < 4; i++) { a[i] = x; b[i] = x - i; }]] }")

LIST = "struct node { int value; struct node *next; };\n"
recursive("a tail recursion and a loop", "unsigned f(unsigned a, unsigned b) { [[return b ? f(b, a % b) : a;@while (b) { unsigned t = a % b; a = b; b = t; } return a;@"
          "while (b > 1) { unsigned t = a % b; a = b; b = t; } return a;]] }")
recursive("a sum by recursion and by a loop", "unsigned f(unsigned n) { [[return n ? n + f(n - 1) : 0;@unsigned s = 0; while (n) s += n--; return s;@"
          "unsigned s = 0; while (n) s += --n; return s;]] }")
recursive("a length by recursion and by a loop", LIST + "int f(const struct node *p) { [[return p ? 1 + f(p->next) : 0;@int n = 0; for (; p; p = p->next) n++; return n;@"
          "int n = 0; for (; p; p = p->next) n += p->value != 3; return n;]] }")
recursive("a search by recursion and by a loop", LIST + "[[static const struct node *find(const struct node *p, int v) { return !p || p->value == v ? p : find(p->next, v); }@@]]\n"
          "int f(const struct node *p, int v) { [[return find(p, v) != 0;@while (p && p->value != v) p = p->next; return p != 0;@"
          "while (p && p->value < v) p = p->next; return p != 0;]] }")
recursive("stores by recursion and by a loop", "void f(unsigned char *p, unsigned n) { [[if (n) { *p = n; f(p + 1, n - 1); }@for (; n; n--) *p++ = n;@for (; n; n--) *p++ = n - 1;]] }")

# ---- not the same ----

unequal("printed before both fail", 'int t[4]; int f(unsigned i) { [[if (i == 6) puts("x");@if (i == 6) puts("y");]] return t[i & 7]; }')
unequal("printed by one before both fail", 'int t[4]; int f(unsigned i) { [[@if ((i & 7) > 3) puts("x");]] return t[i & 7]; }')

unequal("a load that nobody needs", "int f(int *p, int x) { [[int t = *p; (void)t;@]] return x; }", "--null")
unequal("a check for NULL behind an access", "int f(int *p) { [[int x = *p; if (!p) return 7;@if (!p) return 7; int x = *p;]] return x; }")
unequal("an access behind the check for NULL", "int f(int *p) { [[int x = p[0]; if (!p) x = 1;@int x = p ? p[0] : 1;]] return x; }")
unequal("an index outside of its array", "int t[4]; int f(unsigned i) { [[return i < 4 ? t[i] : 0;@return t[i];]] }")
unequal("an element that is read and not used", "int t[4]; int f(unsigned i) { [[int u = t[i]; (void)u;@]] return 3; }")
unequal("a local array", "int f(unsigned i) { int t[4] = {1, 1, 1, 1}; [[return t[i];@return i < 4 ? t[i] : 1;]] }")
unequal("a local array that nothing reads", "int f(unsigned i) { int t[4]; [[t[i] = 1;@]] return 0; }")
unequal("one element too many", "int t[5]; int f(int n) { int s = 0; for (int i = 0; [[i < n@i < n && i < 5]]; i++) s += t[i]; return s; }")
unequal("a division that nobody needs", "int f(int a, int b) { [[int t = a / b; (void)t;@]] return a; }")
unequal("x / x", "int f(int x) { return [[x / x@1]]; }")
unequal("0 / x", "int f(int x) { return [[0 / x@0]]; }")
unequal("x % 1 by a variable", "int f(int x, int y) { return [[x % y * 0@0]]; }")
unequal("a quotient that does not fit", "int f(int x) { int m = -1; m *= x != 0; return [[x % (m | 1)@x == INT_MIN && m == -1 ? 0 : x % (m | 1)]]; }")
unequal("a signed overflow", "int f(int x) { return [[x + 1 > x@1]]; }")
unequal("a signed overflow in a product", "int f(int x) { return [[x * 2 / 2@x]]; }")
unequal("abs of the least number", "int f(int x) { int a = x < 0 ? -x : x; return [[a < 0@0]]; }")
unequal("a wide shift", "int f(int x, int n) { return [[x << n@x << (n & 31)]]; }")
unequal("a wide shift that is not used", "int f(int x, int n) { [[int t = x << n; return t - t;@return 0;]] }")
unequal("a shift of too much", "unsigned f(unsigned x, unsigned n) { return [[n < 32 ? x >> n : 0@x >> n]]; }")
unequal("an infinite loop", "int f(unsigned x) { [[while (x) x |= 1;@]] return 0; }", "--run-time", "1")
unequal("an infinite loop with a condition", "int f(unsigned x) { unsigned y = x; [[while (y != 3) y = y * y;@]] return (int)x; }", "--run-time", "1")
unequal("a recursion without an end and a loop without one", "unsigned f(unsigned x) { [[return x == 7 ? f(x) : x + 1;@while (x == 7); return x + 1;]] }", "--run-time", "1")
unequal("a recursion behind which something is left to do", "static unsigned r(unsigned n) { [[return n ? 2 * r(n - 1) + n : 1;@"
        "unsigned s = 1; while (n) s = 2 * s + n--; return s;]] } unsigned f(unsigned n) { return r(n); }")
unequal("a recursion without an end", "static int r(int x) { return x ? r(x) : 0; } int f(int x) { [[r(x);@]] return 1; }")
unequal("a deep recursion with more variables", "static int r(int n) { if (n <= 0) return 0; [[return 1 + r(n - 1);@char b[1000]; b[n & 7] = 1; return b[n & 7] + r(n - 1);]] }\n"
        "int f(int n) { return r(n); }")
unequal("what was never written", "int f(int x) { int t; if (x) t = 3; return [[t@x ? t : 3]]; }")
unequal("what was never written and constant", "int f(int x) { [[int t;@int t = 0;]] if (x == 1) t = 2; return t; }")
unequal("memory that was never written", "int f(int x) { int *p = [[malloc(4)@calloc(1, 4)]]; return *p; }")
unequal("a freed block", "int f(int x) { int *p = malloc(4); *p = x; [[free(p); return *p;@int y = *p; free(p); return y;]] }")
unequal("a block that is freed twice", "void f(int x) { int *p = malloc(4); free(p); [[if (x == 5) free(p);@]] }")
unequal("a block behind its end", "int f(unsigned n) { char *p = malloc(8); [[p[n] = 1;@if (n < 8) p[n] = 1;]] free(p); return 0; }")
unequal("a variable that has gone", "int f(int x) { int *p; [[{ int y = x; p = &y; } return *p;@int y = x; p = &y; return *p;]] }")
unequal("a variable of a function that has returned", "static int *keep; static void set(int x) { int y = x; keep = &y; }\n"
        "int f(int x) { [[set(x); return *keep;@int y = x; keep = &y; return *keep;]] }")
unequal("printed before a failure", 'int f(int *p, int x) { [[printf("%d\\n", x); return 1 / x;@int t = 1 / x; printf("%d\\n", x); return t;]] }')
unequal("the order of what is printed", 'void f(int x) { [[puts("a"); puts("b");@puts("b"); puts("a");]] }')
unequal("printed to another stream", 'void f(int x) { fprintf([[stdout@stderr]], "%d", x); }')
unequal("how it fails", "int f(int x) { if (x == 3) [[abort();@assert(x != 3);]] return x; }")
unequal("an assertion", "int f(int x) { [[assert(x >= 0);@]] return x; }")
unequal("an exit status", "int f(int x) { if (x < 0) exit([[1@2]]); return x; }")
unequal("errno", "double f(double x) { [[double t = sqrt(x); (void)t;@]] return x; }")
unequal("errno of a logarithm on one path", "double f(double x, int n) { [[double l = log(x); return n ? l : 1.0;@return n ? log(x) : 1.0;]] }")
unequal("errno that is read too early", "int f(double x) { errno = 0; [[double y = log(x); int e = errno; return e + (y > 1);@int e = errno; double y = log(x); return e + (y > 1);]] }")
unequal("errno of a number that is too large", "int f(const char *s) { [[int n = atoi(s); (void)n;@]] return errno; }")
unequal("a length of a string that is changed", "int f(char *s) { [[size_t n = strlen(s); s[0] = 0; return (int)n;@s[0] = 0; size_t n = strlen(s); return (int)n;]] }")
unequal("errno of a logarithm", "int f(double x) { [[log(x);@]] return 0; }")
unequal("errno that is set", "int f(int x) { [[errno = EINVAL;@]] return -x; }")
unequal("a volatile write", "volatile int port; void f(int x) { [[port = x; port = x;@port = x;]] }")
unequal("a volatile read", "volatile int port; int f(int x) { [[(void)port;@]] return x; }")
unequal("the order of volatile writes", "volatile int a, b; void f(int x) { [[a = x; b = x;@b = x; a = x;]] }")
unequal("a sum of three numbers", "double f(double a, double b, double c) { return [[a + b + c@a + (b + c)]]; }")
unequal("a product and a sum", "double f(double a, double b, double c) { return [[a * b + c@fma(a, b, c)]]; }")
unequal("a division by a constant", "double f(double x) { return [[x / 3.0@x * (1.0 / 3.0)]]; }")
unequal("a zero with a sign", "double f(double x) { return [[x + 0.0@x]]; }")
unequal("a comparison with NaN", "int f(double x, double y) { return [[!(x < y)@x >= y]]; }")
unequal("a difference of a number and itself", "double f(double x) { return [[x - x@0.0]]; }")
unequal("float and double", "float f(float a, float b) { return [[a * b + a@(float)((double)a * b + a)]]; }")
unequal("a conversion that does not fit", "int f(double x) { return [[(int)x@x > 2147483647.0 ? 0 : (int)x]]; }")
unequal("members in another order", "struct s { int [[a, b@b, a]]; }; int f(struct s *s) { return *(int *)s; }")
unequal("a variable of another type", "[[@unsigned]] char g; void f(int x) { g = (char)x; }")
unequal("a value of a variable that nothing reads", "int limit = [[3@4]]; int f(int x) { return x; }")
unequal("two pointers into one array", "int f(int *a, int *b) { *a = 1; *b = 2; return [[*a@1]]; }")
unequal("an element that is multiplied by zero", "int f(int *restrict a, int n) { return [[a[n] * 0@0]]; }")
unequal("other types", "int f(short *p, int *q) { *q = 1; *p = 2; return [[*q@1]]; }")
unequal("a copy outside", "struct big { char c[64]; }; int f(struct big *p, int n) { [[struct big b = p[n]; (void)b;@]] return n; }")
unequal("a length outside", "int f(char *p, unsigned n) { [[memset(p, 0, n);@if (n <= 8) memset(p, 0, n);]] return 0; }", "--size", "p=8")
unequal("a pointer that is called", "int f(int (*get)(void), int x) { [[int t = get(); (void)t;@]] return x; }")
unequal("a string that is measured", "int f(const char *s, int x) { [[size_t n = strlen(s); (void)n;@]] return x; }", "--null")
unequal("an address as a number", "int x; int f(int y) { return [[((uintptr_t)&x & 64) != 0@0]]; }")
unequal("the end of one object and the next", "int a[1], b[1]; int f(int n) { return [[a + n == b@0]]; }")
unequal("a large frame", "int f(int x) { [[char b[100000000]; b[5] = (char)x; return b[5];@return (char)x;]] }")
unequal("a variable's length", "int f(int n) { [[char b[n]; b[0] = 1; return b[0];@return 1;]] }")
unequal("something promised", "int f(int x) { [[if (x > 3) __builtin_unreachable(); return x > 3;@return 0;]] }")
unequal("a function that returns nothing", "static int g(int x) { if (x) return 1; } int f(int x) { return [[g(x)@1]]; }")

unequal("a function that a library may call", "int hook(int x) { return x [[+@-]] 1; }\nint f(int x) { return x; }", "--link", "resolv")
unequal("a function that one version has for a library", "[[int hook(int x) { return x; }@]]\nint f(int x) { return x [[* 2@+ x]]; }", "--link", "resolv")

# and of loops that are followed

unequal("an index that wraps around", "long f(const int *m, int r, int c) { long s = 0; [[for (int i = 0; i < r; i++) for (int j = 0; j < c; j++) s += m[i * 8 + j];@"
        "for (int i = 0; i < r; i++) { const int *q = m + i * 8; for (int j = 0; j < c; j++) s += q[j]; }]] return s; }")
unequal("an index from one up to the largest", "unsigned f(int n, unsigned s) { [[for (int i = 0; i < n; i++) s = s * s + 3;@for (int i = 1; i <= n; i++) s = s * s + 3;]] return s; }")
unequal("a counter that is too short", "unsigned f(int n, unsigned s) { for ([[int@unsigned char]] i = 0; i < n; i++) s = s * s + 3; return s; }")
unequal("a bound that the loop may change", "void f(int *p, int *n) { [[for (int i = 0; i < *n; i++) p[i] = 0;@int m = *n; for (int i = 0; i < m; i++) p[i] = 0;]] }")
unequal("a bound that a call may change", "int limit; void f(void (*put)(int)) { [[for (int i = 0; i < limit; i++) put(i);@int m = limit; for (int i = 0; i < m; i++) put(i);]] }")
unequal("stores that may meet", "int g; void f(int *p, int n) { for (int i = 0; i < n; i++) { [[p[i] = g; g = i;@int t = g; g = i; p[i] = t;]] } }")
unequal("stores to one place in another order", "void f(int *a, int *b, int n) { for (int i = 0; i < n; i++) { int x = *a, y = *b; [[*a = y + i; *b = x;@*b = x; *a = y + i;]] } }")
unequal("a round without a test", "unsigned f(unsigned n, unsigned s) { [[while (n) { s = s * s + 1; n--; }@do { s = s * s + 1; n--; } while (n);]] return s; }")
unequal("an odd round that is left out", "unsigned f(const unsigned char *p, unsigned n) { unsigned s = 0; [[for (unsigned i = 0; i < n; i++) s = s * 5 + p[i];@"
        "for (unsigned i = 0; n - i >= 2; i += 2) { s = s * 5 + p[i]; s = s * 5 + p[i + 1]; }]] return s; }")
unequal("an access in one round more", "int f(const char *s, unsigned n) { unsigned i = 0; [[while (i < n && s[i]) i++;@while (s[i] && i < n) i++;]] return (int)i; }")
unequal("a loop without an end", "unsigned f(unsigned n, unsigned s) { for (unsigned i = 0; [[i < n@i != n]]; i += 3) s = s * s + i; return s; }", "--run-time", "1")
unequal("a sum that is begun anew", "int f(const int *m, unsigned r, unsigned c) { int s = 0, t = 0; for (unsigned i = 0; i < r; i++) { [[t = 0;@]] "
        "for (unsigned j = 0; j < c; j++) t = t * 3 + m[j]; s ^= t; } return s; }")
unequal("elements in another order of which one is far from NULL", "struct s { char text[9000]; int n; }; "
        "int f(struct s *p) { [[int a = p->n; return a + p->text[0];@int a = p->text[0]; return a + p->n;]] }", "--null")
unequal("elements in another order at the end of the first page", "int f(const int *a, size_t i) { "
        "[[int x = a[i]; return x - a[i + 1];@int y = a[i + 1]; return a[i] - y;]] }", "--null")
unequal("elements in another order behind a pointer that moves", "unsigned f(const unsigned char *p, unsigned n, int k) { unsigned s = 0; "
        "for (p += 4000; n; p++, n--) if (k == 200 + (int)n) [[s += p[0] | (unsigned)p[1] << 8;@s += (unsigned)p[1] << 8 | p[0];]] return s; }", "--null")
unequal("elements of two pointers in another order", "int f(const int *a, const int *b) { [[int x = *a; int y = *b; return x - y;@int y = *b; int x = *a; return x - y;]] }", "--null")
unequal("an element that is read and one that is written", "int f(int *p) { [[int x = p[0]; p[1] = 1; return x;@p[1] = 1; return p[0];]] }")
unequal("printed between two elements", 'int f(const int *p) { [[int x = p[0]; puts("."); int y = p[3]; return x - y;@int y = p[3]; puts("."); int x = p[0]; return x - y;]] }')
unequal("an element that one version reads", "int f(const int *p, int x) { [[int y = p[1], z = p[0]; return x + y + z;@int z = p[0]; (void)p[9]; int y = p[1]; return x + y + z;]] }")
unequal("an element that is read before a division", "int f(const int *p, int x) { [[int y = p[1]; int z = 7 / x; return y + z + p[0];@int y = p[0]; int z = 7 / x; return p[1] + z + y;]] }")
unequal("an element that is read in one case", "int f(const int *p, int x) { [[int y = p[1], z = p[0]; return x ? y : z;@int z = p[0]; return x ? p[1] : z;]] }")
unequal("a flag that is set at the beginning", "int f(const char *s) { [[int in = 0, n = 0; for (; *s; s++) { if (*s == ' ') in = 0; else if (!in) { in = 1; n++; } } return n;@"
        "int n = 0; char before = 'x'; for (; *s; before = *s++) if (*s != ' ' && before == ' ') n++; return n;]] }")
unequal("the lowest bit of zero", "int f(unsigned x) { return [[x ? __builtin_ctz(x) : 32@__builtin_ctz(x)]]; }")
unequal("bits of a shorter number", "int f(unsigned x) { return __builtin_popcount([[x@(unsigned short)x]]); }")
unequal("a part that is called once more", "static int count; static int next(void) { return [[++count@count += 1]]; }\nint f(int x) { return [[next() + next() + x@2 * next() + x]]; }")
unequal("the order of two parts", "static int n; static int one(int x) { n += [[2 * x@x + x]]; return n; } static int two(int x) { n *= 3; return n + x; }\n"
        "int f(int x) { [[int a = one(x), b = two(x); return a - b;@int b = two(x), a = one(x); return a - b;]] }")
unequal("a part that looks at what one version has changed", "static int n; static int get(int x) { return [[n * 2 + x@n + n + x]]; }\nint f(int x) { [[n = x; int r = get(x);@int r = get(x); n = x;]] return r; }")
unequal("a part that never ends", "static unsigned go(unsigned x) { [[while (x > 9) x /= 10;@while (x > 9) x = x == 77 ? 77 : x / 10;]] return x; }\nunsigned f(unsigned x) { return go(x) + [[x * 2@x + x]]; }",
        "--run-time", "1")
unequal("the order of calls in two loops", "void f(void (*put)(int), int n) { [[for (int i = 0; i < n; i++) put(i); for (int i = 0; i < n; i++) put(-i);@"
        "for (int i = 0; i < n; i++) { put(i); put(-i); }]] }")
unequal("fused loops over two arrays", "int f(const int *p, const int *q, int n) { int s = 0; [[for (int i = 0; i < n; i++) s += p[i]; for (int i = 0; i < n; i++) s += q[i];@"
        "for (int i = 0; i < n; i++) s += p[i] + q[i];]] return s; }")
unequal("fused loops, and what lies between them is written", "int f(int *p, int n) { int s = 0, m = 0; [[for (int i = 0; i < n; i++) s += p[i]; if (n > 2) p[1] = s; for (int i = 0; i < n; i++) m ^= p[i];@"
        "for (int i = 0; i < n; i++) { s += p[i]; m ^= p[i]; } if (n > 2) p[1] = s;]] return s ^ m; }")
unequal("fused loops, and what lies between them is freed", "int f(int *p, int n) { int s = 0, m = 0; [[for (int i = 0; i < n; i++) s += p[i]; if (s == 7) free(p); for (int i = 0; i < n; i++) m ^= p[i];@"
        "for (int i = 0; i < n; i++) { s += p[i]; m ^= p[i]; } if (s == 7) free(p);]] return s ^ m; }")
unequal("fused loops of other lengths", "int f(const int *p, int n) { int s = 0, m = 0; [[for (int i = 0; i < n; i++) s += p[i]; for (int i = 0; i <= n; i++) m ^= p[i];@"
        "for (int i = 0; i < n; i++) { s += p[i]; m ^= p[i]; }]] return s ^ m; }")
unequal("a second loop that goes on from the first", "int f(const char *s) { int a = 0, b = 0; [[for (; *s; s++) a += *s == 'a'; for (; *s; s++) b += *s == 'b';@for (; *s; s++) { a += *s == 'a'; b += *s == 'b'; }]] return a * 100 + b; }")
unequal("fused loops, with what frees it in an outer one", "int f(int *p, int n, int k) { int s = 0, m = 0; for (int i = 0; i < n; i++) s += p[i]; [[while (k-- > 0) { for (int i = 0; i < n; i++) m ^= p[i]; free(p); }@"
        "while (k-- > 0) { m = 0; for (int i = 0; i < n; i++) m ^= p[i]; if (!k) free(p); }]] return s ^ m; }")


# ---- proofs beside the exploration ----

ROUND = "t ^= s >> 3; if (p[i] == {0} + 40) t += [[s * 7@s * 8 - s]]; else if (p[i] > {0} + 90) s ^= [[t * s@s * t]];"
SUM = ("__attribute__((noinline)) unsigned f{0}(const unsigned char *p, unsigned n) {{ unsigned s = {0}, t = 1; "
       "[[for (unsigned i = 0; i < n; i++) {{ s = s * (2 * {0} + 3) + p[i]; @unsigned i = 0; "
       "for (unsigned k = n; k > 0; k--, i++) {{ unsigned q = s * (2 * {0} + 2); s = q + s + p[i];]] " + ROUND + " }} return s ^ t; }}\n")
LATE = [("many functions", "".join(SUM.format(number) for number in range(20)) + "unsigned f(const unsigned char *p, unsigned n) { return "
         + " ^ ".join(f"f{number}(p, n)" for number in range(20)) + "; }", [])]
BESIDE = [("a loop without an end", "int f(unsigned x) { unsigned y = x; [[while (y != 3) y = y * y;@]] return (int)x; }", ["--run-time", "1"])]


# ---- running them ----

def version_of(source, number):
    return HEAD + re.sub(r"\[\[(.*?)\]\]", lambda match: match.group(1).split("@")[number], source, flags=re.DOTALL) + "\n"


def run_diff(directory, *arguments):
    done = subprocess.run([PENUMBRA, "diff", *arguments, "--entry", "f", "--quiet", "--json", "--out", "results"], cwd=directory,
                          capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
    with open(os.path.join(directory, "log"), "w", encoding="utf-8") as file:
        file.write(done.stderr)
    if done.returncode not in (0, 1, 3) or not done.stdout:
        raise AssertionError(f"status {done.returncode}: {done.stderr.strip()[-300:]}")
    return json.loads(done.stdout)


def place_of(name, new):
    return os.path.join(SCRATCH, re.sub(r"\W", "-", name) + f"-{new}")


def diff(name, source, new, options):
    """The old version against that of this number."""
    directory = place_of(name, new)
    os.mkdir(directory)
    for file_name, number in (("old.c", 0), ("new.c", new)):
        with open(os.path.join(directory, file_name), "w", encoding="utf-8") as file:
            file.write(version_of(source, number))
    return run_diff(directory, "old.c", "new.c", *options)


# ---- programs of several files ----

HEADER = "int first(int);\nint second(int);\nint third(int);\n"
FILES = {"first.c": '#include "h.h"\nstatic int x = 1;\nint first(int n) { x += n; return x; }\n'
                    "int f(int n) { return first(n) * 3 + second(n); }\n",
         "second.c": '#include "h.h"\n#include <pthread.h>\nstatic int x = 2;\nint second(int n) { return x + n; }\n'
                     "void other(void) { pthread_exit(0); }\n", "h.h": HEADER}
TRIPLED = FILES["first.c"].replace("first(n) * 3", "third(first(n))")
TREES = [
    ("the same in another file", True, {"second.c": FILES["second.c"].replace("x + n", "n + x")}),
    ("a static variable of one name", False, {"second.c": FILES["second.c"].replace("x = 2", "x = 3")}),
    ("statics that are exchanged", False, {"first.c": FILES["first.c"].replace("x = 1", "x = 2"),
                                           "second.c": FILES["second.c"].replace("x = 2", "x = 1")}),
    ("a function that went to another file", True, {"first.c": TRIPLED, "third.c": "int third(int n) { return 3 * n; }\n"}),
    ("another function that went there", False, {"first.c": TRIPLED, "third.c": "int third(int n) { return 3 + n; }\n"}),
    ("threads", False, {"second.c": FILES["second.c"].replace("x + n;", "n + x + (int)pthread_self() * 0;")}),
]


def check_tree(name, proves, changed):
    place = os.path.join(SCRATCH, re.sub(r"\W", "-", name))
    for tree, files in (("old", FILES), ("new", {**FILES, **changed})):
        os.makedirs(os.path.join(place, tree))
        for path, text in files.items():
            with open(os.path.join(place, tree, path), "w", encoding="utf-8") as file:
                file.write(text)
    report = run_diff(place, "old", "new", "--max-paths", "1")
    return None if is_proven(report) == proves else f"{report['verdict']}, {report['limits']}"


def is_proven(report):
    return any(one["kind"] == "optimised-ir" for one in report["assumptions"])


def check_equal(name, source, options):
    report = diff(name, source, 1, [*options, "--max-paths", "1"])  # one path proves nothing
    if report["verdict"] != "equivalent" or not (is_proven(report) or report["counts"]["runs"] == 0):  # identical: no proof
        return f"{report['verdict']}, {report['limits']}"
    return None


def check_recursive(name, source, options):
    report = diff(name, source, 1, [*options, "--time", "20"])
    kinds = [one["kind"] for one in report["assumptions"]]
    return None if report["verdict"] == "equivalent" and "stack" in kinds else f"{report['verdict']}, {kinds}, {report['limits']}"


def check_late(name, source, options):
    """What takes long to be proven is explored meanwhile, and proven all the same."""
    report = diff(name, source, 1, [*options, "--time", "600"])
    return None if is_proven(report) and report["verdict"] == "equivalent" else f"{report['verdict']}, {report['limits']}"


def check_beside(name, source, options):
    """Exploring does not wait for a proof that does not come."""
    diff(name, source, 1, [*options, "--time", "20", "--log", "info"])
    with open(os.path.join(place_of(name, 1), "log"), encoding="utf-8") as file:
        log = file.read()
    return None if "exploring" in log and "proven" not in log.split("exploring")[0] else log


def check_explored(name, source, options):
    report = diff(name, source, 1, [*options, "--time", "60"])
    return None if report["verdict"] == "equivalent" else f"{report['verdict']}, {report['limits']}"


def check_broken(name, source, options):
    report = diff(name, source, 2, [*options, "--time", "60"])
    return None if report["verdict"] == "different" else f"{report['verdict']}, {report['limits']}"


def check_unequal(name, source, options):
    report = diff(name, source, 1, [*options, "--max-paths", "3", "--time", "20"])
    return "proven" if is_proven(report) else None


def run_case(one):
    kind, check, (name, *rest) = one
    try:
        why = check(kind + " " + name, *rest)
    except Exception as problem:  # a test that cannot run has failed
        why = repr(problem)
    return kind + " " + name, why


def main():
    words = sys.argv[1:]
    everything = words or os.environ.get("PENUMBRA_TEST_ALL")  # the others are for make test-long
    cases = [("proven:", check_equal, one) for one in (EQUAL if everything else EQUAL[::6])] + \
            [("explored:", check_explored, one) for one in EXPLORED] + \
            [("recursive:", check_recursive, one) for one in (RECURSIVE if everything else RECURSIVE[::2])] + \
            [("files:", check_tree, one) for one in TREES] + \
            [("late:", check_late, one) for one in LATE] + [("beside:", check_beside, one) for one in BESIDE] + \
            [("not proven:", check_unequal, one) for one in (UNEQUAL if everything else UNEQUAL[::6])] + \
            [("broken:", check_broken, one) for one in (EQUAL + EXPLORED + RECURSIVE if everything else EQUAL[::12] + RECURSIVE[::4])]
    chosen = [one for one in cases if not words or any(word in one[0] + " " + one[2][0] for word in words)]
    print(f"1..{len(chosen)}", flush=True)
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for name, why in pool.map(run_case, chosen):
            print(f"not ok {name}: {why}" if why else f"ok {name}", flush=True)


if __name__ == "__main__":
    main()

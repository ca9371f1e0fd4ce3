#!/usr/bin/env python3
"""What is compared of a function: pairs of versions that differ in one thing that a caller can see, and twins of them
that do not (tests/programs/pairs.py)."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "programs"))
from pairs import DIFFERENT, NOT_DIFFERENT, NOT_SAME, SAME, case, main  # noqa: E402

LIST = "struct node { int value; struct node *next; };\n"
TREE = "struct tree { int key; struct tree *left, *right; };\n"

# ---- memory that results, parameters and globals lead to ----

for index, verdict in [("x & 3", DIFFERENT), ("3", DIFFERENT)]:
    case(f"element {index} of an allocated array", verdict,
         f"int *f(int x) {{ int *p = calloc(4, sizeof *p); p[{index}] = [[1|2]]; return p; }}")
case("an allocated array that is the same", SAME,
     "int *f(int x) { int *p = calloc(4, sizeof *p); for (int i = 0; i < 4; i++) p[i] = [[x + i|i + x]]; return p; }")
case("the sizes of allocated arrays", NOT_SAME, "char *f(int x) { char *p = calloc([[8|9]], 1); return p; }")
case("bytes behind the end of a returned string", DIFFERENT,
     'char *f(int x) { char *p = calloc(16, 1); strcpy(p, "ab"); p[5] = [[1|2]]; return p; }')
case("a returned string", SAME,
     'char *f(int x) { char *p = calloc(16, 1); p[0] = [[x|(char)x]]; p[1] = 0; p[5] = 3; return p; }')
case("a string constant", DIFFERENT, 'const char *f(int x) { return x == 77 ? [["seven"|"sevem"]] : "none"; }')
case("a string constant that goes on behind its zero", NOT_SAME, 'const char *f(int x) { return x == 77 ? [["seven"|"seven\\\\0eight"]] : "none"; }')
case("the same string constant", SAME, 'const char *f(int x) { return [[x == 77|77 == x]] ? "seven" : "none"; }')
case("a string of more than 255 characters", DIFFERENT,
     "char *f(int x) { char *p = malloc(400); memset(p, 'a', 399); p[399] = 0; p[300] = [['b'|'c']]; return p; }")
case("the same string of more than 255 characters", SAME,
     "char *f(int x) { char *p = malloc(400); memset(p, 'a', 399); p[399] = 0; p[300] = [[x|(char)x]]; return p; }")
case("a structure in an allocated array", DIFFERENT,
     "struct s { int a; short b; }; struct s *f(int x) { struct s *p = calloc(3, sizeof *p); p[2].b = [[1|x == 9]] ; "
     "p[1].a = x; return p; }")
case("structures in an allocated array that are the same", SAME,
     "struct s { int a; short b; }; struct s *f(int x) { struct s *p = calloc(3, sizeof *p); p[2].b = [[2|1 + 1]]; "
     "p[1].a = x; return p; }")
case("an array of structures behind a member", DIFFERENT,
     "struct s { int a, b; }; struct v { struct s *list; int count; }; int f(struct v *v) { v->list = calloc(4, sizeof "
     "*v->list); v->count = 4; v->list[3].b = [[5|6]]; return 0; }", "--zero=v->list")
case("a flexible array member", DIFFERENT,
     "struct s { int n; int data[]; }; struct s *f(int x) { struct s *p = calloc(1, sizeof *p + 4 * sizeof(int)); "
     "p->n = 4; p->data[3] = [[x|x + 1]]; return p; }")
case("the same flexible array member", SAME,
     "struct s { int n; int data[]; }; struct s *f(int x) { struct s *p = calloc(1, sizeof *p + 4 * sizeof(int)); "
     "p->n = 4; p->data[3] = [[x|x + 0]]; return p; }")
case("the 20th node of a list", DIFFERENT, LIST +
     "struct node *f(int x) { struct node *h = 0; for (int i = 0; i < 20; i++) { struct node *n = malloc(sizeof *n); "
     "n->value = x + (i == 0 ? [[1|2]] : i); n->next = h; h = n; } return h; }")
case("a list of 20 nodes", SAME, LIST +
     "struct node *f(int x) { struct node *h = 0; for (int i = 0; i < 20; i++) { struct node *n = malloc(sizeof *n); "
     "n->value = [[x + i|i + x]]; n->next = h; h = n; } return h; }")
case("the length of a list", DIFFERENT, LIST +
     "struct node *f(int x) { struct node *h = 0; for (int i = 0; i < [[9|10]]; i++) { struct node *n = malloc(sizeof "
     "*n); n->value = x; n->next = h; h = n; } return h; }")
case("a list of 1000 nodes", NOT_SAME, LIST +
     "struct node *f(int x) { struct node *h = 0; for (int i = 0; i < 1000; i++) { struct node *n = malloc(sizeof *n); "
     "n->value = i == 0 ? [[1|2]] : i; n->next = h; h = n; } return h; }")
case("a list that ends in itself", NOT_DIFFERENT, LIST +
     "struct node *f(int x) { struct node *h = malloc(sizeof *h); h->value = [[x|x + 0]]; h->next = h; return h; }")
case("a leaf of a tree", DIFFERENT, TREE +
     "static struct tree *make(int d, int k) { if (!d) return 0; struct tree *t = malloc(sizeof *t); t->key = [[k|k + "
     "(k == 26)]]; t->left = make(d - 1, 2 * k); t->right = make(d - 1, 2 * k + 1); return t; } "
     "struct tree *f(int x) { struct tree *t = make(5, 1); t->key = x; return t; }")
case("a tree", SAME, TREE +
     "static struct tree *make(int d, int k) { if (!d) return 0; struct tree *t = malloc(sizeof *t); t->key = [[k|k + "
     "0]]; t->left = make(d - 1, 2 * k); t->right = make(d - 1, 2 * k + 1); return t; } "
     "struct tree *f(int x) { struct tree *t = make(5, 1); t->key = x; return t; }")
case("a list behind a global", DIFFERENT, LIST +
     "struct node *top; int f(int x) { for (int i = 0; i < 6; i++) { struct node *n = malloc(sizeof *n); n->value = i ? "
     "i : [[x|-x]]; n->next = top; top = n; } return 0; }")
case("a member of a union that holds pointers", DIFFERENT,
     "union u { void *p; long n; }; struct s { int kind; union u u; }; struct s f(int x) { struct s s; memset(&s, 0, "
     "sizeof s); s.kind = 1; s.u.n = [[x|x + 1]]; return s; }")
case("a pointer in a union", NOT_SAME,
     "union u { int *p; long n; }; struct s { int kind; union u u; }; int a, b; struct s f(int x) { struct s s; "
     "memset(&s, 0, sizeof s); s.kind = 1; s.u.p = [[&a|&b]]; return s; }")
case("what a pointer in a union points to", NOT_SAME,
     "union u { int *p; long n; }; struct s { int kind; union u u; }; struct s f(int x) { struct s s; "
     "memset(&s, 0, sizeof s); s.kind = 1; s.u.p = malloc(4); *s.u.p = [[1|2]]; return s; }")
case("a member beside a union of pointers", DIFFERENT,
     "union u { int *p; char *q; }; struct s { int kind; union u u; }; int f(struct s *s, int x) { s->kind = [[x|~x]]; "
     "return 0; }", "--zero=s->u")
case("a union of pointers that stays", NOT_DIFFERENT,
     "union u { int *p; char *q; }; struct s { int kind; union u u; }; struct s f(int x) { struct s s; memset(&s, 0, "
     "sizeof s); s.kind = [[x|x + 0]]; return s; }")
case("a pointer into an object", DIFFERENT,
     "int *f(int x) { int *p = calloc(8, sizeof *p); p[ [[3|5]] ] = 7; p[ [[5|3]] ] = 7; return p + [[3|5]]; }")
case("the same pointer into an object", SAME,
     "int *f(int x) { int *p = calloc(8, sizeof *p); for (int i = 0; i < 8; i++) p[i] = x; return p + [[3|2 + 1]]; }")
case("what lies before a pointer into an object", DIFFERENT,
     "int *f(int x) { int *p = calloc(8, sizeof *p); p[1] = [[x|x + 1]]; return p + 3; }")
case("two pointers to one object, or to two", DIFFERENT,
     "struct two { int *a, *b; }; struct two f(int x) { int *p = malloc(4), *q = malloc(4); *p = *q = x; "
     "return (struct two){p, [[p|q]]}; }")
case("two pointers to one object", SAME,
     "struct two { int *a, *b; }; struct two f(int x) { int *p = malloc(4); *p = [[x|x + 0]]; "
     "return (struct two){p, p}; }")
case("two pointers into one object, or into two", DIFFERENT,
     "struct two { int *a, *b; }; struct two f(int x) { int *p = calloc(2, 4), *q = calloc(2, 4); "
     "return (struct two){p, [[p + 1|q + 1]]}; }")
case("memory behind void *", NOT_SAME, "void *f(int x) { int *p = malloc(8); p[0] = 1; p[1] = [[x|x + 1]]; return p; }")
case("memory behind void **", NOT_SAME,
     "int f(void **out, int x) { int *p = malloc(4); *p = [[x|x + 1]]; *out = p; return 0; }")
case("pointers in an allocated array", DIFFERENT,
     "char **f(int x) { char **p = calloc(3, sizeof *p); p[0] = strdup(\"a\"); p[1] = strdup([[\"b\"|\"c\"]]); return p; "
     "}")
case("an object that a parameter's pointer was set to", DIFFERENT,
     "struct s { int n; int *v; }; int f(struct s *s, int x) { s->v = calloc(4, sizeof *s->v); s->v[3] = [[x|x ^ 1]]; "
     "return 0; }", "--zero=s->v")
case("a freed block behind a global", NOT_DIFFERENT,
     "int *kept; int f(int x) { kept = malloc(8); *kept = x; free(kept); return [[x|x + 0]]; }")
case("an allocated structure with padding", NOT_DIFFERENT,
     "struct s { char c; int i; }; struct s *f(int x) { struct s *p = malloc(sizeof *p); p->c = [[x|(char)x]]; p->i = 1; "
     "return p; }")

# ---- calls of callbacks ----

case("the order of two callbacks", DIFFERENT,
     "int f(int x, void (*a)(int), void (*b)(int)) { [[a(1); b(2);|b(2); a(1);]] return 0; }")
case("the same order of two callbacks", SAME,
     "int f(int x, void (*a)(int), void (*b)(int)) { [[a(1); b(2);|a(2 - 1); b(1 + 1);]] return 0; }",
     "--size=a=4", "--size=b=4")
case("the number of calls", DIFFERENT,
     "int f(int x, void (*a)(int)) { a(1); [[|if (x == 3) a(1);]] return 0; }")
case("more calls than are kept apart", NOT_SAME,
     "int f(int x, void (*a)(int)) { for (int i = 0; i < 20; i++) a(i == 15 ? [[1|2]] : i); return 0; }")
case("an argument", DIFFERENT, "int f(int x, int (*a)(int)) { return a([[x|x + (x == 5)]]); }")
case("text behind an argument", DIFFERENT,
     'int f(int x, void (*log)(const char *)) { log(x == 4 ? [["four"|"for"]] : "other"); return 0; }')
case("the same text behind an argument", SAME,
     'int f(int x, void (*log)(const char *)) { log([[x == 4|4 == x]] ? "four" : "other"); return 0; }',
     "--size=log=4")
case("text in a local buffer behind an argument", DIFFERENT,
     'int f(int x, void (*log)(const char *)) { char b[8] = "abc"; b[1] = [[x|x + 1]]; log(b); return 0; }')
case("a local structure behind an argument", DIFFERENT,
     "struct s { int a, b; }; int f(int x, void (*use)(struct s *)) { struct s s = {1, [[x|-x]]}; use(&s); return 0; }")
case("the same local structure behind an argument", SAME,
     "struct s { int a, b; }; int f(int x, void (*use)(struct s *)) { struct s s = {1, [[x|x + 0]]}; use(&s); return 0; "
     "}", "--size=use=4")
case("memory behind void * as an argument", NOT_SAME,
     "int f(int x, void (*use)(void *, int)) { int v[2] = {1, [[x|-x]]}; use(v, 2); return 0; }")
case("a number behind an argument", DIFFERENT,
     "int f(int x, void (*use)(int *)) { int v = [[x|-x]]; use(&v); return 0; }")
case("a callback between prints", NOT_SAME,
     'int f(int x, void (*a)(int)) { [[a(1); puts("x");|puts("x"); a(1);]] return 0; }')
case("a callback between writes to a global", NOT_SAME,
     "int g; int f(int x, void (*a)(int)) { [[g = 1; a(1);|a(1); g = 1;]] return 0; }", "--size=a=4")
case("a callback between writes to a parameter's object", NOT_SAME,
     "struct s { int n; }; int f(struct s *s, void (*a)(int)) { [[s->n = 1; a(1);|a(1); s->n = 1;]] return 0; }", "--size=a=4")
case("a callback between writes to what a global leads to", NOT_SAME,
     "int *g; int f(int x, void (*a)(void)) { g = malloc(4); *g = 0; [[*g = 1; a();|a(); *g = 1;]] return 0; }", "--size=a=4")
case("a callback before the versions' writes", SAME,
     "int g; int f(int x, void (*a)(int)) { g = 2; a(1); g = [[x|x + 0]]; return 0; }", "--size=a=4")
case("variable arguments of a callback", NOT_SAME,
     'int f(int x, void (*log)(const char *, ...)) { log("%d", [[x|x + 1]]); return 0; }', "--size=log=4")
case("arguments of a callback without a prototype", NOT_SAME,
     "int f(int x, void (*log)()) { log([[x|x + 1]]); return 0; }", "--size=log=4")
case("a callback between volatile writes", NOT_SAME,
     "volatile int r; int f(int x, void (*a)(void)) { [[r = 1; a();|a(); r = 1;]] return 0; }", "--size=a=4")

# ---- errno ----

case("errno of one version", DIFFERENT,
     "int f(int x) { if (x < 0) { [[|errno = EINVAL;]] return -1; } return 0; }", shows="errno")
case("another errno", DIFFERENT, "int f(int x) { if (x == 8) errno = [[EINVAL|ERANGE]]; return 0; }")
case("the same errno", SAME, "int f(int x) { if (x == 8) errno = [[EINVAL|22]]; return 0; }")
case("errno that is set and put back", SAME,
     "int f(int x) { int e = errno; errno = 5; [[|errno = 6;]] errno = e; return x; }")
case("errno from a library function", NOT_SAME,
     'int f(int x) { char *e; [[return 0;|return strtol("99999999999999999999999", &e, 10) == 0;]] }')
case("errno from close()", NOT_SAME,
     "#include <unistd.h>\nint f(int x) { [[|close(-1);]] return 0; }")
case("malloc() in one version", SAME, "int f(int x) { [[|free(malloc(3));]] return x; }")
case("printing in both versions", SAME, 'int f(int x) { puts("a"); return [[x|x + 0]]; }')
case("errno need not be 0 in the beginning", DIFFERENT, "int f(int x) { return [[x|x + errno]]; }")

# ---- static variables in functions ----

case("a static variable in a function", DIFFERENT, "int f(int x) { static int n; n += [[x|x + 1]]; return 0; }")
case("the same static variable in a function", SAME, "int f(int x) { static int n; n += [[x|x + 0]]; return 0; }")
case("a static variable in another function", DIFFERENT,
     "static int next(int x) { static int last; int r = last; last = x; return r; } "
     "int f(int x) { return next([[x|x + (x == 7)]]); }")
case("a static array in a function", DIFFERENT,
     "int f(int x) { static int v[4]; v[x & 3] = [[1|2]]; return 0; }")
case("a static variable that one version writes", DIFFERENT,
     "int f(int x) { static int seen; if (x == 9) { [[|seen = 1;]] } return seen; }")
case("a static variable behind a branch", DIFFERENT,
     "int f(int x) { static int n; if (x > [[3|4]]) n = 1; return 0; }")
case("a static variable behind an equal branch", SAME,
     "int f(int x) { static int n; if (x > [[3|4 - 1]]) n = 1; return 0; }")
case("a static variable behind a branch that is written otherwise", SAME,
     "int f(int x) { static int n; if ([[x > 3|x >= 4]]) n = x; else n = 1; return 0; }")
for end, verdict in (("9", SAME), ("[[8|9]]", DIFFERENT)):
    case(f"static variables of a function that is kept twice, set to {end}", verdict,
         f"static int next(void) {{ static int n = [[3|4]]; int r = n; n = {end}; return r; }} "
         "int f(int x) { next(); return next() == x; }")
case("a static structure", DIFFERENT,
     "struct s { char c; int i; }; int f(int x) { static struct s s; s.i = [[x|x + 1]]; return 0; }")
case("a static pointer", NOT_SAME,
     "int a, b; int f(int x) { static int *p; p = [[&a|&b]]; return 0; }")
case("a static variable of one version only", NOT_DIFFERENT,
     "int f(int x) { [[|static int n; n++;]] return x; }")

# ---- what was written before a failure of both ----

case("printed before the same failure", NOT_SAME,
     'int f(int x) { int a[2] = {0}; printf([["a\\n"|"b\\n"]]); return x > 1 ? *(volatile int *)&a[x] : 0; }',
     "--range=x=2..2")
case("printed the same before the same failure", NOT_DIFFERENT,
     'int f(int x) { printf("a\\n"); if (x == 5) abort(); return [[x|x + 0]]; }')
case("printed before abort()", DIFFERENT,
     'int f(int x) { if (x == 5) { printf([["a\\n"|"b\\n"]]); fflush(stdout); abort(); } return 0; }')
case("printed before a division by zero", NOT_SAME,
     'int f(int x) { printf([["a\\n"|"b\\n"]]); return 5 / x; }', "--range=x=0..0")
case("printed before a null pointer", NOT_SAME,
     'int f(int x) { int *p = 0; printf("%d\\n", [[x|x + 1]]); fflush(stdout); return *p; }')
case("printed before an assertion", NOT_SAME,
     'int f(int x) { printf("%d\\n", [[x|x + 1]]); fflush(stdout); assert(x != 3); return 0; }', "--range=x=3..3")
case("printed before exit()", DIFFERENT, 'int f(int x) { printf([["a\\n"|"b\\n"]]); exit(3); }')
case("called before a failure", NOT_SAME,
     "int f(int x, void (*a)(int)) { a([[x|x + 1]]); abort(); }", "--size=a=4")
case("called in one version before a failure", NOT_SAME,
     "int f(int x, void (*a)(int)) { [[|a(x);]] abort(); }", "--size=a=4")
case("printed after a failure of both", NOT_DIFFERENT,
     'int f(int x) { abort(); printf([["a\\n"|"b\\n"]]); return 0; }')

# ---- failures of different kinds ----

case("null pointer or abort", DIFFERENT,
     "int f(int x) { if (x == 5) { [[int *volatile p = 0; return *p;|abort();]] } return 0; }",
     shows="null pointer|abort")
case("division by zero or assertion", DIFFERENT,
     "int f(int x) { [[|assert(x != 0);]] return 10 / x; }", shows="division by zero|assertion")
case("assertion or abort", DIFFERENT,
     "int f(int x) { if (x == 3) { [[assert(x != 3);|abort();]] } return 0; }", shows="assertion|abort")
case("division by zero or overflow in division", DIFFERENT,
     "int f(int x) { if (x == 3) { int a = INT_MIN, b = [[0|-1]]; return a / b; } return 0; }",
     shows="division by zero|overflow in division")
case("endless or abort", DIFFERENT,
     "int f(int x) { if (x == 3) { [[for (volatile int i = 0;; i++);|abort();]] } return 0; }", "--run-time=1",
     shows="time limit|abort")
case("out of bounds or null pointer", NOT_SAME,
     "int f(int x) { int a[4] = {0}; int *p = 0; if (x == 7) return [[a[x]|*p]]; return 0; }")
case("the same failure", NOT_DIFFERENT, "int f(int x) { return [[10 / x|20 / x / 2]]; }", "--range=x=0..0")
case("the same assertion", NOT_DIFFERENT, "int f(int x) { assert([[x < 5|5 > x]]); return 0; }", "--range=x=0..9")

# ---- accesses outside of an object are one kind of failure, wherever they go ----

case("behind an object or far from it", NOT_DIFFERENT,
     "int f(const int *v, unsigned n) { int s = 0; for (unsigned i = [[0; i < n; i++) s ^= v[i]|n; i > 0; i--) s ^= v[i - 1] ]]; return s; }", "--size=v=2")
case("far from an object, in another order", SAME,
     "int f(const int *v, int i, int j) { [[return v[i] + v[j]|int last = v[j]; return v[i] + last]]; }", "--size=v=2")
case("behind an object of another kind", NOT_DIFFERENT,
     "int f(unsigned x) { [[static|]] int a[4] = {1, 2, 3, 4}; return a[x]; }")
case("behind a block or a variable", NOT_DIFFERENT,
     "int f(unsigned x) { int a[4] = {0}, *p = [[calloc(4, sizeof *p)|a]]; int r = p[x]; [[free(p);|]] return r; }", "--no-alloc-fail", rare=True)
case("far from an object, and printed before", DIFFERENT,
     'int f(const int *v, int i) { if (i > 1000) { puts([["a"|"b"]]); fflush(stdout); } return v[i]; }', "--size=v=2")
case("behind an object or freed", DIFFERENT,
     "int f(int x) { int a[2] = {0}, *p = malloc(4); if (!p) return 0; free(p); return x == 3 ? [[a[x]|*p]] : 0; }", "--no-alloc-fail",
     shows="buffer-overflow|use-after-free")
case("behind an object or near NULL", DIFFERENT,
     "int f(int x) { int a[2] = {0}, *volatile p = 0; return x == 3 ? [[a[x]|p[x] ]] : 0; }", shows="buffer-overflow|null pointer")
case("far from an object or abort()", DIFFERENT, "int f(const int *v, int i) { [[|if (i > 1000) abort();]] return v[i]; }", "--size=v=2", shows="abort")

# ---- memory that was never written ----

case("an uninitialised variable in one version", NOT_SAME,
     "int f(int x) { int r[[ = 0|]]; if (x > 3) r = 1; return r; }")
case("an uninitialised variable decides", NOT_SAME,
     "int f(int x) { int r[[ = 0|]]; if (x > 3) r = 1; if (r) return 5; return 6; }")
case("a variable that is always set", SAME,
     "int f(int x) { int r[[ = 0|]]; if (x > 3) r = 1; else r = 2; return r; }")
case("malloc() for calloc()", NOT_SAME,
     "int f(int x) { int *p = [[calloc(4, 4)|malloc(16)]]; p[0] = x; int r = p[0] + p[1]; free(p); return r; }")
case("malloc() for calloc(), returned", NOT_SAME,
     "int *f(int x) { int *p = [[calloc(4, 4)|malloc(16)]]; p[0] = x; return p; }")
case("malloc() for calloc(), all written", NOT_DIFFERENT,
     "int f(int x) { int *p = [[calloc(2, 4)|malloc(8)]]; p[0] = x; p[1] = 2; int r = p[0] + p[1]; free(p); return r; }")
case("an element of a local array that is not set", NOT_SAME,
     "int f(int x) { int a[4][[ = {0}|]]; a[0] = x; return a[x & 3]; }", "--range=x=0..3")
case("a local array that is set", NOT_DIFFERENT,
     "int f(int x) { int a[4][[ = {0}|]]; for (int i = 0; i < 4; i++) a[i] = x + i; return a[x & 3]; }",
     "--range=x=0..3")
case("a member that is not set", NOT_SAME,
     "struct s { int a, b; }; struct s f(int x) { struct s s[[ = {0}|]]; s.a = x; return s; }")
case("memset() that is gone", NOT_SAME,
     "int f(int x) { char b[8]; [[memset(b, 0, sizeof b);|]] b[0] = x; return b[1]; }")
case("memset() that covers less", NOT_SAME,
     "int f(int x) { char b[8]; memset(b, 0, [[8|4]]); b[0] = x; return b[x & 7]; }", "--range=x=0..7")
case("realloc() and its end", NOT_SAME,
     "int f(int x) { int *p = calloc(1, 4); p = realloc(p, 8); [[p[1] = 0;|]] int r = p[1]; free(p); return r; }")
case("a declaration that goto leaves out", NOT_SAME,
     "int f(int x) { [[int y = 1; if (x) goto end;|if (x) goto end; int y = 1;]] end: return y; }")
case("a declaration that switch leaves out", NOT_SAME,
     "int f(int x) { switch (x) { [[case 7:;|]] int y = 5; [[|case 7:]] return y; } return 0; }")
case("a declaration that goto leaves out, and nobody reads", NOT_DIFFERENT,
     "int f(int x) { if (x) goto end; int y = [[x|x + 0]]; return y; end: y = 2; return y; }")
case("uninitialised and unused", NOT_DIFFERENT,
     "int f(int x) { int a, b[[ = 0|]]; a = x; (void)b; return a; }")

# ---- volatile ----

case("the order of volatile writes", NOT_SAME, "volatile int r; int f(int x) { [[r = 1; r = 2;|r = 3; r = 2;]] return 0; }")
case("the number of volatile writes", NOT_SAME, "volatile int r; int f(int x) { [[|r = 0;]] r = x; return 0; }")
case("the order of two volatile variables", NOT_SAME,
     "volatile int a, b; int f(int x) { [[a = 1; b = 2;|b = 2; a = 1;]] return 0; }")
case("the number of volatile reads", NOT_SAME, "volatile int r; int f(int x) { [[|(void)r;]] return x; }")
case("the same volatile writes", SAME, "volatile int r; int f(int x) { r = 1; r = [[x|x + 0]]; return 0; }")
case("a volatile write behind a pointer", NOT_SAME,
     "int f(volatile int *r, int x) { [[*r = 1; *r = x;|*r = x;]] return 0; }", "--size=r=1")
case("copies of a volatile structure", NOT_SAME,
     "struct s { int a[9]; }; volatile struct s r; int f(int x) { struct s s = {{x}}; r = s; [[|r = s;]] return 0; }")
case("reads of a volatile structure", NOT_SAME,
     "struct s { int a[9]; }; volatile struct s r; int f(int x) { struct s s = r; [[|s = r;]] return s.a[0]; }")
case("the same copy of a volatile structure", SAME,
     "struct s { int a[9]; }; volatile struct s r; int f(int x) { struct s s = {{[[x|x + 0]]}}; r = s; return 0; }")
case("a volatile write between prints", NOT_SAME,
     'volatile int r; int f(int x) { [[r = x; puts("a");|puts("a"); r = x;]] return 0; }')
case("a volatile local variable", NOT_DIFFERENT,
     "int f(int x) { volatile int t = [[x|x + 0]]; t = t + 1; return t; }")

case("a volatile read behind a pointer", NOT_SAME, "int f(volatile int *r, int x) { [[if (*r & x) return *r;|int v = *r; if (v & x) return v;]] return 0; }")
case("the same volatile read behind a pointer", SAME, "int f(volatile int *r, int x) { int v = *r; return [[v + x|x + v]]; }")
case("the order of volatile members", NOT_SAME,
     "struct s { volatile unsigned h, l; }; long f(struct s *p) { [[unsigned h = p->h, l = p->l;|unsigned l = p->l, h = p->h;]] return (long)h << 32 | l; }"
     .replace("32 | l", "32 ^ l"))
case("a volatile member that is read for its own sake", NOT_SAME,
     "struct s { volatile unsigned status, data; }; void f(struct s *p, int x) { (void)p->status; [[if (x) (void)p->data;|]] }")
case("a read that a cast makes volatile", NOT_SAME,
     "int f(int *p, int x) { int s = *(volatile int *)p; [[if (x) s = *(volatile int *)p;|]] return s; }")
case("a volatile read through a variable", NOT_SAME, "volatile int *r; int f(int x) { [[return *r + *r;|int v = *r; return v + v;]] }", "--global=r")
case("a device's register", NOT_SAME, "#define R (*(volatile unsigned *)0x40000000u)\nint f(int x) { [[(void)R;|]] return x < 0 ? 0 : R & 1; }")
case("a device's register, whose address is a constant variable", NOT_SAME,
     "static volatile unsigned *const r = (volatile unsigned *)0x40001000; int f(int x) { [[(void)*r;|]] return x ? *r : 0; }")

# ---- what a verdict rests on: where a program ends, which stream it is given, other threads ----

case("what is left in variables at the exit", NOT_DIFFERENT, "int reason; void f(int x) { if (x > 0) { [[reason = x;|]] exit(1); } }", shows="atexit")
case("what stands in a buffer at the end", NOT_DIFFERENT,
     'void _exit(int); void f(int x) { printf("%d\\n", x & 7); if (x > 40) [[exit|_exit]](0); }', shows="arrives: it is in no buffer")
case("a stream that is told from standard output", NOT_SAME, 'void f(FILE *t, int x) { [[|if (t == stdout) fputs("a", t);]] fprintf(t, "%d", x & 7); }')
case("an atomic operation", NOT_DIFFERENT, "int hits; int f(int x) { [[return __atomic_add_fetch(&hits, x, __ATOMIC_SEQ_CST);|return hits += x;]] }",
     shows="no other thread")
case("a fence", NOT_DIFFERENT, "int data, ready; void f(int x) { data = x; [[__sync_synchronize();|]] ready = 1; }", shows="no other thread")
# ---- what only one version says of a pointer holds for the other ----

DIGIT = "int f(const char *s) {{ if (*s != '0' && *s != '1') return -1; if (s[1]) return -1; return {0}; }}"
case("a number that only the old version reads as such", NOT_DIFFERENT, DIGIT.format("[[atoi(s)|*s - '0']]"), entry=None)
case("a number that only the new version reads as such", NOT_DIFFERENT, DIGIT.format("[[*s - '0'|(int)strtol(s, NULL, 10)]]"), entry=None)
case("numbers, of which one version reads one", DIFFERENT, DIGIT.format("[[atoi(s)|'1' - *s]]"), entry=None)
case("an integer that is copied, or read", NOT_DIFFERENT, "int f(const void *p, int x) { [[int v; memcpy(&v, p, 4);|int v = *(const int *)p;]] return v + x * x; }", entry=None)
case("a long that is read, or copied", NOT_DIFFERENT, "long f(const void *p, int x) { [[long v = *(const long *)p;|long v; memcpy(&v, p, sizeof v);]] return v + x * x; }",
     entry=None)
case("an integer that is copied, or read of another place", DIFFERENT,
     "int f(const void *p, int x) { [[int v; memcpy(&v, p, 4);|int v = ((const int *)p)[1];]] return v + x * x; }", entry=None)

# ---- inputs that nothing reads: how many elements they have does not matter ----

READ = {"no-difference-found"}
for name, expected, use in [("that nothing reads", SAME, ""), ("that is dropped", SAME, "(void)argv; "),
                            ("that is handed on, and that nothing reads", SAME, "nobody(0, argv); "),
                            ("that is read", READ, "if (argv[0][0] == 120) return 9; "),
                            ("that is handed on and read", READ, "if (reader(argv)) return 9; ")]:
    case(f"an argument {name}", expected,
         "static void nobody(int x, char **v) { (void)v; }\nstatic int reader(char **v) { return v[0][0] == 120; }\n"
         f"int f(int argc, char **argv) {{ {use}return [[argc > 3|argc >= 4]] ? 1 : argc % 7; }}", only_proof=expected is READ)

# ---- both fail alike: what was printed before ----

case("printed before both fail", DIFFERENT,
     'int t[4]; int f(unsigned i) { if (i == 6) puts([["x"|"y"]]); return t[i & 7]; }')
case("printed by one version before both fail", DIFFERENT,
     'int t[4]; int f(unsigned i) { [[|if ((i & 7) > 3) puts("x");]] return t[i & 7]; }')
case("printed to the standard error before both fail", NOT_SAME,
     'int t[4]; int f(unsigned i) { [[|if ((i & 7) > 3) fputs("x", stderr);]] return t[i & 7]; }')

# The optimiser takes an absolute value to be positive; the least integer's is not.
for more in ([], ["--explore", "cbpe-sd"]):
    case(" ".join(["an absolute value below zero", *more]), DIFFERENT, "int f(long x) { if (labs(x) < 0) return [[1|2]]; return 0; }", *more)

# What one version alone reads counts where each has a program of its own, too.
for name, source in [("a variable", "int flag; int f(int x) { return %s; }"), ("the environment", "int f(int x) { int flag = getenv(\"FLAG\") != 0; return %s; }")]:
    for which, choice in [("old", "[[flag ? 3 : x|x]]"), ("new", "[[x|flag ? 3 : x]]")]:
        case(f"{name} that the {which} version alone reads", NOT_SAME, source % choice, "--explore", "cbpe-sd")

# Which function of a table is called is a decision, also where nothing comes of the result.
for more in ([], ["--explore", "cbpe-sd"]):
    case(" ".join(["a function of a table", *more]), DIFFERENT, "static int a(int x) { return x + 1; } static int b(int x) { return x [[* 2|* 3]]; }\n"
         "static int (*const table[])(int) = {a, b}; int f(unsigned i, int x) { return i < 2 ? table[i](x) : 0; }", *more)

# A run that is cut by the end of the time leaves a report, too.
case("a recursion without an end and a loop without one", NOT_SAME, "static unsigned g(unsigned n) { return n == 77 ? g(n) : n; }\n"
     "unsigned f(unsigned n) { [[return g(n);|while (n == 77); return n;]] }", "--explore", "cbpe-sd", "--time=8", "--run-time=20")

# Where no input meets what is assumed, nothing was compared: of that, nothing can be said.
for more in ([], ["--explore", "cbpe-sd"]):
    case(" ".join(["nothing meets the assumptions", *more]), {"no-difference-found"}, "int f(int x) { return x + [[1|2]]; }",
         "--assume", "x > 5 && x < 3", *more, shows="no-input")
    case(" ".join(["something meets the assumptions", *more]), SAME, "int f(int x) { return x < 7 ? [[1|x - 5]] : 2; }",
         "--assume", "x > 5 && x < 7", *more)

MATH = "#include <math.h>\n"
case("a square root for its error alone", DIFFERENT, MATH + "double f(double x) { [[double t = sqrt(x); (void)t;|]] return x; }", shows="errno")
case("a square root of one version", DIFFERENT, MATH + "float f(float x) { return [[sqrtf(x)|x < 0 ? -NAN : sqrtf(x)]]; }", shows="errno")
case("what a square root says in errno", SAME, MATH + "double f(double x) { errno = 0; double t = sqrt(x); return [[errno|errno == EDOM]] ? 0 : t; }")
case("what a square root says, asked of its argument", SAME, MATH + "double f(double x) { errno = 0; double t = sqrt(x); return [[errno|x < 0]] ? 0 : t; }")
case("what a square root says of a zero", DIFFERENT, MATH + "double f(double x) { double t = sqrt(x); return [[errno|x <= 0]] ? 1 : t; }")
case("two square roots", SAME, MATH + "double f(double x) { return [[sqrt(x) + 1|1 + sqrt(x)]]; }")

main(every=3)

/* ==== old ==== */
#include <assert.h>
struct s { int a; int b; };
static int h(struct s *p, int n) { assert(p != 0 && n > 0); if (n > 10) return p->b; return p->a; }
int f(int x) { struct s v = {x, 2}; return h(&v, x); }
/* ==== new ==== */
#include <assert.h>
struct s { long b; int a; };
static int h(struct s *p, unsigned n) { assert(p != 0 && n > 0); if (n > 12) return p->b; return p->a; }
int f(int x) { struct s v = {2, x}; return h(&v, x); }
/* ==== unified ==== */
#include <assert.h>
#pragma push_macro("s")
#undef s
#define s s__old
struct s { int a; int b; };
#pragma pop_macro("s")
struct s { long b; int a; };
static int h(struct s *p, unsigned n) { struct s__old * p__old = (struct s__old *)p; int n__old = (int)n; if (pn_execute(PN_OLD)) {
    assert(p__old != 0 && n__old > 0);
} else {
    assert(p != 0 && n > 0);
} if (pn_change(n__old > 10, n > 12)) return pn_change((int)(p__old->b), (int)(p->b)); return pn_change(p__old->a, p->a); }
int f(int x) { struct s__old v__old = {x, 2};
struct s v = {2, x}; return h(pn_change((struct s *)(&v__old), (struct s *)(&v)), x); }

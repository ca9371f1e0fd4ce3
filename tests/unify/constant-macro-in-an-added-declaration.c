/* ==== old ==== */
#include <stdbool.h>
int g(int);
int f(int x) { int r = g(x); return r; }
/* ==== new ==== */
#include <stdbool.h>
#include <stddef.h>
#define LIM (3 + 4)
int g(int);
int f(int x) { bool seen = false, b2 = true; char *p = NULL; int l = LIM; int r = g(x); if (r > l) seen = true; return seen && b2 && !p ? -r : r; }
/* ==== unified ==== */
#include <stdbool.h>
#include <stddef.h>
#define LIM (3 + 4)
int g(int);
int f(int x) { bool seen = false, b2 = true; char *p = NULL; int l = LIM; int r = g(x); if (pn_change(0, r > l)) seen = true; return pn_change(r, seen && b2 && !p ? -r : r); }

#!/usr/bin/env python3
"""Parameters and results of other number types in each version: the entry has the wider ones, each version converts
(tests/programs/pairs.py)."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "programs"))
from pairs import DIFFERENT, NOT_DIFFERENT, case, main  # noqa: E402

case("a narrower parameter", DIFFERENT, "int f([[int|short]] x) { return x > 5; }", shows="each version converts: 'x' is 'int'")
case("a wider one", DIFFERENT, "int f([[int|long]] x) { return x > 5; }", shows="'x' is 'long'", rare=True)
case("where it makes no difference", NOT_DIFFERENT, "int f([[int|long]] x) { return (x & 255) > 5; }", shows="'x' is 'long'")
case("two names for one type", NOT_DIFFERENT, "int f([[long|long long]] x) { return x > 5; }", rare=True)
case("without a sign", DIFFERENT, "int f([[int|unsigned]] x) { return x > 5; }", shows="'x' is 'unsigned int'")
case("a sign that nothing looks at", NOT_DIFFERENT, "int f([[int|unsigned]] x) { return (x & 7) == 5; }", rare=True)
case("a truth value", DIFFERENT, "int f([[int|_Bool]] x) { return x == 1; }", shows="'x' is 'int'", rare=True)
case("of floating point", DIFFERENT, "int f([[float|double]] x) { return x == 0.1; }", shows="'x' is 'double'", rare=True)
case("a wider result", NOT_DIFFERENT, "[[int|long]] f(int x) { return x & 3; }", shows="'return' is 'long'")
case("a result that wraps around", DIFFERENT, "[[int|long]] f(int x) { return x * [[2|2L]]; }", rare=True)
case("a result without a sign", NOT_DIFFERENT, "[[int|unsigned]] f(int x) { return x; }", rare=True)
case("one of several", DIFFERENT, "struct p { int n; }; int f(struct p *p, [[size_t|int]] i) { return [[|i < 0 ? -1 :]] i > (size_t)p->n; }", shows="'i' is 'unsigned long'")
case("const", NOT_DIFFERENT, "int f([[char|const char]] *s) { return s[0] == 'a'; }", "--size=s=2", rare=True)
main()

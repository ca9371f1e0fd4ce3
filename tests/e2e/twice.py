#!/usr/bin/env python3
"""What a call leaves behind for the next one (tests/programs/pairs.py): --twice calls the entry once before."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "programs"))
from pairs import DIFFERENT, NOT_DIFFERENT, SAME, case, main  # noqa: E402

COUNT = "int f(int x) { static int last; int r = last == 7 ? x [[> 3|> 4]] : 0; last = x; return r; }"
case("one call", NOT_DIFFERENT, COUNT, rare=True)
case("the value of the call before", DIFFERENT, COUNT, "--twice", shows='"x before": 7')
case("a state that is kept alike", SAME, "static unsigned seed = 1; unsigned f(unsigned x) { seed = [[seed * 2 + x|x + seed + seed]]; return seed; }", "--twice", rare=True)
case("a pointer that is kept", DIFFERENT, "static char *kept; int f(char *s) { int r = 0; if (kept) { r = kept[0] == 'a'; [[|kept[1] = 'b';]] } kept = s; return r; }",
     "--twice", "--size=s=3", shows="s before")
case("no parameters", DIFFERENT, "int f(void) { static int n; return ++n == 2 ? [[1|2]] : 0; }", "--twice", rare=True)
main()

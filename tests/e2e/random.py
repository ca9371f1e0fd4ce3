#!/usr/bin/env python3
"""Fifty generated functions (a hundred in make test-long): Penumbra's predictions for both versions against plain builds (tests/random/check.py).
Before them, the reduced programs about which it once was wrong; behind them, some with hooks that are called."""

import os
import sys

# In place of this directory, whose random.py is not the one that Python's library has.
sys.path[0] = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "random")
import check
import reduced

seed = int(os.environ.get("PENUMBRA_TEST_SEED", 1))
good = reduced.check_all(os.environ["SCRATCH"])
files = 10 if os.environ.get("PENUMBRA_TEST_ALL") else 3
good = check.check_files(seed, files=files, functions=10, directory=os.environ["SCRATCH"]) and good
os.environ["PENUMBRA_CALL_HOOKS"] = "1"  # as in large functions, which are not inlined there
called = os.path.join(os.environ["SCRATCH"], "called")
os.makedirs(called)
good = check.check_files(seed + 1000, files=files // 3, functions=10, directory=called) and good
sys.exit(0 if good else 1)

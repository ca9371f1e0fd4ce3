#!/usr/bin/env python3
"""Fifty generated functions (a hundred in make test-long): Penumbra's predictions for both versions against plain builds (tests/random/check.py).
Before them, the reduced programs about which it once was wrong."""

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
sys.exit(0 if good else 1)

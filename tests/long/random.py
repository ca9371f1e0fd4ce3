#!/usr/bin/env python3
"""Five thousand generated functions, as tests/e2e/random.py does a hundred."""

import os
import sys

# In place of this directory, whose random.py is not the one that Python's library has.
sys.path[0] = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "random")
import check

seed = int(os.environ.get("PENUMBRA_TEST_SEED", 1000))
sys.exit(0 if check.check_files(seed, files=500, functions=10, directory=os.environ["SCRATCH"]) else 1)

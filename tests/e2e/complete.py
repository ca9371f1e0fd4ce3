#!/usr/bin/env python3
"""The complete mode: the examples of the papers, what may be lost, and some of the mutants and rewrites that
tests/long/complete.py has all of (tests/complete/suite.py)."""

import os
import sys

# In place of this directory, whose random.py is not the one that Python's library has.
sys.path[0] = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "complete")
import suite

short = [case for case in suite.all_cases() if case.is_short]
sys.exit(suite.run_cases(short if os.environ.get("PENUMBRA_TEST_ALL") else short[::3], os.environ["SCRATCH"]))

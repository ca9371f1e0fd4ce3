#!/usr/bin/env python3
"""The complete mode on every mutant and every rewrite: what tests/e2e/complete.py leaves out (tests/complete/suite.py)."""

import os
import sys

# In place of this directory, whose random.py is not the one that Python's library has.
sys.path[0] = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "complete")
import suite

sys.exit(suite.run_cases([case for case in suite.all_cases() if not case.is_short], os.environ["SCRATCH"]))

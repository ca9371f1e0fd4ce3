#!/usr/bin/env python3
"""Programs that write random bytes over the record of their runs and their own variables, many times: see
tests/e2e/confined.py."""

import os
import sys

SUITE = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "e2e", "confined.py")
os.environ.update(PENUMBRA_TEST_GARBAGE=os.environ.get("PENUMBRA_TEST_COUNT", "1000"), PENUMBRA_TEST_CASES="garbage")
os.execv(sys.executable, [sys.executable, SUITE])

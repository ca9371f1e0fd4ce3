#!/usr/bin/env python3
"""tests/e2e/resume.py, with a hundred random moments at which the tool is killed."""

import os
import sys

os.environ["PENUMBRA_TEST_KILLS"] = "100"
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "e2e"))
import resume  # noqa: E402
from running import run_rows  # noqa: E402

if __name__ == "__main__":
    sys.exit(run_rows([("a-hundred-kills", resume.kill_at_random_moments)]))

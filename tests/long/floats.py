#!/usr/bin/env python3
"""Every numerical pair of tests/floats."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "floats"))
import pairs

sys.exit(0 if pairs.run(os.environ["SCRATCH"], lambda name: name in pairs.SLOW) else 1)

"""What tests of the store share."""

from __future__ import annotations

import os
import random

import pytest


@pytest.fixture
def source() -> random.Random:
    """Random numbers whose seed is printed with a failure."""
    seed = int(os.environ.get("PITREE_FUZZ_SEED") or random.SystemRandom().randrange(2**32))
    print(f"PITREE_FUZZ_SEED={seed}")
    return random.Random(seed)

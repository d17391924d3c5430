"""What tests of the store share."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

from pitree.store import session_manager
from tests.store.big_files import write


@pytest.fixture
def source() -> random.Random:
    """Random numbers whose seed is printed with a failure."""
    seed = int(os.environ.get("PITREE_FUZZ_SEED") or random.SystemRandom().randrange(2**32))
    print(f"PITREE_FUZZ_SEED={seed}")
    return random.Random(seed)


@pytest.fixture
def all_files_are_big(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session_manager, "INLINE_BYTES", 100)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return write(tmp_path / "session.jsonl")

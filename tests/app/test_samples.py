"""Real sessions in the explorer: the sample, and Pi's own public test files where they are."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pitree.app.run import demo_copy
from tests.app.conftest import Open, frame, press, text, tree
from tests.app.test_terminal import FIXTURES

WALK = ("home", "down", "pagedown", "end", "ctrl+left", "ctrl+a", "ctrl+u", "ctrl+d", "tab", "home")


async def _walk(explore: Open, path: Path) -> None:
    before = (path.read_bytes(), path.stat().st_mtime_ns, os.listdir(path.parent))
    async with explore(path) as pilot:
        assert len(tree(pilot).rows or ()) > 10
        for key in WALK:
            await press(pilot, key)
            assert len(frame(pilot)) == 36
        assert "Chat ─ root →" in text(pilot)
        assert "Context ─ what the model gets" in text(pilot)
    assert (path.read_bytes(), path.stat().st_mtime_ns, os.listdir(path.parent)) == before


async def test_the_sample_walks(explore: Open) -> None:
    with demo_copy() as path:
        await _walk(explore, path)
    assert not path.exists()


@pytest.mark.skipif(not FIXTURES.is_dir(), reason="Pi's public test files are not here")
@pytest.mark.parametrize("name", ["large-session.jsonl", "before-compaction.jsonl"])
async def test_the_public_fixtures_walk(explore: Open, name: str) -> None:
    await _walk(explore, FIXTURES / name)

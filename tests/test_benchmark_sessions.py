"""The files that the benchmarks run on are what they say."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pitree import SessionManager
from tests.benchmarks.sessions import SIZES, Size, write_session, write_shape


def test_a_session_is_the_same_for_the_same_seed_and_whole(tmp_path: Path) -> None:
    size = Size(2000, 500, 0)
    one, two, other = (tmp_path / name for name in ("one", "two", "other"))
    write_session(one, size, seed=7)
    write_session(two, size, seed=7)
    write_session(other, size, seed=8)
    assert one.read_bytes() == two.read_bytes() != other.read_bytes()
    values = [json.loads(line) for line in one.read_bytes().splitlines()]
    ids = {value["id"] for value in values[1:]}
    assert len(values) == len(ids) + 1 == 2001
    assert all(value["parentId"] in ids | {None} for value in values[1:])
    assert {value["type"] for value in values} >= {"message", "label", "compaction", "custom"}


async def test_it_opens_without_damage_and_with_branches(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    write_session(path, SIZES["S"])
    async with await SessionManager.open(path) as session:
        assert (len(session), session.damage) == (1000, [])
        assert len(session.tree.tips()) > 1


@pytest.mark.parametrize(("shape", "tips"), [("chain", 1), ("siblings", 99), ("comb", 50)])
async def test_extreme_shapes(tmp_path: Path, shape: str, tips: int) -> None:
    path = tmp_path / "s.jsonl"
    write_shape(path, shape, 100)
    async with await SessionManager.open(path) as session:
        assert len(session) == 100
        assert len(session.tree.tips()) == tips

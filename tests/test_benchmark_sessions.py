"""The files that the benchmarks run on are what they say."""

from __future__ import annotations

import json
from pathlib import Path

import orjson
import pytest

from pitree import SessionManager
from tests.benchmarks.sessions import LAST_TEXT, SIZES, Size, write_session, write_shape


def _values(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_bytes().splitlines()]


def test_a_session_is_the_same_for_the_same_seed(tmp_path: Path) -> None:
    size = Size(2000, 500, 0)
    one, two, other = (tmp_path / name for name in ("one", "two", "other"))
    write_session(one, size, seed=7)
    write_session(two, size, seed=7)
    write_session(other, size, seed=8)
    assert one.read_bytes() == two.read_bytes() != other.read_bytes()


def test_every_line_is_whole_and_hangs_on_an_earlier_one(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    write_session(path, Size(3000, 1000, 0))
    header, *values = _values(path)
    assert header["type"] == "session"
    seen: set[object] = {None}
    for value in values:
        assert value["parentId"] in seen
        assert value["id"] not in seen
        seen.add(value["id"])
    assert len(seen) == 3001
    assert all(
        isinstance(one, str) and len(one) == 8 and int(one, 16) >= 0 for one in seen - {None}
    )
    lines = path.read_bytes().splitlines()
    assert lines == [orjson.dumps(value) for value in (header, *values)]
    assert sum(len(line) > 900_000 for line in lines) == 3
    assert [at for at, line in enumerate(lines) if LAST_TEXT.encode() in line] == [3000]


def test_every_kind_of_entry_is_there(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    write_session(path, Size(5000, 0, 0))
    values = _values(path)
    messages = [value["message"] for value in values if value["type"] == "message"]
    roles = {message["role"] for message in messages if isinstance(message, dict)}
    assert roles == {"user", "assistant", "toolResult", "bashExecution"}
    assert {value["type"] for value in values} == {
        "session",
        "message",
        "model_change",
        "thinking_level_change",
        "label",
        "session_info",
        "custom",
        "custom_message",
        "compaction",
        "branch_summary",
    }


async def test_it_opens_without_damage_and_with_branches(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    write_session(path, SIZES["S"])
    assert path.stat().st_size <= SIZES["S"].bytes
    async with await SessionManager.open(path) as session:
        assert (len(session), session.damage) == (1000, [])
        assert len(session.tree.tips()) > 1


async def test_a_straight_session_is_one_path_of_messages(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    write_session(path, SIZES["S"], straight=True)
    assert {value["type"] for value in _values(path)} == {"session", "message"}
    async with await SessionManager.open(path) as session:
        assert len(session.path(session.leaf)) == 1000


@pytest.mark.parametrize(("shape", "tips"), [("chain", 1), ("siblings", 99), ("comb", 50)])
async def test_extreme_shapes(tmp_path: Path, shape: str, tips: int) -> None:
    path = tmp_path / "s.jsonl"
    write_shape(path, shape, 100)
    async with await SessionManager.open(path) as session:
        assert len(session) == 100
        assert len(session.tree.tips()) == tips

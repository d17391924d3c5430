"""Trees as wide, as deep and as forked as they come: every walker ends, none recurses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pitree.cli.main import main
from pitree.model.filters import FILTER_MODES
from pitree.model.rows import VisibleRows
from pitree.store.session_manager import SessionManager
from tests.store.literal import H, answer, user

COUNT = 30_000


def _name(at: int) -> str:
    return f"{at:08x}"


def siblings() -> list[bytes]:
    """All on one entry."""
    return [user(_name(0), None), *(user(_name(at), _name(0)) for at in range(1, COUNT))]


def comb() -> list[bytes]:
    """Two on every second one."""
    return [user(_name(0), None)] + [
        user(_name(at), _name(max(0, at - 2 + at % 2))) for at in range(1, COUNT)
    ]


def roots() -> list[bytes]:
    """Nothing on anything."""
    return [user(_name(at), None if at % 2 else "gone") for at in range(COUNT)]


def backwards() -> list[bytes]:
    """Each on the next one."""
    return [user(_name(at), _name(at + 1) if at < COUNT - 1 else None) for at in range(COUNT)]


def circle() -> list[bytes]:
    """Each on the next one, the last on the first."""
    return [user(_name(at), _name((at + 1) % COUNT)) for at in range(COUNT)]


def one_id() -> list[bytes]:
    """All of one id."""
    return [user("same", "same") for _ in range(COUNT)]


SHAPES = {
    "siblings": (siblings, COUNT, 2, COUNT - 1),
    "comb": (comb, COUNT, COUNT // 2 + 1, COUNT // 2),
    "roots": (roots, COUNT, 1, COUNT),
    "backwards": (backwards, COUNT, 1, 1),
    "circle": (circle, 0, COUNT, 0),
    "one-id": (one_id, 1, 1, 1),
}
"""Its lines, rows that show, length of the path to the leaf, branch ends."""


@pytest.mark.parametrize("shape", SHAPES)
async def test_every_walker_ends(shape: str, tmp_path: Path) -> None:
    make, shown, length, tips = SHAPES[shape]
    path = tmp_path / "s.jsonl"
    path.write_bytes(H + b"".join(make()))
    async with await SessionManager.open(path) as session:
        assert len(session) == COUNT
        assert session.leaf is not None
        assert len(session.path(session.leaf)) == length
        assert len(session.tree.tips()) == tips
        assert len(session.tree.forks()) == (shape == "siblings") + (shape == "comb") * (
            COUNT // 2 - 1
        )
        for mode in FILTER_MODES:
            rows = VisibleRows(session.tree, mode, leaf=session.leaf)
            assert len(rows) == (0 if mode == "labeled-only" else shown)
            for at in {0, len(rows) // 2, len(rows) - 1} if len(rows) else ():
                assert rows.position(rows.row(at, 0, 80).row) == at
                for other in (rows.segment_up(at), rows.segment_down(at), rows.parent_of(at) or 0):
                    assert 0 <= other < len(rows)
        for row in (0, COUNT // 2, COUNT - 1):
            session.tree.common_ancestor(row, session.leaf)
            session.tree.in_tree(row)
        found = [row async for part in session.search("hi") for row in part]
        assert len(found) == COUNT


def test_a_very_long_chain(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """T7: one under the other, and one fork in the middle."""
    lines = [user(_name(0), None)]
    for at in range(1, COUNT):
        lines.append((answer if at % 2 else user)(_name(at), _name(at - 1)))
    lines.insert(COUNT - 10, user("fork", _name(COUNT // 2)))
    path = tmp_path / "s.jsonl"
    path.write_bytes(H + b"".join(lines))
    for mode, rows in (("default", COUNT + 1), ("user-only", COUNT // 2 + 1), ("labeled-only", 0)):
        assert main(["tree", str(path), "--filter", mode, "--json"]) == 0
        value = json.loads(capsys.readouterr().out)
        assert len(value["rows"]) == rows
        assert max([row["indent"] for row in value["rows"]], default=0) <= 2
    assert main(["tree", str(path), "--fold", _name(COUNT // 2 + 1), "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["rows"]) == COUNT // 2 + 3
    for command in ("context", "tips", "stats", "doctor"):
        assert main([command, str(path), "--json"]) == 0
        json.loads(capsys.readouterr().out)


async def test_nodes_of_a_very_long_chain(tmp_path: Path) -> None:
    lines = [user(_name(at), _name(at - 1) if at else None) for at in range(COUNT)]
    path = tmp_path / "s.jsonl"
    path.write_bytes(H + b"".join(lines))
    async with await SessionManager.open(path) as session:
        assert len(session.path(session.leaf)) == COUNT
        (node,) = session.get_tree()
        for _ in range(COUNT - 1):
            (node,) = node.children
        assert node.children == []
        assert node.entry.id == session.leaf_id

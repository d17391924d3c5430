"""The tree by runs and its rows equal the slow and plain way, on trees of every shape."""

from __future__ import annotations

from dataclasses import asdict
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pitree.model.entries import Kind
from pitree.model.filters import FILTER_MODES
from pitree.model.index import DROPPED, ROOT
from pitree.model.rows import VisibleRows
from tests.model.random_sessions import RandomSession, sessions
from tests.model.slow_tree import SlowRows

many = settings(
    max_examples=400, deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True
)


def _rows_of_runs(session: RandomSession, runs: list[int]) -> list[int]:
    tree = session.tree
    return [row for run in runs for row in range(tree.starts[run], tree.ends[run])]


@given(sessions())
@many
def test_parents_roots_and_children_equal_pis(session: RandomSession) -> None:
    tree, slow = session.tree, session.slow
    for node in slow.nodes:
        above = session.index.parent(node.row)
        if node.row in slow.dropped:
            assert above == DROPPED
        else:
            assert above == (ROOT if node.parent is None else node.parent.row)
        assert tree.parent(node.row) == (node.parent.row if node.parent else None)
        assert tree.children(node.row) == [child.row for child in node.children]
    assert tree.children(None) == [root.row for root in slow.roots]


@given(sessions())
@many
def test_every_entry_of_pis_tree_comes_once(session: RandomSession) -> None:
    tree, slow = session.tree, session.slow
    order = _rows_of_runs(session, tree.preorder())
    assert order == slow.reached
    assert len(order) == len(set(order))
    assert [row for row in range(len(session.entries)) if tree.in_tree(row)] == sorted(order)
    lost = {
        row
        for item in session.index.damage
        if item.row is not None
        for row in range(item.row, item.row + item.rows)
    }
    assert lost == set(range(len(session.entries))) - set(order)


@given(sessions())
@many
def test_paths_equal_a_walk_from_child_to_parent(session: RandomSession) -> None:
    tree, slow = session.tree, session.slow
    for row in range(len(session.entries)):
        path = tree.path(row)
        assert list(path) == slow.path(row)
        runs = tree.path_runs(row)
        assert runs[0] == tree.run_of(row)
        assert set(runs) >= {tree.run_of(one) for one in path}
        above = slow.lineage(row)
        assert runs == list(dict.fromkeys(tree.run_of(one) for one in above))
        assert [path.position(one) for one in path] == list(range(len(path)))
    assert list(tree.path(None)) == []
    assert tree.path_runs(None) == []


@given(sessions(16))
@many
def test_common_ancestors_equal_those_of_two_walks(session: RandomSession) -> None:
    positions = [None, *range(len(session.entries))]
    for a in positions:
        for b in positions:
            found = session.tree.common_ancestor(a, b)
            assert found == session.slow.common_ancestor(a, b), (a, b)


@given(sessions())
@many
def test_forks_and_tips_are_where_branches_speak(session: RandomSession) -> None:
    assert session.tree.forks() == session.slow.forks()
    assert session.tree.tips() == session.slow.tips()


@given(st.data())
@many
def test_rows_equal_pis_tree_view(data: st.DataObject) -> None:
    rows, slow = _draw_view(data)
    assert [asdict(row) for row in rows] == [asdict(row) for row in slow.rows]
    assert rows.multiple_roots == (len(slow.roots) > 1)


@given(st.data())
@many
def test_walks_over_rows_equal_pis_keys(data: st.DataObject) -> None:
    rows, slow = _draw_view(data)
    places = {node.row: at for at, node in enumerate(slow.order)}
    for at, node in enumerate(slow.order):
        assert rows.entry_row(at) == node.row
        above = slow.parents[node.row]
        assert rows.parent_of(at) == (None if above is None else places[above])
        assert rows.segment_up(at) == slow.segment_up(at)
        assert rows.segment_down(at) == slow.segment_down(at)
    forks = [at for at, node in enumerate(slow.order) if len(slow.kids.get(node.row, ())) > 1]
    assert rows.forks() == forks
    for at in (-1, len(slow.order)):
        with pytest.raises(IndexError):
            rows.entry_row(at)


@given(st.data())
@many
def test_positions_are_the_inverse_of_rows(data: st.DataObject) -> None:
    rows, slow = _draw_view(data)
    places = {node.row: at for at, node in enumerate(slow.order)}
    count = len(rows.mask)
    for row in range(-1, count + 1):
        assert rows.position(row) == places.get(row)
    for row in [None, *range(count)]:
        assert rows.nearest(row) == slow.nearest(row)
    whole = [node.row for node in slow.whole]
    for before, after in pairwise(whole):
        assert rows.comes_before(before, after)
        assert not rows.comes_before(after, before)


@given(st.data())
@many
def test_a_part_of_a_prefix_is_cut_from_the_whole(data: st.DataObject) -> None:
    rows, slow = _draw_view(data)
    left = data.draw(st.integers(0, 12))
    width = data.draw(st.integers(0, 9))
    for at, row in enumerate(slow.rows):
        assert rows.row(at, left, width).prefix == row.prefix[left : left + width]
        assert rows.row(at, left).prefix == row.prefix[left:]


def _draw_view(data: st.DataObject) -> tuple[VisibleRows, SlowRows]:
    """One view of a random session, both ways."""
    session = data.draw(sessions())
    count = len(session.entries)
    some = st.sets(st.integers(0, max(0, count - 1)), max_size=count)
    leaf = data.draw(st.one_of(st.none(), st.integers(0, count - 1))) if count else None
    mode = data.draw(st.sampled_from(FILTER_MODES))
    labeled = data.draw(some) if count else set()
    matches = data.draw(st.one_of(st.none(), some)) if count else None
    few = st.sets(st.integers(0, max(0, count - 1)), max_size=3)
    folds = data.draw(st.one_of(st.just(set()), few)) if count else set()
    given: dict[str, Any] = {"labeled": labeled, "matches": matches, "folds": folds}
    rows = VisibleRows(session.tree, mode, leaf=leaf, **given)
    return rows, SlowRows(session.slow, mode, leaf, labeled, matches, folds)


@given(sessions())
@many
def test_all_shows_every_entry_but_the_kinds_never_shown(session: RandomSession) -> None:
    leaf = len(session.entries) - 1 if session.entries else None
    rows = VisibleRows(session.tree, "all", leaf=leaf)
    never = {Kind.USAGE, Kind.ASSISTANT_SILENT}
    wanted = [
        row
        for row in session.slow.reached
        if session.index.kind[row] not in never
        or (row == leaf and session.index.kind[row] == Kind.ASSISTANT_SILENT)
    ]
    assert sorted(row.row for row in rows) == sorted(wanted)

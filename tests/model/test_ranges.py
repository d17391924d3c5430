"""Ranges of rows behave as the list of those rows."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitree.model.ranges import RowRanges


@st.composite
def pieces(draw: st.DrawFn) -> list[tuple[int, int]]:
    """Ranges that don't overlap, some of them empty, in any order."""
    cuts = sorted(draw(st.lists(st.integers(0, 60), max_size=12)))
    pairs = list(zip(cuts[::2], cuts[1::2], strict=False))
    return draw(st.permutations(pairs))


@given(pieces(), st.integers(-5, 70), st.integers(-70, 70), st.integers(-70, 70))
def test_ranges_equal_a_list(given: list[tuple[int, int]], row: int, a: int, b: int) -> None:
    ranges = RowRanges(given)
    rows = [one for start, end in given for one in range(start, end)]
    assert list(ranges) == rows
    assert len(ranges) == len(rows)
    assert [ranges[at] for at in range(-len(rows), len(rows))] == rows + rows
    assert list(ranges[a:b]) == rows[a:b]
    assert list(ranges[a:]) == rows[a:]
    assert (row in ranges) == (row in rows)
    assert ranges.position(row) == (rows.index(row) if row in rows else None)
    assert list(reversed(ranges)) == rows[::-1]


def test_there_is_nothing_beside_the_rows() -> None:
    ranges = RowRanges([(3, 5)])
    for at in (2, -3):
        with pytest.raises(IndexError):
            ranges[at]
    with pytest.raises(ValueError, match="no step"):
        ranges[::2]
    anything: object = "3"
    assert anything not in ranges

"""Rows in order, as ranges of rows: a path of a million entries is a few pieces."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import overload


class RowRanges(Sequence[int]):
    """A sequence of rows made of pieces `[start, end)`, none of them empty.

    Attributes:
        pieces: The ranges, in order.
    """

    def __init__(self, pieces: list[tuple[int, int]]) -> None:
        """Join ranges."""
        self.pieces = [piece for piece in pieces if piece[0] < piece[1]]
        self._before = [0, *accumulate(end - start for start, end in self.pieces)]
        self._piece_of: dict[int, int] | None = None

    def __len__(self) -> int:
        """The number of rows."""
        return self._before[-1]

    @overload
    def __getitem__(self, at: int) -> int: ...
    @overload
    def __getitem__(self, at: slice) -> RowRanges: ...
    def __getitem__(self, at: int | slice) -> int | RowRanges:
        """The row at a position; a slice with step 1 gives the ranges in it."""
        if isinstance(at, slice):
            start, stop, step = at.indices(len(self))
            if step != 1:
                raise ValueError("a slice of rows has no step")
            return self._slice(start, stop)
        if at < 0:
            at += len(self)
        if not 0 <= at < len(self):
            raise IndexError(at)
        piece = bisect_right(self._before, at) - 1
        return self.pieces[piece][0] + at - self._before[piece]

    def _slice(self, start: int, stop: int) -> RowRanges:
        pieces = []
        for (first, end), before in zip(self.pieces, self._before, strict=False):
            a = max(first, first + start - before)
            b = min(end, first + stop - before)
            if a < b:
                pieces.append((a, b))
        return RowRanges(pieces)

    def __iter__(self) -> Iterator[int]:
        """The rows one by one."""
        for start, end in self.pieces:
            yield from range(start, end)

    def __contains__(self, row: object) -> bool:
        """Whether the row is among them."""
        return isinstance(row, int) and self.position(row) is not None

    def position(self, row: int) -> int | None:
        """Where a row stands, None if it is not among them."""
        if self._piece_of is None:
            order = sorted(range(len(self.pieces)), key=lambda piece: self.pieces[piece][0])
            self._starts = [self.pieces[piece][0] for piece in order]
            self._piece_of = dict(enumerate(order))
        at = bisect_right(self._starts, row) - 1
        if at < 0:
            return None
        piece = self._piece_of[at]
        start, end = self.pieces[piece]
        return self._before[piece] + row - start if row < end else None

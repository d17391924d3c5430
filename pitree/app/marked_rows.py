"""What Pi drops of a file, as rows below the tree: shown and marked, never part of a context."""

from __future__ import annotations

import os
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import overload

from pitree.errors import PitreeError
from pitree.model.entries import SessionEntry, entry_from
from pitree.model.index import Damage
from pitree.model.row_text import row_text
from pitree.model.visible import visible
from pitree.store.session_manager import SessionManager


@dataclass(frozen=True, slots=True)
class MarkedRow:
    """One row.

    Attributes:
        damage: What it is a part of.
        row: The entry, None for what is no entry.
    """

    damage: Damage
    row: int | None


class MarkedRows(Sequence[MarkedRow]):
    """One row for each dropped entry and each piece that is none; made as they are looked at."""

    def __init__(self, session: SessionManager) -> None:
        """The damage of a session."""
        self._session = session
        self._damage = session.damage
        self._before = [0, *accumulate(max(1, item.rows) for item in self._damage)]

    def __len__(self) -> int:
        """The number of rows."""
        return self._before[-1]

    @overload
    def __getitem__(self, at: int) -> MarkedRow: ...
    @overload
    def __getitem__(self, at: slice) -> list[MarkedRow]: ...
    def __getitem__(self, at: int | slice) -> MarkedRow | list[MarkedRow]:
        """A row."""
        if isinstance(at, slice):
            return [self[one] for one in range(*at.indices(len(self)))]
        if not 0 <= at < len(self):
            raise IndexError(at)
        place = bisect_right(self._before, at) - 1
        item = self._damage[place]
        return MarkedRow(item, None if item.row is None else item.row + at - self._before[place])

    def text(self, at: int) -> str:
        """The text of a row, safe to show."""
        marked = self[at]
        item, row = marked.damage, marked.row
        line = item.line if row is None else self._session.index.line_number(row)
        said = item.explain
        if row is not None:
            try:
                entry = self._session.entry(row)
                said = row_text(entry, lambda _: None, os.environ.get("HOME", ""))
            except PitreeError as error:
                said = str(error)
        elif item.entry_id:
            said = f"{item.entry_id}: {said}"
        return visible(f"⚠ line {line:,} {item.kind}: {said}")

    def entry(self, at: int) -> SessionEntry:
        """What stands there: the entry, or the bytes of the line as text."""
        marked = self[at]
        if marked.row is not None:
            return self._session.entry(marked.row)
        item = marked.damage
        text = self._session.bytes_at(item.start, item.end).decode("utf-8", "replace")
        shown = {"role": f"{item.kind}: {item.explain}", "content": text}
        return entry_from({"type": "message", "message": shown})

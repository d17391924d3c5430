"""Bodies of entries, read and parsed when somebody looks, kept in a bounded cache."""

from __future__ import annotations

import os
from collections import OrderedDict

from pitree.errors import PitreeError
from pitree.model import js
from pitree.model.entries import SessionEntry, entry_from
from pitree.model.index import SessionIndex
from pitree.model.migrate import migrate_entry
from pitree.store import lines
from pitree.store.parse import parse_any

CACHE_BYTES = 16 << 20
"""Bytes of lines whose parsed form is kept."""


class StaleIndexError(PitreeError):
    """A line is not the one that was indexed: the file was rewritten."""


class Bodies:
    """Reads the lines of an index from an open file, by `pread`: the file may shrink or go."""

    def __init__(self, descriptor: int, index: SessionIndex, limit: int = CACHE_BYTES) -> None:
        """Read from a file descriptor, which stays the caller's."""
        self._descriptor = descriptor
        self._index = index
        self._limit = limit
        self._kept: OrderedDict[int, SessionEntry] = OrderedDict()
        self._bytes = 0

    def data(self, row: int) -> bytes:
        """The bytes of an entry's line, without its newline."""
        index = self._index
        return os.pread(self._descriptor, index.length[row], index.offset[row]).rstrip(b"\n")

    def parse(self, row: int) -> SessionEntry:
        """Read and parse an entry, past the cache.

        Raises:
            StaleIndexError: The bytes there are not that entry any more.
        """
        index = self._index
        data = os.pread(self._descriptor, index.length[row], index.offset[row])
        try:
            value = parse_any(data)
        except ValueError:
            raise StaleIndexError(_explain(index, row)) from None
        if index.version < 3 and index.accepted:
            return entry_from(migrate_entry(value, row, index))
        held = value.get("id", js.UNDEFINED) if isinstance(value, dict) else js.UNDEFINED
        key = held if isinstance(held, str) else lines.id_key(held)
        if key is not None and key != index.id_key(row):
            raise StaleIndexError(_explain(index, row))
        return entry_from(value)

    def entry(self, row: int) -> SessionEntry:
        """The entry of a row.

        Raises:
            StaleIndexError: The bytes there are not that entry any more.
        """
        entry = self._kept.get(row)
        if entry is not None:
            self._kept.move_to_end(row)
            return entry
        entry = self.parse(row)
        size = self._index.length[row]
        if size <= self._limit:
            self._kept[row] = entry
            self._bytes += size
            while self._bytes > self._limit:
                oldest, _ = self._kept.popitem(last=False)
                self._bytes -= self._index.length[oldest]
        return entry


def _explain(index: SessionIndex, row: int) -> str:
    return (
        f"line {index.line_number(row)} changed since it was read: "
        "the file was rewritten; open it again"
    )

"""Bodies of entries, read and parsed when somebody looks, kept in a bounded cache."""

from __future__ import annotations

import os
from collections import OrderedDict
from collections.abc import Iterator
from typing import Any

import orjson

from pitree.errors import PitreeError
from pitree.model import js
from pitree.model.entries import SessionEntry, entry_from
from pitree.model.index import SessionIndex
from pitree.model.migrate import migrate_entry
from pitree.model.ranges import RowRanges
from pitree.store import lines
from pitree.store.parse import parse_any

CACHE_BYTES = 16 << 20
"""Bytes of lines whose parsed form is kept."""

CHUNK_ROWS = 256
CHUNK_BYTES = 4 << 20
"""Rows and bytes that are read at a time where many are wanted."""


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

    def raws(self, rows: RowRanges) -> Iterator[Any]:
        """The parsed lines of many rows, in order and past the cache: 2 µs less for each.

        Raises:
            StaleIndexError: The bytes of a row are not that entry any more.
        """
        for start, end in rows.pieces:
            for first in range(start, end, CHUNK_ROWS):
                yield from self._chunk(first, min(end, first + CHUNK_ROWS))

    def _chunk(self, first: int, end: int) -> list[Any]:
        """The parsed lines of rows that stand one behind the other."""
        index = self._index
        offset, length = index.offset, index.length
        base = offset[first]
        size = offset[end - 1] + length[end - 1] - base
        old = index.version < 3 and index.accepted
        if old or size > CHUNK_BYTES:
            return [self.parse(row).raw for row in range(first, end)]
        data = os.pread(self._descriptor, size, base)
        spans = zip(offset[first:end], length[first:end], strict=True)
        try:
            values = [orjson.loads(data[at - base : at - base + long]) for at, long in spans]
            ids = bytes.fromhex("".join([value["id"] for value in values]))
        except (ValueError, TypeError, KeyError):
            ids = b""
        # Odd lines and odd ids, one by one.
        if ids != index.ids[4 * first : 4 * end]:
            return [self.parse(row).raw for row in range(first, end)]
        return values

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

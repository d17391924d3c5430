"""The index of a session: what is known of every entry without its body.

A session of a million entries is one long chain with some forks, so almost every entry hangs on
the one before it in the file. Parents are therefore kept only for the entries of which that is
not true (`odd`), and everything that walks the tree works on the chains between them. An entry
costs 18 bytes: offset 8, length 4, id 4, kind 1, flags 1.
"""

from __future__ import annotations

import sys
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from enum import IntFlag
from math import isnan
from typing import Any

from pitree.model.entries import JsonObject

ROOT = -1
DROPPED = -2
UNKNOWN_TIME = float("inf")
"""In `odd_time`: the entry's line has to be read for it."""

IdKey = str | tuple[str, float]
"""An id as a key: the string itself, or a tagged pair for the odd values of damaged files."""

NO_ID: IdKey = ("undefined", 0.0)


class Flag(IntFlag):
    """What is known of an entry beside its kind."""

    HAS_CALLS = 1
    """An assistant message with tool calls."""
    FAILED = 2
    """An assistant message that ended in an error or was aborted."""
    PATH_END = 4
    """Has a parent in Pi's tree, but Pi's walk to the root ends here (a parent id of "")."""
    EXCLUDED = 8
    """A bash run that is kept out of the context."""
    NO_MESSAGE = 16
    """A branch summary with an empty text, which gives no message."""
    IRREGULAR = 32
    """Its line is no JSON object."""


@dataclass(frozen=True, slots=True)
class Damage:
    """Something in the file that Pi drops, or that a person should know of.

    Attributes:
        kind: One of malformed, fragment, recovered, null, duplicate, cycle, no-header.
        line: Number of the line, from 1, as `wc -l` counts.
        start: Offset of its first byte.
        end: Offset behind its last byte.
        row: The entry, where the line was parsed.
        entry_id: Its id, as text.
        explain: What happened, in words.
        rows: How many entries it speaks of: `row` and those behind it in the file.
    """

    kind: str
    line: int
    start: int
    end: int
    row: int | None
    entry_id: str | None
    explain: str
    rows: int = 0


@dataclass(slots=True)
class SessionIndex:
    """Columns over all entries of a file, one row per entry in file order (Pi's `getEntries`).

    Attributes:
        header: The session header, None where the first parsed line is none.
        version: Its version as a number (NaN where it is none).
        accepted: Whether Pi takes the file; if not, all rows are dropped.
        size: Bytes of the file that are indexed.
        lines: Lines of it.
        terminated: Whether the indexed bytes end with a newline.
        growable: Whether lines added behind them can be indexed alone: not those of a version 1
            file, and not behind a last line that is read only because it is the last.
        offset: First byte of each entry's line.
        length: Bytes of each entry's line with its newline (the last one may have none).
        kind: `Kind` of each entry.
        flags: `Flag` of each entry.
        ids: Four bytes of each id of eight lower-case hex digits, big-endian.
        odd_ids: Row → id, where it is anything else.
        odd: Rows that don't hang on the row before them, or are one of several that hang on
            theirs; ascending.
        odd_parent: Their parents: a row, `ROOT` or `DROPPED`.
        odd_time: Their timestamps in milliseconds, NaN for no date.
        orphans: Rows that are roots because their parent is not in the file → the parent's id.
        line_rows: Rows at which the distance between row and line number changes.
        line_shift: The distance from there on.
        calls: Tool calls: CRC-32 of the call id, shifted by 32, with the row; ascending.
        labels: `[row, target id, label, timestamp]` of each label entry, in file order; the label
            is None where it is cleared.
        names: `[row, name]` of each session name, in file order; None where it is no text.
        kept: Compaction row → its first kept entry's id.
        edits: Context edit row → `[target id, omits]`.
        damage: What Pi drops, in file order.
    """

    header: JsonObject | None = None
    version: float = float("nan")
    accepted: bool = True
    size: int = 0
    lines: int = 0
    growable: bool = True
    terminated: bool = True
    offset: array[int] = field(default_factory=lambda: array("Q"))
    length: array[int] = field(default_factory=lambda: array("I"))
    kind: bytearray = field(default_factory=bytearray)
    flags: bytearray = field(default_factory=bytearray)
    ids: bytearray = field(default_factory=bytearray)
    odd_ids: dict[int, IdKey] = field(default_factory=dict)
    odd: array[int] = field(default_factory=lambda: array("I"))
    odd_parent: array[int] = field(default_factory=lambda: array("i"))
    odd_time: array[float] = field(default_factory=lambda: array("d"))
    orphans: dict[int, IdKey] = field(default_factory=dict)
    line_rows: array[int] = field(default_factory=lambda: array("I"))
    line_shift: array[int] = field(default_factory=lambda: array("I"))
    calls: array[int] = field(default_factory=lambda: array("Q"))
    labels: list[list[Any]] = field(default_factory=list)
    names: list[list[Any]] = field(default_factory=list)
    kept: dict[int, Any] = field(default_factory=dict)
    edits: dict[int, list[Any]] = field(default_factory=dict)
    damage: list[Damage] = field(default_factory=list)

    def __len__(self) -> int:
        """The number of rows."""
        return len(self.kind)

    def parent(self, row: int) -> int:
        """The parent of a row in Pi's tree: a row, `ROOT`, or `DROPPED`."""
        at = bisect_left(self.odd, row)
        if at < len(self.odd) and self.odd[at] == row:
            return self.odd_parent[at]
        return row - 1

    def time(self, row: int) -> float:
        """The timestamp of a row in milliseconds; `UNKNOWN_TIME` for all but odd rows."""
        at = bisect_left(self.odd, row)
        known = at < len(self.odd) and self.odd[at] == row
        return self.odd_time[at] if known else UNKNOWN_TIME

    def id_key(self, row: int) -> IdKey:
        """The id of a row."""
        odd = self.odd_ids.get(row)
        return bytes(self.ids[4 * row : 4 * row + 4]).hex() if odd is None else odd

    def find(self, key: IdKey) -> int | None:
        """The last row with an id: the one that Pi keeps."""
        if isinstance(key, str) and is_short_id(key):
            wanted = bytes.fromhex(key)
            at = self.ids.rfind(wanted)
            while at >= 0:
                if at % 4 == 0 and at // 4 not in self.odd_ids:
                    return at // 4
                at = self.ids.rfind(wanted, 0, at + 3)
            return None
        for row in sorted(self.odd_ids, reverse=True):
            if self.odd_ids[row] == key:
                return row
        return None

    def line_number(self, row: int) -> int:
        """The number of a row's line, from 1."""
        at = bisect_right(self.line_rows, row) - 1
        return row + self.line_shift[at]

    def call_rows(self, hashed: int) -> Iterator[int]:
        """The rows that may hold a tool call, by the CRC-32 of its id, ascending."""
        at = bisect_left(self.calls, hashed << 32)
        while at < len(self.calls) and self.calls[at] >> 32 == hashed:
            yield self.calls[at] & 0xFFFFFFFF
            at += 1

    def is_start_of(self, later: SessionIndex) -> bool:
        """Whether another index of the same file, which may have grown, begins with this one."""
        rows = len(self)
        return (
            self.header == later.header
            and all(getattr(later, name)[:rows] == getattr(self, name) for name in _PER_ROW)
            and later.ids[: 4 * rows] == self.ids
            and _below(later.odd_ids, rows) == self.odd_ids
            and self._has_parents_of(later)
            and later.labels[: len(self.labels)] == self.labels
            and later.names[: len(self.names)] == self.names
            and _below(later.kept, rows) == self.kept
            and _below(later.edits, rows) == self.edits
        )

    def _has_parents_of(self, later: SessionIndex) -> bool:
        """Whether all rows have the parents and times that they have in another index."""
        end = bisect_left(later.odd, len(self))
        mine = _places(self, len(self.odd))
        its = _places(later, end)
        for row in mine.keys() | its.keys():
            default = (row - 1, UNKNOWN_TIME)
            (parent, time), (other, when) = mine.get(row, default), its.get(row, default)
            same_time = (
                time == when or UNKNOWN_TIME in (time, when) or (isnan(time) and isnan(when))
            )
            if parent != other or not same_time:
                return False
        return True


def _places(index: SessionIndex, end: int) -> dict[int, tuple[int, float]]:
    """The parents and times of the first odd rows."""
    pairs = zip(index.odd_parent[:end], index.odd_time[:end], strict=True)
    return dict(zip(index.odd[:end], pairs, strict=True))


def _below(table: dict[int, Any], rows: int) -> dict[int, Any]:
    return {row: value for row, value in table.items() if row < rows}


def is_short_id(text: str) -> bool:
    """Whether an id is one of Pi's own: eight lower-case hex digits."""
    if len(text) != 8:
        return False
    try:
        return bytes.fromhex(text).hex() == text
    except ValueError:
        return False


_PER_ROW = ("offset", "length", "kind", "flags")
_COLUMNS = [
    "offset",
    "odd_time",
    "calls",
    "length",
    "odd",
    "odd_parent",
    "line_rows",
    "line_shift",
    "kind",
    "flags",
    "ids",
]
"""The widest items first: so pieces of a multiple of eight bytes never cut an item."""
_TABLES = ["header", "accepted", "size", "lines", "terminated", "growable", "names"]


def to_parts(index: SessionIndex) -> tuple[JsonObject, list[memoryview]]:
    """The index as JSON-ready tables and the raw bytes of its columns, in a fixed order."""
    tables: JsonObject = {name: getattr(index, name) for name in _TABLES}
    tables["version"] = repr(index.version)
    tables["odd_ids"] = [[row, _plain(key)] for row, key in index.odd_ids.items()]
    tables["orphans"] = [[row, _plain(key)] for row, key in index.orphans.items()]
    tables["kept"] = [[row, _plain(key)] for row, key in index.kept.items()]
    tables["edits"] = [[row, _plain(key), omits] for row, (key, omits) in index.edits.items()]
    tables["labels"] = [[row, _plain(key), *rest] for row, key, *rest in index.labels]
    tables["damage"] = [asdict(item) for item in index.damage]
    buffers = [memoryview(getattr(index, name)).cast("B") for name in _COLUMNS]
    tables["columns"] = [len(buffer) for buffer in buffers]
    tables["byteorder"] = sys.byteorder
    return tables, buffers


class IndexReader:
    """Puts an index together again from its parts, in pieces as they come.

    Attributes:
        left: Bytes of columns still to come.
    """

    def __init__(self, tables: JsonObject) -> None:
        """Start with the tables of `to_parts`.

        Raises:
            ValueError: They are of another machine or another form.
        """
        sizes: list[int] = tables.get("columns") or []
        if tables.get("byteorder") != sys.byteorder or len(sizes) != len(_COLUMNS):
            raise ValueError("an index of another machine")
        index = SessionIndex(**{name: tables[name] for name in _TABLES})
        index.version = float(tables["version"])
        index.odd_ids = {row: _key(value) for row, value in tables["odd_ids"]}
        index.orphans = {row: _key(value) for row, value in tables["orphans"]}
        index.kept = {row: _key(value) for row, value in tables["kept"]}
        index.edits = {row: [_key(target), omits] for row, target, omits in tables["edits"]}
        index.labels = [[row, _key(target), *rest] for row, target, *rest in tables["labels"]]
        index.damage = [Damage(**item) for item in tables["damage"]]
        self._index = index
        self._wanted = [(name, size) for name, size in zip(_COLUMNS, sizes, strict=True) if size]
        self.left: int = sum(sizes)

    def put(self, piece: bytes) -> None:
        """Take the next bytes of the columns, in pieces of a multiple of eight but for the last."""
        view = memoryview(piece)
        self.left -= len(view)
        while view:
            name, size = self._wanted[0]
            column = getattr(self._index, name)
            part = view[:size]
            column.extend(part) if isinstance(column, bytearray) else column.frombytes(part)
            view = view[len(part) :]
            if len(part) == size:
                del self._wanted[0]
            else:
                self._wanted[0] = (name, size - len(part))

    def index(self) -> SessionIndex:
        """The index, when nothing is left.

        Raises:
            ValueError: The columns don't fit together.
        """
        index = self._index
        rows = len(index.kind)
        lengths = {len(index.offset), len(index.length), len(index.flags), len(index.ids) // 4}
        if self.left or lengths != {rows}:
            raise ValueError("columns cut short")
        return index


def _plain(key: IdKey | None) -> Any:
    """An id key for JSON, which has no infinity."""
    return [key[0], repr(key[1])] if isinstance(key, tuple) else key


def _key(value: Any) -> Any:
    """An id key that went through JSON."""
    return (value[0], float(value[1])) if isinstance(value, list) else value

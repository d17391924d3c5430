"""What a file holds, read the slow and plain way: each line parsed whole, ids in one dict."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pitree.model import js
from pitree.model.entries import Kind
from pitree.model.index import DROPPED, ROOT, Flag
from pitree.store import lines

UNSEEN = object()


@dataclass
class SlowEntry:
    """An entry, and where it stands."""

    line: int
    start: int
    end: int
    value: Any
    kind: int
    flags: int
    id: Any
    parent: Any
    above: int = ROOT
    kept: Any = None

    def facts(self) -> dict[str, Any]:
        return {
            "line": self.line,
            "bytes": (self.start, self.end),
            "kind": int(self.kind),
            "flags": int(self.flags),
            "id": self.id,
            "parent": self.above,
        }


def _get(value: Any, key: str) -> Any:
    return value.get(key, js.UNDEFINED) if isinstance(value, dict) else js.UNDEFINED


class SlowIndex:
    """The rows of a file, and what Pi drops of it."""

    def __init__(self, data: bytes) -> None:
        self.header: dict[str, Any] | None = None
        self.accepted = True
        self.rows: list[SlowEntry] = []
        self.bad_lines: set[int] = set()
        self.null_lines: list[int] = []
        self.dropped: dict[str, list[int]] = {"duplicate": [], "cycle": [], "no-header": []}
        self.orphans: list[int] = []
        self._parsed: list[Any] = []
        self._read(data)
        plausible = any(row.kind != Kind.UNKNOWN for row in self.rows)
        empty = not self.rows and not self.bad_lines and not self.null_lines
        first = self._parsed[0] if self._parsed else None
        is_other = isinstance(first, dict) and first.get("kind") == "header" and "type" not in first
        self.refused = is_other or (self.header is None and not plausible and not empty)
        self._link()

    def of_kind(self, kind: Kind) -> list[int]:
        return [at for at, row in enumerate(self.rows) if row.kind == kind]

    @property
    def version(self) -> float:
        version = (self.header or {}).get("version")
        return 1.0 if version is None else js.to_number(version)

    @property
    def calls(self) -> list[tuple[int, int]]:
        return sorted(
            (lines.call_hash(call), at)
            for at, row in enumerate(self.rows)
            for call in lines.plain_call_ids(row.value)
            if row.flags & Flag.HAS_CALLS
        )

    def _read(self, data: bytes) -> None:
        """Pi decodes the file, trims it, splits it at newlines and parses every line."""
        pieces = data.split(b"\n")
        texts = [piece.decode("utf-8", "replace") for piece in pieces]
        filled = [at for at, text in enumerate(texts) if js.trim(text)]
        start = 0
        for at, (piece, text) in enumerate(zip(pieces, texts, strict=True)):
            end = start + len(piece) + (at + 1 < len(pieces))
            if js.trim(text):
                if at == filled[0]:
                    text = text.lstrip(js.SPACE)
                if at == filled[-1]:
                    text = text.rstrip(js.SPACE)
                try:
                    self._take(js.parse(text), at + 1, start, end)
                except ValueError:
                    self.bad_lines.add(at + 1)
            start = end

    def _take(self, value: Any, line: int, start: int, end: int) -> None:
        is_header = isinstance(value, dict) and value.get("type") == "session"
        if not self._parsed:
            self.accepted = is_header and isinstance(_get(value, "id"), str)
        self._parsed.append(value)
        if is_header:
            self.header = self.header or value
            return
        if value is None:
            self.null_lines.append(line)
            return
        kind, flags = lines.facts(value)
        entry = SlowEntry(line, start, end, value, kind, flags, None, None)
        self.rows.append(entry)
        row = len(self.rows)
        old = self.accepted and self.version < 3
        message = value.get("message") if isinstance(value, dict) else None
        if old and kind == Kind.OTHER_MESSAGE and _get(message, "role") == "hookMessage":
            entry.kind = Kind.CUSTOM_ROLE
        if kind == Kind.COMPACTION:
            entry.kept = lines.id_key(_get(value, "firstKeptEntryId"))
        if self.accepted and self.version < 2:
            entry.id, entry.parent = f"{row:08x}", f"{row - 1:08x}" if row > 1 else None
            if kind == Kind.COMPACTION:
                self._keep_by_index(entry)
            return
        entry.parent = _get(value, "parentId")
        key = lines.id_key(_get(value, "id"))
        entry.id = ("object", float(row - 1)) if key is None else key

    def _keep_by_index(self, entry: SlowEntry) -> None:
        at = _get(entry.value, "firstKeptEntryIndex")
        if isinstance(at, bool) or not isinstance(at, (int, float)) or not 0 <= at < 1e9:
            return
        # All parsed lines count, headers too; a null line makes Pi fail, so it counts nothing.
        counted = [one for one in self._parsed if one is not None]
        if at != int(at) or int(at) >= len(counted):
            return
        target = counted[int(at)]
        for row, other in enumerate(self.rows, 1):
            if other.value is target:
                entry.kept = f"{row:08x}"

    def _link(self) -> None:
        rows = self.rows
        if not self.accepted:
            for row in rows:
                row.above = DROPPED
                row.flags &= ~Flag.PATH_END
            self.dropped["no-header"] = list(range(len(rows)))
            return
        last = {row.id: at for at, row in enumerate(rows)}
        for at, row in enumerate(rows):
            key = lines.id_key(row.parent)
            if last[row.id] != at:
                self.dropped["duplicate"].append(at)
            if row.parent is None or key is None or key == row.id:
                continue
            if key not in last:
                self.orphans.append(at)
                continue
            row.above = last[key]
            if not js.truthy(row.parent):
                row.flags |= Flag.PATH_END
        for at in self.dropped["duplicate"]:
            rows[at].above = DROPPED
        below: dict[int, list[int]] = {}
        for at, row in enumerate(rows):
            below.setdefault(row.above, []).append(at)
        reached = {DROPPED}
        waiting = [*below.get(ROOT, ()), *below.get(DROPPED, ())]
        while waiting:
            at = waiting.pop()
            reached.add(at)
            waiting += below.get(at, ())
        self.dropped["cycle"] = [at for at in range(len(rows)) if at not in reached]

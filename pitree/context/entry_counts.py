"""How many entries of which kind a session holds."""

from __future__ import annotations

from typing import Any

from pitree.model.entries import ROLE_KINDS, TYPE_KINDS, Kind
from pitree.model.ranges import RowRanges
from pitree.model.session import Session

_NAMES = {int(kind): name for name, kind in TYPE_KINDS.items()} | {
    int(kind): f"message/{role}" for role, kind in ROLE_KINDS.items()
}
_NAMES[int(Kind.ASSISTANT_SILENT)] = _NAMES[int(Kind.ASSISTANT)]


def count_kinds(session: Session, rows: RowRanges) -> dict[str, int]:
    """How many entries there are of each type, and of each role of messages; the most first."""
    kinds = session.index.kind
    counts: dict[str, int] = {}
    for kind in set(kinds):
        if (name := _NAMES.get(kind)) is not None:
            count = sum(kinds.count(kind, start, end) for start, end in rows.pieces)
            counts[name] = counts.get(name, 0) + count
    for row in rows:
        if kinds[row] not in _NAMES:
            name = _own_name(session.entry(row).raw)
            counts[name] = counts.get(name, 0) + 1
    order = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return {name: count for name, count in order if count}


def _own_name(raw: Any) -> str:
    kind = raw.get("type") if isinstance(raw, dict) else None
    if kind != "message":
        return kind if isinstance(kind, str) else "?"
    message = raw.get("message")
    role = message.get("role") if isinstance(message, dict) else None
    return f"message/{role}" if isinstance(role, str) else "message/?"

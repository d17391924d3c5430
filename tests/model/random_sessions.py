"""Random sessions: trees of every shape that a damaged file can have."""

from __future__ import annotations

import io
import json
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from hypothesis import strategies as st

from pitree.model.index import SessionIndex
from pitree.model.tree import SessionTree
from pitree.store.indexer import Indexer
from tests.model.slow_tree import SlowTree
from tests.sessions import HEADER


def _message(role: str, **keys: Any) -> dict[str, Any]:
    return {"type": "message", "message": {"role": role, **keys}}


_CALL = [{"type": "toolCall", "id": "c", "name": "read", "arguments": {}}]

BODIES: dict[str, dict[str, Any]] = {
    "user": _message("user", content="hello"),
    "assistant": _message("assistant", content=[{"type": "text", "text": "yes"}]),
    "silent": _message("assistant", content=_CALL, stopReason="toolUse"),
    "failed": _message("assistant", content=[], stopReason="error"),
    "toolResult": _message("toolResult", content=[]),
    "bashExecution": _message("bashExecution", command="ls", output=""),
    "system": _message("system", content="be kind"),
    "custom_message": {"type": "custom_message", "customType": "x", "content": "said"},
    "branch_summary": {"type": "branch_summary", "summary": "left", "fromId": "root"},
    "compaction": {"type": "compaction", "summary": "short", "firstKeptEntryId": "00000000"},
    "label": {"type": "label", "targetId": "00000000", "label": "here"},
    "custom": {"type": "custom", "customType": "x"},
    "model_change": {"type": "model_change", "provider": "p", "modelId": "m"},
    "thinking_level_change": {"type": "thinking_level_change", "thinkingLevel": "high"},
    "session_info": {"type": "session_info", "name": "n"},
    "context_edit": {"type": "context_edit", "targetId": "00000000", "replacement": None},
    "usage": {"type": "usage", "usage": {}},
    "unknown": {"type": "from_the_future"},
}
"""Name of a kind → an entry of that kind without its id."""

ABSENT = "absent"
_TIMES: list[Any] = [
    "2026-01-01T00:00:00.000Z",
    "2026-01-01T00:00:01.000Z",
    "2026-01-01T00:00:02.000Z",
    "no date",
    None,
    1767225601000,
    ABSENT,
]
_ODD_IDS: list[Any] = ["", "a\ud83d", "UPPER123", "0000000g", 7, 7.5, 0, True, None, ABSENT, {}, []]


@dataclass
class RandomSession:
    """A session, and the names of its entries' kinds."""

    entries: list[dict[str, Any]]
    names: list[str]

    @cached_property
    def data(self) -> bytes:
        values = [HEADER, *self.entries]
        return "".join(json.dumps(value) + "\n" for value in values).encode()

    @cached_property
    def index(self) -> SessionIndex:
        return Indexer().read(io.BytesIO(self.data))

    @cached_property
    def tree(self) -> SessionTree:
        return SessionTree(self.index)

    @cached_property
    def slow(self) -> SlowTree:
        return SlowTree(self.entries, self.names)

    def __repr__(self) -> str:
        lines = [
            f"{row}: {name} {entry.get('id', ABSENT)!r} under {entry.get('parentId', ABSENT)!r}"
            f" at {entry.get('timestamp', ABSENT)!r}"
            for row, (name, entry) in enumerate(zip(self.names, self.entries, strict=True))
        ]
        return "\n" + "\n".join(lines)


@st.composite
def sessions(draw: st.DrawFn, most: int = 30) -> RandomSession:
    """Sessions of all shapes: most entries hang on the one before them, some anywhere."""
    size = draw(st.integers(0, most))
    odd = draw(st.booleans())
    rows = st.integers(0, max(0, size - 1))
    ids: list[Any] = []
    for row in range(size):
        how = draw(st.integers(0, 19)) if odd else 0
        if how == 19:
            ids.append(draw(st.sampled_from(_ODD_IDS)))
        elif how == 18 and row:
            ids.append(ids[draw(st.integers(0, row - 1))])
        else:
            ids.append(f"{row:08x}")
    entries, names = [], []
    for row in range(size):
        how = draw(st.integers(0, 9))
        parent: Any = ids[row - 1] if row else None
        if how == 9:
            parent = draw(st.sampled_from([None, "unknown1", ABSENT, *_ODD_IDS]))
        elif how == 8 or (how == 7 and not odd):
            parent = ids[draw(st.integers(0, row))]
        elif how == 7:
            parent = ids[draw(rows)]
        name = draw(st.sampled_from(list(BODIES)))
        entry = {
            **BODIES[name],
            "id": ids[row],
            "parentId": parent,
            "timestamp": draw(st.sampled_from(_TIMES)),
        }
        entries.append({key: value for key, value in entry.items() if value is not ABSENT})
        names.append(name)
    return RandomSession(entries, names)

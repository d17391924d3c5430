"""A session in which every part of an index has something, to be taken for a big one."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.sessions import Builder

OLD_NS = 1_700_000_000 * 10**9


def write(path: Path, edit: Callable[[Builder], None] | None = None) -> Path:
    """A session in which every part of an index has something."""
    builder = Builder()
    first = builder.user("first")
    trunk = builder.assistant("second", {"id": "c1", "name": "read", "arguments": {}})
    builder.result("c1", "third")
    builder.user("left", id="not-hex")
    builder.user("right", parent=trunk)
    builder.entry("compaction", summary="S", firstKeptEntryId=first, tokensBefore=5)
    builder.entry("context_edit", targetId=first, replacement=None)
    builder.entry("label", targetId=trunk, label="cut \ud83d")
    builder.entry("session_info", name="a name")
    builder.user("lost", parent="gone")
    builder.user("round", id="round1", parent="round2")
    builder.user("round", id="round2", parent="round1")
    builder.lines.append("{broken")
    builder.user("twice", id="twice")
    builder.user("twice", id="twice", parent=first)
    for at in range(300):
        builder.user(f"filler {at} " + "x" * 40)
    if edit is not None:
        edit(builder)
    text = "".join(line + "\n" for line in builder.lines)
    path.write_bytes(text.encode("utf-8", "surrogatepass").replace(b"\xed\xa0\xbd", b"\\ud83d"))
    make_old(path)
    return path


def make_old(path: Path) -> None:
    """A file that was changed a moment ago may change again with the same time stamp."""
    os.utime(path, ns=(OLD_NS, OLD_NS))


def append(path: Path, **keys: Any) -> None:
    with path.open("a") as file:
        file.write(json.dumps({**keys, "timestamp": "2026-01-02T00:00:00.000Z"}) + "\n")

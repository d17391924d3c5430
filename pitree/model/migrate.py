"""Entries of version 1 and 2 files as Pi's migration makes them, one at a time and in memory.

Version 1 has no ids: Pi draws them at random, pitree counts in file order, so that they are the
same at every opening. Version 2 called the role `custom` `hookMessage`.
"""

from __future__ import annotations

from typing import Any

from pitree.model.index import SessionIndex


def migrate_entry(value: Any, row: int, index: SessionIndex) -> Any:
    """Bring a freshly parsed entry of an old file to version 3; changes and returns `value`."""
    if not isinstance(value, dict):
        return value
    if index.version < 2:
        value["id"] = f"{row + 1:08x}"
        value["parentId"] = f"{row:08x}" if row else None
        kept = value.get("firstKeptEntryIndex")
        if value.get("type") == "compaction" and type(kept) in (int, float):
            if isinstance(index.kept.get(row), str):
                value["firstKeptEntryId"] = index.kept[row]
            del value["firstKeptEntryIndex"]
    message = value.get("message")
    if not isinstance(message, dict) or value.get("type") != "message":
        return value
    if message.get("role") == "hookMessage":
        message["role"] = "custom"
    return value


def migrate_header(header: dict[str, Any], index: SessionIndex) -> dict[str, Any]:
    """The header as Pi holds it after its migration."""
    return {**header, "version": 3} if index.accepted and index.version < 3 else header

"""Lines that Pi drops → what an index keeps of them."""

from __future__ import annotations

from pitree.model.index import Damage
from pitree.store import lines


def null_line(data: bytes, line: int, position: int) -> Damage:
    """The record of a line that holds only null, at a byte position in the file."""
    return _whole("null", data, line, position, "a line that holds only null")


def bad_line(data: bytes, line: int, position: int) -> list[Damage]:
    """The records of a line that is no JSON: the entries that can be got out of it, and the rest.

    Args:
        data: The line with its line feed.
        line: Its number, from 1.
        position: Its first byte in the file.
    """
    found, gaps = lines.recover(data.rstrip(b"\n"))
    if not found:
        return [_whole("malformed", data, line, position, "a line that is no JSON")]
    parts = [*found, *((start, end, None) for start, end in gaps)]
    damage = []
    for start, end, value in sorted(parts, key=lambda part: part[0]):
        if value is None:
            kind, entry_id, text = "fragment", None, "a piece of a torn line"
        else:
            held = value.get("id")
            kind, entry_id = "recovered", held if isinstance(held, str) else None
            text = "a whole entry on a line with something else, which Pi drops"
        damage.append(Damage(kind, line, position + start, position + end, None, entry_id, text))
    return damage


def _whole(kind: str, data: bytes, line: int, position: int, explain: str) -> Damage:
    end = position + len(data.rstrip(b"\n"))
    return Damage(kind, line, position, end, None, None, explain)

"""Lines of small session files, to be cut and glued."""

from __future__ import annotations

import json

H = b'{"type":"session","version":3,"id":"s1","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/w"}\n'


def user(name: str, parent: str | None, text: str = "hi") -> bytes:
    """A user's message on a line."""
    message = {"role": "user", "content": text}
    return _line(type="message", id=name, parentId=parent, message=message)


def answer(name: str, parent: str | None, text: str = "yes") -> bytes:
    """An assistant's message on a line."""
    content = [{"type": "text", "text": text}]
    return _line(
        type="message", id=name, parentId=parent, message={"role": "assistant", "content": content}
    )


def _line(**keys: object) -> bytes:
    value = {**keys, "timestamp": "2026-01-01T00:00:01.000Z"}
    return json.dumps(value, separators=(",", ":")).encode() + b"\n"


def bare(line: bytes) -> bytes:
    """A line without its newline."""
    return line[:-1]


U1, A1, U2, A2 = user("u1", None), answer("a1", "u1"), user("u2", "a1"), answer("a2", "u2")

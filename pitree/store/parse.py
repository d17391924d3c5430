"""A line of a session file as a JSON value, exactly as Pi would parse it."""

from __future__ import annotations

from typing import Any

import orjson

from pitree.model import js


def parse_text(data: bytes) -> Any:
    """The JSON value of a line, by the plain parser.

    Raises:
        ValueError: JavaScript's `JSON.parse` rejects it, too.
    """
    return js.parse(data.decode("utf-8", "replace"))


def parse_line(data: bytes) -> Any:
    """The JSON value of a line: fast where that is exact, else by the plain parser.

    Raises:
        ValueError: JavaScript's `JSON.parse` rejects the line.
    """
    try:
        return orjson.loads(data)
    except ValueError:
        return parse_text(data)


def dump_line(value: Any) -> bytes:
    """A value as a line of JSON that `parse_line` reads: between processes and in caches.

    What the fast writer refuses, as lone surrogates, goes through the plain one.
    """
    try:
        return orjson.dumps(value) + b"\n"
    except TypeError:
        return js.stringify(value).encode() + b"\n"


def parse_any(data: bytes) -> Any:
    """The JSON value of a line of an index; the first and last may stand in any white space.

    Raises:
        ValueError: It is no JSON.
    """
    try:
        return parse_line(data)
    except ValueError:
        return js.parse(js.trim(data.decode("utf-8", "replace")))

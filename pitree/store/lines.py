"""What the index needs of a line.

`decode_line` is the fast way: it checks the whole line's syntax and builds nothing but a few
fields (0.7 of the time of a full parse). What it refuses goes through the plain parser and
`facts`: lone surrogates, deep nesting, huge numbers, bytes that are no UTF-8, fields of unexpected
types.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any
from zlib import crc32

import msgspec

from pitree.model import js
from pitree.model.entries import ROLE_KINDS, TYPE_KINDS, JsonObject, Kind
from pitree.model.index import NO_ID, Flag, IdKey
from pitree.store.parse import parse_line


class Block(msgspec.Struct, gc=False):
    """A content block of a message, undecoded."""

    type: str | None = None
    text: msgspec.Raw = msgspec.Raw(b"")
    id: msgspec.Raw = msgspec.Raw(b"")


class Message(msgspec.Struct, gc=False):
    """What the index needs of a message."""

    role: str | None = None
    content: list[Block] | str | None = None
    stopReason: str | None = None  # noqa: N815 - Pi's key


class Line(msgspec.Struct, gc=False):
    """What the index needs of a line."""

    type: str
    id: str
    parentId: str | None  # noqa: N815 - Pi's key
    message: Message | None = None


HOT_ROLES: dict[str | None, int] = {"user": int(Kind.USER), "toolResult": int(Kind.TOOL_RESULT)}
"""Roles whose messages have no flags: kind by name alone."""

decode_line = msgspec.json.Decoder(Line).decode
"""Decode one line; raises `msgspec.DecodeError` or `RecursionError` where it can't."""

REFUSED = (msgspec.DecodeError, msgspec.ValidationError, RecursionError, UnicodeDecodeError)


def id_key(value: Any) -> IdKey | None:
    """An id as JavaScript's `Map` tells keys apart; None for objects, which equal nothing."""
    if isinstance(value, str):
        return value
    if value is js.UNDEFINED:
        return NO_ID
    if value is None:
        return ("null", 0.0)
    if isinstance(value, bool):
        return ("boolean", float(value))
    if isinstance(value, (int, float)):
        return ("number", js.to_number(value))
    return None


def call_hash(call_id: Any) -> int:
    """The number under which `SessionIndex.calls` keeps a tool call id."""
    text = js.to_string(call_id)
    return crc32(text.encode("utf-8", "surrogatepass"))


# Enum arithmetic costs 0.5 µs a time, and the next function runs for every assistant message.
_ASSISTANT, _SILENT = int(Kind.ASSISTANT), int(Kind.ASSISTANT_SILENT)
_OTHER = int(Kind.OTHER_MESSAGE)
_HAS_CALLS, _FAILED = int(Flag.HAS_CALLS), int(Flag.FAILED)
_ROLES: dict[str | None, int] = {role: int(kind) for role, kind in ROLE_KINDS.items()}


def message_facts(message: Message, row: int, calls: list[int]) -> tuple[int, int]:
    """Kind and flags of a decoded message.

    Args:
        message: The message.
        row: Its row.
        calls: Its tool calls are added here, as `SessionIndex.calls` keeps them.
    """
    kind = _ROLES.get(message.role, _OTHER)
    if kind != _ASSISTANT:
        return kind, 0
    stop = message.stopReason
    flags = 0
    speaks = False
    if stop and stop != "toolUse" and stop != "stop":
        speaks = True
        if stop == "error" or stop == "aborted":
            flags = _FAILED
    content = message.content
    if isinstance(content, list):
        for block in content:
            name = block.type
            if name == "text":
                if not speaks:
                    text = memoryview(block.text)
                    # The first byte says it of all but the odd text: see `_is_blank_json`.
                    plain = len(text) > 2 and text[0] == _QUOTE and text[1] in _INK
                    speaks = plain or not _is_blank_json(text)
            elif name == "toolCall":
                flags |= _HAS_CALLS
                calls.append(_raw_call_hash(bytes(block.id)) << 32 | row)
    elif content:
        speaks = speaks or not js.is_blank(content)
    return (_ASSISTANT if speaks else _SILENT), flags


def _raw_call_hash(data: bytes) -> int:
    """`call_hash` of an undecoded id."""
    if data[:1] == b'"' and b"\\" not in data and data.isascii():
        return crc32(data[1:-1])
    return call_hash(parse_line(data) if data else js.UNDEFINED)


_QUOTE = 0x22
_INK = frozenset(range(0x21, 0x7F)) - frozenset(b'\\"')
"""Bytes that, first in a JSON string, are no white space."""


def _is_blank_json(view: memoryview) -> bool:
    """Whether an undecoded JSON value is no string with more than white space in it."""
    data = bytes(view)
    text = parse_line(data) if data else None
    return not isinstance(text, str) or js.is_blank(text)


def facts(value: Any) -> tuple[int, int]:
    """Kind and flags of a parsed line; what the fast way must equal."""
    if not isinstance(value, dict):
        return Kind.UNKNOWN, Flag.IRREGULAR
    kind_name = value.get("type")
    if kind_name == "message":
        body = value.get("message")
        return _plain_message_facts(body if isinstance(body, dict) else {})
    kind = TYPE_KINDS.get(kind_name, Kind.UNKNOWN) if isinstance(kind_name, str) else Kind.UNKNOWN
    flags = 0
    if kind is Kind.BRANCH_SUMMARY and not js.truthy(value.get("summary", js.UNDEFINED)):
        flags = Flag.NO_MESSAGE
    return kind, flags


def _plain_message_facts(message: JsonObject) -> tuple[int, int]:
    role = message.get("role")
    kind = ROLE_KINDS.get(role, Kind.OTHER_MESSAGE) if isinstance(role, str) else Kind.OTHER_MESSAGE
    if kind is Kind.BASH_EXECUTION and js.truthy(message.get("excludeFromContext", js.UNDEFINED)):
        return kind, Flag.EXCLUDED
    if kind is not Kind.ASSISTANT:
        return kind, 0
    flags = 0
    stop = message.get("stopReason", js.UNDEFINED)
    speaks = js.truthy(stop) and stop not in ("stop", "toolUse")
    if stop in ("error", "aborted"):
        flags |= Flag.FAILED
    content = message.get("content")
    if isinstance(content, str):
        speaks = speaks or not js.is_blank(content)
    for block in content if isinstance(content, list) else ():
        if isinstance(block, dict) and block.get("type") == "text":
            text = block.get("text")
            speaks = speaks or (isinstance(text, str) and not js.is_blank(text))
        elif isinstance(block, dict) and block.get("type") == "toolCall":
            flags |= Flag.HAS_CALLS
    return (Kind.ASSISTANT if speaks else Kind.ASSISTANT_SILENT), flags


def plain_call_ids(value: Any) -> Iterator[Any]:
    """The ids of a parsed line's tool calls, in order; what `call_ids` must equal."""
    message = value.get("message") if isinstance(value, dict) else None
    content = message.get("content") if isinstance(message, dict) else None
    if (
        isinstance(content, list)
        and isinstance(message, dict)
        and message.get("role") == "assistant"
    ):
        for block in content:
            if isinstance(block, dict) and block.get("type") == "toolCall":
                yield block.get("id", js.UNDEFINED)


_START = re.compile(r'\{\s*"type"\s*:\s*"')
_MAX_MISSES = 64


def _reject(name: str) -> Any:
    raise ValueError(name)


_DECODER = json.JSONDecoder(parse_constant=_reject)


def recover(data: bytes) -> tuple[list[tuple[int, int, JsonObject]], list[tuple[int, int]]]:
    """Whole entries inside a line that is no JSON: glued lines, a torn line before a whole one.

    Args:
        data: The line.

    Returns:
        The entries with the bytes of `data` that each fills, and the bytes left over.
    """
    text = data.decode("utf-8", "surrogateescape")
    found: list[tuple[int, int, JsonObject]] = []
    position = misses = 0
    while misses < _MAX_MISSES and (match := _START.search(text, position)):
        try:
            value, position = _DECODER.raw_decode(text, match.start())
        except (ValueError, RecursionError):
            misses += 1
            position = match.end()
            continue
        if (isinstance(value.get("id"), str) and "parentId" in value) or value["type"] == "session":
            start = _size(text[: match.start()])
            end = start + _size(text[match.start() : position])
            found.append((start, end, parse_line(data[start:end])))
    gaps: list[tuple[int, int]] = []
    last = 0
    for start, end in [*((a, b) for a, b, _ in found), (len(data), len(data))]:
        if not js.is_blank(data[last:start].decode("utf-8", "replace")):
            gaps.append((last, start))
        last = end
    return found, gaps


def _size(text: str) -> int:
    return len(text.encode("utf-8", "surrogateescape"))

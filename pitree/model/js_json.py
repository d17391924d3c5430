"""`JSON.parse` and `JSON.stringify`, for values of any depth and size."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable
from typing import Any

from pitree.model.js_text import join_surrogates, utf16_key
from pitree.model.js_values import UNDEFINED, number_text, to_double

_MAX_INT_DIGITS = 4000
_INDEX = re.compile(r"0|[1-9]\d{0,9}", re.ASCII)
_MAX_INDEX = 2**32 - 2
_LONE = re.compile("[\ud800-\udfff]")


def _reject(name: str) -> Any:
    raise ValueError(f"{name} is no JSON")


def _integer(digits: str) -> int | float:
    # Python refuses to convert more than 4,300 digits; JavaScript holds any number as a double.
    return int(digits) if len(digits) < _MAX_INT_DIGITS else float(digits)


_decode = json.JSONDecoder(parse_constant=_reject, parse_int=_integer)


def parse(text: str) -> Any:
    """`JSON.parse(text)`.

    Raises:
        ValueError: JavaScript rejects the text, too.
    """
    if text.startswith("\ufeff"):
        raise ValueError("a byte order mark is no JSON")
    try:
        return _decode.decode(text)
    except RecursionError:
        return _parse_deep(text)


_TOKEN = re.compile(
    r'[ \t\n\r]*(?:([\[\]{},:])|("(?:[^"\\\x00-\x1f]|\\.)*")|'
    r"(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.+-])|(true|false|null)(?!\w)|$)",
    re.ASCII | re.DOTALL,
)
_WORDS = {"true": True, "false": False, "null": None}


def _parse_deep(text: str) -> Any:
    """Parse with a stack of its own what nests too deep for Python's parser."""
    stack: list[tuple[Any, str | None]] = []
    holder: Any = None
    key: str | None = None
    position = 0
    result: Any = UNDEFINED
    # What may come next: a value, a key, a separator.
    want, may_close = "value", False

    def put(value: Any) -> None:
        nonlocal result
        if holder is None:
            result = value
        elif isinstance(holder, list):
            holder.append(value)
        else:
            holder[key] = value

    while True:
        match = _TOKEN.match(text, position)
        if match is None:
            raise ValueError(f"no JSON at {position}")
        position = match.end()
        mark, string, number, word = match.groups()
        if mark in ("{", "[") and want == "value":
            new: Any = {} if mark == "{" else []
            put(new)
            stack.append((holder, key))
            holder = new
            want, may_close = ("key" if mark == "{" else "value"), True
        elif mark in ("}", "]"):
            closes = isinstance(holder, dict if mark == "}" else list)
            if not closes or not (may_close or want == "separator"):
                raise ValueError(f"{mark} is out of place")
            holder, key = stack.pop()
            want, may_close = "separator", False
        elif mark == "," and want == "separator" and holder is not None:
            want, may_close = ("key" if isinstance(holder, dict) else "value"), False
        elif string is not None and want == "key":
            key = json.loads(string)
            colon = _TOKEN.match(text, position)
            if colon is None or colon.group(1) != ":":
                raise ValueError(f"a colon is missing at {position}")
            position = colon.end()
            want, may_close = "value", False
        elif want == "value" and (string or number or word):
            put(_decode.decode(string or number) if word is None else _WORDS[word])
            want, may_close = "separator", False
        elif match.group().strip(" \t\n\r") == "" and position == len(text):
            if stack or result is UNDEFINED:
                raise ValueError("the text ends too soon")
            return result
        else:
            raise ValueError(f"no JSON at {position}")


def ordered_items(value: dict[str, Any]) -> Iterable[tuple[str, Any]]:
    """The members of an object in JavaScript's order: integer-like keys first, ascending."""
    keys = [key for key in value if key[:1].isdigit() and _is_index(key)]
    if not keys:
        return value.items()
    first = sorted(keys, key=int)
    taken = set(keys)
    return [(key, value[key]) for key in [*first, *(key for key in value if key not in taken)]]


def _is_index(key: str) -> bool:
    return _INDEX.fullmatch(key) is not None and int(key) <= _MAX_INDEX


def _sorted_items(value: dict[str, Any]) -> Iterable[tuple[str, Any]]:
    return sorted(value.items(), key=lambda item: utf16_key(item[0]))


def _quote(text: str) -> str:
    if text.isascii():
        return json.dumps(text, ensure_ascii=False)
    quoted = json.dumps(join_surrogates(text), ensure_ascii=False)
    return _LONE.sub(lambda match: f"\\u{ord(match.group()):04x}", quoted)


def stringify(value: Any) -> str:
    """`JSON.stringify(value)` of a JSON value."""
    return _stringify(value, ordered_items)


def canonical(value: Any) -> str:
    """JSON with the keys of every object sorted by UTF-16 units: equal values, equal text."""
    return _stringify(value, _sorted_items)


def _scalar(value: Any) -> str:
    if isinstance(value, str):
        return _quote(value)
    if value is None or value is UNDEFINED:
        return "null"
    if value is True:
        return "true"
    if value is False:
        return "false"
    return number_text(value) if math.isfinite(to_double(value)) else "null"


def _stringify(value: Any, items_of: Any) -> str:
    """Write with a stack of its own: sessions nest as deep as they like."""
    pieces: list[str] = []
    put = pieces.append
    stack: list[tuple[Any, str]] = []

    def open_value(value: Any) -> None:
        if isinstance(value, dict):
            put("{")
            stack.append((iter(items_of(value)), "}"))
        elif isinstance(value, (list, tuple)):
            put("[")
            stack.append((iter(value), "]"))
        else:
            put(_scalar(value))

    open_value(value)
    fresh = True
    while stack:
        items, end = stack[-1]
        depth = len(stack)
        for item in items:
            if end == "}":
                name, inner = item
                if inner is UNDEFINED:
                    continue
                put(_quote(name) + ":" if fresh else "," + _quote(name) + ":")
            else:
                inner = item
                if not fresh:
                    put(",")
            fresh = False
            open_value(inner)
            if len(stack) > depth:
                fresh = True
                break
        else:
            put(end)
            stack.pop()
            fresh = False
    return "".join(pieces)

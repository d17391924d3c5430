"""JavaScript's conversions: numbers to text and back, truth, undefined."""

from __future__ import annotations

import math
import re
from decimal import Decimal
from enum import Enum
from typing import Any, Final, Literal

from pitree.model.js_text import trim


class Undefined(Enum):
    """The type of `UNDEFINED`."""

    UNDEFINED = "undefined"

    def __bool__(self) -> Literal[False]:
        """Undefined is false."""
        return False

    def __repr__(self) -> str:
        """Its name."""
        return "UNDEFINED"


UNDEFINED: Final = Undefined.UNDEFINED
"""What JavaScript reads where an object has no such key; Python's None stands for null."""


def to_double(value: float | int) -> float:
    """A number as the double that JavaScript holds; integers too large for it are infinite."""
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def number_text(value: float | int) -> str:
    """`Number.prototype.toString`: the shortest digits that give the double again."""
    if type(value) is int and -(2**53) <= value <= 2**53:
        return str(value)
    number = to_double(value)
    if number != number:
        return "NaN"
    if math.isinf(number):
        return "Infinity" if number > 0 else "-Infinity"
    if number == 0:
        return "0"
    sign = "-" if number < 0 else ""
    _, digits, exponent = Decimal(repr(abs(number))).as_tuple()
    text = "".join(map(str, digits)).rstrip("0")
    point = len(digits) + int(exponent)
    if len(text) <= point <= 21:
        return sign + text + "0" * (point - len(text))
    if 0 < point <= 21:
        return f"{sign}{text[:point]}.{text[point:]}"
    if -6 < point <= 0:
        return f"{sign}0.{'0' * -point}{text}"
    mantissa = text[0] + (f".{text[1:]}" if len(text) > 1 else "")
    return f"{sign}{mantissa}e{'+' if point > 0 else '-'}{abs(point - 1)}"


def round_half_up(value: float) -> float:
    """`Math.round`."""
    if not math.isfinite(value) or abs(value) >= 2**52:
        return value
    floor = math.floor(value)
    return float(floor + 1 if value - floor >= 0.5 else floor)


def truthy(value: Any) -> bool:
    """Whether JavaScript takes a JSON value as true: empty lists and objects are."""
    if isinstance(value, (list, dict)):
        return True
    return bool(value) and value == value


_DECIMAL = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
_RADIX = re.compile(r"0([xX][0-9a-fA-F]+|[oO][0-7]+|[bB][01]+)", re.ASCII)


def to_number(value: Any) -> float:
    """`Number(value)` of a JSON value."""
    if isinstance(value, (int, float)):
        return to_double(value)
    if value is None:
        return 0.0
    if isinstance(value, list):
        return to_number(to_string(value))
    if not isinstance(value, str):
        return math.nan
    text = trim(value)
    if not text:
        return 0.0
    if _RADIX.fullmatch(text):
        return to_double(int(text, 0))
    if _DECIMAL.fullmatch(text):
        return float(text)
    return {"Infinity": math.inf, "+Infinity": math.inf, "-Infinity": -math.inf}.get(text, math.nan)


def to_string(value: Any) -> str:
    """`String(value)` of a JSON value."""
    if isinstance(value, str):
        return value
    if value is UNDEFINED:
        return "undefined"
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return number_text(value)
    return _join(value) if isinstance(value, list) else "[object Object]"


def _join(items: list[Any]) -> str:
    """`Array.prototype.join`, which flattens lists in lists; with a stack of its own."""
    pieces: list[str] = []
    stack: list[Any] = [iter(items)]
    first = True
    while stack:
        for item in stack[-1]:
            if not first:
                pieces.append(",")
            first = False
            if isinstance(item, list):
                stack.append(iter(item))
                first = True
                break
            pieces.append("" if item is None or item is UNDEFINED else to_string(item))
        else:
            stack.pop()
            first = False
    return "".join(pieces)

"""`new Date(value).getTime()`: ISO 8601 as ECMAScript has it, and the older forms V8 takes."""

from __future__ import annotations

import math
import re
import time
from datetime import UTC, date, datetime, timedelta
from typing import Any

from pitree.model.js_text import trim
from pitree.model.js_values import UNDEFINED, to_number, to_string

MAX_MS = 8.64e15

_ISO = re.compile(
    r"([+-]\d{6}|\d{4})(?:-(\d\d)(?:-(\d\d))?)?"
    r"(?:[Tt ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?\s*(Z|z|[+-]\d\d:?\d\d)?)?",
    re.ASCII,
)
_EPOCH = date(1970, 1, 1).toordinal()


def date_ms(value: Any) -> float:
    """`new Date(value).getTime()` of a JSON value, in milliseconds; NaN for no date.

    Text without a zone is local time, a bare date is UTC.
    """
    if isinstance(value, str):
        return _clip(_parse(trim(value)))
    if value is UNDEFINED:
        return math.nan
    if value is None or isinstance(value, (bool, int, float)):
        return _clip(to_number(value))
    return _clip(_parse(trim(to_string(value)))) if isinstance(value, list) else math.nan


def _clip(milliseconds: float) -> float:
    if not abs(milliseconds) <= MAX_MS:
        return math.nan
    return float(math.trunc(milliseconds))


def _parse(text: str) -> float:
    match = _ISO.fullmatch(text)
    if match is not None:
        return _iso(match)
    return _legacy(text)


def _iso(match: re.Match[str]) -> float:
    year, month, day, hour, minute, second, fraction, zone = match.groups()
    if year == "-000000":
        return math.nan
    days = _days(int(year), int(month or 1), int(day or 1))
    h, m, s = int(hour or 0), int(minute or 0), int(second or 0)
    milliseconds = int(((fraction or "") + "000")[:3])
    over = h == 24 and (m or s or milliseconds)
    if math.isnan(days) or h > 24 or m > 59 or s > 59 or over:
        return math.nan
    wall = days * 86400000 + ((h * 60 + m) * 60 + s) * 1000.0 + milliseconds
    if hour is None or zone in ("Z", "z"):
        return wall
    if zone is None:
        return wall - _local_offset_ms(wall)
    shift = int(zone[1:3]) * 60 + int(zone[-2:])
    return wall - shift * 60000 * (1 if zone[0] == "+" else -1)


def _days(year: int, month: int, day: int) -> float:
    """Days since 1970; JavaScript takes the days 29 to 31 of every month."""
    if not (1 <= month <= 12 and 1 <= day <= 31):
        return math.nan
    cycles, inside = divmod(year, 400)
    base = date(inside + 400, month, 1).toordinal() - date(400, 1, 1).toordinal()
    return float(base + day - 1 + date(400, 1, 1).toordinal() - _EPOCH + (cycles - 1) * 146097)


def _local_offset_ms(wall: float) -> float:
    """How far local time is ahead of UTC when the local clock shows a time."""
    try:
        local = datetime(1970, 1, 1) + timedelta(milliseconds=wall)
        offset = local.astimezone().utcoffset()
    except (OverflowError, ValueError, OSError):
        return -time.timezone * 1000.0
    return 0.0 if offset is None else offset.total_seconds() * 1000


_SLASHES = re.compile(r"(\d{4})[/-](\d{1,2})[/-](\d{1,2})(?:\s+(.*))?", re.ASCII)
_AMERICAN = re.compile(r"(\d{1,2})[/-](\d{1,2})[/-](\d{4})(?:\s+(.*))?", re.ASCII)
_CLOCK = re.compile(
    r"(\d{1,2}):(\d{2})(?::(\d{2})(?:\.(\d+))?)?\s*(am|pm)?\s*(?:(Z|GMT|UTC)?\s*([+-]\d{2}:?\d{2})?)?",
    re.ASCII | re.IGNORECASE,
)


def _legacy(text: str) -> float:
    """The other forms: 2026/2/3 09:00, 2/3/2026, Feb 3, 2026 09:00, Tue, 03 Feb 2026 09:00 GMT."""
    for pattern, order in ((_SLASHES, (1, 2, 3)), (_AMERICAN, (3, 1, 2))):
        match = pattern.fullmatch(text)
        if match:
            year, month, day = (int(match.group(at)) for at in order)
            return _at_clock(_days(year, month, day), match.group(4) or "")
    words = re.sub(r"^[A-Za-z]{3,9},?\s+(?=[A-Za-z]{3}|\d)", "", text) if "," in text[:10] else text
    named = re.fullmatch(
        r"(?:[A-Za-z]{3,9},?\s+)?([A-Za-z]{3})[a-z]*\.?\s+(\d{1,2}),?\s+(\d{4})(?:,?\s+(.*))?",
        words,
    )
    swapped = re.fullmatch(r"(\d{1,2})\s+([A-Za-z]{3})[a-z]*\.?,?\s+(\d{4})(?:,?\s+(.*))?", words)
    found = named or swapped
    if found is None:
        return _mail(text)
    month_name, day_text = (1, 2) if named else (2, 1)
    months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
    name = found.group(month_name).lower()
    if name not in months:
        return math.nan
    days = _days(int(found.group(3)), months.index(name) + 1, int(found.group(day_text)))
    return _at_clock(days, found.group(4) or "")


def _mail(text: str) -> float:
    from email.utils import parsedate_tz  # 8 ms to load, for a form that no Pi writes

    parsed = parsedate_tz(text) if re.search(r"\d{4}", text) else None
    if parsed is None or not 0 < parsed[1] <= 12:
        return math.nan
    days = _days(parsed[0], parsed[1], parsed[2])
    wall = days * 86400000 + ((parsed[3] * 60 + parsed[4]) * 60 + parsed[5]) * 1000.0
    return wall - (parsed[9] or 0) * 1000


def _at_clock(days: float, clock: str) -> float:
    wall = days * 86400000
    if not clock:
        return wall - _local_offset_ms(wall) if wall == wall else wall
    match = _CLOCK.fullmatch(re.sub(r"\s*\([^)]*\)$", "", clock.strip()))
    if match is None or math.isnan(days):
        return math.nan
    hour, minute, second, fraction, half, utc, zone = match.groups()
    h, m, s = int(hour), int(minute), int(second or 0)
    if half:
        if not 1 <= h <= 12:
            return math.nan
        h = h % 12 + (12 if half.lower() == "pm" else 0)
    if h > 24 or m > 59 or s > 59:
        return math.nan
    wall += ((h * 60 + m) * 60 + s) * 1000.0 + int(((fraction or "") + "000")[:3])
    if zone:
        shift = int(zone[1:3]) * 60 + int(zone[-2:])
        return wall - shift * 60000 * (1 if zone[0] == "+" else -1)
    return wall if utc else wall - _local_offset_ms(wall)


def date_iso(milliseconds: float) -> str:
    """`new Date(milliseconds).toISOString()`; empty for no date."""
    if not abs(milliseconds) <= MAX_MS:
        return ""
    seconds, rest = divmod(int(milliseconds), 1000)
    try:
        moment = datetime.fromtimestamp(seconds, UTC)
    except (OverflowError, ValueError, OSError):
        return ""
    return f"{moment:%Y-%m-%dT%H:%M:%S}.{rest:03d}Z"

"""Session text made safe to show: every character that a terminal would obey becomes visible.

Session text is hostile: escape sequences, control characters and bidi overrides are shown as
stand-ins, so nothing of a text is lost and none of it moves the cursor or forges a row.
"""

from __future__ import annotations

import re

from pitree.model import js

_UNSAFE = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2060-\u206f\ufeff"
    "\ufff9-\ufffb\U000e0000-\U000e007f]"
)
_KEPT = frozenset("\n")


def _stand_in(match: re.Match[str]) -> str:
    code = ord(match.group())
    if code < 0x20:
        return chr(0x2400 + code)
    return "\u2421" if code == 0x7F else f"⟨{code:x}⟩"


def _stand_in_line(match: re.Match[str]) -> str:
    return match.group() if match.group() in _KEPT else _stand_in(match)


def visible(text: str) -> str:
    """One line of text: all control characters as stand-ins, lone surrogates as U+FFFD."""
    return _UNSAFE.sub(_stand_in, js.well_formed(text))


def visible_lines(text: str, tab: int = 4) -> str:
    """Text of several lines: as `visible`, but newlines stay, tabs become blanks."""
    return _UNSAFE.sub(_stand_in_line, js.well_formed(text).replace("\r\n", "\n").expandtabs(tab))

"""Lines of a session file, broken in every way that a file can be."""

from __future__ import annotations

import copy
import json
import random
from typing import Any

_CALL = {"type": "toolCall", "id": "toolu_01", "name": "bash", "arguments": {"command": "ls"}}
_USAGE = {"input": 1, "output": 2, "cost": {"total": 0.01}}


def _message(role: str, **keys: Any) -> dict[str, Any]:
    return {"type": "message", "message": {"role": role, **keys}}


TEMPLATES: list[dict[str, Any]] = [
    _message("user", content="hello é 😀"),
    _message("user", content=[{"type": "text", "text": "look"}, {"type": "image", "data": "AA=="}]),
    _message(
        "assistant", content=[{"type": "text", "text": "yes"}], stopReason="stop", usage=_USAGE
    ),
    _message("assistant", content=[{"type": "thinking", "thinking": "hm"}, _CALL, _CALL]),
    _message("assistant", content=[{"type": "text", "text": "\n \t"}], stopReason="toolUse"),
    _message("assistant", content=[], stopReason="error", errorMessage="overloaded"),
    _message("assistant", content="plain", stopReason="aborted"),
    _message("toolResult", toolCallId="toolu_01", content=[{"type": "text", "text": "a\\b"}]),
    _message("bashExecution", command="ls", output="", excludeFromContext=True),
    _message("custom", customType="x", content="c"),
    _message("hookMessage", customType="x", content="c"),
    _message("branchSummary", summary="s"),
    _message("compactionSummary", summary="s"),
    _message("system", content="be kind", sections={"a": "b"}),
    _message("narrator", content="who?"),
    {"type": "message", "message": None},
    {"type": "message"},
    {"type": "thinking_level_change", "thinkingLevel": "high"},
    {"type": "model_change", "provider": "p", "modelId": "m"},
    {"type": "compaction", "summary": "s", "firstKeptEntryId": "00000001", "tokensBefore": 9},
    {"type": "compaction", "summary": "s", "firstKeptEntryIndex": 2, "tokensBefore": 9},
    {"type": "branch_summary", "summary": "s", "fromId": "root"},
    {"type": "branch_summary", "summary": "", "fromId": "root"},
    {"type": "custom", "customType": "x", "data": {"deep": [[[{}]]]}},
    {"type": "custom_message", "customType": "x", "content": "said", "display": True},
    {"type": "label", "targetId": "00000001", "label": "here"},
    {"type": "session_info", "name": "a name"},
    {"type": "usage", "usage": _USAGE},
    {"type": "context_edit", "targetId": "00000001", "replacement": None},
    {"type": "from_the_future", "message": {"role": "user"}},
    {"type": "session", "version": 3, "id": "again", "cwd": "/w"},
]

_STRINGS = ["", " ", "\u00a0", "\ufeff", "\x85", "\x1c", "\u2028", "00000001", "0000000A", "text"]
_STRINGS += ["toolCall", "assistant", "user", "message", "label", "stop", "error", "a\ud83d", "é😀"]
_VALUES: list[Any] = [
    None,
    True,
    False,
    0,
    1,
    -1,
    3.5,
    1e30,
    10**30,
    [],
    {},
    [[]],
    {"type": "text"},
]

RAW_VALUES = [
    *(
        b"01",
        b"1.",
        b".5",
        b"+1",
        b"-",
        b"1e400",
        b"-1e400",
        b"1e",
        b"0x10",
        b"1_0",
        b"-0",
        b"1E+2",
    ),
    *(b"NaN", b"-Infinity", b"Infinity", b"nul", b"True", b"undefined", b"'a'", b"9" * 30),
    *(b"9" * 4299, b"9" * 5000, b"0." + b"1" * 400, b"1e-400", b"18446744073709551616"),
    *(b'"\\ud83d"', b'"\\ude00\\ud83d"', b'"\\ud83d\\ude00"', b'"\\u00e9"', b'"\\u12"', b'"\\x41"'),
    *(b'"\\', b'"\\"', b'"\x00"', b'"\x1f"', b'"\x7f"', b'"\xff"', b'"\xc3"', b'"\xed\xa0\x80"'),
    *(
        b'"\xf0\x9f\x98"',
        b'"\xe2\x80\xa8"',
        b'"\xc2\x85"',
        b'"\\/"',
        b'"\\b\\f\\n\\r\\t"',
        b'"a\tb"',
    ),
    *(b"[" * 60 + b"]" * 60, b"[" * 3000 + b"]" * 3000, b'{"a":' * 1500 + b"1" + b"}" * 1500),
    *(b"[" * 2000 + b"]" * 1999, b"[1,]", b'{"a":1,}', b"[,1]", b"{1:2}", b"/**/1", b"[1 2]"),
    *(
        b'{"role":"user","role":"assistant"}',
        b'{"type":"text","text":1}',
        b"[null]",
        b'[{"type":1}]',
    ),
]

SPACES = [
    b" ",
    b"\t",
    b"\r",
    b"  ",
    b"\x0b",
    b"\x0c",
    b"\xc2\xa0",
    b"\xe2\x80\xa8",
    b"\x85",
    b"\x00",
]
SPACES += [b"\xef\xbb\xbf", b"\xe3\x80\x80", b"\x1c", b"\xc2\x85", b"\xff\xfe"]

_BITS = [b'"', b"\\", b"{", b"}", b"[", b"]", b",", b":", b"\x00", b"\x1f", b"\xff", b"\xc3", b"0"]
_BITS += [b"\\u", b"\\ud800", b"\\n", b"null", b"true", b"1", b"e", b"."]

_KEYS = ["type", "id", "parentId", "message", "role", "content", "stopReason", "text", "timestamp"]


class Mutator:
    """Makes lines from a source of random numbers."""

    def __init__(self, source: random.Random) -> None:
        self._random = source
        self._count = 0
        self._ids = ["00000000"]

    def line(self) -> bytes:
        """One line without a newline: whole, odd or broken."""
        how = self._random.random()
        if how < 0.15:
            return self._write(self._entry())
        if how < 0.6:
            value = self._entry()
            for _ in range(self._random.choice((1, 1, 2, 3))):
                self._change(value)
            data = self._write(value)
        else:
            data = self._write(self._entry())
        for _ in range(self._random.choice((0, 1, 1, 1, 2, 4)) if how > 0.4 else 0):
            data = self._break(data)
        return data.replace(b"\n", b"")

    def whole_line(self) -> bytes:
        """A whole line without a newline."""
        return self._write(self._entry()).replace(b"\n", b"")

    def _entry(self) -> dict[str, Any]:
        pick = self._random
        self._count += 1
        ids = self._ids
        new = f"{self._count:08x}" if pick.random() < 0.95 else pick.choice(ids)
        parent = ids[-1] if pick.random() < 0.7 else pick.choice([*ids[-20:], new, None, "gone"])
        if pick.random() < 0.03:
            parent = f"{self._count + pick.randrange(9):08x}"
        ids.append(new)
        stamp = f"2026-01-01T00:00:{pick.randrange(60):02d}.000Z"
        body = copy.deepcopy(pick.choice(TEMPLATES))
        ends = {"id": new, "parentId": parent, "timestamp": stamp}
        value = {**body, **ends} if pick.random() < 0.2 else {"type": 0, **ends, **body}
        if body["type"] == "session":
            value["id"] = "again"
        return value

    def _change(self, value: dict[str, Any]) -> None:
        """Change a value somewhere in an entry."""
        pick = self._random
        holder: Any = value
        while True:
            keys = list(holder) if isinstance(holder, dict) else list(range(len(holder)))
            if not keys:
                return
            key = pick.choice(keys)
            inner = holder[key]
            if not isinstance(inner, (dict, list)) or not inner or pick.random() < 0.3:
                break
            holder = inner
        how = pick.random()
        if how < 0.15 and isinstance(holder, dict):
            del holder[key]
        elif how < 0.25 and isinstance(holder, dict):
            holder[pick.choice(_KEYS)] = inner
        elif how < 0.6:
            holder[key] = pick.choice(_STRINGS)
        else:
            holder[key] = copy.copy(pick.choice(_VALUES))

    def _write(self, value: Any) -> bytes:
        """JSON in one of its many forms."""
        pick = self._random
        if pick.random() < 0.5:
            ascii_only = pick.random() < 0.5
            text = json.dumps(value, ensure_ascii=ascii_only, separators=(",", ":"))
            return text.encode("utf-8", "surrogatepass")
        return self._odd(value).encode("utf-8", "surrogatepass")

    def _odd(self, value: Any) -> str:
        """JSON with white space, escapes and repeated keys."""
        pick = self._random
        space = pick.choice(("", "", "", " ", "\t", "\r "))
        if isinstance(value, dict):
            items = [
                f"{self._string(key)}{space}:{self._odd(inner)}" for key, inner in value.items()
            ]
            if items and pick.random() < 0.1:
                other = self._odd(pick.choice(_VALUES))
                items.insert(
                    pick.randrange(len(items) + 1), f'"{pick.choice(list(value))}":{other}'
                )
            return f"{{{space}{','.join(items)}{space}}}"
        if isinstance(value, list):
            return f"[{space}{','.join(map(self._odd, value))}]"
        text = self._string(value) if isinstance(value, str) else json.dumps(value)
        return f"{space}{text}{space}"

    def _string(self, text: str) -> str:
        quoted = json.dumps(text, ensure_ascii=self._random.random() < 0.5)
        if text.isalnum() and self._random.random() < 0.1:
            at = self._random.randrange(len(text))
            quoted = (
                f'"{text[:at]}\\u{ord(text[at]):04x}{text[at + 1 :]}"' if text.isascii() else quoted
            )
        return quoted

    def _break(self, data: bytes) -> bytes:
        """Break the bytes of a line."""
        pick = self._random
        at = pick.randrange(len(data) + 1)
        how = pick.randrange(10)
        if how == 0:
            return data[:at]
        if how == 1:
            return data[at:]
        if how == 2:
            return data[:at] + self._write(self._entry())
        if how == 3:
            return data + self._write(self._entry())
        if how == 4:
            return data[:at] + pick.choice(_BITS) + data[at + pick.randrange(3) :]
        if how == 5:
            space = pick.choice(SPACES)
            return pick.choice((space + data, data + space, data[:at] + space + data[at:]))
        if how == 6:
            return data.replace(b'"', pick.choice((b"'", b'\\"', b"")), 1)
        if how == 7 and data:
            return data[: at - 1] + bytes([pick.randrange(256)]) + data[at:]
        return self._put_raw(data)

    def _put_raw(self, data: bytes) -> bytes:
        """Put raw JSON, or what looks like it, in the place of a value."""
        pick = self._random
        colons = [at for at, byte in enumerate(data) if byte == 0x3A]
        if not colons:
            return pick.choice(RAW_VALUES)
        start = pick.choice(colons) + 1
        ends = [end for mark in b",}]" if (end := data.find(mark, start)) >= 0]
        end = min(ends, default=len(data))
        return data[:start] + pick.choice(RAW_VALUES) + data[end:]

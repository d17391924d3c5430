"""Seeded session files of any size, as Pi writes them: the same bytes for the same seed."""

from __future__ import annotations

import base64
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson


@dataclass(frozen=True)
class Size:
    """How big a session is.

    Attributes:
        entries: How many entries.
        image_every: One entry in so many holds an image of a megabyte; 0 for none.
        bytes: About how many bytes it takes.
    """

    entries: int
    image_every: int
    bytes: int


SIZES = {
    "S": Size(1_000, 0, 2_300_000),
    "M": Size(20_000, 1_000, 66_000_000),
    "L": Size(100_000, 1_000, 328_000_000),
    "XL": Size(1_000_000, 50_000, 2_350_000_000),
}

LAST_TEXT = "LAST-ENTRY"
"""How the text of every session's last entry starts; it occurs nowhere else."""

BRANCH_SHARE = 0.0045
RARE_SHARE = 0.02
IMAGE_BYTES = 750_000
VARIANTS = 60
"""Bodies of each kind that are made; entries differ in ids and times."""

HEADER = (
    b'{"type":"session","version":3,"id":"bench","timestamp":"2026-01-01T00:00:00.000Z",'
    b'"cwd":"/w"}\n'
)
_SENTENCE = """
parser state machine quote field comma newline buffer index row column tree branch leaf session
entry message token context summary "quoted" back\\slash naïve größe 数据 🌧 src/csv/parser.py
tests/test_parser.py def return import raise ValueError assert
"""
_WORDS = _SENTENCE.split()


def _text(choose: random.Random, low: int, high: int) -> str:
    words = (choose.choice(_WORDS) for _ in range(choose.randint(low, high)))
    return "".join(word + ("\n" if choose.random() < 0.06 else " ") for word in words)


def _usage(choose: random.Random) -> dict[str, Any]:
    parts = [choose.randint(1, 5000) for _ in range(4)]
    cost = {"input": 0.01, "output": 0.02, "cacheRead": 0.001, "cacheWrite": 0, "total": 0.031}
    names = ("input", "output", "cacheRead", "cacheWrite")
    return {**dict(zip(names, parts, strict=True)), "totalTokens": sum(parts), "cost": cost}


def _user(choose: random.Random) -> dict[str, Any]:
    content = [{"type": "text", "text": _text(choose, 10, 120)}]
    return {"type": "message", "message": {"role": "user", "content": content, "timestamp": 1}}


def _assistant(choose: random.Random, call: bool) -> dict[str, Any]:
    content: list[dict[str, Any]] = []
    if choose.random() < 0.6:
        thought = _text(choose, 20, 150)
        content.append({"type": "thinking", "thinking": thought, "thinkingSignature": "c2ln" * 60})
    if not call or choose.random() < 0.5:
        content.append({"type": "text", "text": _text(choose, 30, 350)})
    if call:
        arguments = {"path": choose.choice(_WORDS), "edits": [{"oldText": _text(choose, 5, 60)}]}
        content.append(
            {"type": "toolCall", "id": "call_@@@@@@@@", "name": "edit", "arguments": arguments}
        )
    message = {
        "role": "assistant",
        "content": content,
        "api": "anthropic-messages",
        "provider": "anthropic",
        "model": "claude-opus-4-5",
        "usage": _usage(choose),
        "stopReason": "toolUse" if call else "stop",
        "timestamp": 1,
    }
    return {"type": "message", "message": message}


def _result(choose: random.Random) -> dict[str, Any]:
    message = {
        "role": "toolResult",
        "toolCallId": "call_########",
        "toolName": "edit",
        "content": [{"type": "text", "text": _text(choose, 40, 660)}],
        "isError": False,
        "timestamp": 1,
    }
    return {"type": "message", "message": message}


def _rare(choose: random.Random) -> dict[str, Any]:
    run = {"role": "bashExecution", "command": "git status", "output": _text(choose, 5, 60)}
    return choose.choice(
        [
            {"type": "message", "message": {**run, "exitCode": 0, "timestamp": 1}},
            {"type": "model_change", "provider": "anthropic", "modelId": "claude-opus-4-5"},
            {"type": "thinking_level_change", "thinkingLevel": "high"},
            {"type": "label", "targetId": "########", "label": choose.choice(_WORDS)},
            {"type": "session_info", "name": _text(choose, 2, 5).strip()},
            {"type": "custom", "customType": "todo", "data": {"items": [1, 2]}},
            {
                "type": "custom_message",
                "customType": "note",
                "content": _text(choose, 5, 40),
                "display": True,
            },
            {
                "type": "compaction",
                "summary": _text(choose, 100, 300),
                "firstKeptEntryId": "########",
                "tokensBefore": 150_000,
            },
            {"type": "branch_summary", "fromId": "########", "summary": _text(choose, 50, 200)},
        ]
    )


def _image(choose: random.Random) -> dict[str, Any]:
    data = base64.b64encode(choose.randbytes(IMAGE_BYTES)).decode()
    content = [{"type": "image", "data": data, "mimeType": "image/png"}]
    return {"type": "message", "message": {"role": "user", "content": content, "timestamp": 1}}


def _template(body: dict[str, Any]) -> tuple[bytes, ...]:
    """A line in pieces: before the id, the parent and the time, and the rest."""
    kind = body["type"]
    rest = {key: value for key, value in body.items() if key != "type"}
    head = b'{"type":"' + kind.encode() + b'","id":"'
    return head, b'","parentId":', b',"timestamp":"', b'",' + orjson.dumps(rest)[1:] + b"\n"


def _last(choose: random.Random) -> dict[str, Any]:
    answer = _assistant(choose, False)
    answer["message"]["content"] = [{"type": "text", "text": f"{LAST_TEXT} {_text(choose, 5, 30)}"}]
    return answer


def _lines(size: Size, seed: int, straight: bool) -> Iterator[bytes]:
    choose = random.Random(seed)
    kinds = {
        "user": [_user(choose) for _ in range(VARIANTS)],
        "call": [_assistant(choose, True) for _ in range(VARIANTS)],
        "result": [_result(choose) for _ in range(VARIANTS)],
        "answer": [_assistant(choose, False) for _ in range(VARIANTS)],
        "rare": [_rare(choose) for _ in range(VARIANTS)],
        "image": [_image(choose) for _ in range(3 if size.image_every else 0)],
        "last": [_last(choose)],
    }
    pool = {name: [_template(body) for body in bodies] for name, bodies in kinds.items()}
    turn = ("user", "call", "result", "call", "result", "answer")
    yield HEADER
    ids: list[bytes] = []
    parent = b"null"
    for number in range(size.entries):
        name = turn[number % len(turn)]
        if number == size.entries - 1:
            name = "last"
        elif size.image_every and number % size.image_every == size.image_every // 2:
            name = "image"
        elif choose.random() < RARE_SHARE and not straight:
            name = "rare"
        if ids and choose.random() < BRANCH_SHARE and not straight:
            parent = b'"' + choose.choice(ids) + b'"'
        # An odd multiplier modulo a power of two gives every number once.
        own = b"%08x" % ((number * 2_654_435_761 + seed) & 0xFFFFFFFF)
        minutes, seconds = divmod(number, 60)
        hours, minutes = divmod(minutes, 60)
        days, hours = divmod(hours, 24)
        stamp = b"2026-%02d-%02dT%02d:%02d:%02d.%03dZ" % (
            1 + days // 28 % 12,
            1 + days % 28,
            hours,
            minutes,
            seconds,
            number % 1000,
        )
        head, after_id, after_parent, rest = choose.choice(pool[name])
        last = ids[-1] if ids else own
        rest = rest.replace(b"@@@@@@@@", own).replace(b"########", last)
        yield b"".join((head, own, after_id, parent, after_parent, stamp, rest))
        ids.append(own)
        if len(ids) > 4000:
            del ids[:2000]
        parent = b'"' + own + b'"'


def write_session(path: Path, size: Size, seed: int = 1, *, straight: bool = False) -> None:
    """Write a session of a size.

    Args:
        path: The file.
        size: How big it is.
        seed: Another one gives other bytes.
        straight: Messages only, on one path: no branches, settings, labels, compactions.
    """
    with path.open("wb", buffering=1 << 20) as file:
        file.writelines(_lines(size, seed, straight))


def write_shape(path: Path, shape: str, entries: int) -> None:
    """Write a session of short messages in an extreme shape.

    Args:
        path: The file.
        shape: `chain`, `siblings` (all below the first entry) or `comb` (each entry of a spine
            has the next one and one more child).
        entries: How many entries.
    """
    line = b'{"type":"message","id":"%08x","parentId":%s,"timestamp":"2026-01-01T00:00:00.000Z",'
    line += b'"message":{"role":"user","content":"message %d"}}\n'
    with path.open("wb", buffering=1 << 20) as file:
        file.write(HEADER)
        for number in range(entries):
            above = {"chain": number, "siblings": 1, "comb": number - (number - 1) % 2}[shape]
            parent = b'"%08x"' % above if number else b"null"
            file.write(line % (number + 1, parent, number))

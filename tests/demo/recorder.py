"""Writes down a session as Pi 1.6 does: ids, times, key order, and usage that grows."""

from __future__ import annotations

import hashlib
import random
import struct
import zlib
from base64 import b64encode
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from pitree.context.system import current_system_message
from pitree.model import js

Json = dict[str, Any]

COLOURS = ((247, 249, 252), (96, 125, 159), (33, 102, 172), (230, 149, 0))
"""Paper, pencil, water, sun: the four colours of the pictures."""


@dataclass(frozen=True, slots=True)
class Model:
    """A model and its prices in dollars for a million tokens."""

    id: str
    provider: str
    api: str
    prices: tuple[float, float, float, float]


SONNET = Model("claude-sonnet-4-5", "anthropic", "anthropic-messages", (3, 15, 0.3, 3.75))
MINI = Model("gpt-5-mini", "openai", "openai-responses", (0.25, 2, 0.025, 0))


@dataclass(frozen=True, slots=True)
class Call:
    """A tool call and what came of it."""

    name: str
    arguments: Json
    output: str
    error: bool = False
    details: Json | None = None
    image: str | None = None


def png(rows: list[str]) -> str:
    """A PNG in base64; every character of the rows is a colour from 0 to 3."""
    packed = b""
    for row in rows:
        padded = row + "0" * (-len(row) % 4)
        fours = (padded[at : at + 4] for at in range(0, len(padded), 4))
        packed += b"\0" + bytes(int(four, 4) for four in fours)
    # Stored, not deflated: builds of zlib differ in what they make of the same bytes.
    stored = b"\x78\x01\x01" + struct.pack("<HH", len(packed), len(packed) ^ 0xFFFF) + packed
    parts = (
        (b"IHDR", struct.pack(">IIBBBBB", len(rows[0]), len(rows), 2, 3, 0, 0, 0)),
        (b"PLTE", bytes(channel for colour in COLOURS for channel in colour)),
        (b"IDAT", stored + struct.pack(">I", zlib.adler32(packed))),
        (b"IEND", b""),
    )
    chunks = (
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for kind, data in parts
    )
    return b64encode(b"\x89PNG\r\n\x1a\n" + b"".join(chunks)).decode()


def _iso(moment: datetime) -> str:
    return f"{moment:%Y-%m-%dT%H:%M:%S}.{moment.microsecond // 1000:03}Z"


def _milliseconds(moment: datetime) -> int:
    return round(moment.timestamp() * 1000)


class Recorder:
    """Collects the lines of a session; every entry hangs on the leaf and becomes it.

    Attributes:
        lines: The lines so far, the header first.
        leaf: The entry that the next one hangs on; set it to go elsewhere.
        model: The model that answers.
    """

    def __init__(self, session_id: str, cwd: str, start: str) -> None:
        self._random = random.Random(20260302)
        self._now = datetime.fromisoformat(start).replace(tzinfo=UTC)
        self._entries: dict[str, Json] = {}
        self.model = SONNET
        self.leaf: str | None = None
        header = {"type": "session", "version": 3, "id": session_id, "timestamp": _iso(self._now)}
        self.lines = [js.stringify({**header, "cwd": cwd})]

    def at(self, moment: str) -> None:
        """Go on at this time."""
        later = datetime.fromisoformat(moment).replace(tzinfo=UTC)
        assert later > self._now
        self._now = later

    def entry(self, type_name: str, /, *, first: Json | None = None, **keys: Any) -> str:
        """Add an entry; `first` stands between its type and its id."""
        number = len(self._entries)
        name = hashlib.sha256(f"rain-gauge {number}".encode()).hexdigest()[:8]
        assert name not in self._entries
        self._pass(0.004)
        base = {"id": name, "parentId": self.leaf, "timestamp": _iso(self._now)}
        value = {"type": type_name, **(first or {}), **base, **keys}
        self._entries[name] = value
        self.lines.append(js.stringify(value))
        self.leaf = name
        return name

    def message(self, role: str, *, began: datetime | None = None, **keys: Any) -> str:
        """Add a message; `timestamp` and what comes after it in Pi go last."""
        late = [name for name in ("excludeFromContext", "errorMessage") if name in keys]
        last = {name: keys.pop(name) for name in late}
        stamp = {"timestamp": _milliseconds(began or self._now)}
        return self.entry("message", message={"role": role, **keys, **stamp, **last})

    def system(self, **keys: Any) -> str:
        """Add a system message."""
        return self.message("system", content="", **keys)

    def user(self, text: str, *, image: str | None = None, plain: bool = False) -> str:
        """The person asks."""
        self._pass(25 + len(text) / 8)
        content: list[Json] = [{"type": "text", "text": text}]
        if image is not None:
            content.append({"type": "image", "data": image, "mimeType": "image/png"})
        return self.message("user", content=text if plain else content)

    def answer(self, text: str, **keys: Any) -> str:
        """The model answers without calling a tool."""
        return self._assistant([{"type": "text", "text": text}] if text else [], **keys)

    def turn(self, say: str, *calls: Call, **keys: Any) -> str:
        """The model calls tools, and they give their results. Gives the last result's entry."""
        blocks: list[Json] = [{"type": "text", "text": say}] if say else []
        ids = [self._call_id() for _ in calls]
        for call_id, call in zip(ids, calls, strict=True):
            blocks.append(
                {"type": "toolCall", "id": call_id, "name": call.name, "arguments": call.arguments}
            )
        last = self._assistant(blocks, stop="toolUse", **keys)
        for call_id, call in zip(ids, calls, strict=True):
            self._pass(0.05 + len(call.output) / 4000)
            content: list[Json] = [{"type": "text", "text": call.output}]
            if call.image is not None:
                content.append({"type": "image", "data": call.image, "mimeType": "image/png"})
            more: Json = {} if call.details is None else {"details": call.details}
            if call.error:
                more = {"details": {}}
            last = self.message(
                "toolResult",
                toolCallId=call_id,
                toolName=call.name,
                content=content,
                **more,
                isError=call.error,
            )
        return last

    def _assistant(
        self,
        blocks: list[Json],
        *,
        stop: str = "stop",
        think: str = "",
        redacted: bool = False,
        error: str | None = None,
    ) -> str:
        began = self._now
        failure: Json = {} if error is None else {"errorMessage": error}
        if redacted:
            hidden = {"thinking": "[Reasoning redacted]", "thinkingSignature": self._signature()}
            blocks = [{"type": "thinking", **hidden, "redacted": True}, *blocks]
        if think:
            shown = {"thinking": think, "thinkingSignature": self._signature()}
            blocks = [{"type": "thinking", **shown}, *blocks]
        usage = self._usage(_tokens(blocks)) if blocks else _no_usage()
        self._pass(1.5 + usage["output"] / 70)
        return self.message(
            "assistant",
            began=began,
            content=blocks,
            api=self.model.api,
            provider=self.model.provider,
            model=self.model.id,
            usage=usage,
            stopReason=stop,
            **failure,
        )

    def label(self, target: str, label: str | None) -> str:
        """Name an entry, or take its name."""
        self._pass(6)
        name: Json = {} if label is None else {"label": label}
        return self.entry("label", targetId=target, **name)

    def bash(self, command: str, output: str, code: int | None = 0, **keys: Any) -> str:
        """The person runs a command."""
        self._pass(12)
        result: Json = {"command": command, "output": output, "exitCode": code}
        if code is None:
            del result["exitCode"]
        flags = {"cancelled": False, "truncated": False, **keys}
        return self.message("bashExecution", **result, **flags)

    def use(self, model: Model) -> str:
        """Change the model."""
        self.model = model
        return self.entry("model_change", provider=model.provider, modelId=model.id)

    def custom(self, name: str, data: Json) -> str:
        """An extension keeps something."""
        return self.entry("custom", first={"customType": name, "data": data})

    def custom_message(
        self, name: str, content: str, *, display: bool, details: Json | None = None
    ) -> str:
        """An extension says something."""
        first = {"customType": name, "content": content, "display": display}
        if details is not None:
            first["details"] = details
        return self.entry("custom_message", first=first)

    def branch_summary(self, onto: str, summary: str, **keys: Any) -> str:
        """Go to another entry with a summary of what is left."""
        left = self.leaf
        self.leaf = onto
        self._pass(14)
        return self.entry("branch_summary", fromId=left, summary=summary, **keys)

    def compaction(self, summary: str, kept: str, *, system: bool, **keys: Any) -> str:
        """Sum up what came before `kept`; with the system messages so far, as Pi 1.6 does."""
        before = self._context()
        self._pass(22)
        if system:
            path = self._path()
            messages = [entry["message"] for entry in path if "message" in entry]
            folded = current_system_message(messages)
            assert folded is not None
            keys["systemMessage"] = {**folded, "timestamp": _milliseconds(self._now)}
        return self.entry(
            "compaction", summary=summary, firstKeptEntryId=kept, tokensBefore=before, **keys
        )

    def price(self, given: int, got: int, read: int = 0, written: int = 0) -> Json:
        """A usage with what it costs."""
        counts = (given, got, read, written)
        names = ("input", "output", "cacheRead", "cacheWrite")
        cost = [
            price / 1_000_000 * count
            for price, count in zip(self.model.prices, counts, strict=True)
        ]
        return {
            **dict(zip(names, counts, strict=True)),
            "totalTokens": sum(counts),
            # Added one by one, as Pi does: Python's `sum` has rounded less since 3.12.
            "cost": {
                **dict(zip(names, cost, strict=True)),
                "total": cost[0] + cost[1] + cost[2] + cost[3],
            },
        }

    def _usage(self, output: int) -> Json:
        path = self._path()
        context = self._context(path)
        cached, since = 0, datetime.min.replace(tzinfo=UTC)
        for entry in path:
            message = entry.get("message", {})
            if message.get("model") == self.model.id and message["usage"]["totalTokens"]:
                cached, since = message["usage"]["totalTokens"], _time(entry)
            elif entry["type"] == "compaction":
                cached = 0
        if self._now - since > timedelta(hours=1):
            cached = 0
        cached = min(cached, context - 4)
        if self.model.prices[3] == 0:
            return self.price(context - cached, output, cached)
        return self.price(4, output, cached, context - cached - 4)

    def _context(self, path: list[Json] | None = None) -> int:
        """Tokens of what the model is sent at the leaf."""
        path = self._path() if path is None else path
        edits = {entry["targetId"]: entry for entry in path if entry["type"] == "context_edit"}
        total, ids = 0, [entry["id"] for entry in path]
        for at in range(len(path) - 1, -1, -1):
            if path[at]["type"] == "compaction":
                kept = ids.index(path[at]["firstKeptEntryId"])
                total += _entry_tokens(path[at])
                path = [entry for entry in path[kept:at] if not _is_system(entry)] + path[at + 1 :]
                break
        for entry in path:
            edit = edits.get(entry["id"])
            if edit is None:
                total += _entry_tokens(entry)
            elif edit["replacement"] is not None:
                total += _tokens(edit["replacement"]["content"])
        return total

    def _path(self) -> list[Json]:
        path, at = [], self.leaf
        while at is not None:
            path.append(self._entries[at])
            at = path[-1]["parentId"]
        return path[::-1]

    def _pass(self, seconds: float) -> None:
        spread = 0.7 + 0.6 * self._random.random()
        self._now += timedelta(milliseconds=max(1, round(seconds * spread * 1000)))

    def _signature(self) -> str:
        return b64encode(bytes(int(self._random.random() * 256) for _ in range(48))).decode()

    def _call_id(self) -> str:
        digest = hashlib.sha256(f"call {self._random.random()}".encode()).hexdigest()
        if self.model.provider == "openai":
            return f"call_{digest[:24]}|fc_{digest[:32]}"
        return f"toolu_01{digest[:22]}"


def _time(entry: Json) -> datetime:
    return datetime.fromisoformat(entry["timestamp"])


def _is_system(entry: Json) -> bool:
    return bool(entry.get("message", {}).get("role") == "system")


def _no_usage() -> Json:
    names = ("input", "output", "cacheRead", "cacheWrite")
    free = dict.fromkeys((*names, "total"), 0)
    return {**dict.fromkeys((*names, "totalTokens"), 0), "cost": free}


def _entry_tokens(entry: Json) -> int:
    message = entry.get("message", {})
    if message.get("excludeFromContext") or message.get("stopReason") in {"error", "aborted"}:
        return 0
    spoken: list[Any] = [entry.get("summary"), entry.get("systemMessage")]
    spoken.append(entry["content"] if entry["type"] == "custom_message" else None)
    names = ("content", "sections", "toolsAdded", "command", "output")
    spoken += [message.get(name) for name in names]
    return sum(_tokens(part) for part in spoken if part)


def _tokens(spoken: Any) -> int:
    if isinstance(spoken, str):
        # Digits and signs take more tokens than letters do.
        signs = sum(not (letter.isalpha() or letter.isspace()) for letter in spoken)
        return -(-(len(spoken) * 2 + signs * 3) * 10 // 76)
    if isinstance(spoken, list):
        return sum(4 + _tokens(part) for part in spoken)
    if spoken.get("type") == "image":
        return 90
    if "type" in spoken and "text" in spoken:
        return _tokens(spoken["text"])
    return _tokens(js.stringify(spoken))

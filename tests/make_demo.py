"""Writes the sample session: a small invented project that holds every kind of entry.

Run as `python -m tests.make_demo`; it writes the same bytes every time.
"""

from __future__ import annotations

import base64
import datetime
import struct
import zlib
from pathlib import Path
from typing import Any

from pitree.model import js
from tests import demo_texts as texts

TARGET = Path(__file__).parents[1] / "pitree" / "demo" / "session.jsonl"
START = datetime.datetime(2026, 3, 2, 8, 40, tzinfo=datetime.UTC)
TOOLS = ("read", "write", "edit", "bash", "grep")


def picture(width: int = 24, height: int = 16) -> str:
    """A small PNG of falling rain, in base64."""
    rows = b"".join(
        b"\0"
        + bytes(
            channel
            for x in range(width)
            for channel in ((90, 140, 220) if (x * 5 + y * 3) % 11 < 2 else (235, 240, 245))
        )
        for y in range(height)
    )

    def chunk(kind: bytes, data: bytes) -> bytes:
        checksum = struct.pack(">I", zlib.crc32(kind + data))
        return struct.pack(">I", len(data)) + kind + data + checksum

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    png = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head)
    png += chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b"")
    return base64.b64encode(png).decode()


def _cost(given: float, got: float) -> dict[str, float]:
    total = round(given + got, 6)
    return {"input": given, "output": got, "cacheRead": 0, "cacheWrite": 0, "total": total}


class Story:
    """Tells the session, entry by entry."""

    def __init__(self) -> None:
        header = {
            "type": "session",
            "version": 3,
            "id": "0199d3a0-5c1e-7000-8000-7261696e0001",
            "timestamp": self._iso(START),
            "cwd": "/home/user/projects/rain-gauge",
        }
        self.lines = [js.stringify(header)]
        self.leaf: str | None = None
        self._clock = START
        self._count = 0
        self._tokens = 2_400

    @staticmethod
    def _iso(moment: datetime.datetime) -> str:
        return moment.strftime("%Y-%m-%dT%H:%M:%S.") + f"{moment.microsecond // 1000:03d}Z"

    @property
    def _milliseconds(self) -> int:
        return int(self._clock.timestamp() * 1000)

    def pause(self, **time: float) -> None:
        """Let time go by."""
        self._clock += datetime.timedelta(**time)

    def entry(self, type_name: str, /, **keys: Any) -> str:
        """Add an entry below the leaf, which it becomes."""
        self._count += 1
        self.pause(seconds=7 + self._count * 37 % 50, milliseconds=self._count * 131 % 1000)
        name = f"{zlib.crc32(f'rain {self._count}'.encode()):08x}"
        base = {"id": name, "parentId": self.leaf, "timestamp": self._iso(self._clock)}
        self.lines.append(js.stringify({"type": type_name, **base, **keys}))
        self.leaf = name
        return name

    def message(self, role: str, **keys: Any) -> str:
        """Add a message."""
        return self.entry(
            "message", message={"role": role, **keys, "timestamp": self._milliseconds}
        )

    def user(self, text: str, *, image: bool = False) -> str:
        """The person asks."""
        content: list[dict[str, Any]] = [{"type": "text", "text": text}]
        if image:
            content.append({"type": "image", "data": picture(), "mimeType": "image/png"})
        self._tokens += len(text) // 3
        return self.message("user", content=content)

    def assistant(
        self,
        text: str = "",
        *calls: tuple[str, dict[str, Any]],
        thinking: str | None = None,
        **keys: Any,
    ) -> str:
        """The model answers, and perhaps calls tools, whose results come next."""
        content: list[dict[str, Any]] = []
        if thinking is not None:
            content.append({"type": "thinking", "thinking": thinking, "thinkingSignature": "c2ln"})
        if text:
            content.append({"type": "text", "text": text})
        self.calls = [f"toolu_{self._count:04d}{at}" for at in range(len(calls))]
        content += [
            {"type": "toolCall", "id": call_id, "name": name, "arguments": arguments}
            for call_id, (name, arguments) in zip(self.calls, calls, strict=True)
        ]
        self._names = [name for name, _ in calls]
        self._tokens += 160 + len(text) // 3
        read, written = self._tokens * 7 // 8, self._tokens // 10
        output = 40 + len(text) // 4
        usage = {
            "input": 12,
            "output": output,
            "cacheRead": read,
            "cacheWrite": written,
            "totalTokens": 12 + output + read + written,
            "cost": {
                "input": 0.00006,
                "output": output * 0.000025,
                "cacheRead": read * 0.0000005,
                "cacheWrite": written * 0.00000625,
                "total": 0.00006 + output * 0.000025 + read * 0.0000005 + written * 0.00000625,
            },
        }
        return self.message(
            "assistant",
            content=content,
            api="anthropic-messages",
            provider="anthropic",
            model="claude-opus-4-5",
            usage=usage,
            stopReason=keys.pop("stopReason", "toolUse" if calls else "stop"),
            **keys,
        )

    def result(self, text: str, *, at: int = 0, error: bool = False, image: bool = False) -> str:
        """A tool gives what it was called for."""
        content: list[dict[str, Any]] = [{"type": "text", "text": text}]
        if image:
            content.append({"type": "image", "data": picture(32, 20), "mimeType": "image/png"})
        self._tokens += len(text) // 3
        return self.message(
            "toolResult",
            toolCallId=self.calls[at],
            toolName=self._names[at],
            content=content,
            isError=error,
        )

    def label(self, target: str, label: str | None) -> str:
        """Name an entry, or take its name."""
        keys = {"targetId": target} if label is None else {"targetId": target, "label": label}
        return self.entry("label", **keys)


def _opening(story: Story) -> tuple[str, str]:
    """Setting up, and the first plan. Gives the plan's entry and the first question's."""
    story.entry("model_change", provider="anthropic", modelId="claude-opus-4-5")
    story.entry("thinking_level_change", thinkingLevel="medium")
    tools = [
        {"name": name, "description": f"The {name} tool.", "parameters": {"type": "object"}}
        for name in TOOLS
    ]
    story.message(
        "system",
        content=texts.SYSTEM,
        sections={"rules": texts.RULES, "weather": "It is raining."},
        toolsAdded=tools,
    )
    story.entry("session_info", name="rain gauge")
    first = story.user(texts.FIRST_QUESTION)
    story.assistant(
        "I'll look at what is there first.",
        ("bash", {"command": "ls -la && cat README.md"}),
        ("read", {"path": "/home/user/projects/rain-gauge/src/gauge.py"}),
        thinking=texts.FIRST_THOUGHT,
    )
    story.result(texts.LISTING)
    story.result(texts.GAUGE_PY, at=1)
    plan = story.assistant(texts.PLAN)
    story.label(plan, "the plan")
    return plan, first


def _logger(story: Story) -> str:
    """The trunk: writing the logger. Gives the entry where it works."""
    story.user("Good. Start with the logger, and keep it boring.")
    story.assistant("", ("write", {"path": "src/logger.py", "content": texts.LOGGER_PY}))
    story.result("Wrote 38 lines to src/logger.py")
    story.assistant(
        "Now the tests.",
        ("write", {"path": "tests/test_logger.py", "content": texts.TEST_PY}),
        ("bash", {"command": "pytest -q tests/test_logger.py"}),
    )
    story.result("Wrote 24 lines to tests/test_logger.py")
    story.result(texts.FAILURE, at=1, error=True)
    story.assistant(
        "The bucket tips twice on one switch bounce. I'll debounce it.",
        ("edit", {"path": "src/logger.py", "oldText": texts.OLD, "newText": texts.NEW}),
        thinking="A reed switch bounces for a few milliseconds; 50 ms is safe for 5 tips a second.",
    )
    story.result("Edited src/logger.py: 1 replacement")
    story.assistant("", ("bash", {"command": "pytest -q tests/test_logger.py"}))
    story.result(
        "....                                                    [100%]\n4 passed in 0.31s"
    )
    return story.assistant(texts.LOGGER_DONE)


def _storage_branches(story: Story, works: str) -> str:
    """Three ways to store readings; the middle one forks again. Gives the end of the last."""
    story.user("Where should the readings go? Try SQLite.")
    story.assistant("", ("bash", {"command": "sqlite3 --version"}))
    story.result("bash: sqlite3: command not found", error=True)
    story.assistant(texts.SQLITE)
    story.user("Too heavy for the little board. Leave it.")
    story.message(
        "assistant",
        content=[],
        api="anthropic-messages",
        provider="anthropic",
        model="claude-opus-4-5",
        usage={"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0, "totalTokens": 0},
        stopReason="error",
        errorMessage="529 overloaded_error: the service is busy, try again later",
    )
    left = story.leaf
    story.leaf = works
    story.entry(
        "branch_summary",
        fromId=left,
        summary=texts.SQLITE_SUMMARY,
        details={"readFiles": [], "modifiedFiles": []},
        fromHook=False,
    )
    story.user("Plain CSV then: one file a month. 每月一个文件。")
    csv = story.assistant(
        texts.CSV_ANSWER, ("write", {"path": "src/store.py", "content": texts.STORE_PY})
    )
    story.result("Wrote 31 lines to src/store.py")
    story.label(csv, "csv store")
    fork = story.assistant("One file a month, appended and flushed. What about a broken last line?")
    story.user("Repair it on start.")
    story.assistant("", ("edit", {"path": "src/store.py", "oldText": "pass", "newText": "fix()"}))
    story.result("Edited src/store.py: 1 replacement")
    inner = story.assistant("A torn last line is cut off on start, and said so.")
    story.user("And if the disk is full?")
    story.assistant("Then the reading stays in memory, and the next flush tries again.")
    story.leaf = inner
    story.user("Show me the repair as a diagram.")
    story.assistant(texts.DIAGRAM)
    story.leaf = fork
    story.user("Leave it, and start a new file instead.")
    return story.assistant(texts.NEW_FILE)


def _plots(story: Story, works: str) -> None:
    """A longer branch with images, custom entries and a compaction."""
    story.leaf = works
    story.entry("thinking_level_change", thinkingLevel="high")
    story.user("Here is a photo of the display. Can we draw a graph like that?", image=True)
    story.assistant(
        "", ("plot_rain", {"days": 7, "unit": "mm", "style": {"colour": "blue", "grid": True}})
    )
    story.result("Drew 7 days.", image=True)
    story.assistant(texts.PLOT_ANSWER)
    story.entry("custom", customType="todo", data={"open": ["legend", "axis"], "done": 3})
    story.entry(
        "custom_message",
        customType="reminder",
        content="Keep to Python 3.11, the board has nothing newer.",
        display=True,
    )
    story.entry(
        "custom_message", customType="hidden-note", content="The board has 512 MB.", display=False
    )
    story.message(
        "bashExecution",
        command="git status --short",
        output=" M src/logger.py\n?? src/plot.py",
        exitCode=0,
        cancelled=False,
        truncated=False,
    )
    story.message(
        "bashExecution",
        command="cat /etc/board-serial",
        output="RG-2207-0042",
        exitCode=0,
        cancelled=False,
        truncated=False,
        excludeFromContext=True,
    )
    kept = story.user("Run all tests, verbosely.")
    story.assistant("", ("bash", {"command": "pytest -vv"}))
    long_output = story.result(texts.LONG_OUTPUT)
    story.message(
        "bashExecution",
        command="journalctl -f -u rain-gauge",
        output=texts.JOURNAL,
        exitCode=None,
        cancelled=True,
        truncated=True,
        fullOutputPath="/tmp/pi-bash-7f3a.log",
    )
    story.assistant("All 312 pass. The journal shows the gauge tipping twice an hour.")
    story.message(
        "bashExecution",
        command="make flash",
        output="make: *** [flash] Error 1",
        exitCode=1,
        cancelled=False,
        truncated=False,
    )
    story.entry("context_edit", targetId=long_output, replacement={"content": "312 passed"})
    story.entry(
        "compaction",
        summary=texts.FIRST_COMPACTION,
        firstKeptEntryId=kept,
        tokensBefore=48_211,
        details={"readFiles": ["src/gauge.py"], "modifiedFiles": ["src/logger.py"]},
        fromHook=False,
    )
    story.user("Why does `make flash` fail?")
    story.assistant("", ("grep", {"pattern": "flash:", "path": "."}), ("find", {"pattern": "*.mk"}))
    story.result("Makefile:12:flash: build/$(BOARD).bin")
    story.result("no files found", at=1)
    story.assistant(texts.FLASH)
    story.user("Write a bridge in Rust while you are at it.")
    story.assistant(texts.RUST, stopReason="aborted", errorMessage="Request was aborted")


def _alarm(story: Story, end: str) -> None:
    """The branch that the session ends on: alarms, with all that newer Pis write."""
    story.leaf = end
    story.pause(days=1, hours=2)
    story.entry("session_info", name="Rain gauge: logger, store, alarm")
    story.message(
        "system",
        content="",
        sections={"rules": texts.NEW_RULES, "weather": None},
        toolsRemoved=[{"name": "grep"}],
    )
    asked = story.user("Add an alarm: more than 10 mm in an hour rings the bell. 🌧🔔")
    story.assistant(
        "",
        ("read", {"path": "src/store.py", "offset": 1, "limit": 40}),
        ("ls", {"path": "src"}),
        thinking=texts.ALARM_THOUGHT,
    )
    story.result(texts.STORE_PY)
    story.result("gauge.py\nlogger.py\nplot.py\nstore.py", at=1)
    story.message(
        "assistant",
        content=[
            {"type": "thinking", "thinking": "", "thinkingSignature": "ZW5j", "redacted": True},
            {"type": "text", "text": texts.ALARM_ANSWER},
        ],
        api="anthropic-messages",
        provider="anthropic",
        model="claude-opus-4-5",
        usage={"input": 9, "output": 300, "cacheRead": 20_100, "cacheWrite": 900, "totalTokens": 0},
        stopReason="stop",
    )
    alarm = story.leaf
    assert alarm is not None
    story.entry(
        "usage",
        kind="title",
        provider="anthropic",
        model="claude-haiku-4-5",
        usage={
            "input": 310,
            "output": 12,
            "cacheRead": 0,
            "cacheWrite": 0,
            "totalTokens": 322,
            "cost": {
                "input": 0.00031,
                "output": 0.00006,
                "cacheRead": 0,
                "cacheWrite": 0,
                "total": 0.00037,
            },
        },
        note="named the session",
    )
    story.label(asked, "alarm")
    story.label(alarm, "alarm works?")
    story.assistant("", ("bash", {"command": "python -m gauge.alarm --test"}))
    hostile = story.result(texts.HOSTILE)
    story.assistant(texts.AFTER_HOSTILE)
    noise = story.user("(that was a broken sensor, ignore its output)")
    story.entry("context_edit", targetId=noise, replacement=None)
    story.label(hostile, "what a hostile tool printed")
    story.entry("later_kind_of_entry", note="written by a Pi that does not exist yet")
    story.user("Does the alarm wake the neighbours?")
    story.assistant(texts.NEIGHBOURS)
    quiet = story.leaf
    assert quiet is not None
    story.user("Make it louder then.")
    story.assistant("It can't be: the buzzer is at its limit.")
    story.leaf = quiet
    story.label(alarm, "alarm works")
    kept = story.user("Then keep it. Write the manual page.")
    story.assistant("", ("write", {"path": "docs/manual.md", "content": texts.MANUAL}))
    story.result("Wrote 29 lines to docs/manual.md")
    story.assistant(texts.MANUAL_DONE)
    story.entry(
        "compaction",
        summary=texts.SECOND_COMPACTION,
        firstKeptEntryId=kept,
        tokensBefore=61_904,
        details={"readFiles": ["src/store.py"], "modifiedFiles": ["docs/manual.md"]},
        usage={
            "input": 21_000,
            "output": 640,
            "cacheRead": 0,
            "cacheWrite": 0,
            "totalTokens": 21_640,
            "cost": {
                "input": 0.105,
                "output": 0.016,
                "cacheRead": 0,
                "cacheWrite": 0,
                "total": 0.121,
            },
        },
        fromHook=False,
        systemMessage={
            "role": "system",
            "content": texts.SYSTEM,
            "sections": {"rules": texts.NEW_RULES},
            "toolsAdded": [
                {"name": name, "description": f"The {name} tool.", "parameters": {"type": "object"}}
                for name in TOOLS
                if name != "grep"
            ],
            "timestamp": story._milliseconds,
        },
    )
    story.user("What is left to do?")
    story.assistant(texts.LEFT_TO_DO)


def story_lines() -> list[str]:
    """The lines of the session."""
    story = Story()
    plan, first = _opening(story)
    works = _logger(story)
    story.leaf = first
    story.assistant("(a first answer that was never read)", stopReason="length")
    story.leaf = works
    new_file = _storage_branches(story, works)
    _plots(story, works)
    story.leaf = plan
    story.user("What would it cost to buy one instead?")
    story.assistant(texts.BUY)
    story.label(plan, None)
    story.leaf = None
    story.user("/help")
    story.entry("leaf", targetId=new_file)
    _alarm(story, new_file)
    return story.lines


def main() -> None:
    """Write the session."""
    TARGET.write_text("".join(line + "\n" for line in story_lines()), "utf-8")


if __name__ == "__main__":
    main()

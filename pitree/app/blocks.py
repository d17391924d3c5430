"""Entries as lines for the chat and the context pane."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rich.console import Console
from rich.segment import Segment
from rich.style import Style
from rich.text import Text
from textual.strip import Strip

from pitree.context.messages import bash_execution_to_text, role_of
from pitree.model import js
from pitree.model.entries import JsonObject, SessionEntry
from pitree.model.row_text import call_text, content_text
from pitree.model.visible import visible, visible_lines

MAX_LINES = 40
"""Lines of one part of a message that are shown; the rest is counted."""

MAX_UNITS = 8192
"""Characters that are wrapped at most: wrapping 56 KB takes 17 ms, its first 40 lines 1 ms."""

_BOLD = Style(bold=True)
_DIM = Style(dim=True)
_HEADS = {"you": Style(color="cyan"), "assistant": Style(color="green")}

Part = tuple[str, Style]


def entry_lines(entry: SessionEntry, width: int, console: Console) -> list[Strip]:
    """An entry of the chat: who speaks, then what; a blank line below."""
    name, parts = _parts(entry)
    lines = [_strip(visible(name), _HEADS.get(name, Style()) + _BOLD)]
    for text, style in parts:
        lines += wrap(text, width, style, console)
    return [*lines, Strip([])]


def wrap(text: str, width: int, style: Style, console: Console) -> list[Strip]:
    """Text of any length, safe to show, as lines of a width; long text is cut and counted."""
    cut = text[:MAX_UNITS]
    lines = visible_lines(cut).split("\n")
    shown = lines[:MAX_LINES]
    wrapped = [
        piece
        for line in shown
        for piece in Text(line, style).wrap(console, width, tab_size=4) or [Text()]
    ]
    hidden = len(wrapped) - MAX_LINES if len(wrapped) > MAX_LINES else 0
    strips = [_strip(line.plain, style) for line in wrapped[:MAX_LINES]]
    more = (
        text.count("\n", len("\n".join(shown)))
        if len(text) > len(cut) or len(lines) > MAX_LINES
        else 0
    )
    if hidden or more or len(text) > len(cut):
        rest = f"… {more + hidden:,} more lines, {js.utf16_len(text):,} characters in all"
        strips.append(_strip(rest, _DIM))
    return strips


def _strip(text: str, style: Style) -> Strip:
    return Strip([Segment(text, style)])


def _parts(entry: SessionEntry) -> tuple[str, list[Part]]:
    """The head line of an entry and its parts."""
    kind = entry.type
    if kind == "message":
        message = entry.get("message")
        if isinstance(message, dict):
            return _message_parts(message)
        return "message of no known shape", [(js.stringify(message), _DIM)]
    if kind == "compaction":
        tokens = js.to_number(entry.get("tokensBefore"))
        figure = f"{int(tokens):,}" if tokens == tokens else "?"
        return f"── compaction: {figure} tokens before ──", [(entry.text("summary"), _DIM)]
    if kind == "branch_summary":
        return "── branch summary ──", [(entry.text("summary"), _DIM)]
    if kind == "custom_message":
        return entry.text("customType") or "custom", list(_content_parts(entry.get("content")))
    return kind or "entry of unknown kind", []


_NAMES = {"user": "you", "bashExecution": "you ran", "toolResult": "result"}


def _message_parts(message: JsonObject) -> tuple[str, list[Part]]:
    role = js.to_string(message.get("role", js.UNDEFINED))
    name = _NAMES.get(role, role)
    if role == "bashExecution":
        return name, [(bash_execution_to_text(message), Style())]
    if role == "toolResult":
        tool = message.get("toolName")
        name = f"{name} of {js.to_string(tool)}" if tool is not None else name
        name += " (error)" if js.truthy(message.get("isError", False)) else ""
    if role == "system":
        sections = message.get("sections")
        parts = list(_content_parts(message.get("content")))
        if isinstance(sections, dict):
            parts += [(f"{key}: {value}", _DIM) for key, value in sections.items()]
        return name, parts
    if role in ("branchSummary", "compactionSummary"):
        return name, [(js.to_string(message.get("summary", "")), _DIM)]
    parts = list(_content_parts(message.get("content")))
    error = message.get("errorMessage")
    if isinstance(error, str):
        parts.append((error, Style(color="red")))
    return name, parts


def _content_parts(content: Any) -> Iterator[Part]:
    if isinstance(content, str):
        yield content, Style()
        return
    for block in content if isinstance(content, list) else ():
        if not isinstance(block, dict):
            continue
        kind = block.get("type")
        if kind == "text":
            yield js.to_string(block.get("text", "")), Style()
        elif kind == "thinking":
            thought = "(redacted)" if block.get("redacted") else block.get("thinking", "")
            yield f"thinking: {js.to_string(thought)}", Style(dim=True, italic=True)
        elif kind == "toolCall":
            yield call_text(block), Style(color="cyan")
        elif kind == "image":
            data = block.get("data")
            size = len(data) * 3 // 4 if isinstance(data, str) else 0
            kind = js.to_string(block.get("mimeType", "?"))
            yield f"[image {kind}, {size:,} bytes]", _DIM
        else:
            yield js.stringify(block), _DIM


def context_line(
    number: int, message: JsonObject, tokens: int | None, running: int | None, name: str
) -> str:
    """A message of the context in one line: number, role, tokens, running total, entry, text."""
    role = js.to_string(role_of(message))
    own = "…" if tokens is None else f"{tokens:,}"
    total = "…" if running is None else f"{running:,}"
    if not isinstance(message, dict):
        message = {"content": js.to_string(message)}
    summary = message.get("summary", message.get("command"))
    text = summary if isinstance(summary, str) else content_text(message.get("content"))
    if not text and isinstance(message.get("content"), list):
        calls = [block for block in message["content"] if isinstance(block, dict)]
        text = " ".join(call_text(one) for one in calls if one.get("type") == "toolCall")
    words = " ".join(text[:400].split())
    return f"{number:>5} {role[:17]:<17} {own:>8} {total:>9}  {name[:10]:<10} {words}"

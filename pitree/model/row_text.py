"""What a row of Pi's tree says, and what Pi's search looks into."""

from __future__ import annotations

import re
from collections.abc import Callable
from math import isfinite, nan
from typing import Any, Literal

from pitree.model import js
from pitree.model.entries import JsonObject, SessionEntry

TEXT_LIMIT = 200
"""UTF-16 units of a message that Pi's tree shows and searches."""

Reach = Literal["pi", "all"]
CallOf = Callable[[str], JsonObject | None]
"""The tool call block that a tool call id names."""


def content_text(content: Any) -> str:
    """The text blocks of a message's content, joined; "" for content of no known shape."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    return "".join(
        js.to_string(block.get("text", js.UNDEFINED))
        for block in content
        if isinstance(block, dict) and block.get("type") == "text"
    )


def row_text(entry: SessionEntry, call_of: CallOf, home: str = "") -> str:
    """The text of an entry's row, as Pi 1.6 prints it without a width.

    Args:
        entry: The entry.
        call_of: Finds the call of a tool result.
        home: The home directory; paths in it are shown with ~.
    """
    kind = entry.type
    if kind == "message":
        return _message_text(entry, call_of, home)
    if kind == "custom_message":
        content = entry.get("content")
        return f"[{_string(entry, 'customType')}]: {_line(content_text(content))}"
    if kind == "compaction":
        tokens = js.to_number(entry.get("tokensBefore"))
        return f"[compaction: {js.number_text(js.round_half_up(tokens / 1000))}k tokens]"
    if kind == "branch_summary":
        return f"[branch summary]: {_line(entry.text('summary'))}"
    if kind == "model_change":
        return f"[model: {_string(entry, 'modelId')}]"
    if kind == "thinking_level_change":
        return f"[thinking: {_string(entry, 'thinkingLevel')}]"
    if kind == "custom":
        return f"[custom: {_string(entry, 'customType')}]"
    if kind == "context_edit":
        how = "omit" if entry.get("replacement") is None else "replace"
        return f"[context {how}: {_string(entry, 'targetId')}]"
    if kind == "label":
        label = entry.get("label")
        return f"[label: {'(cleared)' if label in (None, js.UNDEFINED) else js.to_string(label)}]"
    if kind == "session_info":
        name = entry.get("name")
        return f"[title: {js.to_string(name) if js.truthy(name) else 'empty'}]"
    return ""


def _message_text(entry: SessionEntry, call_of: CallOf, home: str) -> str:
    message = entry.get("message")
    if message is None or message is js.UNDEFINED:  # Pi throws here
        return "[message without a message]"
    if not isinstance(message, dict):
        return "[undefined]"
    role = message.get("role", js.UNDEFINED)
    text = js.utf16_slice(content_text(message.get("content")), 0, TEXT_LIMIT)
    if role == "user":
        return f"user: {_line(text)}"
    if role == "assistant":
        return f"assistant: {_line(text) or _why_silent(message)}"
    if role == "toolResult":
        call_id = message.get("toolCallId")
        call = call_of(call_id) if isinstance(call_id, str) and call_id else None
        if call is not None:
            return call_text(call, home)
        name = message.get("toolName")
        return f"[{'tool' if name is None else js.to_string(name)}]"
    if role == "bashExecution":
        command = message.get("command")
        return f"[bash]: {_line(js.to_string(command)) if command is not None else ''}"
    return f"[{js.to_string(role)}]"


def _why_silent(message: JsonObject) -> str:
    if message.get("stopReason") == "aborted":
        return "(aborted)"
    error = message.get("errorMessage")
    if isinstance(error, str) and error:
        return js.utf16_slice(_line(error), 0, 80)
    return "(no content)"


def call_text(call: JsonObject, home: str = "") -> str:
    """A tool call in one line, as Pi's tree shows the result of it."""
    name = js.to_string(call.get("name", js.UNDEFINED))
    arguments = call.get("arguments", js.UNDEFINED)
    given: JsonObject = arguments if isinstance(arguments, dict) else {}
    if name in ("read", "write", "edit"):
        path = _short(_first(given, "path", "file_path"), home)
        return f"[{name}: {path}{_line_range(given) if name == 'read' else ''}]"
    if name == "bash":
        command = _first(given, "command")
        cut = js.utf16_slice(_line(command), 0, 50)
        return f"[bash: {cut}{'...' if js.utf16_len(command) > 50 else ''}]"
    if name == "grep":
        return (
            f"[grep: /{_first(given, 'pattern')}/ in {_short(_first(given, 'path') or '.', home)}]"
        )
    if name == "find":
        return f"[find: {_first(given, 'pattern')} in {_short(_first(given, 'path') or '.', home)}]"
    if name == "ls":
        return f"[ls: {_short(_first(given, 'path') or '.', home)}]"
    if arguments is js.UNDEFINED:
        return f"[{name}]"
    text = js.stringify(arguments)
    return f"[{name}: {js.utf16_slice(text, 0, 40)}{'...' if js.utf16_len(text) > 40 else ''}]"


def _line_range(given: JsonObject) -> str:
    """The lines that a read asks for; nothing where the numbers make no sense (Pi 1.6)."""
    offset, limit = given.get("offset"), given.get("limit")
    if offset is None and limit is None:
        return ""
    start = 1.0 if offset is None else _line_number(offset)
    count = 0.0 if limit is None else _line_number(limit)
    if not (isfinite(start) and isfinite(count)):
        return ""
    end = start + count - 1
    text = f":{js.number_text(start)}"
    return text if limit is None or not end else f"{text}-{js.number_text(end)}"


def _line_number(value: Any) -> float:
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    known = number or (isinstance(value, str) and not js.is_blank(value))
    return js.to_number(value) if known else nan


def _first(given: JsonObject, *keys: str) -> str:
    for key in keys:
        if js.truthy(given.get(key, js.UNDEFINED)):
            return js.to_string(given[key])
    return ""


def _short(path: str, home: str) -> str:
    return f"~{path[len(home) :]}" if home and path.startswith(home) else path


def _string(entry: SessionEntry, key: str) -> str:
    return js.to_string(entry.get(key))


def _line(text: str) -> str:
    return js.trim(text.replace("\n", " ").replace("\t", " "))


# ---------------------------------------------------------------------- search


_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f]")


def search_words(query: str) -> list[str]:
    """The words of a search, all of which must occur; lower case.

    None for a query with a control character: Pi's search line does not take it.
    """
    return [] if _CONTROL.search(query) else js.split_space(js.lower(query))


def search_text(entry: SessionEntry, label: str | None, reach: Reach) -> str:
    """What a search looks into, lower case.

    Args:
        entry: The entry.
        label: The label that is set on it.
        reach: `pi` for what Pi searches: label, role or type, the first 200 units of the text;
            `all` for the whole text, with thinking, tool calls, summaries and errors.
    """
    parts = [label] if label else []
    parts += _pi_parts(entry) if reach == "pi" else [entry.type, *_all_parts(entry)]
    return js.lower(" ".join(parts))


def _pi_parts(entry: SessionEntry) -> list[str]:
    kind = entry.type
    if kind == "message":
        message = entry.get("message")
        if not isinstance(message, dict):
            return []
        parts = [js.to_string(message.get("role", ""))]
        if js.truthy(message.get("content", js.UNDEFINED)):
            parts.append(js.utf16_slice(content_text(message["content"]), 0, TEXT_LIMIT))
        if message.get("role") == "bashExecution" and js.truthy(message.get("command", "")):
            parts.append(js.to_string(message["command"]))
        return parts
    if kind == "custom_message":
        content = entry.get("content")
        text = content_text(content)
        whole = text if isinstance(content, str) else js.utf16_slice(text, 0, TEXT_LIMIT)
        return [_text(entry, "customType"), whole]
    if kind == "branch_summary":
        return ["branch summary", _text(entry, "summary")]
    if kind == "context_edit":
        how = "omit" if entry.get("replacement") is None else "replace"
        return ["context edit", how, _text(entry, "targetId")]
    words = {
        "compaction": ("compaction", ""),
        "session_info": ("title", "name"),
        "model_change": ("model", "modelId"),
        "thinking_level_change": ("thinking", "thinkingLevel"),
        "custom": ("custom", "customType"),
        "label": ("label", "label"),
    }
    if kind not in words:
        return []
    word, key = words[kind]
    if not key or (kind == "session_info" and not js.truthy(entry.get(key))):
        return [word]
    return [word, _text(entry, key)]


def _text(entry: SessionEntry, key: str) -> str:
    """A value as Array.join prints it."""
    value = entry.get(key)
    return "" if value is None or value is js.UNDEFINED else js.to_string(value)


_BINARY = frozenset({"data", "thinkingSignature", "textSignature", "thoughtSignature"})
_BOOKKEEPING = frozenset({"type", "id", "parentId", "timestamp", "usage", "api"})


def _all_parts(entry: SessionEntry) -> list[str]:
    """Every string in an entry, but ids, times and binary data."""
    if not isinstance(entry.raw, dict):
        return [js.to_string(entry.raw)]
    found: list[str] = []
    stack: list[Any] = [
        value for key, value in reversed(entry.raw.items()) if key not in _BOOKKEEPING
    ]
    while stack:
        value = stack.pop()
        if isinstance(value, str):
            found.append(value)
        elif isinstance(value, list):
            stack.extend(reversed(value))
        elif isinstance(value, dict):
            stack.extend(
                inner
                for key, inner in reversed(value.items())
                if key not in _BINARY and key != "usage"
            )
    return found

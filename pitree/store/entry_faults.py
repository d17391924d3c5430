"""What is wrong with the body of one entry, whatever stands around it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pitree.model.entries import JsonObject

_WITH_CONTENT = frozenset({"user", "assistant", "toolResult", "custom", "system"})
_BLOCKS_ONLY = frozenset({"assistant", "toolResult"})
_TEXT_OF_ROLE = {
    "bashExecution": ("command", "output"),
    "branchSummary": ("summary",),
    "compactionSummary": ("summary",),
}
_TEXT_OF_BLOCK = {"text": "text", "thinking": "thinking", "toolCall": "name"}


@dataclass(frozen=True, slots=True)
class Fault:
    """Something wrong with an entry.

    Attributes:
        kind: The kind of problem.
        case: The key of what Pi does with it.
        explain: What it is, in words.
    """

    kind: str
    case: str
    explain: str


def entry_faults(raw: JsonObject) -> Iterator[Fault]:
    """The faults of an entry's body."""
    kind = raw.get("type")
    if kind == "message":
        yield from _message_faults(raw.get("message"))
    elif kind == "custom_message":
        yield from _content_faults("custom", raw)
    elif kind == "compaction":
        if not isinstance(raw.get("summary"), str):
            what = "whose summary is no text" if "summary" in raw else "without a summary"
            yield Fault("compaction-summary", "compaction-summary", f"a compaction {what}")
    elif kind == "context_edit":
        yield from _edit_faults(raw)


def _message_faults(message: Any) -> Iterator[Fault]:
    if message is None:
        yield Fault("no-message", "no-message", "a message entry without a message")
    elif not isinstance(message, dict):
        yield Fault("no-message", "odd-message", "its message is no object")
    elif not isinstance(role := message.get("role"), str):
        yield Fault("content", "no-role", "its message has no role")
    elif role in _WITH_CONTENT:
        yield from _content_faults(role, message)
    else:
        for key in _TEXT_OF_ROLE.get(role, ()):
            if not isinstance(message.get(key), str):
                yield Fault("content", "message-text", f"its {key} is no text")


def _content_faults(role: str, holder: JsonObject) -> Iterator[Fault]:
    content = holder.get("content")
    if content is None:
        what = "its content is null" if "content" in holder else "it has no content"
        yield Fault("content", "content-null", what)
    elif isinstance(content, str):
        if role in _BLOCKS_ONLY:
            yield Fault("content", "content-text", "its content is a text and no list of blocks")
    elif isinstance(content, list):
        for at, block in enumerate(content, 1):
            if what := _block_fault(block):
                yield Fault("content", "content-block", f"block {at} of its content {what}")
                return
    else:
        yield Fault("content", "content-odd", "its content is neither a text nor a list of blocks")


def _block_fault(block: Any) -> str:
    if not isinstance(block, dict):
        return "is no object"
    kind = block.get("type")
    if not isinstance(kind, str):
        return "has no type"
    key = _TEXT_OF_BLOCK.get(kind)
    if key is not None and not isinstance(block.get(key), str):
        return f"is a {kind} whose {key} is no text"
    return ""


def _edit_faults(raw: JsonObject) -> Iterator[Fault]:
    if "replacement" not in raw:
        yield Fault("edit-replacement", "edit-replacement", "a context edit without a replacement")
        return
    replacement = raw["replacement"]
    if replacement is None:
        return
    content = replacement.get("content") if isinstance(replacement, dict) else None
    if not isinstance(content, (str, list)):
        what = "its replacement has no content that is a text or a list of blocks"
        yield Fault("edit-replacement", "edit-content", what)

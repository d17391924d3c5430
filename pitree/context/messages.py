"""Messages as Pi makes them of entries, and as the provider library gets them.

The wrapper strings are Pi's own and fixed: a model was told of them in every session.
"""

from __future__ import annotations

from typing import Any

from pitree.model import js
from pitree.model.entries import JsonObject

COMPACTION_SUMMARY_PREFIX = (
    "The conversation history before this point was compacted into the following summary:\n\n"
    "<summary>\n"
)
COMPACTION_SUMMARY_SUFFIX = "\n</summary>"
BRANCH_SUMMARY_PREFIX = (
    "The following is a summary of a branch that this conversation came back from:\n\n<summary>\n"
)
BRANCH_SUMMARY_SUFFIX = "</summary>"


def _message(**members: Any) -> JsonObject:
    """An object without the members that JavaScript would leave undefined."""
    return {key: value for key, value in members.items() if value is not js.UNDEFINED}


def role_of(message: Any) -> Any:
    """Who speaks; None for what is no message object."""
    return message.get("role") if isinstance(message, dict) else None


def _milliseconds(timestamp: Any) -> float | int:
    time = js.date_ms(timestamp)
    return int(time) if time.is_integer() else time


def create_custom_message(raw: JsonObject) -> JsonObject:
    """The message of a `custom_message` entry; a missing content becomes an empty list (1.6)."""
    content = raw.get("content")
    return _message(
        role="custom",
        customType=raw.get("customType", js.UNDEFINED),
        content=[] if content is None else content,
        display=raw.get("display", js.UNDEFINED),
        details=raw.get("details", js.UNDEFINED),
        timestamp=_milliseconds(raw.get("timestamp", js.UNDEFINED)),
    )


def create_branch_summary_message(raw: JsonObject) -> JsonObject:
    """The message of a `branch_summary` entry."""
    return _message(
        role="branchSummary",
        summary=raw.get("summary", js.UNDEFINED),
        fromId=raw.get("fromId", js.UNDEFINED),
        timestamp=_milliseconds(raw.get("timestamp", js.UNDEFINED)),
    )


def create_compaction_summary_message(raw: JsonObject) -> JsonObject:
    """The message of a `compaction` entry."""
    return _message(
        role="compactionSummary",
        summary=raw.get("summary", js.UNDEFINED),
        tokensBefore=raw.get("tokensBefore", js.UNDEFINED),
        timestamp=_milliseconds(raw.get("timestamp", js.UNDEFINED)),
    )


def entry_messages(raw: Any) -> list[JsonObject]:
    """The messages that an entry puts into a context, before any edit.

    A compaction gives its system message, if it has one, and its summary; bookkeeping gives none.
    A message that is no object is one all the same, as for Pi; a missing one is none (Pi throws).
    """
    kind = raw.get("type") if isinstance(raw, dict) else None
    if kind == "message":
        message = raw.get("message")
        if message is None:
            return []
        if not isinstance(message, dict):
            return [message]
        if message.get("content") is None:
            role = message.get("role")
            if role == "system":
                return [{**message, "content": ""}]
            if role in ("user", "assistant", "toolResult"):
                return [{**message, "content": []}]
        return [message]
    if kind == "custom_message":
        return [create_custom_message(raw)]
    if kind == "branch_summary":
        return [create_branch_summary_message(raw)] if js.truthy(raw.get("summary", "")) else []
    if kind == "compaction":
        summary = create_compaction_summary_message(raw)
        system = raw.get("systemMessage")
        return [system, summary] if isinstance(system, dict) else [summary]
    return []


_EDITABLE = ("user", "assistant", "toolResult", "custom")


def edited_messages(messages: list[JsonObject], replacement: Any) -> list[JsonObject]:
    """The messages of an entry under its last `context_edit`.

    Args:
        messages: What `entry_messages` gives.
        replacement: The edit's; None omits everything, an object replaces the content of
            user, assistant, tool result and custom messages.
    """
    if replacement is None:
        return []
    if replacement is js.UNDEFINED:  # Pi throws here
        return messages
    content = js.UNDEFINED
    if isinstance(replacement, dict):
        content = replacement.get("content", js.UNDEFINED)
    edited = []
    for message in messages:
        role = role_of(message)
        if role not in _EDITABLE:
            edited.append(message)
            continue
        blocks = role in ("assistant", "toolResult") and isinstance(content, str)
        new = [{"type": "text", "text": content}] if blocks else content
        edited.append(_message(**{**message, "content": new}))
    return edited


def bash_execution_to_text(message: JsonObject) -> str:
    """A command that the user ran, as the model reads it."""
    command, output = message.get("command", js.UNDEFINED), message.get("output", js.UNDEFINED)
    text = f"Ran `{js.to_string(command)}`\n"
    text += f"```\n{js.to_string(output)}\n```" if js.truthy(output) else "(no output)"
    code = message.get("exitCode")
    if js.truthy(message.get("cancelled", js.UNDEFINED)):
        text += "\n\n(command cancelled)"
    elif code is not None and code != 0:
        text += f"\n\nCommand exited with code {js.to_string(code)}"
    path = message.get("fullOutputPath", js.UNDEFINED)
    if js.truthy(message.get("truncated", js.UNDEFINED)) and js.truthy(path):
        text += f"\n\n[Output truncated. Full output: {js.to_string(path)}]"
    return text


def _user(content: Any, message: JsonObject) -> JsonObject:
    return _message(role="user", content=content, timestamp=message.get("timestamp", js.UNDEFINED))


def llm_message(message: JsonObject) -> JsonObject | None:
    """One message as the provider library gets it, None if it gets nothing."""
    role = role_of(message)
    if role in ("system", "user", "assistant", "toolResult"):
        return message
    if role == "bashExecution":
        if js.truthy(message.get("excludeFromContext", js.UNDEFINED)):
            return None
        return _user([{"type": "text", "text": bash_execution_to_text(message)}], message)
    if role == "custom":
        content = message.get("content", js.UNDEFINED)
        return _user(
            [{"type": "text", "text": content}] if isinstance(content, str) else content, message
        )
    wrapper = (
        {
            "branchSummary": (BRANCH_SUMMARY_PREFIX, BRANCH_SUMMARY_SUFFIX),
            "compactionSummary": (COMPACTION_SUMMARY_PREFIX, COMPACTION_SUMMARY_SUFFIX),
        }.get(role)
        if isinstance(role, str)
        else None
    )
    if wrapper is None:
        return None
    text = f"{wrapper[0]}{js.to_string(message.get('summary', js.UNDEFINED))}{wrapper[1]}"
    return _user([{"type": "text", "text": text}], message)


def convert_to_llm(messages: list[JsonObject]) -> list[JsonObject]:
    """Messages of a context as the provider library gets them, in order.

    Bash runs, custom messages and summaries become user messages; runs that were kept out of the
    context and unknown roles are left out.
    """
    return [llm for message in messages if (llm := llm_message(message)) is not None]

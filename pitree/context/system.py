"""All system messages of a context folded into one, as Pi 1.6 sends them."""

from __future__ import annotations

from typing import Any

from pitree.context.messages import role_of
from pitree.model import js
from pitree.model.entries import JsonObject


def current_system_message(messages: list[JsonObject]) -> JsonObject | None:
    """Fold the system messages of a context.

    Contents are joined by a blank line; sections are set and deleted by name; tools are removed,
    then added, message by message. None if there is nothing to fold: no system message with a
    timestamp, and no tools.
    """
    contents: list[str] = []
    sections: JsonObject = {}
    tools: dict[Any, Any] = {}
    timestamp: Any = js.UNDEFINED
    for message in messages:
        if role_of(message) != "system":
            continue
        if timestamp is js.UNDEFINED or timestamp is None:
            timestamp = message.get("timestamp", js.UNDEFINED)
        text = _content_text(message.get("content"))
        if text:
            contents.append(text)
        for name, value in _members(message.get("sections")):
            if value is None:
                sections.pop(name, None)
            else:
                sections[name] = value
        for tool in _objects(message.get("toolsRemoved")):
            tools.pop(_name(tool), None)
        for tool in _objects(message.get("toolsAdded")):
            tools[_name(tool)] = tool
    if timestamp in (js.UNDEFINED, None) and not tools:
        return None
    folded: JsonObject = {"role": "system", "content": "\n\n".join(contents)}
    if sections:
        folded["sections"] = sections
    if tools:
        folded["toolsAdded"] = list(tools.values())
    folded["timestamp"] = 0 if timestamp in (js.UNDEFINED, None) else timestamp
    return folded


def system_prompt(message: JsonObject | None) -> str:
    """The text of a folded system message: content, then sections, blank lines between."""
    if message is None:
        return ""
    parts = [_content_text(message.get("content"))]
    parts += [js.to_string(value) for _, value in _members(message.get("sections"))]
    return "\n\n".join(part for part in parts if part)


def _content_text(content: Any) -> str:
    if isinstance(content, str):
        return content
    return "\n".join(
        js.to_string(block.get("text", js.UNDEFINED))
        for block in _objects(content)
        if block.get("type") == "text"
    )


def _members(value: Any) -> list[tuple[str, Any]]:
    return list(js.ordered_items(value)) if isinstance(value, dict) else []


def _objects(value: Any) -> list[JsonObject]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def _name(tool: JsonObject) -> Any:
    name = tool.get("name", js.UNDEFINED)
    return name if isinstance(name, str) else js.to_string(name)

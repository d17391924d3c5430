"""Small session files for tests, written as Pi writes them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

HEADER = {
    "type": "session",
    "version": 3,
    "id": "5e551011-0000-4000-8000-000000000000",
    "timestamp": "2026-01-01T00:00:00.000Z",
    "cwd": "/w",
}


class Builder:
    """Collects lines; every entry hangs on the last one unless it is told otherwise."""

    def __init__(self, header: dict[str, Any] | None = None) -> None:
        self.lines: list[str] = [_line(HEADER if header is None else header)]
        self.last: str | None = None
        self._count = 0

    def entry(self, kind: str, *, id: str | None = None, parent: Any = ..., **keys: Any) -> str:
        self._count += 1
        name = id or f"{self._count:08x}"
        minute, second = divmod(self._count, 60)
        value = {
            "type": kind,
            "id": name,
            "parentId": self.last if parent is ... else parent,
            "timestamp": f"2026-01-01T{minute // 60:02d}:{minute % 60:02d}:{second:02d}.000Z",
            **keys,
        }
        self.lines.append(_line(value))
        self.last = name
        return name

    def user(self, text: Any, **keys: Any) -> str:
        return self.entry("message", message={"role": "user", "content": text}, **keys)

    def assistant(self, text: str, *calls: dict[str, Any], **keys: Any) -> str:
        content: list[dict[str, Any]] = [{"type": "text", "text": text}] if text else []
        content += [{"type": "toolCall", **call} for call in calls]
        message = {
            "role": "assistant",
            "content": content,
            "provider": "anthropic",
            "model": "claude-sonnet-4-5",
            "stopReason": "toolUse" if calls else "stop",
        }
        message.update(keys.pop("message", {}))
        return self.entry("message", message=message, **keys)

    def result(self, call_id: str, text: str, **keys: Any) -> str:
        message = {
            "role": "toolResult",
            "toolCallId": call_id,
            "toolName": "read",
            "content": [{"type": "text", "text": text}],
            "isError": False,
        }
        return self.entry("message", message=message, **keys)

    def write(self, path: Path) -> Path:
        path.write_text("".join(line + "\n" for line in self.lines), "utf-8")
        return path


def _line(value: dict[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))

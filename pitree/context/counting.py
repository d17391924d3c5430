"""Token counts by a named encoding, from a process of their own."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable

from pitree.model import js
from pitree.model.entries import JsonObject
from pitree.store.process import JsonProcess

DEFAULT_ENCODING = "o200k_base"
ENCODINGS = ("cl100k_base", "o200k_base", "p50k_base")
"""Those of which litellm ships the files."""

BATCH_UNITS = 1 << 20
"""Characters that are sent in one request, so that cancelling never waits long."""


class TokenCounter:
    """Counts tokens with tiktoken, without loading it here.

    A count is what the named encoding gives: exact for models of that encoding, an estimate for
    all others (Claude and Gemini have no public one).
    """

    def __init__(self, encoding: str = DEFAULT_ENCODING) -> None:
        """Count by an encoding: cl100k_base, o200k_base or p50k_base."""
        self.encoding = encoding
        self._process = JsonProcess("pitree.context.worker")

    async def count(self, texts: Iterable[str]) -> list[int]:
        """The tokens of each text.

        Raises:
            PitreeError: The encoding is unknown, or the process died.
        """
        counts: list[int] = []
        batch: list[str] = []
        size = 0
        for text in texts:
            batch.append(js.well_formed(text))
            size += len(text)
            if size >= BATCH_UNITS:
                counts += await self._ask(batch)
                batch, size = [], 0
        return counts + (await self._ask(batch) if batch else [])

    async def _ask(self, texts: list[str]) -> list[int]:
        counts: list[int] = []
        request = {"encoding": self.encoding, "texts": texts}
        async with contextlib.aclosing(self._process.ask(request)) as answers:
            async for answer, _ in answers:
                counts = answer["counts"]
        return counts

    async def close(self) -> None:
        """End the process."""
        await self._process.close()


def message_text(message: JsonObject) -> str:
    """What of a message is counted: its texts, thoughts, tool calls; no images.

    Images cost by their size, not by their bytes; Pi's 4,800 units stand for one.
    """
    if not isinstance(message, dict):
        return ""
    parts: list[str] = []
    for key in ("summary", "command", "output"):
        value = message.get(key)
        if isinstance(value, str):
            parts.append(value)
    content = message.get("content")
    if isinstance(content, str):
        parts.append(content)
    for block in content if isinstance(content, list) else ():
        if not isinstance(block, dict):
            continue
        for key in ("text", "thinking", "name"):
            value = block.get(key)
            if isinstance(value, str):
                parts.append(value)
        if block.get("type") == "toolCall" and "arguments" in block:
            parts.append(js.stringify(block["arguments"]))
    sections = message.get("sections")
    if isinstance(sections, dict):
        parts += [value for value in sections.values() if isinstance(value, str)]
    if message.get("toolsAdded"):
        parts.append(js.stringify(message["toolsAdded"]))
    return "\n".join(parts)

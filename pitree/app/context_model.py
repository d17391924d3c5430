"""The context pane's data: the messages at a position, with their tokens as they are counted."""

from __future__ import annotations

import asyncio
import time
from array import array
from itertools import accumulate

from rich.console import Console
from rich.text import Text
from textual.strip import Strip

from pitree.app.blocks import context_line
from pitree.context.estimates import ContextUsage, Meter
from pitree.context.models import context_window
from pitree.context.session_context import (
    ContextPlan,
    current_model,
    row_messages,
    speaking_rows,
)
from pitree.errors import PitreeError
from pitree.model.entries import JsonObject
from pitree.model.ranges import RowRanges
from pitree.model.visible import visible
from pitree.store.session_manager import SessionManager

SLICE = 0.004
"""Seconds of counting between two looks at the keyboard."""


class ContextModel:
    """What the context pane shows of a session."""

    def __init__(self, session: SessionManager) -> None:
        """Nothing yet."""
        self._session = session
        self._rows = RowRanges([])
        self._plan: ContextPlan | None = None
        # Per block the number of its first message, per message its tokens and the running total.
        self._first = array("Q")
        self._own = array("Q")
        self._running = array("Q")
        self._usage: ContextUsage | None = None
        self._estimated = 0

    def __len__(self) -> int:
        """How many entries speak."""
        return len(self._rows)

    def use(self, plan: ContextPlan) -> None:
        """Show another context, uncounted."""
        self._plan = plan
        rows = speaking_rows(self._session, plan.rows, plan.compaction)
        self._rows = rows
        self._first, self._own, self._running = array("Q"), array("Q"), array("Q")
        self._usage = None

    def row(self, block: int) -> int:
        """The entry of a block."""
        return self._rows[block]

    async def measure(self) -> None:
        """Count all messages, in slices; what is counted shows."""
        plan, session = self._plan, self._session
        if plan is None:
            return
        meter = Meter("1.6")
        first = array("Q")
        until = time.monotonic() + SLICE
        for row in self._rows:
            first.append(len(meter.tokens))
            for message in row_messages(session, plan, row):
                meter.add(message, row)
            if time.monotonic() > until:
                await asyncio.sleep(0)
                until = time.monotonic() + SLICE
        if self._plan is plan:
            model = current_model(session, plan.path) or {}
            window = context_window(model.get("provider"), model.get("modelId"))
            self._first, self._own = first, array("Q", meter.tokens)
            self._running = array("Q", accumulate(meter.tokens))
            self._estimated = self._running[-1] if self._running else 0
            self._usage = meter.usage(session, plan, window)

    def gauge(self) -> str:
        """The fill of the context in words: what a provider reported, what is estimated."""
        usage = self._usage
        if usage is None:
            return ""
        window = f"{usage.context_window:,}"
        if usage.tokens is None or usage.percent is None or usage.tokens != usage.tokens:
            return f"? / {window} until the next answer (≈ {self._estimated:,} estimated)"
        how = "reported" if usage.reported else "estimated"
        filled = min(16, int(usage.percent * 16 / 100))
        bar = "▓" * filled + "░" * (16 - filled)
        return f"{bar} {int(usage.tokens):,} / {window}  {usage.percent:.0f} %  {how}"

    def lines(self, block: int, width: int, console: Console) -> list[Strip]:
        """The lines of a block: one for each message of the entry."""
        row, plan = self._rows[block], self._plan
        if plan is None:
            return []
        try:
            messages: list[JsonObject] = row_messages(self._session, plan, row)
        except PitreeError as error:
            return [_line(str(error), width, console)]
        name = str(self._session.entry_id(row))
        known = block < len(self._first)
        edited = "✎ " if row in plan.edits else ""
        lines = []
        for at, message in enumerate(messages):
            number = self._first[block] + at if known else None
            own = None if number is None else self._own[number]
            total = None if number is None else self._running[number]
            shown = block + 1 if number is None else number + 1
            line = context_line(shown, message, own, total, name)
            lines.append(_line(edited + line, width, console))
        if not messages:
            reason = "omitted by a context edit" if row in plan.edits else "no message"
            lines.append(_line(f"{'–':>5} {reason:<37}  {name}", width, console))
        return lines


def _line(text: str, width: int, console: Console) -> Strip:
    line = Text(visible(text), end="", no_wrap=True)
    line.truncate(width, overflow="ellipsis")
    return Strip(line.render(console))

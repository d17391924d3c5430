"""An opened session as the explorer shows it: rows, texts, contexts. No widgets."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncGenerator, Callable, Collection
from pathlib import Path
from typing import ParamSpec, TypeVar

from rich.text import Text

from pitree.app.context_model import ContextModel
from pitree.app.marked_rows import MarkedRows
from pitree.context.session_context import ContextPlan, plan_context, speaking_rows
from pitree.errors import PitreeError
from pitree.model import js
from pitree.model.entries import SessionEntry
from pitree.model.filters import FilterMode
from pitree.model.ranges import RowRanges
from pitree.model.row_text import row_text
from pitree.model.rows import TreeRow, VisibleRows
from pitree.model.visible import visible
from pitree.store.session_manager import Progress, SessionManager

RUNS_AT_ONCE = 8000

P = ParamSpec("P")
R = TypeVar("R")

_BANNERS = {
    "empty": "This session is empty.",
    "no-header": "The file does not begin with a session header: Pi would replace it. "
    "Its entries are listed as damage.",
    "newer": "This file was written by a newer Pi; it is shown as far as it is understood.",
}


class Explored:
    """A session with what the screen derives from it.

    Attributes:
        session: The session.
        model: Its contexts.
        marked: What Pi drops of it.
    """

    def __init__(self, session: SessionManager) -> None:
        """Derive everything from a session's index."""
        self.session = session
        self.model = ContextModel(session)
        self.marked = MarkedRows(session)

    @classmethod
    async def open(cls, path: Path, on_progress: Progress) -> Explored:
        """Open a session file; see `SessionManager.open`."""
        return cls(await SessionManager.open(path, on_progress=on_progress))

    async def reread(self) -> Explored | None:
        """Read the file again if the index was stale; None if it was not."""
        if self.session.verified or await self.session.verify():
            return None
        return Explored(self.session)

    async def rows(
        self, mode: FilterMode, matches: list[int] | None, folds: Collection[int]
    ) -> VisibleRows:
        """The rows of the tree under a filter, a search and folds."""
        session = self.session
        return await self._compute(
            VisibleRows,
            session.tree,
            mode,
            leaf=session.leaf,
            labeled=session.labeled_rows(),
            matches=matches,
            folds=folds,
        )

    def row_text(self, rows: VisibleRows, row: TreeRow, label_times: bool) -> Text:
        """A row of the tree: label, its time, what the entry says."""
        session = self.session

        def call_of(call_id: str) -> dict[str, object] | None:
            return session.tool_call(call_id, rows.comes_before)

        try:
            entry = session.entry(row.row)
            said = row_text(entry, call_of, os.environ.get("HOME", ""))
        except PitreeError as error:
            return Text().append(visible(str(error)), "red")
        label = session.label(row.row)
        text = Text()
        if label is not None:
            text.append(visible(f"[{js.to_string(label[0])}] "), "yellow")
            if label_times:
                text.append(visible(f"{js.to_string(label[1])[:16].replace('T', ' ')} "), "dim")
        # Pi's row of an entry of unknown kind is blank.
        said = visible(said or f"[{entry.type}]")
        head, style, rest = _row_styles(entry, said)
        return text.append(said[:head], style).append(said[head:], rest)

    async def path(self, row: int | None) -> tuple[ContextPlan, RowRanges]:
        """The context at a row, and the rows of the path to it that speak."""
        plan = await self._compute(plan_context, self.session, row)
        return plan, await self._compute(speaking_rows, self.session, plan.path)

    def search(self, query: str) -> AsyncGenerator[list[int], None]:
        """The rows whose whole text holds all words."""
        return self.session.search(query, "all")

    async def head(self, title: str) -> str:
        """What the session is, in one line."""
        session = self.session
        branches = len(await self._compute(session.tree.tips))
        parts = [
            session.session_name or "",
            title,
            session.cwd,
            f"{len(session):,} entries" if len(session) != 1 else "1 entry",
            f"{branches:,} branches" if branches != 1 else "1 branch",
        ]
        return " · ".join(visible(part) for part in parts if part)

    def banner(self) -> str:
        """What has to be said of the file, empty if nothing."""
        session = self.session
        text = _BANNERS.get(session.state, "")
        count = len(session.damage)
        if text or not count:
            return text
        return (
            f"{count} damaged place{'s' if count > 1 else ''}: marked below the tree; "
            "`pitree doctor` tells what Pi does with them."
        )

    async def _compute(self, function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """Call a function of the core: at once, or in a thread where it may take long.

        What costs by runs takes 1 µs for each; ordinary sessions have a few thousand at most.
        """
        if len(self.session.tree.starts) <= RUNS_AT_ONCE:
            return function(*args, **kwargs)
        return await asyncio.to_thread(function, *args, **kwargs)


def _row_styles(entry: SessionEntry, said: str) -> tuple[int, str, str]:
    """How many characters of a row's text say who speaks, their style, and that of the rest."""
    if entry.type in ("compaction", "branch_summary"):
        return len(said), "blue", ""
    message = entry.get("message") if entry.type == "message" else None
    role = message.get("role") if isinstance(message, dict) else None
    if isinstance(message, dict) and role in ("user", "assistant"):
        failed = message.get("stopReason") in ("error", "aborted")
        return len(f"{role}:"), "cyan" if role == "user" else "green", "red" if failed else ""
    return (len(said), "blue", "") if entry.type == "custom_message" else (0, "", "dim")

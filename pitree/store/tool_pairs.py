"""Tool calls without a result, and results without a call, on every path of a tree at once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pitree.model import js
from pitree.model.entries import Kind
from pitree.model.index import Flag

_TURNS = frozenset(
    {
        Kind.USER,
        Kind.CUSTOM_ROLE,
        Kind.CUSTOM_MESSAGE,
        Kind.BRANCH_SUMMARY,
        Kind.BASH_EXECUTION,
        Kind.BRANCH_SUMMARY_ROLE,
        Kind.COMPACTION_SUMMARY_ROLE,
    }
)
"""Kinds that a provider gets as a message of the user: before one, all calls need a result."""

_ANSWERS = (Kind.ASSISTANT, Kind.ASSISTANT_SILENT)
_SILENCED = Flag.EXCLUDED | Flag.NO_MESSAGE

Finding = tuple[int, str, str]
"""Row, kind of note, explanation."""


class ToolPairs:
    """Walks the paths of a tree, entry by entry; what a branch changed is undone behind it.

    Attributes:
        found: What was noted, in the order of the walk.
    """

    def __init__(self) -> None:
        """Stand before the first root."""
        self.found: list[Finding] = []
        self._seen: dict[str, None] = {}
        self._open: dict[str, int] = {}
        self._undo: list[tuple[bool, str, int | None]] = []
        self._branches: list[tuple[int, int]] = []

    def enter(self, place: int, end: int) -> None:
        """Come to a run of the tree, in preorder.

        Args:
            place: The run's place in preorder.
            end: The place behind the last run below it.
        """
        while self._branches and self._branches[-1][0] <= place:
            _, mark = self._branches.pop()
            while len(self._undo) > mark:
                is_seen, key, before = self._undo.pop()
                if is_seen:
                    del self._seen[key]
                elif before is None:
                    self._open.pop(key, None)
                else:
                    self._open[key] = before
        self._branches.append((end, len(self._undo)))

    def see(self, row: int, kind: int, flags: int, message: Any) -> None:
        """Come to the next entry of the run.

        Args:
            row: Its row.
            kind: Its kind.
            flags: Its flags.
            message: Its message, if it is a message entry.
        """
        if kind == Kind.TOOL_RESULT:
            self._result(row, message.get("toolCallId"))
        elif kind in _ANSWERS:
            # A provider never gets a failed answer, so its calls need no result.
            if flags & Flag.FAILED:
                for call in _calls(message):
                    self._remember(call)
                return
            self._unanswered()
            for call in _calls(message):
                self._remember(call)
                self._undo.append((False, call, self._open.get(call)))
                self._open[call] = row
        elif kind in _TURNS and not flags & _SILENCED:
            self._unanswered()

    def _remember(self, call: str) -> None:
        if call not in self._seen:
            self._seen[call] = None
            self._undo.append((True, call, None))

    def _result(self, row: int, call: Any) -> None:
        if not isinstance(call, str) or call not in self._seen:
            what = f"no call {js.to_string(call)} is on its path"
            self.found.append((row, "result-without-call", f"a tool result: {what}"))
        elif call in self._open:
            self._undo.append((False, call, self._open.pop(call)))

    def _unanswered(self) -> None:
        """Note the calls that still wait; once noted they need not be open on any other branch."""
        for call, row in self._open.items():
            what = f"its call {call} has no result before the next message"
            self.found.append((row, "call-without-result", what))
        self._open.clear()


def _calls(message: Any) -> Iterator[str]:
    content = message.get("content")
    for block in content if isinstance(content, list) else ():
        call = block.get("id") if isinstance(block, dict) else None
        if isinstance(call, str) and block.get("type") == "toolCall":
            yield call

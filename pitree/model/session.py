"""An open session as the pure layers see it, and its nodes.

The store's `SessionManager` is such a session.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol

from pitree.model.entries import SessionEntry
from pitree.model.index import SessionIndex
from pitree.model.ranges import RowRanges
from pitree.model.tree import SessionTree


class Session(Protocol):
    """An indexed session whose bodies can be read."""

    @property
    def index(self) -> SessionIndex:
        """The columns over all entries."""

    @property
    def tree(self) -> SessionTree:
        """Who hangs on whom."""

    def entry(self, row: int) -> SessionEntry:
        """The entry of a row, its body read."""

    def raws(self, rows: RowRanges) -> Iterator[Any]:
        """The entries of many rows as parsed lines, in order."""

    def label(self, row: int) -> tuple[Any, Any] | None:
        """The label of a row and when it was set; both are text in what Pi writes."""


class SessionTreeNode:
    """One entry with its children, made when it is asked for; never stored.

    Attributes:
        row: The entry's row.
    """

    __slots__ = ("_session", "row")

    def __init__(self, session: Session, row: int) -> None:
        """View a row of a session."""
        self._session = session
        self.row = row

    @property
    def entry(self) -> SessionEntry:
        """The entry, its body read from the file."""
        return self._session.entry(self.row)

    @property
    def children(self) -> list[SessionTreeNode]:
        """The nodes below, oldest first."""
        return [
            SessionTreeNode(self._session, row) for row in self._session.tree.children(self.row)
        ]

    @property
    def label(self) -> Any:
        """The label that is set on the entry."""
        found = self._session.label(self.row)
        return found[0] if found else None

    @property
    def label_timestamp(self) -> Any:
        """When that label was set, ISO 8601."""
        found = self._session.label(self.row)
        return found[1] if found else None

"""The panes beside the tree: the conversation up to the cursor, and what the model gets there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.text import Text
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.strip import Strip
from textual.widgets import Static

from pitree.app.blocks import entry_lines
from pitree.app.widgets.block_list import BlockList
from pitree.errors import PitreeError
from pitree.model.entries import SessionEntry
from pitree.model.ranges import RowRanges
from pitree.model.visible import visible

if TYPE_CHECKING:
    from pitree.app.context_model import ContextModel
    from pitree.app.marked_rows import MarkedRows
    from pitree.store.session_manager import SessionManager


class EntryChosen(Message):
    """The user pointed at an entry in a pane."""

    def __init__(self, row: int) -> None:
        """The entry is that of `row`."""
        super().__init__()
        self.row = row


class ChatPane(Vertical):
    """The path from the root to the cursor, as a conversation."""

    def __init__(self) -> None:
        """An empty pane."""
        super().__init__(id="chat-pane", classes="pane")
        self._rows = RowRanges([])
        self.border_title = Content("Chat")

    def compose(self) -> ComposeResult:
        """The list."""
        yield BlockList(id="chat")

    def show_path(self, session: SessionManager, rows: RowRanges, name: str) -> None:
        """Show the entries of a path.

        Args:
            session: The session.
            rows: Those that speak, root first.
            name: The id at the end of the path.
        """
        self._rows = rows
        console = self.app.console

        def render(block: int, width: int) -> list[Strip]:
            try:
                return entry_lines(session.entry(rows[block]), width, console)
            except PitreeError as error:
                return [Strip([*Text(visible(str(error)), "red", end="").render(console)])]

        self.query_one(BlockList).show(len(rows), render)
        self.border_title = Content(f"Chat ─ root → {visible(name)}")

    def show_entries(self, entries: Sequence[SessionEntry], title: str) -> None:
        """Show entries that are in memory."""
        self._rows = RowRanges([])
        console = self.app.console
        self.query_one(BlockList).show(
            len(entries), lambda block, width: entry_lines(entries[block], width, console)
        )
        self.border_title = Content(title)

    def on_block_list_clicked(self, message: BlockList.Clicked) -> None:
        """Tell which entry it was."""
        message.stop()
        if message.block < len(self._rows):
            self.post_message(EntryChosen(self._rows[message.block]))


class ContextPane(Vertical):
    """The outgoing messages in order, with their tokens, and the gauge."""

    def __init__(self) -> None:
        """An empty pane."""
        super().__init__(id="context-pane", classes="pane")
        self._model: ContextModel | None = None
        self.border_title = Content("Context")

    def compose(self) -> ComposeResult:
        """Gauge and list."""
        yield Static(id="gauge", markup=False)
        yield BlockList(id="context")

    def show(self, model: ContextModel) -> None:
        """Show a context that is not counted yet."""
        self._model = model
        console = self.app.console
        self.query_one(BlockList).show(
            len(model), lambda block, width: model.lines(block, width, console)
        )
        count = f"{len(model):,} entr{'y' if len(model) == 1 else 'ies'}"
        self.border_title = Content(f"Context ─ what the model gets ─ {count}")
        self._say("counting …")

    def show_counts(self) -> None:
        """Show the figures, now that they are known."""
        if self._model is not None:
            self.query_one(BlockList).redraw()
            self._say(self._model.gauge())

    def show_dropped(self, rows: MarkedRows, at: int) -> None:
        """Say that something has no context."""
        self._model = None
        self.query_one(BlockList).show(0, lambda _block, _width: [])
        self.border_title = Content("Context ─ Pi drops this line: no model gets it")
        self._say(rows[at].damage.explain)

    def _say(self, text: str) -> None:
        self.query_one("#gauge", Static).update(Content(visible(text)))

    def on_block_list_clicked(self, message: BlockList.Clicked) -> None:
        """Tell which entry it was."""
        message.stop()
        if self._model is not None and message.block < len(self._model):
            self.post_message(EntryChosen(self._model.row(message.block)))

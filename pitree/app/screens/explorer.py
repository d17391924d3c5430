"""The explorer of one session: tree, chat and context, and the state they show."""

from __future__ import annotations

import asyncio
import os
import time
from pathlib import Path

from rich.text import Text
from textual import on, work
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.reactive import var
from textual.screen import Screen
from textual.strip import Strip
from textual.widgets import Footer, Input, Static

from pitree.app.actions import EXPLORER, bindings
from pitree.app.blocks import entry_lines
from pitree.app.context_model import ContextModel
from pitree.app.dialogs import MessageDialog
from pitree.app.marked_rows import MarkedRows
from pitree.app.widgets.block_list import BlockList
from pitree.app.widgets.session_tree import SessionTree
from pitree.context.session_context import plan_context, speaking_rows
from pitree.errors import PitreeError
from pitree.model.entries import JsonObject, SessionEntry
from pitree.model.ranges import RowRanges
from pitree.model.row_text import row_text, search_words
from pitree.model.rows import FILTER_MODES, FilterMode, TreeRow, VisibleRows
from pitree.model.visible import visible
from pitree.settings import Settings
from pitree.store.session_manager import INLINE_BYTES, SessionManager
from pitree.store.tail import read_tail

TAIL_ENTRIES = 60
SEARCH_PAUSE = 0.15
"""Seconds without a key after which a search starts."""
DRAW_PAUSE = 0.25
"""Seconds between two draws of a search that is still finding."""
LONG_CONTEXT = 500
COUNT_PAUSE = 0.15
"""Seconds that the cursor must rest before a context of more entries than that is counted."""
NARROW = 100
"""Columns below which one pane shows at a time."""


class ExplorerScreen(Screen[None]):
    """Shows a session file."""

    BINDINGS = bindings(EXPLORER)
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (NARROW, "-wide")]
    CSS = """
    ExplorerScreen { layout: vertical; }
    #head { height: 1; background: $panel; padding: 0 1; }
    #banner { height: auto; background: $warning; color: $text; padding: 0 1; display: none; }
    #banner.shown { display: block; }
    #panes { height: 1fr; }
    .pane { border: round $foreground 30%; }
    .pane:focus-within { border: round $accent; }
    #tree-pane { width: 2fr; }
    #right { width: 3fr; }
    #chat-pane { height: 3fr; }
    #context-pane { height: 2fr; }
    #gauge { height: 1; color: $foreground 70%; }
    #search { display: none; border: none; height: 1; padding: 0; }
    #search.shown { display: block; }
    #status { height: 1; color: $foreground 70%; padding: 0 1; }
    ExplorerScreen.-narrow #right { display: none; }
    ExplorerScreen.-narrow #tree-pane { width: 1fr; }
    ExplorerScreen.-alone .pane { display: none; }
    ExplorerScreen.-alone .pane.alone { display: block; width: 1fr; height: 1fr; }
    ExplorerScreen.-alone.-narrow #right { display: block; }
    ExplorerScreen.-alone #right.empty { display: none; }
    """

    mode: var[FilterMode] = var("default", init=False)

    def __init__(self, path: Path, settings: Settings, title: str | None = None) -> None:
        """Show a file.

        Args:
            path: The session file.
            settings: What the user chose.
            title: What the head line calls the file, if not its path.
        """
        super().__init__()
        self._path = path
        self._title = title or str(path)
        self._settings = settings
        self._session: SessionManager | None = None
        self._model: ContextModel | None = None
        self._folds: set[int] = set()
        self._matches: list[int] | None = None
        self._query = ""
        self._label_times = settings.label_times
        self._marked: MarkedRows | None = None
        self._chat_rows = RowRanges([])
        self.set_reactive(ExplorerScreen.mode, settings.filter)

    def compose(self) -> ComposeResult:
        """Head, panes, status, keys."""
        yield Static(id="head", markup=False)
        yield Static(id="banner", markup=False)
        with Horizontal(id="panes"):
            with Vertical(id="tree-pane", classes="pane"):
                yield SessionTree(id="tree")
                yield Input(id="search", placeholder="search the whole text")
            with Vertical(id="right"):
                with Vertical(id="chat-pane", classes="pane"):
                    yield BlockList(id="chat")
                with Vertical(id="context-pane", classes="pane"):
                    yield Static(id="gauge", markup=False)
                    yield BlockList(id="context")
        yield Static(id="status", markup=False)
        yield Footer()

    def on_mount(self) -> None:
        """Start reading."""
        self._title_pane("#tree-pane", "Tree")
        self._title_pane("#chat-pane", "Chat")
        self._title_pane("#context-pane", "Context")
        self.query_one(SessionTree).focus()
        self._say("reading …")
        self._open()

    async def on_unmount(self) -> None:
        """Let go of the file."""
        if self._session is not None:
            await self._session.close()

    # ------------------------------------------------------------------ opening

    @work(exclusive=True, group="open", exit_on_error=False)
    async def _open(self) -> None:
        """Show the end of the file at once, the whole when it is read."""
        try:
            size = self._path.stat().st_size
            if size > INLINE_BYTES:
                entries = await asyncio.to_thread(read_tail, self._path, TAIL_ENTRIES)
                self._show_tail(entries)
            self._session = await SessionManager.open(self._path, on_progress=self._progress)
        except (PitreeError, OSError) as error:
            text = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            await self.app.push_screen_wait(MessageDialog("This file can't be shown", text))
            self.dismiss()
            return
        self._use(self._session)
        await self._lay_out(self._session.leaf)
        if not self._session.verified and not await self._session.verify():
            self._use(self._session)
            self.notify("The file was changed in the middle: read again", markup=False)
            await self._lay_out(self._session.leaf)

    def _use(self, session: SessionManager) -> None:
        """Show an index that has just been read."""
        self._model = ContextModel(session)
        self._marked = MarkedRows(session)
        self._show_head()

    def _progress(self, done: int, size: int, entries: int) -> None:
        self._say(f"reading … {done * 100 // max(1, size)} %, {entries:,} entries")

    def _show_tail(self, entries: list[SessionEntry]) -> None:
        console = self.app.console

        def render(block: int, width: int) -> list[Strip]:
            return entry_lines(entries[block], width, console)

        self.query_one("#chat", BlockList).show(len(entries), render)

    def _show_head(self) -> None:
        session = self._session
        assert session is not None
        branches = len(session.tree.tips())
        parts = [
            session.session_name or "",
            self._title,
            session.cwd,
            f"{len(session):,} entries",
            f"{branches:,} branches" if branches != 1 else "1 branch",
        ]
        head = " · ".join(visible(part) for part in parts if part)
        self.query_one("#head", Static).update(Content(f"pitree  {head}"))
        self._show_banner(session)

    def _show_banner(self, session: SessionManager) -> None:
        texts = {
            "empty": "This session is empty.",
            "no-header": "The file does not begin with a session header: Pi would replace it. "
            "Its entries are listed as damage.",
            "newer": "This file was written by a newer Pi; it is shown as far as it is understood.",
        }
        text = texts.get(session.state, "")
        if not text and session.damage:
            count = len(session.damage)
            text = f"{count} damaged place{'s' if count > 1 else ''}: marked below the tree; "
            text += "`pitree doctor` tells what Pi does with them."
        banner = self.query_one("#banner", Static)
        banner.update(Content(text))
        banner.set_class(bool(text), "shown")

    # ------------------------------------------------------------------ the tree

    async def _lay_out(self, row: int | None) -> None:
        """Lay the tree out again, with the cursor on an entry or the nearest one above it."""
        session, marked = self._session, self._marked
        if session is None or marked is None:
            return
        rows = await asyncio.to_thread(
            VisibleRows,
            session.tree,
            self.mode,
            leaf=session.leaf,
            labeled=session.labeled_rows(),
            matches=self._matches,
            folds=self._folds,
        )
        at = rows.nearest(row) or 0
        self.query_one(SessionTree).show(rows, self._row_text, marked, at)
        self._show_position()
        self._follow()

    def _row_text(self, row: TreeRow) -> Text:
        """A row of the tree: label, its time, what the entry says, the leaf's mark."""
        session = self._session
        assert session is not None
        try:
            entry = session.entry(row.row)
            said = row_text(entry, self._call_of, os.environ.get("HOME", ""))
        except PitreeError as error:
            return Text(visible(str(error)), "red")
        label = session.label(row.row)
        text = Text()
        if label is not None:
            text.append(visible(f"[{label[0]}] "), "yellow")
            if self._label_times:
                text.append(visible(f"{label[1][:16].replace('T', ' ')} "), "dim")
        text.append(visible(said))
        return text

    def _call_of(self, call_id: str) -> JsonObject | None:
        rows = self.query_one(SessionTree).rows
        session = self._session
        if session is None or rows is None:
            return None
        return session.tool_call(call_id, rows.comes_before)

    def _cursor_row(self) -> int | None:
        tree = self.query_one(SessionTree)
        if tree.rows is None or tree.cursor >= len(tree.rows):
            return None
        return tree.rows.entry_row(tree.cursor)

    @on(SessionTree.CursorMoved)
    def _moved(self) -> None:
        self._show_position()
        self._follow()

    @on(SessionTree.FoldsChanged)
    async def _folded(self, message: SessionTree.FoldsChanged) -> None:
        if message.folded:
            self._folds.add(message.row)
        else:
            self._folds.discard(message.row)
        await self._lay_out(message.row)

    async def action_filter(self, mode: FilterMode) -> None:
        """Set a filter, or go back to the default one."""
        row = self._cursor_row()
        self.mode = "default" if mode == self.mode else mode
        await self._lay_out(row)

    async def action_cycle_filter(self, by: int) -> None:
        """The next filter."""
        row = self._cursor_row()
        self.mode = FILTER_MODES[(FILTER_MODES.index(self.mode) + by) % len(FILTER_MODES)]
        await self._lay_out(row)

    def action_label_times(self) -> None:
        """Show when labels were set, or not."""
        self._label_times = not self._label_times
        self.query_one(SessionTree).refresh()

    # ------------------------------------------------------------------ search

    def action_search(self) -> None:
        """Open the search line."""
        line = self.query_one("#search", Input)
        line.add_class("shown")
        line.focus()

    async def action_clear_search(self) -> None:
        """Clear the search and show the tree as before."""
        line = self.query_one("#search", Input)
        line.remove_class("shown")
        self.query_one(SessionTree).focus()
        if line.value:
            line.value = ""
        elif self._matches is not None:
            self._search("")

    @on(Input.Submitted, "#search")
    def _search_entered(self) -> None:
        self.query_one(SessionTree).focus()

    @on(Input.Changed, "#search")
    def _search_typed(self, message: Input.Changed) -> None:
        self._search(message.value)

    @work(exclusive=True, group="search", exit_on_error=False)
    async def _search(self, query: str) -> None:
        """Find rows and show them as they are found."""
        await asyncio.sleep(SEARCH_PAUSE)
        session = self._session
        if session is None:
            return
        row = self._cursor_row()
        self._query = query
        if not search_words(query):
            self._matches = None
            await self._lay_out(row)
            return
        found: list[int] = []
        drawn = time.monotonic()
        try:
            async for rows in session.search(query, "all"):
                found += rows
                if time.monotonic() - drawn > DRAW_PAUSE:
                    drawn = time.monotonic()
                    self._matches = found
                    await self._lay_out(row)
                    self._say(f"searching … {len(found):,} found")
        except PitreeError as error:
            self._say(str(error))
            return
        self._matches = found
        await self._lay_out(row)

    # ------------------------------------------------------------------ chat and context

    @work(exclusive=True, group="follow", exit_on_error=False)
    async def _follow(self) -> None:
        """Show the path to the cursor in the chat, and its context."""
        session, model, row = self._session, self._model, self._cursor_row()
        if session is None or model is None or self._marked is None:
            return
        marked = self.query_one(SessionTree).marked_at
        if marked is not None:
            self._show_marked(self._marked, marked)
            return
        plan = await asyncio.to_thread(plan_context, session, row)
        self._chat_rows = await asyncio.to_thread(speaking_rows, session, plan.path)
        console = self.app.console
        chat_rows = self._chat_rows

        def render(block: int, width: int) -> list[Strip]:
            try:
                return entry_lines(session.entry(chat_rows[block]), width, console)
            except PitreeError as error:
                return [Strip([*Text(visible(str(error)), "red").render(console)])]

        self.query_one("#chat", BlockList).show(len(chat_rows), render)
        name = "root" if row is None else visible(str(session.entry_id(row)))
        self._title_pane("#chat-pane", f"Chat ─ root → {name}")
        pane = self.query_one("#context", BlockList)
        model.use(plan)
        pane.show(len(model), lambda block, width: model.lines(block, width, console))
        self._title_pane("#context-pane", f"Context ─ what the model gets ─ {len(model):,} entries")
        self.query_one("#gauge", Static).update(Content("counting …"))
        if len(model) > LONG_CONTEXT:
            await asyncio.sleep(COUNT_PAUSE)
        await model.measure()
        pane.redraw()
        self.query_one("#gauge", Static).update(Content(model.gauge()))

    def _show_marked(self, rows: MarkedRows, at: int) -> None:
        """Show something that Pi drops: what stands there, and no context."""
        console = self.app.console
        self._chat_rows = RowRanges([])
        chat = self.query_one("#chat", BlockList)
        chat.show(1, lambda _block, width: entry_lines(rows.entry(at), width, console), block=0)
        self.query_one("#context", BlockList).show(0, lambda _block, _width: [])
        self._title_pane("#chat-pane", f"Dropped by Pi ─ {rows[at].damage.kind}")
        self._title_pane("#context-pane", "Context ─ Pi drops this line: no model gets it")
        self.query_one("#gauge", Static).update(Content(visible(rows[at].damage.explain)))

    @on(BlockList.Clicked)
    def _clicked(self, message: BlockList.Clicked) -> None:
        """Put the cursor of the tree on the entry of a block."""
        tree = self.query_one(SessionTree)
        if tree.rows is None or self._model is None or tree.marked_at is not None:
            return
        in_chat = message.control.id == "chat"
        if in_chat and message.block >= len(self._chat_rows):
            return
        row = self._chat_rows[message.block] if in_chat else self._model.row(message.block)
        at = tree.rows.position(row)
        if at is not None:
            tree.cursor = at

    # ------------------------------------------------------------------ frame

    def action_maximize(self) -> None:
        """Show the pane with the focus alone, or all panes again."""
        alone = not self.has_class("-alone")
        focused = self.focused
        panes = list(self.query(".pane"))
        for pane in panes:
            mine = focused is not None and pane in focused.ancestors
            pane.set_class(alone and mine, "alone")
        self.query_one("#right").set_class(alone and bool(self.query("#tree-pane.alone")), "empty")
        self.set_class(alone, "-alone")

    def _title_pane(self, selector: str, title: str) -> None:
        self.query_one(selector).border_title = Content(title)

    def _show_position(self) -> None:
        tree = self.query_one(SessionTree)
        if tree.rows is None:
            return
        count = len(tree.rows)
        place = f"{tree.cursor + 1:,}/{count:,}" if count else "no rows"
        if tree.marked_at is not None and self._marked is not None:
            place = f"dropped by Pi {tree.marked_at + 1:,}/{len(self._marked):,}"
        self._title_pane("#tree-pane", f"Tree ─ {self.mode} ─ {place}")
        if self._matches is not None:
            self._say(f"search: {self._query}   {len(self._matches):,} entries found; Esc clears")
        elif not count:
            self._say("nothing to show with this filter; Ctrl+D shows the default rows")
        else:
            self._say("")

    def _say(self, text: str) -> None:
        self.query_one("#status", Static).update(Content(visible(text)))

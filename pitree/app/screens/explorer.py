"""The explorer of one session: tree, chat and context, and the state they show."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import ParamSpec, TypeVar

from rich.text import Text
from textual import on, work
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.reactive import var
from textual.screen import Screen
from textual.widgets import Input, Static

from pitree.app.actions import APP, EXPLORER, bindings, footer
from pitree.app.context_model import ContextModel
from pitree.app.marked_rows import MarkedRows
from pitree.app.widgets.panes import ChatPane, ContextPane, EntryChosen
from pitree.app.widgets.session_tree import SessionTree
from pitree.context.session_context import plan_context, speaking_rows
from pitree.errors import PitreeError
from pitree.model.entries import JsonObject
from pitree.model.row_text import row_text, search_words
from pitree.model.rows import FILTER_MODES, FilterMode, TreeRow, VisibleRows
from pitree.model.visible import visible
from pitree.settings import Settings
from pitree.store.session_manager import SessionManager
from pitree.store.tail import read_tail

TAIL_ENTRIES = 60
SEARCH_PAUSE = 0.15
"""Seconds without a key after which a search starts."""
DRAW_PAUSE = 0.25
"""Seconds between two draws of a search that is still finding."""
LONG_CONTEXT = 500
COUNT_PAUSE = 0.15
"""Seconds that the cursor must rest before a context of more entries than that is counted."""
RUNS_AT_ONCE = 8000
NARROW = 100
"""Columns below which one pane shows at a time."""


P = ParamSpec("P")
R = TypeVar("R")


class ExplorerScreen(Screen[None]):
    """Shows a session file."""

    BINDINGS = bindings(EXPLORER)
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (NARROW, "-wide")]
    DEFAULT_CSS = """
    ExplorerScreen { layout: vertical; }
    #head { height: 1; background: $panel; padding: 0 1; }
    #banner { height: auto; background: $warning; color: $text; padding: 0 1; }
    #panes { height: 1fr; }
    .pane { border: round $foreground 30%; }
    .pane:focus-within { border: round $accent; }
    #tree-pane { width: 2fr; }
    #right { width: 3fr; }
    #chat-pane { height: 3fr; }
    #context-pane { height: 2fr; }
    #gauge { height: 1; color: $foreground 70%; }
    #search { border: none; height: 1; padding: 0; }
    #keys { height: 1; background: $panel; padding: 0 1; }
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

        Reads its end at once (1 ms for a file of any size), so that the first frame has content.

        Args:
            path: The session file.
            settings: What the user chose.
            title: What the head line calls the file, if not its path.
        """
        super().__init__()
        try:
            self._tail = read_tail(path, TAIL_ENTRIES)
        except PitreeError:
            self._tail = []
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
        self.set_reactive(ExplorerScreen.mode, settings.filter)

    def compose(self) -> ComposeResult:
        """Head, panes, status, keys."""
        yield Static(Content(f"pitree  {visible(self._title)}"), id="head", markup=False)
        with Horizontal(id="panes"):
            with Vertical(id="tree-pane", classes="pane"):
                yield SessionTree(id="tree")
            with Vertical(id="right"):
                yield ChatPane()
                yield ContextPane()
        yield Static(id="status", markup=False)
        yield Static(footer(EXPLORER + APP, self._settings.keys), id="keys", markup=False)

    def on_mount(self) -> None:
        """Show the end of the file in the first frame, and start reading the whole."""
        self.query_one("#tree-pane").border_title = Content("Tree")
        self.query_one(SessionTree).focus()
        if self._tail:
            self.query_one(ChatPane).show_entries(self._tail, "Chat ─ the end of the file")
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
            self._session = await SessionManager.open(self._path, on_progress=self._progress)
        except PitreeError as error:
            # Imported here, as are other parts of dialogs: their widgets take 10 ms to load.
            from pitree.app.dialogs import MessageDialog

            await self.app.push_screen_wait(MessageDialog("This file can't be shown", str(error)))
            self._leave()
            return
        self._tail = []
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

    def _leave(self) -> None:
        """Go back to where this screen was opened from, or end the program."""
        if self.is_current and len(self.app.screen_stack) > 1:
            self.dismiss()
        else:
            self.app.exit()

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
        self.query("#banner").remove()
        if text:
            self.mount(Static(Content(text), id="banner", markup=False), after="#head")

    # ------------------------------------------------------------------ the tree

    async def _lay_out(self, row: int | None) -> None:
        """Lay the tree out again, with the cursor on an entry or the nearest one above it."""
        session, marked = self._session, self._marked
        if session is None or marked is None:
            return
        rows = await _compute(
            session,
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

    async def action_search(self) -> None:
        """Open the search line."""
        if not self.query("#search"):
            line = Input(self._query, id="search", placeholder="search the whole text")
            await self.query_one("#tree-pane").mount(line)
        self.query_one("#search", Input).focus()

    async def action_clear_search(self) -> None:
        """Clear the search and show the tree as before."""
        await self.query("#search").remove()
        self.query_one(SessionTree).focus()
        if self._query:
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
        self._query = query
        await asyncio.sleep(SEARCH_PAUSE if query else 0)
        session = self._session
        if session is None:
            return
        row = self._cursor_row()
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
        session, model, marked = self._session, self._model, self._marked
        if session is None or model is None or marked is None:
            return
        chat, context = self.query_one(ChatPane), self.query_one(ContextPane)
        at = self.query_one(SessionTree).marked_at
        if at is not None:
            chat.show_entries([marked.entry(at)], f"Dropped by Pi ─ {marked[at].damage.kind}")
            context.show_dropped(marked, at)
            return
        row = self._cursor_row()
        plan = await _compute(session, plan_context, session, row)
        rows = await _compute(session, speaking_rows, session, plan.path)
        chat.show_path(session, rows, "nothing" if row is None else str(session.entry_id(row)))
        model.use(plan)
        context.show(model)
        if len(model) > LONG_CONTEXT:
            await asyncio.sleep(COUNT_PAUSE)
        await model.measure()
        context.show_counts()

    @on(EntryChosen)
    def _chosen(self, message: EntryChosen) -> None:
        """Put the cursor of the tree on an entry of another pane."""
        tree = self.query_one(SessionTree)
        at = tree.rows.position(message.row) if tree.rows is not None else None
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

    def _show_position(self) -> None:
        tree = self.query_one(SessionTree)
        if tree.rows is None:
            return
        count = len(tree.rows)
        place = f"{tree.cursor + 1:,}/{count:,}" if count else "no rows"
        if tree.marked_at is not None and self._marked is not None:
            place = f"dropped by Pi {tree.marked_at + 1:,}/{len(self._marked):,}"
        title = Content(f"Tree ─ {self.mode} ─ {place}")
        self.query_one("#tree-pane").border_title = title
        if self._matches is not None:
            self._say(f"search: {self._query}   {len(self._matches):,} entries found; Esc clears")
        elif not count:
            self._say("nothing to show with this filter; Ctrl+D shows the default rows")
        else:
            self._say("")

    def _say(self, text: str) -> None:
        self.query_one("#status", Static).update(Content(visible(text)))


async def _compute(
    session: SessionManager, function: Callable[P, R], *args: P.args, **kwargs: P.kwargs
) -> R:
    """Call a function of the core: at once, or in a thread where it may take long.

    What costs by runs takes 1 µs for each; ordinary sessions have a few thousand at most.
    """
    if len(session.tree.starts) <= RUNS_AT_ONCE:
        return function(*args, **kwargs)
    return await asyncio.to_thread(function, *args, **kwargs)

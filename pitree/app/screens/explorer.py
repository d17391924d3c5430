"""The explorer of one session: tree, chat and context, and the state they show."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from typing import TYPE_CHECKING

from rich.text import Text
from textual import on, work
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.reactive import var
from textual.screen import Screen
from textual.widgets import Input, Static

from pitree.app.actions import APP, EXPLORER, bindings, footer
from pitree.app.widgets.panes import ChatPane, ContextPane, EntryChosen
from pitree.app.widgets.session_tree import SessionTree
from pitree.errors import PitreeError
from pitree.model.filters import FILTER_MODES, FilterMode
from pitree.model.row_text import search_words
from pitree.model.visible import visible
from pitree.settings import Settings
from pitree.store.tail import read_tail

if TYPE_CHECKING:
    from pitree.app.explored import Explored
    from pitree.model.rows import TreeRow

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
    DEFAULT_CSS = """
    ExplorerScreen { layout: vertical; }
    #head, #status { text-wrap: nowrap; text-overflow: ellipsis; }
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
    #search { border: none; height: 1; padding: 0; display: none; }
    #search.shown { display: block; }
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
        self._explored: Explored | None = None
        self._folds: set[int] = set()
        self._matches: list[int] | None = None
        self._query = ""
        self._label_times = settings.label_times
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
        self.call_after_refresh(self._mount_search)
        self.call_after_refresh(self._open)

    async def _mount_search(self) -> None:
        """Bring the search line, which the first frame does without."""
        line = Input(id="search", placeholder="search the whole text")
        await self.query_one("#tree-pane").mount(line)

    async def on_unmount(self) -> None:
        """Let go of the file."""
        if self._explored is not None:
            await self._explored.session.close()

    # ------------------------------------------------------------------ opening

    @work(exclusive=True, group="open", exit_on_error=False)
    async def _open(self) -> None:
        """Read the whole file; the end of it shows already."""
        # Imported here, as the first frame needs none of it: 25 ms of 200.
        from pitree.app.explored import Explored

        try:
            self._explored = await Explored.open(self._path, self._progress)
        except PitreeError as error:
            from pitree.app.dialogs import MessageDialog

            await self.app.push_screen_wait(MessageDialog("This file can't be shown", str(error)))
            self._leave()
            return
        self._tail = []
        await self._show_head()
        await self._lay_out(self._explored.session.leaf)
        again = await self._explored.reread()
        if again is not None:
            self._explored = again
            await self._show_head()
            self.notify("The file was changed in the middle: read again", markup=False)
            await self._lay_out(again.session.leaf)

    def _progress(self, done: int, size: int, entries: int) -> None:
        self._say(f"reading … {done * 100 // max(1, size)} %, {entries:,} entries")

    def _leave(self) -> None:
        """Go back to where this screen was opened from, or end the program."""
        if len(self.app.screen_stack) > 1:
            self.dismiss()
        else:
            self.app.exit()

    async def _show_head(self) -> None:
        """Say what the file is, and what is odd about it."""
        if self._explored is None:
            return
        head = await self._explored.head(self._title)
        self.query_one("#head", Static).update(Content(f"pitree  {head}"))
        self.query("#banner").remove()
        banner = self._explored.banner()
        if banner:
            self.mount(Static(Content(banner), id="banner", markup=False), after="#head")

    # ------------------------------------------------------------------ the tree

    async def _lay_out(self, row: int | None) -> None:
        """Lay the tree out again, with the cursor on an entry or the nearest one above it."""
        explored = self._explored
        if explored is None:
            return
        rows = await explored.rows(self.mode, self._matches, self._folds)

        def text(shown: TreeRow) -> Text:
            return explored.row_text(rows, shown, self._label_times)

        tree = self.query_one(SessionTree)
        tree.show(rows, text, explored.marked, rows.nearest(row) or 0)
        self._show_position()
        self._follow()

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
        """Open the search line; what is typed from now on goes there."""
        line = self.query_one("#search", Input)
        line.add_class("shown")
        line.focus()

    def action_clear_search(self) -> None:
        """Clear the search and show the tree as before."""
        line = self.query_one("#search", Input)
        line.remove_class("shown")
        self.query_one(SessionTree).focus()
        line.value = ""

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
        explored = self._explored
        if explored is None:
            return
        row = self._cursor_row()
        if not search_words(query):
            self._matches = None
            await self._lay_out(row)
            return
        found: list[int] = []
        drawn = time.monotonic()
        try:
            async for rows in explored.search(query):
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
        explored = self._explored
        if explored is None:
            return
        chat, context = self.query_one(ChatPane), self.query_one(ContextPane)
        at = self.query_one(SessionTree).marked_at
        if at is not None:
            marked = explored.marked
            chat.show_entries([marked.entry(at)], f"Dropped by Pi ─ {marked[at].damage.kind}")
            context.show_dropped(marked, at)
            return
        row = self._cursor_row()
        plan, rows = await explored.path(row)
        session, model = explored.session, explored.model
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
        if tree.marked_at is not None and self._explored is not None:
            place = f"dropped by Pi {tree.marked_at + 1:,}/{len(self._explored.marked):,}"
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

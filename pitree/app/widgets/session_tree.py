"""The tree: rows of any number, drawn line by line as they are looked at."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from rich.segment import Segment
from rich.style import Style
from rich.text import Text
from textual import events
from textual.geometry import Region, Size
from textual.message import Message
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip

from pitree.app.actions import TREE, bindings

if TYPE_CHECKING:
    from pitree.app.marked_rows import MarkedRows
    from pitree.model.rows import TreeRow, VisibleRows

TEXT_COLUMNS = 20
"""Columns of a row's text that must show; deeper rows are shifted to the left."""

RowText = Callable[["TreeRow"], Text]


class SessionTree(ScrollView, can_focus=True):
    """Draws the visible rows and owns the cursor among them."""

    BINDINGS = bindings(TREE)
    COMPONENT_CLASSES = {"session-tree--cursor", "session-tree--guides", "session-tree--damage"}
    DEFAULT_CSS = """
    SessionTree { height: 1fr; overflow-x: hidden; scrollbar-size-vertical: 1; }
    SessionTree > .session-tree--cursor { background: $block-cursor-blurred-background; }
    SessionTree:focus > .session-tree--cursor {
        background: $block-cursor-background; color: $block-cursor-foreground;
    }
    SessionTree > .session-tree--guides { color: $foreground 40%; }
    SessionTree > .session-tree--damage { color: $text-error; }
    """

    cursor = reactive(0, repaint=False, init=False)
    """The highlighted row, from the top."""

    class CursorMoved(Message):
        """The cursor stands on another row."""

        def __init__(self, at: int) -> None:
            """It stands on row `at`."""
            super().__init__()
            self.at = at

        def can_replace(self, message: Message) -> bool:
            """Only the last place counts."""
            return isinstance(message, SessionTree.CursorMoved)

    class FoldsChanged(Message):
        """The user folded or unfolded a segment."""

        def __init__(self, row: int, folded: bool) -> None:
            """The segment that starts at the entry `row` is to be folded or not."""
            super().__init__()
            self.row = row
            self.folded = folded

    def __init__(self, *, id: str | None = None) -> None:
        """An empty tree."""
        super().__init__(id=id)
        self._rows: VisibleRows | None = None
        self._marked: MarkedRows | tuple[()] = ()
        self._text: RowText = lambda _row: Text()
        self._pan = 0

    @property
    def rows(self) -> VisibleRows | None:
        """What is drawn."""
        return self._rows

    def show(self, rows: VisibleRows, text: RowText, marked: MarkedRows, at: int) -> None:
        """Draw other rows.

        Args:
            rows: The rows.
            text: Gives the text of a row.
            marked: The rows below them, for what Pi drops of the file.
            at: Where the cursor stands.
        """
        self._rows = rows
        self._text = text
        self._marked = marked
        self.virtual_size = Size(self.size.width, self._count())
        self.set_reactive(SessionTree.cursor, max(0, min(at, self._count() - 1)))
        self._repan()
        self.call_after_refresh(self._reveal)
        self.refresh()

    def _count(self) -> int:
        return 0 if self._rows is None else len(self._rows) + len(self._marked)

    @property
    def marked_at(self) -> int | None:
        """Which of the marked rows has the cursor; None if it stands in the tree."""
        at = self.cursor - len(self._rows or ())
        return at if 0 <= at < len(self._marked) else None

    def render_line(self, y: int) -> Strip:
        """The line of the screen at y."""
        width = self.size.width
        at = y + self.scroll_offset.y
        rows = self._rows
        if rows is None or at >= self._count():
            return Strip.blank(width, self.rich_style)
        style = self.rich_style
        if at == self.cursor:
            style += self.get_component_rich_style("session-tree--cursor", partial=True)
        meta = Style(meta={"at": at})
        if at >= len(rows):
            mark = self.get_component_rich_style("session-tree--damage", partial=True)
            said = self._marked.text(at - len(rows)) if self._marked else ""
            dropped = Segment(said, mark)
            return Strip([dropped]).crop_extend(0, width, style).apply_style(style + meta)
        row = rows.row(at, self._pan, width)
        guides = self.get_component_rich_style("session-tree--guides", partial=True)
        segments = [Segment(row.prefix, style + guides)]
        if len(row.prefix) < width:
            fold = "⊞ " if row.folded and "⊞" not in row.prefix else ""
            place = "◆ " if row.row == rows.leaf else "• " if row.on_path else ""
            segments.append(Segment(fold + place, style))
            text = self._text(row)
            text.end = ""
            # Colours of their own can't be read on the cursor's.
            plain = [Segment(text.plain, style)] if at == self.cursor else None
            segments += plain or text.render(self.app.console)
        return Strip(segments).crop_extend(0, width, style).apply_style(style + meta)

    def watch_cursor(self, old: int, new: int) -> None:
        """Draw the two rows again and tell."""
        if self._repan():
            self.refresh()
        else:
            for at in (old, new):
                self.refresh_line(at)
        self._reveal()
        self.post_message(self.CursorMoved(new))

    def _reveal(self) -> None:
        if self._count():
            self.scroll_to_region(
                Region(0, self.cursor, 1, 1), animate=False, force=True, origin_visible=False
            )

    def _repan(self) -> bool:
        """Shift deep rows so that the text at the cursor shows; whether that changed."""
        if self._rows is None or self.cursor >= len(self._rows):
            return False
        deep = 3 * self._rows.row(self.cursor, 0, 0).indent
        room = max(1, self.size.width - TEXT_COLUMNS)
        pan = 0 if deep <= room else deep - room // 2
        changed = pan != self._pan
        self._pan = pan
        return changed

    def on_resize(self) -> None:
        """Keep the cursor on the screen."""
        self._repan()
        self.virtual_size = Size(self.size.width, self._count())
        self.call_after_refresh(self._reveal)

    # ------------------------------------------------------------------ moving

    def validate_cursor(self, at: int) -> int:
        """Keep it among the rows."""
        return max(0, min(at, self._count() - 1))

    def action_move(self, by: int) -> None:
        """Move by rows; from one end to the other, as Pi does."""
        count = self._count()
        if count:
            self.cursor = (self.cursor + by) % count

    def action_page(self, pages: int) -> None:
        """Move by pages."""
        self.cursor += pages * max(1, self.size.height)

    def action_first(self) -> None:
        """To the first row."""
        self.cursor = 0

    def action_last(self) -> None:
        """To the last row."""
        self.cursor = self._count() - 1

    def action_leaf(self) -> None:
        """To the leaf, or the nearest row above it that shows."""
        if self._rows is not None:
            self.cursor = self._rows.nearest(self._rows.leaf) or 0

    def action_parent(self) -> None:
        """To the row that this one hangs on."""
        if self._rows is not None and self.cursor < len(self._rows):
            parent = self._rows.parent_of(self.cursor)
            if parent is not None:
                self.cursor = parent

    def action_fork(self, direction: int) -> None:
        """To the next row, or the one before, on which several rows hang."""
        forks = self._rows.forks() if self._rows is not None else []
        ahead = [at for at in forks if (at - self.cursor) * direction > 0]
        if ahead:
            self.cursor = min(ahead) if direction > 0 else max(ahead)

    def action_fold_or_up(self) -> None:
        """Fold the segment that starts here, or go to the start of this one."""
        if self._rows is None or self.cursor >= len(self._rows):
            return
        row = self._rows[self.cursor]
        if row.foldable and not row.folded:
            self.post_message(self.FoldsChanged(row.row, True))
        else:
            self.cursor = self._rows.segment_up(self.cursor)

    def action_unfold_or_down(self) -> None:
        """Unfold the segment that starts here, or go to the next one."""
        if self._rows is None or self.cursor >= len(self._rows):
            return
        row = self._rows[self.cursor]
        if row.folded:
            self.post_message(self.FoldsChanged(row.row, False))
        else:
            self.cursor = self._rows.segment_down(self.cursor)

    def on_click(self, event: events.Click) -> None:
        """Put the cursor where the mouse is."""
        at = event.style.meta.get("at")
        if isinstance(at, int):
            self.cursor = at

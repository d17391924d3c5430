"""A list of blocks of lines that can be any length: only what is on the screen is rendered.

The place of the view is a block and a line in it, not a number of lines from the top, so blocks
of unknown height above it never move what is being read, and a million blocks cost nothing.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable

from rich.segment import Segment
from textual import events
from textual.geometry import Region, Size
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from pitree.app.actions import PANE, bindings

RENDERED_BLOCKS = 256
"""Blocks whose lines are kept."""

WHEEL_LINES = 3

Render = Callable[[int, int], list[Strip]]
"""Gives the lines of a block, by its number and the width in columns."""


class BlockList(Widget, can_focus=True):
    """Shows blocks one below the other; keys and the wheel move through them."""

    BINDINGS = bindings(PANE)
    COMPONENT_CLASSES = {"block-list--bar", "block-list--selected"}
    DEFAULT_CSS = """
    BlockList { height: 1fr; }
    BlockList > .block-list--bar { color: $foreground 30%; }
    BlockList > .block-list--selected { background: $boost; }
    """

    class Clicked(Message):
        """A block was clicked."""

        def __init__(self, sender: BlockList, block: int) -> None:
            """A click on `block` of `sender`."""
            super().__init__()
            self.sender = sender
            self.block = block

        @property
        def control(self) -> BlockList:
            """The list."""
            return self.sender

    def __init__(self, *, id: str | None = None) -> None:
        """An empty list."""
        super().__init__(id=id)
        self._count = 0
        self._render_block: Render = lambda _block, _width: []
        self._cache: OrderedDict[int, list[Strip]] = OrderedDict()
        # The end, wherever that is at the width of the moment, while it is None.
        self._top: tuple[int, int] | None = None
        self._selected: int | None = None
        self._screen_lines: list[tuple[int, int]] = []

    @property
    def top(self) -> tuple[int, int]:
        """The block at the top, and its first line that shows."""
        end = self._last_place(max(1, self.size.height))
        return end if self._top is None else min(self._top, end)

    def show(self, count: int, render: Render, *, block: int | None = None) -> None:
        """Show other blocks.

        Args:
            count: How many there are.
            render: Gives their lines.
            block: The block to stand at; the end without it.
        """
        self._count = count
        self._render_block = render
        self._cache.clear()
        self._screen_lines = []
        self._selected = block
        self._top = None if block is None else (block, 0)
        self.refresh()

    def redraw(self) -> None:
        """Render again what shows, at the same place."""
        self._cache.clear()
        self.refresh()

    def select(self, block: int | None) -> None:
        """Mark a block and bring it on the screen."""
        self._selected = block
        if block is not None:
            self._reveal(block)
        self.refresh()

    # ------------------------------------------------------------------ lines

    def _lines(self, block: int) -> list[Strip]:
        lines = self._cache.get(block)
        if lines is None:
            lines = self._render_block(block, max(1, self.size.width - 1))
            self._cache[block] = lines
            if len(self._cache) > RENDERED_BLOCKS:
                self._cache.popitem(last=False)
        return lines

    def _walk(self, place: tuple[int, int], lines: int) -> tuple[int, int]:
        """The place some lines further down, or up; stops at the ends."""
        block, line = place
        line += lines
        while line < 0 and block > 0:
            block -= 1
            line += len(self._lines(block))
        while block < self._count and line >= len(self._lines(block)):
            line -= len(self._lines(block))
            block += 1
        if block >= self._count:
            return self._last_place(1)
        return block, max(0, line)

    def _last_place(self, lines: int) -> tuple[int, int]:
        """The place from which the last lines fill the screen."""
        block, left = self._count, lines
        while left > 0 and block > 0:
            block -= 1
            left -= len(self._lines(block))
        return (block, -left) if left < 0 else (block, 0)

    def _reveal(self, block: int) -> None:
        """Bring a block on the screen: from its first line, unless all of it shows already."""
        block = max(0, min(block, self._count - 1))
        last = len(self._lines(block)) - 1
        if not {(block, 0), (block, last)} <= set(self._screen_lines):
            self._top = (block, 0)

    def render_lines(self, crop: Region) -> list[Strip]:
        """The lines of a part of the screen."""
        self._layout_screen()
        return super().render_lines(crop)

    def render_line(self, y: int) -> Strip:
        """The line of the screen at y."""
        width = self.size.width
        if y >= len(self._screen_lines):
            return Strip.blank(width, self.rich_style)
        block, line = self._screen_lines[y]
        strip = self._lines(block)[line]
        style = self.rich_style
        if block == self._selected:
            style += self.get_component_rich_style("block-list--selected", partial=True)
        body = strip.crop_extend(0, max(0, width - 1), style).apply_style(style)
        return Strip.join([body, self._bar(y)])

    def _layout_screen(self) -> None:
        height = self.size.height
        lines: list[tuple[int, int]] = []
        block, line = self.top
        while block < self._count and len(lines) < height:
            for at in range(line, len(self._lines(block))):
                lines.append((block, at))
                if len(lines) >= height:
                    break
            block, line = block + 1, 0
        self._screen_lines = lines

    def _bar(self, y: int) -> Strip:
        """One cell of the scroll bar, whose thumb stands by blocks."""
        height = max(1, self.size.height)
        thumb = (
            self._screen_lines[0][0] * height // max(1, self._count) if self._screen_lines else 0
        )
        size = max(1, height * len({at for at, _ in self._screen_lines}) // max(1, self._count))
        full = self._count and thumb <= y < thumb + size
        style = self.rich_style + self.get_component_rich_style("block-list--bar", partial=True)
        return Strip([Segment("┃" if full else "│", style)], 1)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """All that there is."""
        return container.height

    # ------------------------------------------------------------------ moving

    def on_resize(self) -> None:
        """Wrap again, with the same line at the top."""
        self._cache.clear()
        self.refresh()

    def action_scroll(self, lines: int) -> None:
        """Move by lines."""
        if self._count:
            place = self._walk(self.top, lines)
            at_end = place >= self._last_place(max(1, self.size.height))
            self._top = None if at_end else place
            self.refresh()

    def action_scroll_page(self, pages: int) -> None:
        """Move by pages, one line short."""
        self.action_scroll(pages * max(1, self.size.height - 1))

    def action_first(self) -> None:
        """Go to the first line."""
        self._top = (0, 0)
        self.refresh()

    def action_last(self) -> None:
        """Go to the last line."""
        self._top = None
        self.refresh()

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """The wheel, down."""
        event.stop()
        self.action_scroll(WHEEL_LINES)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """The wheel, up."""
        event.stop()
        self.action_scroll(-WHEEL_LINES)

    def on_click(self, event: events.Click) -> None:
        """Tell which block was clicked."""
        offset = event.get_content_offset(self)
        if offset is not None and offset.y < len(self._screen_lines):
            self.post_message(self.Clicked(self, self._screen_lines[offset.y][0]))

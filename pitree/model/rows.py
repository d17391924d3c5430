"""The visible rows of a session tree: Pi's filters, folds, order and connectors.

A filter is a byte mask over all entries; a run shows as many rows as its slice of the mask has
ones. Runs without a row are skipped, and what hangs on them hangs on the nearest run above that
shows one, as in Pi's tree. So a view costs by runs: 4 ms at a million entries in 4,500 runs.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from pitree.model.collector import collector_paused
from pitree.model.filters import FilterMode, filter_mask
from pitree.model.layout import Layout
from pitree.model.tree import SessionTree

_PIECE = 4096


@dataclass(frozen=True, slots=True)
class TreeRow:
    """One visible row.

    Attributes:
        row: The entry.
        indent: How many steps of three columns it is indented.
        prefix: Those columns: gutters, connector, fold mark.
        folded: Whether what hangs on it is folded away.
        foldable: Whether it starts a segment that can be folded.
        on_path: Whether it lies on the path to the leaf.
    """

    row: int
    indent: int
    prefix: str
    folded: bool
    foldable: bool
    on_path: bool


class VisibleRows:
    """The rows of a tree under a filter, folds and a search, in the order in which Pi shows them.

    Attributes:
        tree: The tree.
        mode: The filter.
        leaf: The position that comes first and is always shown, None before the first entry.
        folds: The folded rows.
        mask: One byte per entry: 1 where filter and search let it through.
    """

    def __init__(
        self,
        tree: SessionTree,
        mode: FilterMode = "default",
        *,
        leaf: int | None,
        labeled: Iterable[int] = (),
        matches: Collection[int] | None = None,
        folds: Collection[int] = (),
    ) -> None:
        """Lay out a tree.

        Args:
            tree: The tree.
            mode: Pi's filter.
            leaf: The current position.
            labeled: Rows that have a label, for `labeled-only`.
            matches: Rows that the search found; None without a search.
            folds: Rows whose descendants are hidden.
        """
        self.tree = tree
        self.mode = mode
        self.leaf = leaf
        self.folds = set(folds)
        with collector_paused():
            self._on_path = tree.on_path(leaf)
            self.mask = filter_mask(tree.index.kind, mode, leaf, labeled, matches)
            self._cuts = self._fold_cuts()
            self._layout = Layout(tree, self.mask, self._cuts, self._on_path)
        self._places: dict[int, int] | None = None
        self._whole: dict[int, int] | None = None

    @property
    def multiple_roots(self) -> bool:
        """Whether several rows hang on nothing."""
        return self._layout.multiple_roots

    def _fold_cuts(self) -> dict[int, int]:
        """For each run with a fold, the row behind which nothing shows."""
        cuts: dict[int, int] = {}
        for row in self.folds:
            run = self.tree.run_of(row)
            cuts[run] = min(row, cuts.get(run, row))
        return cuts

    # ------------------------------------------------------------------ rows

    def __len__(self) -> int:
        """The number of visible rows."""
        return self._layout.before[-1]

    def __getitem__(self, at: int) -> TreeRow:
        """The row at a position from the top."""
        return self.row(at)

    def __iter__(self) -> Iterator[TreeRow]:
        """The rows from the top."""
        return (self.row(at) for at in range(len(self)))

    def row(self, at: int, left: int = 0, width: int | None = None) -> TreeRow:
        """The row at a position from the top.

        Args:
            at: The position.
            left: Columns of the prefix that are cut off at the left.
            width: Columns of it that are wanted; all without it. A session that forks at every
                entry is indented by millions of columns.
        """
        run, nth = self._run_at(at)
        row = self._select(run, nth)
        indent = self._layout.indent[run]
        if nth and self._layout.branched[run]:
            indent += 1
        shown = max(0, indent - 1) if self.multiple_roots else indent
        folded = row in self.folds
        foldable = self._is_foldable(run, nth)
        mark = "⊞" if folded else "⊟" if foldable else "─"
        right = 3 * shown if width is None else min(3 * shown, left + width)
        prefix = self._prefix(run, nth, shown, mark, left, right)
        return TreeRow(row, shown, prefix, folded, foldable, self._is_on_path(run, row))

    def _is_on_path(self, run: int, row: int) -> bool:
        """Whether a row lies on the path to the leaf."""
        if not self._on_path[run]:
            return False
        if self.tree.walks_end_early:
            return row in self.tree.path(self.leaf)
        leaf = -1 if self.leaf is None else self.leaf
        return row <= leaf or run != self.tree.run_of(leaf)

    def entry_row(self, at: int) -> int:
        """The entry at a position from the top."""
        return self._select(*self._run_at(at))

    def _run_at(self, at: int) -> tuple[int, int]:
        if not 0 <= at < len(self):
            raise IndexError(at)
        place = bisect_right(self._layout.before, at) - 1
        return self._layout.order[place], at - self._layout.before[place]

    def _select(self, run: int, nth: int) -> int:
        """The nth visible row of a run."""
        at, count = self.tree.starts[run], self.mask.count
        while (here := count(1, at, at + _PIECE)) <= nth:
            nth -= here
            at += _PIECE
        end = at + _PIECE
        while end - at > 1:
            middle = (at + end) // 2
            here = count(1, at, middle)
            if here > nth:
                end = middle
            else:
                nth -= here
                at = middle
        return at

    def position(self, row: int) -> int | None:
        """Where an entry stands, None if it is hidden."""
        if not 0 <= row < len(self.mask) or not self.mask[row]:
            return None
        run = self.tree.run_of(row)
        place = self._place_of(run)
        if place is None or (run in self._cuts and row > self._cuts[run]):
            return None
        return self._layout.before[place] + self.mask.count(1, self.tree.starts[run], row)

    def nearest(self, row: int | None) -> int | None:
        """The position of an entry or of its nearest visible ancestor, else the last row.

        None if there is no row at all.
        """
        if not len(self):
            return None
        for start, end in reversed(self.tree.path(row).pieces):
            run = self.tree.run_of(start)
            if self._place_of(run) is not None:
                at = self.mask.rfind(1, start, min(end, self._cuts.get(run, end) + 1))
                if at >= 0:
                    return self.position(at)
        return len(self) - 1

    def _place_of(self, run: int) -> int | None:
        """The place of a run among those that show a row."""
        if self._places is None:
            self._places = {run: place for place, run in enumerate(self._layout.order)}
        return self._places.get(run)

    def _end_of(self, run: int) -> int:
        """The position behind the last row of a run that shows one."""
        return self._layout.before[(self._place_of(run) or 0) + 1]

    # ------------------------------------------------------------------ looks

    def _is_foldable(self, run: int, nth: int) -> bool:
        """Whether a row has rows below and starts a segment: a root, or one of several."""
        if nth or not (self._layout.branched[run] or self._layout.parent[run] < 0):
            return False
        return self._layout.shows[run] > 1 or (run not in self._cuts and self._has_below(run))

    def _has_below(self, run: int) -> bool:
        place = (self._place_of(run) or 0) + 1
        order = self._layout.order
        return place < len(order) and self._layout.parent[order[place]] == run

    def _prefix(self, run: int, nth: int, shown: int, mark: str, left: int, right: int) -> str:
        cells = [" "] * max(0, right - left)

        def put(column: int, text: str) -> None:
            if left <= column < right:
                cells[column - left] = text

        layout = self._layout
        if nth == 0 and layout.connects(run) and shown:
            put(3 * shown - 3, "└" if layout.last[run] else "├")
            put(3 * shown - 2, mark)
        above = layout.parent[run] if nth == 0 else run
        while above >= 0:
            column = 3 * max(0, layout.shown_indent(above) - 1)
            if layout.connects(above) and not layout.last[above]:
                put(column, "│")
            if column < left:
                break
            above = layout.parent[above]
        return "".join(cells)

    def comes_before(self, a: int, b: int) -> bool:
        """Whether an entry stands before another in the whole tree, hidden ones included."""
        if self._whole is None:
            order = self.tree.preorder(self._on_path)
            self._whole = {run: at for at, run in enumerate(order)}
        runs = self.tree.run_of(a), self.tree.run_of(b)
        places = [self._whole.get(run, -1) for run in runs]
        return (places[0], a) < (places[1], b)

    # ------------------------------------------------------------------ walking

    def parent_of(self, at: int) -> int | None:
        """The position of the nearest visible ancestor."""
        run, nth = self._run_at(at)
        if nth:
            return at - 1
        above = self._layout.parent[run]
        return None if above < 0 else self._end_of(above) - 1

    def segment_up(self, at: int) -> int:
        """Pi's jump up: the nearest start of a segment above, or the root."""
        layout = self._layout
        run, _ = self._run_at(at)
        while True:
            start = layout.before[self._place_of(run) or 0]
            if layout.parent[run] < 0 or (layout.branched[run] and start < at):
                return start
            run = layout.parent[run]

    def segment_down(self, at: int) -> int:
        """Pi's jump down: along first children to the next start of a segment, or to the end."""
        layout = self._layout
        place = bisect_right(layout.before, at) - 1
        while place + 1 < len(layout.order):
            below = layout.order[place + 1]
            if layout.parent[below] != layout.order[place]:
                break
            if layout.branched[below]:
                return layout.before[place + 1]
            place += 1
        return layout.before[place + 1] - 1

    def forks(self) -> list[int]:
        """The positions with two or more rows hanging on them, ascending."""
        layout = self._layout
        above = {layout.parent[run] for run in layout.order if layout.connects(run)}
        return sorted(self._end_of(run) - 1 for run in above)

"""The visible rows of a session tree: Pi's filters, folds, order and connectors.

A filter is a byte mask over all entries; a run shows as many rows as its slice of the mask has
ones. Runs without a row are skipped, and what hangs on them hangs on the nearest run above that
shows one, as in Pi's tree. So a view costs by runs: 4 ms at a million entries in 4,500 runs.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from itertools import accumulate
from typing import Literal

from pitree.model.collector import collector_paused
from pitree.model.entries import Kind
from pitree.model.tree import SessionTree, leaf_first

FilterMode = Literal["default", "no-tools", "user-only", "labeled-only", "all"]
FILTER_MODES: tuple[FilterMode, ...] = (
    "default",
    "no-tools",
    "user-only",
    "labeled-only",
    "all",
)

_SETTINGS = {
    Kind.LABEL,
    Kind.CONTEXT_EDIT,
    Kind.CUSTOM,
    Kind.MODEL_CHANGE,
    Kind.THINKING_LEVEL_CHANGE,
    Kind.SESSION_INFO,
}
_NEVER = {Kind.USAGE, Kind.ASSISTANT_SILENT}
_HIDDEN: dict[FilterMode, set[Kind]] = {
    "default": _NEVER | _SETTINGS,
    "no-tools": _NEVER | _SETTINGS | {Kind.TOOL_RESULT},
    "user-only": set(Kind) - {Kind.USER},
    "labeled-only": _NEVER,
    "all": _NEVER,
}
_TABLES = {
    mode: bytes(kind not in hidden for kind in range(256)) for mode, hidden in _HIDDEN.items()
}
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
            self.path = tree.path(leaf)
            self.mask = _mask(tree, mode, leaf, labeled, matches)
            self._cuts = self._fold_cuts()
            self._lay_out()

    def _fold_cuts(self) -> dict[int, int]:
        """For each run with a fold, the row behind which nothing shows."""
        cuts: dict[int, int] = {}
        for row in self.folds:
            run = self.tree.run_of(row)
            cuts[run] = min(row, cuts.get(run, row))
        return cuts

    def _lay_out(self) -> None:
        tree, cuts = self.tree, self._cuts
        mask, count = self.mask, self.mask.count
        spans = zip(tree.starts, tree.ends, strict=True)
        shows = [mask[a] if b - a == 1 else count(1, a, b) for a, b in spans]
        for run, row in cuts.items():
            shows[run] = count(1, tree.starts[run], row + 1)
        first = self._first = set(tree.path_runs(self.leaf))
        has_empty = 0 in shows
        below = tree.below
        if cuts:
            below = {run: kids for run, kids in below.items() if run not in cuts}
        # By run: the indent of its first row, the run it hangs on, whether it is one of several
        # and the last of them. A session that forks at every entry comes here once for each.
        self._indent = indent = [0] * len(shows)
        self._parent = parent = [-1] * len(shows)
        self._last = last = bytearray(len(shows))
        self._branched = branched = bytearray(len(shows))
        self._shows = shows
        self._order_runs = order = []
        roots = leaf_first(tree.roots, first)
        if has_empty:
            roots = self._visible(roots, below)
        self.multiple_roots = len(roots) > 1
        if self.multiple_roots:
            for run in roots:
                indent[run] = branched[run] = 1
        if roots:
            last[roots[-1]] = 1
        stack = roots[::-1]
        pop, take, kids_of = stack.pop, order.append, below.get
        while stack:
            run = pop()
            take(run)
            kids = kids_of(run)
            if kids is None:
                continue
            if run in first and kids[0] not in first:
                kids = leaf_first(kids, first)
            if has_empty:
                kids = self._visible(kids, below)
                if not kids:
                    continue
            step = indent[run]
            if branched[run] and (len(kids) == 1 or shows[run] > 1):
                step += 1
            if len(kids) == 1:
                kid = kids[0]
                indent[kid] = step
                parent[kid] = run
                last[kid] = 1
                stack.append(kid)
                continue
            step += 1
            for kid in reversed(kids):
                indent[kid] = step
                parent[kid] = run
                branched[kid] = 1
                stack.append(kid)
            last[kids[-1]] = 1
        self._before = [0, *accumulate([shows[run] for run in order])]
        self._place: dict[int, int] | None = None
        self._whole: dict[int, int] | None = None

    def _visible(self, runs: list[int], below: dict[int, list[int]]) -> list[int]:
        """Runs with rows: the given ones, and in place of an empty one what hangs on it."""
        shows, first = self._shows, self._first
        if all(shows[run] for run in runs):
            return runs
        found: list[int] = []
        stack = runs[::-1]
        while stack:
            run = stack.pop()
            if shows[run]:
                found.append(run)
            elif run in below:
                kids = below[run]
                stack.extend(reversed(leaf_first(kids, first) if run in first else kids))
        return found

    # ------------------------------------------------------------------ rows

    def __len__(self) -> int:
        """The number of visible rows."""
        return self._before[-1]

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
        indent = self._indent[run]
        if nth and self._branched[run]:
            indent += 1
        shown = max(0, indent - 1) if self.multiple_roots else indent
        folded = row in self.folds
        foldable = self._is_foldable(run, nth)
        mark = "⊞" if folded else "⊟" if foldable else "─"
        right = 3 * shown if width is None else min(3 * shown, left + width)
        prefix = self._prefix(run, nth, shown, mark, left, right)
        return TreeRow(row, shown, prefix, folded, foldable, row in self.path)

    def entry_row(self, at: int) -> int:
        """The entry at a position from the top."""
        return self._select(*self._run_at(at))

    def _run_at(self, at: int) -> tuple[int, int]:
        if not 0 <= at < len(self):
            raise IndexError(at)
        place = bisect_right(self._before, at) - 1
        return self._order_runs[place], at - self._before[place]

    def _select(self, run: int, nth: int) -> int:
        """The nth visible row of a run."""
        at, end = self.tree.starts[run], self.tree.ends[run]
        mask = self.mask
        while (here := mask.count(1, at, min(at + _PIECE, end))) <= nth:
            nth -= here
            at += _PIECE
        at -= 1
        for _ in range(nth + 1):
            at = mask.find(1, at + 1)
        return at

    def position(self, row: int) -> int | None:
        """Where an entry stands, None if it is hidden."""
        if not 0 <= row < len(self.mask) or not self.mask[row]:
            return None
        run = self.tree.run_of(row)
        place = self._places().get(run)
        if place is None or (run in self._cuts and row > self._cuts[run]):
            return None
        return self._before[place] + self.mask.count(1, self.tree.starts[run], row)

    def nearest(self, row: int | None) -> int | None:
        """The position of an entry or of its nearest visible ancestor, else the last row.

        None if there is no row at all.
        """
        if not len(self):
            return None
        places = self._places()
        for start, end in reversed(self.tree.path(row).pieces):
            run = self.tree.run_of(start)
            if run in places:
                at = self.mask.rfind(1, start, min(end, self._cuts.get(run, end) + 1))
                if at >= 0:
                    return self.position(at)
        return len(self) - 1

    def _places(self) -> dict[int, int]:
        if self._place is None:
            self._place = {run: place for place, run in enumerate(self._order_runs)}
        return self._place

    # ------------------------------------------------------------------ looks

    def _is_foldable(self, run: int, nth: int) -> bool:
        """Whether a row has rows below and starts a segment: a root, or one of several."""
        if nth or not (self._branched[run] or self._parent[run] < 0):
            return False
        return self._shows[run] > 1 or (run not in self._cuts and self._has_below(run))

    def _has_below(self, run: int) -> bool:
        place = self._places()[run] + 1
        return place < len(self._order_runs) and self._parent[self._order_runs[place]] == run

    def _prefix(self, run: int, nth: int, shown: int, mark: str, left: int, right: int) -> str:
        cells = [" "] * max(0, right - left)

        def put(column: int, text: str) -> None:
            if left <= column < right:
                cells[column - left] = text

        if nth == 0 and self._connects(run) and shown:
            put(3 * shown - 3, "└" if self._last[run] else "├")
            put(3 * shown - 2, mark)
        above = self._parent[run] if nth == 0 else run
        while above >= 0:
            column = 3 * max(0, self._shown_indent(above) - 1)
            if self._connects(above) and not self._last[above]:
                put(column, "│")
            if column < left:
                break
            above = self._parent[above]
        return "".join(cells)

    def _connects(self, run: int) -> bool:
        """Whether the first row of a run has a connector: one of several below a row."""
        return bool(self._branched[run]) and self._parent[run] >= 0

    def _shown_indent(self, run: int) -> int:
        return max(0, self._indent[run] - 1) if self.multiple_roots else self._indent[run]

    def comes_before(self, a: int, b: int) -> bool:
        """Whether an entry stands before another in the whole tree, hidden ones included."""
        if self._whole is None:
            order = self.tree.preorder(self._first)
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
        above = self._parent[run]
        return None if above < 0 else self._before[self._places()[above] + 1] - 1

    def segment_up(self, at: int) -> int:
        """Pi's jump up: the nearest start of a segment above, or the root."""
        place = bisect_right(self._before, at) - 1
        while True:
            run = self._order_runs[place]
            start = self._before[place]
            if self._parent[run] < 0 or (self._branched[run] and start < at):
                return start
            place = self._places()[self._parent[run]]

    def segment_down(self, at: int) -> int:
        """Pi's jump down: along first children to the next start of a segment, or to the end."""
        place = bisect_right(self._before, at) - 1
        while place + 1 < len(self._order_runs):
            below = self._order_runs[place + 1]
            if self._parent[below] != self._order_runs[place]:
                break
            if self._branched[below]:
                return self._before[place + 1]
            place += 1
        return self._before[place + 1] - 1

    def forks(self) -> list[int]:
        """The positions with two or more rows hanging on them, ascending."""
        above = {self._parent[run] for run in self._order_runs if self._connects(run)}
        places = self._places()
        return sorted(self._before[places[run] + 1] - 1 for run in above)

    def siblings(self, at: int) -> list[int]:
        """The positions of the rows that hang where this row's segment hangs, itself included."""
        run = self._order_runs[bisect_right(self._before, at) - 1]
        while self._parent[run] >= 0 and not self._branched[run]:
            run = self._parent[run]
        same = [
            place
            for place, other in enumerate(self._order_runs)
            if self._parent[other] == self._parent[run]
        ]
        return [self._before[place] for place in same]


def _mask(
    tree: SessionTree,
    mode: FilterMode,
    leaf: int | None,
    labeled: Iterable[int],
    matches: Collection[int] | None,
) -> bytearray:
    kinds = tree.index.kind
    mask = kinds.translate(_TABLES[mode])
    if leaf is not None and kinds[leaf] == Kind.ASSISTANT_SILENT:
        mask[leaf] = mode != "user-only"
    if mode == "labeled-only":
        mask = _only(mask, labeled)
    if matches is not None:
        mask = _only(mask, matches)
    return mask


def _only(mask: bytearray, rows: Iterable[int]) -> bytearray:
    kept = bytearray(len(mask))
    for row in rows:
        kept[row] = mask[row]
    return kept

"""The tree of a session, as runs: chains of entries that lie one behind the other in the file.

A million entries with half a per cent of branches are a few thousand runs. Everything that walks
the tree (paths, children, flattening) costs by runs, never by entries, and nothing recurses.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from functools import cmp_to_key
from math import isnan

from pitree.model.collector import collector_paused
from pitree.model.entries import SPEAKING_KINDS
from pitree.model.index import ROOT, Flag, SessionIndex
from pitree.model.ranges import RowRanges

_SPEAKS = bytes(kind in SPEAKING_KINDS for kind in range(256))

_PATH_ENDS = bytes(bool(flags & Flag.PATH_END) for flags in range(256))


class SessionTree:
    """Who hangs on whom.

    Attributes:
        starts: First row of each run, ascending.
        ends: The row behind the last one of each run.
        above: The run that each run hangs on (at its last row), or `ROOT`, or `DROPPED`.
        below: The runs that hang on each run, in Pi's order: oldest first, ties in file order.
        walks_end_early: Whether a walk to the root may end before it: in a cycle, or at "".
        branched: 1 for each run that is one of several that hang on one row.
        roots: The runs without a parent, in file order.
    """

    def __init__(self, index: SessionIndex) -> None:
        """Build the runs of an index; costs by forks, not by entries."""
        self.index = index
        self.walks_end_early = any(item.kind == "cycle" for item in index.damage) or (
            index.flags.translate(_PATH_ENDS).find(1) >= 0
        )
        count = len(index)
        with collector_paused():
            cuts = set(index.odd)
            cuts.update([above + 1 for above in index.odd_parent if above >= 0])
            if count:
                cuts.add(0)
            cuts.discard(count)
            self.starts = array("I", sorted(cuts))
            self.ends = self.starts[1:]
            if count:
                self.ends.append(count)
            self.above = array("i", [ROOT]) * len(self.starts)
            self.below: dict[int, list[int]] = {}
            self.branched = bytearray(len(self.starts))
            self.roots: list[int] = []
            self._link()

    def _link(self) -> None:
        index, below, above_of = self.index, self.below, self.above
        odd = dict(zip(index.odd, index.odd_parent, strict=True))
        run_at = {start: run for run, start in enumerate(self.starts)}
        last = len(self.starts) - 1
        several = []
        for start, run in run_at.items():
            parent = odd.get(start, start - 1)
            if parent < 0:
                above_of[run] = parent
                if parent == ROOT:
                    self.roots.append(run)
                continue
            # What hangs on a row ends its run, so the next run starts behind it.
            above = run_at.get(parent + 1, last + 1) - 1
            above_of[run] = above
            kids = below.get(above)
            if kids is None:
                below[above] = [run]
            else:
                kids.append(run)
                if len(kids) == 2:
                    several.append(kids)
        times = dict(zip(index.odd, index.odd_time, strict=True))
        for kids in several:
            self._sort(kids, times)
            for run in kids:
                self.branched[run] = 1

    def _sort(self, runs: list[int], times: dict[int, float]) -> None:
        """Bring siblings into Pi's order: oldest first, ties in file order."""
        starts = self.starts
        when = [times[starts[run]] for run in runs]
        if any(map(isnan, when)):
            # Pi's comparator calls whatever it can't compare equal; Python's sort then gives the
            # same order as Node's in every case of the kits.
            def compare(a: int, b: int) -> int:
                x, y = times[starts[a]], times[starts[b]]
                return (x > y) - (x < y)

            runs.sort(key=cmp_to_key(compare))
        elif when != sorted(when):
            runs.sort(key=lambda run: times[starts[run]])

    def run_of(self, row: int) -> int:
        """The run that a row is in."""
        return bisect_right(self.starts, row) - 1

    def in_tree(self, row: int) -> bool:
        """Whether Pi's tree reaches the row: it is no earlier line of an id and in no cycle."""
        run = self.run_of(row)
        seen: set[int] = set()
        while run not in seen:
            seen.add(run)
            above = self.above[run]
            if above < 0:
                return above == ROOT
            run = above
        return False

    def parent(self, row: int) -> int | None:
        """The parent's row, None for a root and for what Pi drops."""
        above = self.index.parent(row)
        return above if above >= 0 else None

    def children(self, row: int | None) -> list[int]:
        """The rows below a row in Pi's order; the roots for None."""
        if row is None:
            return [self.starts[run] for run in self.roots]
        run = self.run_of(row)
        if row + 1 < self.ends[run]:
            return [row + 1]
        return [self.starts[below] for below in self.below.get(run, ())]

    def path(self, row: int | None) -> RowRanges:
        """The rows from the root to a row, as Pi's walk from child to parent finds them.

        A walk that comes to a row again ends there.
        """
        if row is None:
            return RowRanges([])
        if self.walks_end_early:
            return self._careful_path(row)
        starts, ends = self.starts, self.ends
        run, *runs = self.path_runs(row)
        return RowRanges(
            [*((starts[at], ends[at]) for at in reversed(runs)), (starts[run], row + 1)]
        )

    def path_runs(self, row: int | None) -> list[int]:
        """The runs from a row up to its root in Pi's tree, the row's own first.

        They go on where a path ends early at a parent id of "": Pi's tree does, too.
        """
        if row is None:
            return []
        runs, above = [], self.above
        run = self.run_of(row)
        if self.walks_end_early:
            seen: set[int] = set()
            while run >= 0 and run not in seen:
                seen.add(run)
                runs.append(run)
                run = above[run]
            return runs
        while run >= 0:
            runs.append(run)
            run = above[run]
        return runs

    def _careful_path(self, row: int) -> RowRanges:
        """The path where a walk may end before a root: in a cycle, or at a parent id of ""."""
        pieces: list[tuple[int, int]] = []
        limits: dict[int, int] = {}
        while row >= 0:
            run = self.run_of(row)
            start = self.starts[run]
            if run in limits:
                if row > limits[run]:
                    pieces.append((limits[run] + 1, row + 1))
                break
            limits[run] = row
            pieces.append((start, row + 1))
            if self.index.flags[start] & Flag.PATH_END:
                break
            row = self.index.parent(start)
        pieces.reverse()
        return RowRanges(pieces)

    def common_ancestor(self, a: int | None, b: int | None) -> int | None:
        """The deepest row that both paths hold."""
        last = None
        for (start, end), (start_b, end_b) in zip(
            self.path(a).pieces, self.path(b).pieces, strict=False
        ):
            if start != start_b:
                break
            last = min(end, end_b) - 1
            if end != end_b:
                break
        return last

    def _speaking(self, mask: bytearray) -> list[bool]:
        """For each run, whether it or a run below it holds an entry that speaks."""
        speaking = [mask.find(1, a, b) >= 0 for a, b in zip(self.starts, self.ends, strict=True)]
        for run in reversed(self.preorder()):
            above = self.above[run]
            if speaking[run] and above >= 0:
                speaking[above] = True
        return speaking

    def on_path(self, row: int | None) -> bytearray:
        """One byte for each run: 1 for those that the path to a row touches."""
        marks = bytearray(len(self.starts))
        if row is None or self.walks_end_early:
            for run in self.path_runs(row):
                marks[run] = 1
            return marks
        run, above = self.run_of(row), self.above
        while run >= 0:
            marks[run] = 1
            run = above[run]
        return marks

    def preorder(self, first: bytearray | None = None) -> list[int]:
        """The runs that Pi's tree reaches, parents before children, in Pi's order.

        Args:
            first: Marks the runs of a path, which come before their siblings.
        """
        first = bytearray(len(self.starts)) if first is None else first
        order: list[int] = []
        stack = leaf_first(self.roots, first)[::-1]
        while stack:
            run = stack.pop()
            order.append(run)
            stack.extend(reversed(leaf_first(self.below.get(run, []), first)))
        return order

    def forks(self) -> list[int]:
        """The rows with two or more children whose subtrees speak, ascending."""
        speaking = self._speaking(self.index.kind.translate(_SPEAKS))
        return sorted(
            self.ends[run] - 1
            for run in self.preorder()
            if sum(speaking[below] for below in self.below.get(run, ())) > 1
        )

    def tips(self) -> list[int]:
        """The last speaking row of each branch, in Pi's order: a label or a setting is no tip."""
        mask = self.index.kind.translate(_SPEAKS)
        speaking = self._speaking(mask)
        tips = []
        for run in self.preorder():
            if speaking[run] and not any(speaking[below] for below in self.below.get(run, ())):
                tips.append(mask.rfind(1, self.starts[run], self.ends[run]))
        return tips


def leaf_first(runs: list[int], first: bytearray) -> list[int]:
    """Siblings with the one that `first` marks before the others."""
    for at, run in enumerate(runs):
        if first[run]:
            return [run, *runs[:at], *runs[at + 1 :]]
    return runs


def _compare(a: float, b: float) -> int:
    return (a > b) - (a < b)

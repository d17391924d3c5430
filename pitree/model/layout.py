"""The runs of a view in order, with the shape that Pi gives them.

Runs without a visible row are skipped, and what hangs on them hangs on the nearest run above that
shows one. A session that forks at every entry has as many runs as entries: the loop here takes
0.4 µs for each.
"""

from __future__ import annotations

from array import array
from itertools import accumulate

from pitree.model.tree import SessionTree, leaf_first


class Layout:
    """Order and shape of the runs that show a row.

    Attributes:
        shows: Visible rows of each run.
        order: The runs that show one, from the top.
        before: How many rows stand above each run of `order`, and at last the number of all.
        indent: Indent of the first row of each run, in steps; the others of a run that is one of
            several are indented by one more.
        parent: The run that each hangs on, negative for none.
        branched: Whether the run is one of several that hang on one row, or one of several roots.
        last: Whether it is the last of them.
        multiple_roots: Whether several rows hang on nothing; Pi shows them one step to the left.
    """

    def __init__(
        self, tree: SessionTree, mask: bytearray, cuts: dict[int, int], path: bytearray
    ) -> None:
        """Lay out a tree.

        Args:
            tree: The tree.
            mask: One byte per entry: 1 for visible ones.
            cuts: Runs with a folded row → that row, behind which nothing shows.
            path: Marks the runs of the path to the leaf, which come first among their siblings.
        """
        count = mask.count
        spans = zip(tree.starts, tree.ends, strict=True)
        every_row_a_run = len(tree.starts) == len(mask)
        self.shows = shows = (
            list(mask)
            if every_row_a_run
            else [mask[a] if b - a == 1 else count(1, a, b) for a, b in spans]
        )
        for run, row in cuts.items():
            shows[run] = count(1, tree.starts[run], row + 1)
        self._path = path
        self._below = below = tree.below
        if cuts:
            self._below = below = {run: kids for run, kids in below.items() if run not in cuts}
        has_empty = 0 in shows
        self.indent = indent = [0] * len(shows)
        self.last = last = bytearray(len(shows))
        self.parent: array[int] = array("i", [-1]) * len(shows) if has_empty else tree.above
        self.branched = branched = bytearray(len(shows) if has_empty else tree.branched)
        self.order: list[int] = []
        roots = leaf_first(tree.roots, path)
        if has_empty:
            roots = self._visible(roots)
        self.multiple_roots = len(roots) > 1
        if self.multiple_roots:
            for run in roots:
                indent[run] = branched[run] = 1
        if roots:
            last[roots[-1]] = 1
        stack = roots[::-1]
        pop, push, take, kids_of = stack.pop, stack.append, self.order.append, below.get
        while stack:
            run = pop()
            take(run)
            kids = kids_of(run)
            if kids is None:
                continue
            if has_empty:
                kids = self._adopt(run, leaf_first(kids, path) if path[run] else kids)
                if not kids:
                    continue
            elif path[run] and not path[kids[0]]:
                # Most forks have two branches, and a call for each is a third of the loop.
                if len(kids) > 2:
                    kids = leaf_first(kids, path)
                elif path[kids[-1]]:
                    kids = kids[::-1]
            step = indent[run]
            if len(kids) > 1:
                step += 2 if branched[run] and shows[run] > 1 else 1
            elif branched[run]:
                step += 1
            if len(kids) == 2:
                one, other = kids
                indent[one] = indent[other] = step
                last[other] = 1
                push(other)
                push(one)
                continue
            for kid in kids:
                indent[kid] = step
            last[kids[-1]] = 1
            stack += kids[::-1]
        if every_row_a_run and not has_empty:
            self.before = list(range(len(self.order) + 1))
        else:
            self.before = [0, *accumulate([shows[run] for run in self.order])]

    def _adopt(self, run: int, kids: list[int]) -> list[int]:
        """What hangs on a run in this view, and how."""
        found = self._visible(kids)
        for kid in found:
            self.parent[kid] = run
            self.branched[kid] = len(found) > 1
        return found

    def _visible(self, runs: list[int]) -> list[int]:
        """Runs with rows: the given ones, and in place of an empty one what hangs on it."""
        shows, path = self.shows, self._path
        if all(shows[run] for run in runs):
            return runs
        found: list[int] = []
        stack = runs[::-1]
        while stack:
            run = stack.pop()
            if shows[run]:
                found.append(run)
            elif run in self._below:
                kids = self._below[run]
                stack.extend(reversed(leaf_first(kids, path) if path[run] else kids))
        return found

    def shown_indent(self, run: int) -> int:
        """The indent of a run's first row as it is printed."""
        return max(0, self.indent[run] - 1) if self.multiple_roots else self.indent[run]

    def connects(self, run: int) -> bool:
        """Whether the first row of a run has a connector: one of several below a row."""
        return bool(self.branched[run]) and self.parent[run] >= 0

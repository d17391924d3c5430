"""The runs of a view in order, with the shape that Pi gives them.

Runs without a visible row are skipped, and what hangs on them hangs on the nearest run above that
shows one. A session that forks at every entry has as many runs as entries: the loop here takes
0.4 µs for each.
"""

from __future__ import annotations

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
        parent: The run that each hangs on, -1 for none.
        branched: Whether the run is one of several that hang on one row, or one of several roots.
        last: Whether it is the last of them.
        multiple_roots: Whether several rows hang on nothing; Pi shows them one step to the left.
    """

    def __init__(
        self, tree: SessionTree, mask: bytearray, cuts: dict[int, int], path: list[int]
    ) -> None:
        """Lay out a tree.

        Args:
            tree: The tree.
            mask: One byte per entry: 1 for visible ones.
            cuts: Runs with a folded row → that row, behind which nothing shows.
            path: The runs of the path to the leaf, which come first among their siblings.
        """
        count = mask.count
        spans = zip(tree.starts, tree.ends, strict=True)
        shows = [mask[a] if b - a == 1 else count(1, a, b) for a, b in spans]
        for run, row in cuts.items():
            shows[run] = count(1, tree.starts[run], row + 1)
        first = set(path)
        has_empty = 0 in shows
        below = tree.below
        if cuts:
            below = {run: kids for run, kids in below.items() if run not in cuts}
        self.shows, self._first = shows, first
        self.indent = indent = [0] * len(shows)
        self.parent = parent = [-1] * len(shows)
        self.last = last = bytearray(len(shows))
        self.branched = branched = bytearray(len(shows))
        order: list[int] = []
        self.order = order
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
        self.before = [0, *accumulate([shows[run] for run in order])]

    def _visible(self, runs: list[int], below: dict[int, list[int]]) -> list[int]:
        """Runs with rows: the given ones, and in place of an empty one what hangs on it."""
        shows, first = self.shows, self._first
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

    def shown_indent(self, run: int) -> int:
        """The indent of a run's first row as it is printed."""
        return max(0, self.indent[run] - 1) if self.multiple_roots else self.indent[run]

    def connects(self, run: int) -> bool:
        """Whether the first row of a run has a connector: one of several below a row."""
        return bool(self.branched[run]) and self.parent[run] >= 0

"""Who is on whose path, for any two rows at the cost of a look-up."""

from __future__ import annotations

from array import array

from pitree.model.index import Flag
from pitree.model.tree import SessionTree


class Ancestry:
    """The runs of a tree numbered in preorder, with the size of what hangs below each.

    Attributes:
        order: The runs that Pi's tree reaches, parents before children.
        end: For each run, the place in `order` behind the last run below it; 0 if not reached.
    """

    def __init__(self, tree: SessionTree) -> None:
        """Number a tree; costs by runs."""
        self._tree = tree
        self.order = tree.preorder()
        count = len(tree.starts)
        self._place = array("i", [-1]) * count
        self._top = array("i", [-1]) * count
        self.end = array("I", [0]) * count
        for place, run in enumerate(self.order):
            self._place[run] = place
            above = tree.above[run]
            cut = above < 0 or tree.index.flags[tree.starts[run]] & Flag.PATH_END
            self._top[run] = run if cut else self._top[above]
        for run in reversed(self.order):
            self.end[run] = max(self.end[run], self._place[run] + 1)
            above = tree.above[run]
            if above >= 0:
                self.end[above] = max(self.end[above], self.end[run])

    def reached(self, row: int) -> bool:
        """Whether Pi's tree reaches a row."""
        return self._place[self._tree.run_of(row)] >= 0

    def holds(self, row: int, below: int) -> bool:
        """Whether the path to `below` holds `row`; it holds `below` itself."""
        run, run_below = self._tree.run_of(row), self._tree.run_of(below)
        if run == run_below:
            return row <= below
        place = self._place[run]
        return (
            place >= 0
            and place <= self._place[run_below] < self.end[run]
            and self._top[run] == self._top[run_below]
        )

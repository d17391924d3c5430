"""Pi's tree and its rows, the slow and plain way: node objects, and a walk for every question."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from functools import cmp_to_key
from typing import Any

from pitree.model import js
from pitree.model.filters import FilterMode

SPEAKING = {"user", "assistant", "silent", "failed", "toolResult", "bashExecution", "system"} | {
    "custom_message",
    "branch_summary",
    "compaction",
}
SETTINGS = {
    "label",
    "custom",
    "model_change",
    "thinking_level_change",
    "session_info",
    "context_edit",
}
MISSING = object()


@dataclass(eq=False)
class Node:
    """An entry with its place in the tree.

    Attributes:
        row: Its row.
        name: The name of its kind in these tests.
        parent: The node it hangs on, None for a root or what is dropped.
        up: The row that a walk to the root finds next.
        children: What hangs on it, in Pi's order.
    """

    row: int
    name: str
    parent: Node | None = None
    up: int | None = None
    children: list[Node] = field(default_factory=list)

    def below(self) -> Iterator[Node]:
        """The node and all below it, in Pi's order."""
        yield self
        for child in self.children:
            yield from child.below()

    def above(self) -> Iterator[Node]:
        """What it hangs on, the nearest first."""
        if self.parent is not None:
            yield self.parent
            yield from self.parent.above()


def _key(value: Any) -> Any:
    """An id as JavaScript's Map tells keys apart; an object equals nothing."""
    if isinstance(value, (dict, list)):
        return object()
    return (type(value).__name__.replace("int", "float"), value)


@dataclass
class SlowRow:
    """One visible row, to compare with `TreeRow`."""

    row: int
    indent: int
    prefix: str
    folded: bool
    foldable: bool
    on_path: bool


class SlowTree:
    """The tree of parsed entries.

    Attributes:
        nodes: A node for each row.
        roots: Those without a parent, in file order.
        dropped: Rows of which a later line has the id.
    """

    def __init__(self, entries: list[dict[str, Any]], names: list[str]) -> None:
        self.nodes = [Node(row, name) for row, name in enumerate(names)]
        self.roots: list[Node] = []
        self.entries = entries
        keys = [_key(entry.get("id", MISSING)) for entry in entries]
        last = {key: row for row, key in enumerate(keys)}
        self.dropped = {row for row, key in enumerate(keys) if last[key] != row}
        for node, entry, key in zip(self.nodes, entries, keys, strict=True):
            if node.row in self.dropped:
                continue
            parent = entry.get("parentId", MISSING)
            above = last.get(_key(parent))
            if parent is None or _key(parent) == key or above is None:
                self.roots.append(node)
                continue
            node.parent = self.nodes[above]
            node.parent.children.append(node)
            if parent is not MISSING and js.truthy(parent):
                node.up = above
        for node in self.nodes:
            node.children.sort(key=cmp_to_key(self._compare))
        self.reached = [node.row for root in self.roots for node in root.below()]

    def _compare(self, a: Node, b: Node) -> int:
        times = [
            js.date_ms(self.entries[node.row].get("timestamp", js.UNDEFINED)) for node in (a, b)
        ]
        return (times[0] > times[1]) - (times[0] < times[1])

    def path(self, row: int | None) -> list[int]:
        """The rows from the root to a row, ended where a walk comes to a row again."""
        found: list[int] = []
        while row is not None and row not in found:
            found.append(row)
            row = self.nodes[row].up
        return found[::-1]

    def lineage(self, row: int) -> list[int]:
        """A row and what it hangs on, up to a root or to a row that came before."""
        found: list[int] = []
        at: int | None = row
        while at is not None and at not in found:
            found.append(at)
            parent = self.nodes[at].parent
            at = None if parent is None else parent.row
        return found

    def common_ancestor(self, a: int | None, b: int | None) -> int | None:
        """The deepest row of both paths, from the root on."""
        last = None
        for one, other in zip(self.path(a), self.path(b), strict=False):
            if one != other:
                break
            last = one
        return last

    def _speaks_below(self, node: Node) -> bool:
        return any(one.name in SPEAKING for one in node.below())

    def forks(self) -> list[int]:
        """Rows with two or more children below which somebody speaks."""
        return sorted(
            row
            for row in self.reached
            if sum(map(self._speaks_below, self.nodes[row].children)) > 1
        )

    def tips(self) -> list[int]:
        """Rows that speak and below which nobody does."""
        return [
            row
            for row in self.reached
            if self.nodes[row].name in SPEAKING
            and not any(map(self._speaks_below, self.nodes[row].children))
        ]

    def is_shown(self, node: Node, mode: FilterMode, leaf: int | None, labeled: set[int]) -> bool:
        """Whether Pi's filter lets a node through."""
        if node.name == "usage" or (node.name == "silent" and node.row != leaf):
            return False
        if mode == "user-only":
            return node.name == "user"
        if mode == "labeled-only":
            return node.row in labeled
        if mode == "all":
            return True
        return node.name not in SETTINGS and not (mode == "no-tools" and node.name == "toolResult")


class SlowRows:
    """The visible rows, as Pi's tree view computes them.

    Attributes:
        order: The visible nodes from the top.
        rows: How they look.
        kids: Row → the visible nodes hanging on it.
        parents: Row → the nearest visible node above.
        whole: All nodes from the top, hidden ones too.
    """

    def __init__(
        self,
        tree: SlowTree,
        mode: FilterMode,
        leaf: int | None,
        labeled: set[int],
        matches: Collection[int] | None,
        folds: set[int],
    ) -> None:
        self._tree = tree
        self._folds = folds
        self._path = set(tree.path(leaf))

        def shows(node: Node) -> bool:
            return (
                tree.is_shown(node, mode, leaf, labeled)
                and (matches is None or node.row in matches)
                and not any(one.row in folds for one in node.above())
            )

        self.whole = list(_leaf_first_order(tree.roots, leaf))
        self.order = [node for node in self.whole if shows(node)]
        visible = {node.row for node in self.order}
        self.kids: dict[int | None, list[Node]] = {}
        self.parents: dict[int, int | None] = {}
        for node in self.order:
            above = next((one.row for one in node.above() if one.row in visible), None)
            self.parents[node.row] = above
            self.kids.setdefault(above, []).append(node)
        self.roots = self.kids.get(None, [])
        self.rows: list[SlowRow] = []
        many = len(self.roots) > 1
        for root in self.roots:
            last = root is self.roots[-1]
            self._lay_out(root, int(many), many, last, [], is_root=True)

    def _lay_out(
        self,
        node: Node,
        indent: int,
        branched: bool,
        last: bool,
        gutters: list[tuple[int, bool]],
        is_root: bool = False,
    ) -> None:
        many = len(self.roots) > 1
        shown = max(0, indent - 1) if many else indent
        connects = branched and not is_root
        kids = self.kids.get(node.row, [])
        starts = is_root or branched
        foldable = bool(kids) and starts
        folded = node.row in self._folds
        prefix = [" "] * (3 * shown)
        for place, show in gutters:
            prefix[3 * place] = "│" if show else " "
        if connects:
            mark = "⊞" if folded else "⊟" if foldable else "─"
            prefix[3 * shown - 3 : 3 * shown - 1] = ["└" if last else "├", mark]
        on_path = node.row in self._path
        self.rows.append(SlowRow(node.row, shown, "".join(prefix), folded, foldable, on_path))
        below = [*gutters, (max(0, shown - 1), not last)] if connects else gutters
        step = indent + 1 if len(kids) > 1 or (branched and indent > 0) else indent
        for kid in kids:
            self._lay_out(kid, step, len(kids) > 1, kid is kids[-1], below)

    def segment_up(self, at: int) -> int:
        """Pi's jump up."""
        position = {node.row: place for place, node in enumerate(self.order)}
        row = self.order[at].row
        while (above := self.parents[row]) is not None:
            if len(self.kids[above]) > 1 and position[row] < at:
                return position[row]
            row = above
        return position[row]

    def segment_down(self, at: int) -> int:
        """Pi's jump down."""
        node = self.order[at]
        while kids := self.kids.get(node.row):
            node = kids[0]
            if len(kids) > 1:
                break
        return self.order.index(node)

    def nearest(self, row: int | None) -> int | None:
        """The place of a row or of the nearest one on its path, else the last row."""
        places = {node.row: place for place, node in enumerate(self.order)}
        for one in reversed(self._tree.path(row)):
            if one in places:
                return places[one]
        return len(self.order) - 1 if self.order else None


def _leaf_first_order(nodes: list[Node], leaf: int | None) -> Iterator[Node]:
    """Depth first, the branch of the leaf before its siblings."""
    for node in sorted(nodes, key=lambda one: all(sub.row != leaf for sub in one.below())):
        yield node
        yield from _leaf_first_order(node.children, leaf)

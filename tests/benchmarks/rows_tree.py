"""Rows 9 and 11: folds, filters and jumps in a million entries, and extreme shapes."""

from __future__ import annotations

import asyncio
import random
import time
from array import array
from pathlib import Path
from typing import cast

from textual.app import App, ComposeResult
from textual.widgets import Tree

from pitree import SessionManager, VisibleRows
from pitree.model.entries import Kind
from pitree.model.filters import FILTER_MODES
from pitree.model.index import SessionIndex
from pitree.model.tree import SessionTree
from tests.benchmarks.harness import TRIES, Row, best, best_of, iterate
from tests.benchmarks.sessions import write_shape

ENTRIES = 1_000_000
RUNS = 4_500
SCREEN = 40
WIDTH = 100
STOCK_NODES = 100_000
TURN = bytes([Kind.USER, Kind.ASSISTANT, Kind.TOOL_RESULT, Kind.ASSISTANT_SILENT, Kind.TOOL_RESULT])


def _index_of_runs() -> SessionIndex:
    """An index of a million messages in so many runs, without a file."""
    choose = random.Random(1)
    index = SessionIndex(header={"type": "session"}, version=3.0)
    index.kind, index.flags = bytearray(TURN * (ENTRIES // len(TURN))), bytearray(ENTRIES)
    index.ids = bytearray(4 * ENTRIES)
    # Each branch makes two runs: itself, and what goes on behind the entry that it hangs on.
    starts = sorted(choose.sample(range(2, ENTRIES), RUNS // 2))
    parents = {0: -1}
    for row in starts:
        parents[row] = choose.randrange(max(0, row - 4000), row - 1)
    for above in list(parents.values())[1:]:
        parents.setdefault(above + 1, above)
    rows = sorted(parents)
    index.odd = array("I", rows)
    index.odd_parent = array("i", [parents[row] for row in rows])
    index.odd_time = array("d", map(float, rows))
    return index


def fold_and_filter() -> list[Row]:
    """9: a fold, a filter, a jump in a million entries, each with the rows of a screen."""
    tree = SessionTree(_index_of_runs())
    leaf = ENTRIES - 1
    whole = VisibleRows(tree, leaf=leaf)
    fold = next(row.row for row in (whole[at] for at in whole.forks()) if row.foldable)
    folds = {tree.starts[run] for run in range(0, len(tree.starts), 3)}

    def show(view: VisibleRows, at: int | None = None) -> None:
        first = len(view) // 2 if at is None else at
        # The screen shifts deep rows to the left, so that their text shows.
        pan = max(0, 3 * view.row(first, 0, 0).indent - WIDTH // 2)
        for place in range(first, min(first + SCREEN, len(view))):
            view.row(place, pan, WIDTH)

    def jump() -> None:
        view = VisibleRows(tree, leaf=leaf)
        at = view.nearest(ENTRIES // 2)
        assert at is not None
        show(view, view.segment_down(view.segment_up(at)))

    names = {
        "fold": lambda: show(VisibleRows(tree, leaf=leaf, folds={fold})),
        "unfold": lambda: show(VisibleRows(tree, leaf=leaf)),
        "layout with a third of the runs folded": lambda: show(
            VisibleRows(tree, leaf=leaf, folds=folds)
        ),
        "jump, laid out anew": jump,
    }
    labeled = range(0, ENTRIES, 1000)
    for mode in FILTER_MODES:
        names[f"filter {mode}"] = lambda mode=mode: show(  # type: ignore[misc]
            VisibleRows(tree, mode, leaf=leaf, labeled=labeled)
        )
    note = f"1M entries, {len(tree.starts):,} runs; layout and {SCREEN} rows"
    seconds = dict(zip(names, best(*names.values()), strict=True))
    return [Row("9", name, value * 1e3, 16, "ms", note) for name, value in seconds.items()]


def stock_tree() -> list[Row]:
    """9: the same fold in Textual's own Tree, which has a tenth of the entries."""
    tree = SessionTree(_index_of_runs())
    fold = tree.starts[len(tree.starts) // 2]

    class Stock(App[None]):
        def compose(self) -> ComposeResult:
            stock: Tree[int] = Tree("root")
            for number in range(STOCK_NODES):
                stock.root.add_leaf(f"user: message {number}")
            stock.root.expand()
            yield stock

    async def measure() -> float:
        app = Stock()
        async with app.run_test() as pilot:
            stock = cast("Tree[int]", app.query_one(Tree))
            shortest = float("inf")
            for _ in range(TRIES):
                stock.root.collapse()
                await pilot.pause()
                start = time.perf_counter()
                stock.root.expand()
                await pilot.pause()
                assert stock.last_line == STOCK_NODES
                shortest = min(shortest, time.perf_counter() - start)
            return shortest

    stock = asyncio.run(measure())
    (ours,) = best(lambda: VisibleRows(tree, leaf=ENTRIES - 1, folds={fold}))
    note = f"{stock * 1e3:.0f} ms for Textual's Tree of {STOCK_NODES:,} to unfold"
    target = stock * 1e3 / 50
    return [Row("9", "fold in 1M / 50th of Textual's Tree", ours * 1e3, target, "ms", note, "L XL")]


def extreme_shapes(folder: Path, entries: int) -> list[Row]:
    """11: a chain, siblings and a comb: no recursion, and flattening costs by entries."""
    return [_extreme_shape(folder, shape, entries) for shape in ("chain", "siblings", "comb")]


def _extreme_shape(folder: Path, shape: str, entries: int) -> Row:
    path = folder / f"{shape}.jsonl"
    write_shape(path, shape, entries)

    async def tree_of() -> SessionTree:
        session = await SessionManager.open(path, cache=False)
        depth = {"chain": entries, "siblings": 2, "comb": entries // 2 + 1}[shape]
        assert len(session) == entries
        assert len(session.path(session.leaf)) == depth
        assert len(list(session.path(session.leaf))) == depth
        await session.close()
        return session.tree

    tree = asyncio.run(tree_of())
    lines, flat = best_of(
        lambda: best(lambda: iterate(path), tries=1)[0],
        lambda: best(lambda: VisibleRows(tree, leaf=entries - 1), tries=1)[0],
    )
    path.unlink()
    view = VisibleRows(tree, leaf=entries - 1)
    assert len(view) == entries
    for at in (0, entries // 2, entries - 1):
        row = view.row(at, 0, 100)
        assert view.position(row.row) == at
        view.segment_up(at)
        view.segment_down(at)
    allowed = max(lines, 0.3e-6 * entries)
    note = f"{flat * 1e3:.0f} ms; N is {lines * 1e3:.0f} ms"
    name = f"flatten {shape} of {entries:,}"
    return Row("11", name, flat / entries * 1e6, allowed / entries * 1e6, "us/entry", note)

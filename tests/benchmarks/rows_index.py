"""Rows 2, 3, 4, 6: the index of a file, made here, made by the worker, taken from the cache."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

from pitree import SessionManager, VisibleRows
from pitree.model.index import SessionIndex
from pitree.store.indexer import Indexer
from tests.benchmarks.harness import (
    BUFFER,
    TRIES,
    Row,
    best,
    best_of,
    child_peaks,
    iterate,
    parse,
)


def index_in_process(path: Path, size: str) -> list[Row]:
    """2: the exact index, against reading lines and against a full parse."""

    def index() -> SessionIndex:
        with path.open("rb", buffering=BUFFER) as file:
            return Indexer().read(file)

    lines, parsed, indexed = best(lambda: iterate(path), lambda: parse(path), index)
    allowed = 12 if size == "XL" else 10
    note = f"{indexed * 1e3:.0f} ms"
    return [
        Row("2", "index / lines read", indexed / lines, allowed, "N", note, "M L XL"),
        Row("2", "index / lines parsed", indexed / parsed, 0.85, "O", note, "M L XL"),
    ]


def seconds_to_iterate(path: Path) -> float:
    """N, measured once."""
    return best(lambda: iterate(path), tries=1)[0]


def index_in_worker(path: Path, size: str) -> list[Row]:
    """3 and 6: the index with the worker's start and the way back, and the worker's memory."""
    peaks: list[int] = []
    entries = 0

    async def open_once() -> float:
        nonlocal entries
        start = time.perf_counter()
        session = await SessionManager.open(path, cache=False)
        seconds = time.perf_counter() - start
        peaks.extend(child_peaks())
        entries = len(session)
        await session.close()
        return seconds

    lines, opened = best_of(
        lambda: seconds_to_iterate(path), lambda: asyncio.run(open_once()), tries=TRIES
    )
    note = f"{opened * 1e3:.0f} ms"
    allowed: float | None = 13 if size == "XL" else 12
    if size == "M":
        allowed = None
        note += "; mostly the process's start, so no target here"
    rows = [
        Row("3", "index by the worker / lines read", opened / lines, allowed, "N", note, "L XL")
    ]
    if not peaks:
        return rows
    with path.open("rb", buffering=BUFFER) as file:
        longest = max(map(len, file))
    most = (40e6 + 160 * entries + longest) / 1e6
    note = f"longest line {longest / 1e6:.1f} MB"
    return [*rows, Row("6", "worker's peak memory", max(peaks) / 1e6, most, "MB", note, "M L XL")]


def reopen(path: Path) -> list[Row]:
    """4: the cached index to a laid-out tree."""

    async def open_once() -> float:
        start = time.perf_counter()
        session = await SessionManager.open(path)
        rows = VisibleRows(session.tree, leaf=session.leaf)
        seconds = time.perf_counter() - start
        assert len(rows)
        await session.close()
        return seconds

    asyncio.run(open_once())  # fills the cache
    lines, opened = best_of(lambda: seconds_to_iterate(path), lambda: asyncio.run(open_once()))
    note = f"{opened * 1e3:.1f} ms"
    return [
        Row("4", "cached index to tree / lines read", opened / lines, 0.25, "N", note, "L XL"),
    ]

"""The rows: each measures something of pitree against a control of the same run."""

from __future__ import annotations

import asyncio
import gc
import os
import random
import subprocess
import sys
from array import array
from pathlib import Path

import orjson
import tiktoken

from pitree import SessionManager, TokenCounter, VisibleRows, build_session_context
from pitree.context.worker import encodings_folder
from pitree.model.entries import SessionEntry
from pitree.model.index import SessionIndex
from pitree.model.row_text import content_text
from pitree.model.tree import SessionTree
from pitree.store.indexer import Indexer
from pitree.store.tail import read_tail
from tests.benchmarks.harness import Row, best, first_text, iterate, parse, run_python
from tests.benchmarks.sessions import write_shape

EMPTY_APP = """
from textual.app import App
from textual.widgets import Static
class Empty(App):
    def compose(self):
        yield Static("EMPTY")
Empty().run()
"""

UI_MODULES = ("litellm", "openai", "httpx", "numpy", "tiktoken")
UI_CHECK = f"""
import asyncio, sys
from pathlib import Path
from pitree.app.app import PitreeApp
from pitree.app.screens.explorer import ExplorerScreen
from pitree.settings import Settings
async def main():
    app = PitreeApp(Settings(), lambda: ExplorerScreen(Path(sys.argv[1]), Settings()))
    async with app.run_test() as pilot:
        await pilot.pause(1)
asyncio.run(main())
loaded = sorted(set(sys.modules) & set({UI_MODULES!r}))
assert not loaded, loaded
"""


def first_content(path: Path) -> list[Row]:
    """1: from starting `pitree FILE` to the last message on the screen."""
    command = [sys.executable, "-c", EMPTY_APP]
    empty = min(first_text(command, b"EMPTY") for _ in range(5))
    wanted = _word_of(read_tail(path, 1)[0]).encode()
    command = [sys.executable, "-m", "pitree", str(path)]
    first_text(command, wanted)
    content = min(first_text(command, wanted) for _ in range(5))
    return [Row("1  first content / empty app", content / empty, 1.25, "T0", f"{content:.3f} s")]


def _word_of(entry: SessionEntry) -> str:
    """The last word of a session's last entry, which its chat ends with."""
    text = content_text(entry.get("message")["content"]) if entry.type == "message" else ""
    words = text.split()
    assert words, "the last entry has a text"
    return words[-1]


def index_in_process(path: Path, big: bool) -> list[Row]:
    """2: the exact index, against reading lines and against a full parse."""
    lines, _ = best(lambda: iterate(path))
    parsed, _ = best(lambda: parse(path))

    def index() -> SessionIndex:
        with path.open("rb", buffering=1 << 20) as file:
            return Indexer().read(file)

    gc.disable()
    indexed, _ = best(index)
    gc.enable()
    return [
        Row("2  index / lines read", indexed / lines, 12 if big else 10, "N", f"{indexed:.3f} s"),
        Row("2  index / lines parsed", indexed / parsed, 0.85, "O", f"O is {parsed / lines:.1f} N"),
    ]


async def _open(path: Path, cache: bool) -> SessionManager:
    return await SessionManager.open(path, cache=cache)


def index_in_worker(path: Path, big: bool) -> list[Row]:
    """3 and 6: the index with the worker's start and the way back, and the worker's memory."""
    lines, _ = best(lambda: iterate(path))
    peak = entries = 0

    async def once() -> None:
        nonlocal peak, entries
        session = await _open(path, cache=False)
        process = session._worker._process._process
        if process is not None:
            status = Path(f"/proc/{process.pid}/status").read_text()
            peak = max(peak, int(status.split("VmHWM:")[1].split()[0]) * 1024)
        entries = len(session)
        await session.close()

    opened, _ = best(lambda: asyncio.run(once()))
    rows = [
        Row("3  index by the worker / lines read", opened / lines, 13 if big else 12, "N"),
    ]
    with path.open("rb", buffering=1 << 20) as file:
        longest = max(len(line) for line in file)
    if peak:
        allowed = 40e6 + 160 * entries + longest
        rows.append(Row("6  worker's peak memory", peak / 1e6, allowed / 1e6, "MB"))
    return rows


def reopen(path: Path) -> list[Row]:
    """4: the cached index to a laid-out tree."""
    lines, _ = best(lambda: iterate(path))

    async def once() -> None:
        session = await _open(path, cache=True)
        VisibleRows(session.tree, leaf=session.leaf)
        await session.close()

    asyncio.run(once())
    opened, _ = best(lambda: asyncio.run(once()), 5)
    return [Row("4  reopen / lines read", opened / lines, 0.25, "N", f"{opened * 1e3:.1f} ms")]


def _index_of_runs(entries: int, runs: int) -> SessionIndex:
    """An index of user messages in so many runs, without a file."""
    choose = random.Random(1)
    index = SessionIndex(header={"type": "session"}, version=3.0)
    index.kind, index.flags = bytearray(b"\x01") * entries, bytearray(entries)
    index.ids = bytearray(4 * entries)
    odd = [0, *sorted(choose.sample(range(2, entries), runs // 2))]
    parents = [-1, *(choose.randrange(max(0, row - 4000), row - 1) for row in odd[1:])]
    firsts = {above + 1: above for above in parents[1:]}
    known = {**firsts, **dict(zip(odd, parents, strict=True))}
    rows = sorted(known)
    index.odd = array("I", rows)
    index.odd_parent = array("i", [known[row] for row in rows])
    index.odd_time = array("d", map(float, rows))
    return index


def fold_and_filter() -> list[Row]:
    """9: a fold, a filter, a jump in a million entries."""
    tree = SessionTree(_index_of_runs(1_000_000, 4_500))
    leaf = 999_999
    rows = VisibleRows(tree, leaf=leaf)
    fold = next(row.row for row in (rows[at] for at in rows.forks()[:1]))
    note = f"{len(tree.starts):,} runs"
    folded, _ = best(lambda: VisibleRows(tree, leaf=leaf, folds={fold}), 5)
    filtered, _ = best(lambda: VisibleRows(tree, "user-only", leaf=leaf), 5)
    jumped, _ = best(lambda: rows.nearest(500_000), 5)
    return [
        Row("9  fold in 1M entries", folded * 1e3, 16, "ms", note),
        Row("9  filter in 1M entries", filtered * 1e3, 16, "ms", note),
        Row("9  jump in 1M entries", jumped * 1e3, 16, "ms", note),
    ]


def extreme_shapes(folder: Path, entries: int) -> list[Row]:
    """11: a chain, siblings and a comb: no recursion, and flattening costs by entries."""
    return [_extreme_shape(folder, shape, entries) for shape in ("chain", "siblings", "comb")]


def _extreme_shape(folder: Path, shape: str, entries: int) -> Row:
    path = folder / f"{shape}.jsonl"
    write_shape(path, shape, entries)
    lines, _ = best(lambda: iterate(path))

    async def tree_of() -> SessionTree:
        session = await _open(path, cache=False)
        assert len(session) == entries
        assert len(session.path(session.leaf)) >= 2
        await session.close()
        return session.tree

    tree = asyncio.run(tree_of())
    path.unlink()
    flat, view = best(lambda: VisibleRows(tree, leaf=entries - 1))
    assert len(view) == entries
    allowed = max(lines, 0.3e-6 * entries)
    name = f"11 flatten a {shape} of {entries:,}"
    return Row(name, flat / entries * 1e6, allowed / entries * 1e6, "us/entry")


def start_up(path: Path) -> list[Row]:
    """14: `pitree --version`, and what the screen's process loads."""
    nothing, _ = best(lambda: run_python("-c", "pass"), 7)
    version, _ = best(lambda: run_python("-m", "pitree", "--version"), 7)
    subprocess.run([sys.executable, "-c", UI_CHECK, str(path)], check=True)
    note = f"{version * 1e3:.0f} ms; the screen loads none of {', '.join(UI_MODULES)}"
    return [Row("14 --version / python -c pass", version / nothing, 3, "x", note)]


def tokens() -> list[Row]:
    """16: counts equal tiktoken's, and pathological text is bounded."""
    folder = encodings_folder()
    assert folder is not None
    os.environ["TIKTOKEN_CACHE_DIR"] = str(folder)
    encoding = tiktoken.get_encoding("o200k_base")
    text = Path(__file__).read_text("utf-8") * 60
    texts = {"blanks": " " * 1_000_000, "one letter": "a" * 1_000_000, "emoji": "😀" * 250_000}

    async def count(one: str) -> float:
        loop = asyncio.get_running_loop()
        start = loop.time()
        await counter.count([one])
        return loop.time() - start

    async def measure() -> tuple[float, dict[str, float]]:
        counted = (await counter.count([text]))[0]
        whole = len(encoding.encode_ordinary(text))
        times = {name: min([await count(one) for _ in range(3)]) for name, one in texts.items()}
        await counter.close()
        return abs(counted - whole) / whole * 100, times

    counter = TokenCounter("o200k_base")
    error, times = asyncio.run(measure())
    rows = [Row("16 count against tiktoken", error, 0.1, "%", f"{len(text):,} characters")]
    return rows + [
        Row(f"16 1 MB of {name}", seconds * 1e3, 150, "ms") for name, seconds in times.items()
    ]


def context(folder: Path) -> list[Row]:
    """Building the context of a path of 100,000 entries."""
    path = folder / "path.jsonl"
    message = {"role": "user", "content": [{"type": "text", "text": "words " * 150}]}
    with path.open("wb") as file:
        file.write(b'{"type":"session","version":3,"id":"x"}\n')
        for number in range(100_000):
            entry = {
                "type": "message",
                "id": f"{number + 1:08x}",
                "parentId": f"{number:08x}" if number else None,
                "timestamp": "2026-01-01T00:00:00.000Z",
                "message": message,
            }
            file.write(orjson.dumps(entry) + b"\n")
    lines = path.read_bytes().splitlines()[1:]

    async def measure() -> float:
        session = await _open(path, cache=False)
        built, made = best(lambda: build_session_context(session, session.leaf))
        assert len(made.messages) == 100_000
        await session.close()
        return built

    built = asyncio.run(measure())
    kept, _ = best(lambda: [orjson.loads(line) for line in lines])
    path.unlink()
    note = f"{built:.2f} s; the control keeps what it parses, as a context does"
    return [Row("   context of 100,000 entries / lines parsed", built / kept, 1.3, "x", note)]

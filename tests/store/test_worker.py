"""The process that indexes and searches big files: progress, ends, odd names and errors."""

from __future__ import annotations

import asyncio
import json
import os
import signal
from asyncio.subprocess import Process
from contextlib import aclosing
from pathlib import Path
from typing import Any

import pytest

from pitree.errors import NotASessionError, PitreeError
from pitree.store import session_manager
from pitree.store.session_manager import SessionManager
from tests.sessions import Builder
from tests.store.big_files import make_old, write

pytestmark = pytest.mark.usefixtures("all_files_are_big")


@pytest.fixture
def processes(monkeypatch: pytest.MonkeyPatch) -> list[Process]:
    """The processes that are started."""
    started: list[Process] = []
    real = asyncio.create_subprocess_exec

    async def start(*words: Any, **keys: Any) -> Process:
        process = await real(*words, **keys)
        started.append(process)
        return process

    monkeypatch.setattr(asyncio, "create_subprocess_exec", start)
    return started


def add_much(builder: Builder) -> None:
    """Add lines that only the plain parser takes, so that any machine is busy for a while."""
    last = builder.lines[-1].replace("filler", "cut \ud83d")
    for at in range(60_000):
        builder.lines.append(last.replace(f'"{builder.last}"', f'"{at + 10_000:08x}"'))


async def test_progress_is_told(tmp_path: Path) -> None:
    big = write(tmp_path / "big.jsonl", add_much)
    told: list[tuple[int, int, int]] = []
    async with await SessionManager.open(big, on_progress=lambda *one: told.append(one)) as session:
        size = big.stat().st_size
        assert told
        assert told == sorted(told)
        for done, whole, entries in told:
            assert 0 < done <= whole == size
            assert 0 < entries <= len(session)


async def test_cancelling_leaves_no_process(tmp_path: Path, processes: list[Process]) -> None:
    big = write(tmp_path / "big.jsonl", add_much)
    started = asyncio.Event()
    task = asyncio.create_task(
        SessionManager.open(big, on_progress=lambda *_: started.set(), cache=False)
    )
    await started.wait()
    assert [process.returncode for process in processes] == [None]
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert [process.returncode for process in processes] == [-signal.SIGKILL]


async def test_cancelling_a_search_starts_another_process(
    path: Path, processes: list[Process]
) -> None:
    async with await SessionManager.open(path) as session:
        async with aclosing(session.search("x")) as found:
            async for _ in found:
                break
        rows = [row async for part in session.search("filler 7") for row in part]
        assert rows
    assert len(processes) in (1, 2)
    assert None not in [process.returncode for process in processes]


async def test_a_process_that_dies_is_an_error(path: Path, processes: list[Process]) -> None:
    async with await SessionManager.open(path) as session:
        processes[0].kill()
        with pytest.raises(PitreeError, match="died"):
            async for _ in session.search("x"):
                pass
        assert [row async for part in session.search("third") for row in part] == [2]


async def test_closing_ends_the_worker(path: Path, processes: list[Process]) -> None:
    session = await SessionManager.open(path)
    assert [process.returncode for process in processes] == [None]
    await session.close()
    await session.close()
    assert [process.returncode for process in processes] == [0]


async def test_what_is_no_session_is_refused_by_the_worker(
    tmp_path: Path, processes: list[Process]
) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text('{"type":"event"}\n' * 100)
    with pytest.raises(NotASessionError, match="no line of the file"):
        await SessionManager.open(path)
    path.write_text('{"kind":"header","version":4}\n' * 100)
    with pytest.raises(NotASessionError, match="version 4"):
        await SessionManager.open(path)
    assert None not in [process.returncode for process in processes]


async def test_odd_file_names_and_headers_pass(tmp_path: Path) -> None:
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff\xe9 '\"\n.jsonl"))
    header = {"type": "session", "version": 3, "id": "s", "n": 10**30, "s": "\ud83d", "cwd": "/w"}
    builder = Builder(header)
    builder.lines[0] = json.dumps(header).replace('"n"', '"deep":' + "[" * 500 + "]" * 500 + ',"n"')
    for at in range(20):
        builder.entry("label", targetId="00000001", label=f"cut \ud83d {at}")
    path.write_text("".join(f"{line}\n" for line in map(escaped, builder.lines)))
    make_old(path)
    for _ in ("by the worker", "from the cache"):
        async with await SessionManager.open(path) as session:
            assert session.label(0) == ("cut \ud83d 19", "2026-01-01T00:00:20.000Z")
            assert session.session_id == "s"
            assert session.header is not None
            assert session.header["s"] == "\ud83d"
            found = [row async for rows in session.search("cut 19", "pi") for row in rows]
            assert found == [19, 0]


def escaped(line: str) -> str:
    return line.replace("\ud83d", "\\ud83d")


async def test_search_by_the_worker_equals_that_of_this_process(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    queries = ["filler", "filler 1", "FIRST", "second read", "nothing-like-it", "x 29"]
    found: dict[str, list[int]] = {}
    for size in (100, 1 << 30):
        monkeypatch.setattr(session_manager, "INLINE_BYTES", size)
        async with await SessionManager.open(path) as session:
            for query in queries:
                rows = [row async for part in session.search(query) for row in part]
                assert found.setdefault(query, rows) == rows
    assert len(found["filler"]) == 300
    assert found["nothing-like-it"] == []

"""The asking side of `pitree.store.worker`."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import sys
from collections.abc import AsyncGenerator, Callable
from pathlib import Path

import orjson

from pitree.errors import NotASessionError, PitreeError
from pitree.model.entries import JsonObject
from pitree.model.index import IndexReader, SessionIndex
from pitree.model.row_text import Reach

PIECE = 1 << 18
LAST_SECONDS = 5.0
LONGEST_LINE = 1 << 30
"""Bytes of the longest answer line: the tables of an index with a million labels."""

Progress = Callable[[int, int], None]


class WorkerClient:
    """One worker process, started when it is first asked; one request at a time.

    Cancelling a request kills the process, as it knows no other way to stop; the next request
    starts a new one.
    """

    def __init__(self, path: Path, cache: bool) -> None:
        """Ask about a file, with or without the cache of indexes."""
        self._path = path
        self._cache = cache
        self._process: asyncio.subprocess.Process | None = None
        self._lock = asyncio.Lock()
        self._numbers = itertools.count(1)

    async def index(self, progress: Progress | None, *, fresh: bool = False) -> SessionIndex:
        """The index of the whole file.

        Args:
            progress: Told bytes read and entries found, some ten times a second.
            fresh: Read the file even if an index of it is in the cache, and keep none.

        Raises:
            NotASessionError: No line of the file is an entry.
            PitreeError: The file can't be read, or the process died.
        """
        request = {"op": "index", "save": self._cache and not fresh}
        index: SessionIndex | None = None
        answers = self._ask({**request, "cache": self._cache and not fresh})
        async with contextlib.aclosing(answers):
            async for answer, stream in answers:
                if progress is not None and "progress" in answer:
                    progress(*answer["progress"])
                if "index" in answer:
                    index = await _read_columns(answer["index"], stream)
        if index is None:
            raise PitreeError("the index process ended without an index")
        return index

    async def search(self, query: str, reach: Reach) -> AsyncGenerator[list[int], None]:
        """The rows that a search finds, newest first, as they are found."""
        request = {"op": "search", "query": query, "reach": reach, "cache": self._cache}
        answers = self._ask(request)
        async with contextlib.aclosing(answers):
            async for answer, _ in answers:
                if "rows" in answer:
                    yield answer["rows"]

    async def _ask(
        self, request: JsonObject
    ) -> AsyncGenerator[tuple[JsonObject, asyncio.StreamReader], None]:
        async with self._lock:
            number = next(self._numbers)
            process = await self._start()
            assert process.stdin is not None and process.stdout is not None
            finished = False
            try:
                message = {"id": number, "path": str(self._path), **request}
                process.stdin.write(orjson.dumps(message) + b"\n")
                await process.stdin.drain()
                while not finished:
                    line = await process.stdout.readline()
                    if not line:
                        raise PitreeError(f"the index process died: {await self._last_words()}")
                    answer = orjson.loads(line)
                    if "error" in answer:
                        finished = True
                        known = answer["kind"] == NotASessionError.__name__
                        raise (NotASessionError if known else PitreeError)(answer["error"])
                    finished = "done" in answer
                    yield answer, process.stdout
            except (ConnectionError, OSError) as error:
                raise PitreeError(f"the index process died: {error}") from error
            finally:
                if not finished:
                    await self._kill()

    async def _start(self) -> asyncio.subprocess.Process:
        if self._process is None or self._process.returncode is not None:
            self._process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-P",
                "-m",
                "pitree.store.worker",
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
                limit=LONGEST_LINE,
            )
        return self._process

    async def _last_words(self) -> str:
        if self._process is None or self._process.stderr is None:
            return ""
        words = (await self._process.stderr.read()).decode("utf-8", "replace").strip()
        return words.rpartition("\n")[2]

    async def close(self) -> None:
        """Let the process finish what it does (it may still keep an index), then end it."""
        process = self._process
        if process is not None and process.stdin is not None:
            process.stdin.close()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(asyncio.shield(process.wait()), LAST_SECONDS)
        await self._kill()

    async def _kill(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        if process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
        await process.communicate()


async def _read_columns(tables: JsonObject, stream: asyncio.StreamReader) -> SessionIndex:
    reader = IndexReader(tables)
    while reader.left:
        reader.put(await stream.readexactly(min(reader.left, PIECE)))
    return reader.index()

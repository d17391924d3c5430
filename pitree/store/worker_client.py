"""The asking side of `pitree.store.worker`."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Callable
from pathlib import Path

from pitree.errors import PitreeError
from pitree.model.entries import JsonObject
from pitree.model.index import IndexReader, SessionIndex
from pitree.model.row_text import Reach
from pitree.store.process import JsonProcess

PIECE = 1 << 18

Progress = Callable[[int, int], None]


class WorkerClient:
    """Asks a process of its own about one session file."""

    def __init__(self, path: Path, cache: bool) -> None:
        """Ask about a file, with or without the cache of indexes."""
        self._path = str(path.absolute())
        self._cache = cache
        self._process = JsonProcess("pitree.store.worker")

    async def index(self, progress: Progress | None, *, fresh: bool = False) -> SessionIndex:
        """The index of the whole file.

        Args:
            progress: Told bytes read and entries found, some ten times a second.
            fresh: Read the file even if an index of it is in the cache, and keep none.

        Raises:
            NotASessionError: No line of the file is an entry.
            PitreeError: The file can't be read, or the process died.
        """
        cache = self._cache and not fresh
        index: SessionIndex | None = None
        request = {"op": "index", "path": self._path, "cache": cache, "save": cache}
        async with contextlib.aclosing(self._process.ask(request)) as answers:
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
        request = {"op": "search", "path": self._path, "query": query, "reach": reach}
        asked = self._process.ask({**request, "cache": self._cache})
        async with contextlib.aclosing(asked) as answers:
            async for answer, _ in answers:
                if "rows" in answer:
                    yield answer["rows"]

    async def close(self) -> None:
        """End the process."""
        await self._process.close()


async def _read_columns(tables: JsonObject, stream: asyncio.StreamReader) -> SessionIndex:
    reader = IndexReader(tables)
    while reader.left:
        reader.put(await stream.readexactly(min(reader.left, PIECE)))
    return reader.index()

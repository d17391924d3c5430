"""An open session: its index, its tree, and its entries on demand."""

from __future__ import annotations

import asyncio
import io
import os
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import aclosing
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, Self

from pitree.errors import PitreeError, UnknownEntryError
from pitree.model import js
from pitree.model.entries import JsonObject, SessionEntry
from pitree.model.index import Damage, SessionIndex
from pitree.model.migrate import migrate_header
from pitree.model.ranges import RowRanges
from pitree.model.row_text import Reach
from pitree.model.session import SessionTreeNode
from pitree.model.tree import SessionTree
from pitree.store import index_cache
from pitree.store.bodies import Bodies
from pitree.store.files import open_regular
from pitree.store.indexer import Indexer
from pitree.store.labels import Labels, replay_labels, session_name
from pitree.store.lines import call_hash
from pitree.store.search import search_rows
from pitree.store.worker_client import WorkerClient

INLINE_BYTES = 4 << 20
"""Up to here a file is indexed at once in this process: some 10 ms; a worker takes 60 to start."""

DERIVED_AT_ONCE = 8000
"""Forks and labels up to which tree and labels are made at once; each costs some 1 µs."""

CURRENT_VERSION = 3

Progress = Callable[[int, int, int], None]
"""Called with bytes read, bytes in all, and entries found."""

State = Literal["ok", "empty", "no-header", "newer"]


class SessionManager:
    """A session file, opened for reading; nothing here writes to it.

    Entries are known by their row: their place in the file among all entries (Pi's `getEntries`).

    Attributes:
        session_file: The file.
        index: Columns over all entries.
        tree: Who hangs on whom.
        verified: Whether the index is certainly that of the whole file. It is not, at first, when
            it came from the cache and the file has grown or been touched since: see `verify`.
    """

    def __init__(self, path: Path, descriptor: int, worker: WorkerClient) -> None:
        """Use `open` instead."""
        self.session_file = path
        self.verified = True
        self._descriptor = descriptor
        self._worker = worker
        self.index = SessionIndex()
        self.tree = SessionTree(self.index)
        self._bodies = Bodies(descriptor, self.index)
        self._labels: Labels = {}

    async def _use(self, index: SessionIndex) -> None:
        """Show another index: everything derived from it changes at once."""

        def derive() -> tuple[SessionTree, Labels]:
            return SessionTree(index), replay_labels(index)

        if len(index.odd) + len(index.labels) > DERIVED_AT_ONCE:
            derived = await asyncio.to_thread(derive)
        else:
            derived = derive()
        self.index, (self.tree, self._labels) = index, derived
        self._bodies = Bodies(self._descriptor, index)

    @classmethod
    async def open(
        cls,
        path: str | os.PathLike[str],
        *,
        on_progress: Progress | None = None,
        cache: bool = True,
    ) -> Self:
        """Open a session file.

        Cancelling the task stops the reading; nothing is left behind.

        Args:
            path: The file.
            on_progress: Called some ten times a second while a big file is read.
            cache: Whether the index of a big file may come from, and go to, the cache folder.

        Raises:
            PitreeError: The file is missing, a folder, or not permitted.
            NotASessionError: No line of it is an entry, or it is of another format.
        """
        where = Path(path)
        descriptor = _open_file(where)
        session = cls(where, descriptor, WorkerClient(where, cache))
        try:
            await session._use(await session._read_index(on_progress, cache))
        except BaseException:
            await session.close()
            raise
        return session

    async def _read_index(self, on_progress: Progress | None, cache: bool) -> SessionIndex:
        """The index: of a small file at once, of a big one from the cache or from the worker."""
        size = os.fstat(self._descriptor).st_size
        if size <= INLINE_BYTES:
            return _read_from(self._descriptor, SessionIndex())
        cached = None
        if cache:
            load = index_cache.load
            cached = await asyncio.to_thread(load, self._descriptor, self.session_file)
        if cached is not None and size - cached.index.size <= INLINE_BYTES:
            self.verified = cached.exact
            index = cached.index
            return _read_from(self._descriptor, index) if index.size < size else index

        def progress(done: int, entries: int) -> None:
            if on_progress is not None:
                on_progress(done, size, entries)

        return await self._worker.index(progress)

    async def verify(self) -> bool:
        """Read the whole file again if the index came from the cache and might be stale.

        Returns:
            Whether the index was right. If it was not, it has been replaced.

        Raises:
            PitreeError: The file can't be read any more.
        """
        if self.verified:
            return True
        fresh = await self._worker.index(None, fresh=True)
        self.verified = True
        same = self.index.is_start_of(fresh)
        if not same:
            await self._use(fresh)
        return same

    async def close(self) -> None:
        """Let go of the file and end the worker."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1
        await self._worker.close()

    async def __aenter__(self) -> Self:
        """The session itself."""
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close it."""
        await self.close()

    # ------------------------------------------------------------------ the session

    @property
    def state(self) -> State:
        """What kind of file it is.

        `empty`: no line at all. `no-header`: Pi would replace it by an empty session. `newer`:
        written by a later version; read as Pi reads it.
        """
        if not self.index.accepted:
            return "no-header"
        if self.index.header is None:
            return "empty"
        return "newer" if self.index.version > CURRENT_VERSION else "ok"

    @property
    def header(self) -> JsonObject | None:
        """The session header as Pi holds it, None where there is none."""
        header = self.index.header
        return None if header is None else migrate_header(header, self.index)

    @property
    def session_id(self) -> str:
        """The session's id, empty if it has none."""
        return self._header_text("id")

    @property
    def cwd(self) -> str:
        """The working directory that the session belongs to, empty if it says none."""
        return self._header_text("cwd")

    def _header_text(self, key: str) -> str:
        value = (self.index.header or {}).get(key)
        return value if isinstance(value, str) else ""

    @property
    def session_name(self) -> str | None:
        """The name that was given to the session."""
        return session_name(self.index)

    @property
    def damage(self) -> list[Damage]:
        """What Pi drops of the file, in file order."""
        return self.index.damage

    @property
    def labels(self) -> Labels:
        """Labelled id → label and the time it was set, in the order of Pi's map."""
        return self._labels

    # ------------------------------------------------------------------ entries

    def __len__(self) -> int:
        """The number of entries."""
        return len(self.index)

    def entry(self, row: int) -> SessionEntry:
        """The entry of a row, its line read and parsed if it is not in the cache."""
        return self._bodies.entry(row)

    def raws(self, rows: RowRanges) -> Iterator[Any]:
        """The entries of many rows as parsed lines, in order and past the cache."""
        return self._bodies.raws(rows)

    def line(self, row: int) -> bytes:
        """The bytes of an entry's line, without its newline."""
        return self._bodies.data(row)

    def bytes_at(self, start: int, end: int) -> bytes:
        """Bytes of the file, as damage names them."""
        return os.pread(self._descriptor, end - start, start)

    def entry_id(self, row: int) -> Any:
        """The id of a row: text, or whatever JSON value a damaged file holds, or None."""
        key = self.index.id_key(row)
        if isinstance(key, str):
            return key
        kind, number = key
        if kind == "number":
            return int(number) if number.is_integer() else number
        return bool(number) if kind == "boolean" else None

    def row(self, entry_id: str) -> int:
        """The row of an id; the last one where several lines have it.

        Raises:
            UnknownEntryError: No entry has the id.
        """
        row = self.index.find(entry_id)
        if row is None:
            number = js.to_number(entry_id)
            row = self.index.find(("number", number)) if number == number else None
        if row is None:
            raise UnknownEntryError(f"no entry has the id {entry_id!r}")
        return row

    @property
    def leaf(self) -> int | None:
        """Pi's leaf: the last entry of the file, whatever its type."""
        return len(self.index) - 1 if len(self.index) and self.index.accepted else None

    @property
    def leaf_id(self) -> Any:
        """The id of Pi's leaf."""
        return None if self.leaf is None else self.entry_id(self.leaf)

    def label(self, row: int) -> tuple[Any, Any] | None:
        """The label of a row and when it was set, None without one."""
        return self._labels.get(self.index.id_key(row)) if self._labels else None

    def labeled_rows(self) -> list[int]:
        """The rows that have a label, ascending."""
        rows = (self.index.find(key) for key in self._labels)
        return sorted(row for row in rows if row is not None)

    def path(self, row: int | None) -> RowRanges:
        """The rows from the root to a row."""
        return self.tree.path(row)

    def get_tree(self) -> list[SessionTreeNode]:
        """The roots of the tree, in file order."""
        return [SessionTreeNode(self, row) for row in self.tree.children(None)]

    def tool_call(self, call_id: str, before: Callable[[int, int], bool]) -> JsonObject | None:
        """The tool call block that an id names.

        Args:
            call_id: The call's id.
            before: Whether the first of two rows comes earlier in the view; where several calls
                have the id, the last one counts, as in Pi's tree.
        """
        found: tuple[int, JsonObject] | None = None
        for row in self.index.call_rows(call_hash(call_id)):
            block = _call_in(self.entry(row), call_id)
            if block is not None and (found is None or before(found[0], row)):
                found = (row, block)
        return None if found is None else found[1]

    async def search(self, query: str, reach: Reach = "all") -> AsyncGenerator[list[int], None]:
        """The rows in which all words occur, newest first, as they are found."""
        if self.index.size > INLINE_BYTES:
            async with aclosing(self._worker.search(query, reach)) as found:
                async for rows in found:
                    yield rows
            return
        for rows in search_rows(self.index, self._bodies.parse, self._label_text, query, reach):
            yield rows
            await asyncio.sleep(0)

    def _label_text(self, row: int) -> str | None:
        found = self.label(row)
        return js.to_string(found[0]) if found else None


def _open_file(path: Path) -> int:
    try:
        return open_regular(path)
    except OSError as error:
        raise PitreeError(f"{path}: {error.strerror}") from error


def _read_from(descriptor: int, index: SessionIndex) -> SessionIndex:
    """Index what lies behind `index` in a file."""
    with io.FileIO(descriptor, closefd=False) as raw:
        raw.seek(index.size)
        return Indexer(index).read(io.BufferedReader(raw, 1 << 20))


def _call_in(entry: SessionEntry, call_id: str) -> JsonObject | None:
    message = entry.get("message")
    content = message.get("content") if isinstance(message, dict) else None
    found = None
    for block in content if isinstance(content, list) else ():
        if (
            isinstance(block, dict)
            and block.get("type") == "toolCall"
            and block.get("id") == call_id
        ):
            found = block
    return found

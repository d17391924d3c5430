"""The process that reads whole files: indexing and search, away from the screen.

Line JSON over pipes. A request `{"id", "op", "path", …}` is answered by any number of lines with
the same id: `progress` `[bytes, entries]`; `rows` of a search; `index`, the tables of an index,
followed by its columns as raw bytes; and at last `done` or `error`.
"""

from __future__ import annotations

import gc
import os
import sys
import time
from pathlib import Path
from typing import IO, Any

from pitree.errors import PitreeError
from pitree.model import js
from pitree.model.entries import JsonObject
from pitree.model.index import SessionIndex, to_parts
from pitree.store import index_cache
from pitree.store.bodies import Bodies
from pitree.store.indexer import Indexer
from pitree.store.labels import replay_labels
from pitree.store.parse import dump_line, parse_line
from pitree.store.search import search_rows

PROGRESS_SECONDS = 0.1


class Worker:
    """Answers requests about one session file."""

    def __init__(self, out: IO[bytes]) -> None:
        """Write answers to a stream."""
        self._out = out
        self._index: SessionIndex | None = None

    def handle(self, request: JsonObject) -> None:
        """Answer one request."""
        path = Path(request["path"])
        try:
            with path.open("rb", buffering=1 << 20) as file:
                if request["op"] == "index":
                    index = self._send_index(request, path, file)
                    self._say(request, done=True)
                    if request["save"]:
                        index_cache.save(file.fileno(), path, index)
                else:
                    self._search(request, path, file)
                    self._say(request, done=True)
        except (OSError, PitreeError) as error:
            text = error.strerror if isinstance(error, OSError) else str(error)
            self._say(request, error=text, kind=type(error).__name__)

    def _read(self, request: JsonObject, path: Path, file: IO[bytes]) -> SessionIndex:
        cached = index_cache.load(file.fileno(), path) if request["cache"] else None
        if cached is not None and cached.exact:
            return cached.index
        last = time.monotonic()

        def progress(done: int, entries: int) -> None:
            nonlocal last
            if time.monotonic() - last > PROGRESS_SECONDS:
                last = time.monotonic()
                self._say(request, progress=[done, entries])

        return Indexer().read(file, progress)

    def _send_index(self, request: JsonObject, path: Path, file: IO[bytes]) -> SessionIndex:
        index = self._index = self._read(request, path, file)
        tables, buffers = to_parts(index)
        self._say(request, index=tables)
        for buffer in buffers:
            self._out.write(buffer)
        self._out.flush()
        return index

    def _search(self, request: JsonObject, path: Path, file: IO[bytes]) -> None:
        if self._index is None:
            self._index = self._read(request, path, file)
        index = self._index
        bodies = Bodies(file.fileno(), index)
        labels = replay_labels(index)

        def label_of(row: int) -> str | None:
            found = labels.get(index.id_key(row)) if labels else None
            return js.to_string(found[0]) if found else None

        for rows in search_rows(index, bodies.parse, label_of, request["query"], request["reach"]):
            self._say(request, rows=rows)

    def _say(self, request: JsonObject, **answer: Any) -> None:
        self._out.write(dump_line({"id": request["id"], **answer}))
        self._out.flush()


def main() -> None:
    """Answer requests from standard input until it ends."""
    # The only long-lived garbage would be cycles, and there are none: 1.3 of the time without.
    gc.disable()
    os.nice(5)
    worker = Worker(sys.stdout.buffer)
    for line in sys.stdin.buffer:
        worker.handle(parse_line(line))


if __name__ == "__main__":
    main()

"""Indexes of big session files, kept in the cache folder so that a second opening is instant.

One file per session: a JSON line (which file it was, hashes of its first and last indexed bytes,
the tables) and then the columns. It is written under another name and renamed; a file that can't
be written or read costs speed only.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from pitree import paths
from pitree.model.entries import JsonObject
from pitree.model.index import IndexReader, SessionIndex, to_parts
from pitree.store.parse import dump_line, parse_line

FORMAT = 4
SAMPLE = 4096
MAX_BYTES = 512 << 20
RACY_NS = 2_000_000_000
"""A file changed so shortly before it was indexed may change again with the same time stamp."""


@dataclass(frozen=True, slots=True)
class Cached:
    """An index from the cache.

    Attributes:
        index: The index.
        exact: Whether the file is certainly the one that was indexed, whole. If not, the first
            and last indexed bytes are the same and the file is as long or longer.
    """

    index: SessionIndex
    exact: bool


def load(descriptor: int, path: Path) -> Cached | None:
    """The cached index of an open file, None if there is none that fits."""
    try:
        with cache_path(path).open("rb") as file:
            head = parse_line(file.readline())
            stat = os.fstat(descriptor)
            exact = head["file"] == _identity(stat) and not head["racy"]
            if head["format"] != FORMAT or not (exact or _is_prefix(descriptor, stat, head)):
                return None
            reader = IndexReader(head["tables"])
            while reader.left:
                piece = file.read(min(reader.left, 1 << 20))
                if not piece:
                    return None
                reader.put(piece)
            index = reader.index()
            os.utime(file.fileno())
            return Cached(index, exact)
    except (OSError, ValueError, LookupError, TypeError, AttributeError):
        return None


def save(descriptor: int, path: Path, index: SessionIndex) -> None:
    """Keep an index; failures are silent, as a cache costs only speed."""
    stat = os.fstat(descriptor)
    target = cache_path(path)
    tables, buffers = to_parts(index)
    head: JsonObject = {
        "format": FORMAT,
        "path": str(path),
        "file": _identity(stat),
        "racy": stat.st_mtime_ns > time.time_ns() - RACY_NS or stat.st_size != index.size,
        "size": index.size,
        "growable": index.growable,
        "sample": _sample(descriptor, index.size),
        "tables": tables,
    }
    with contextlib.suppress(OSError):
        for folder in (target.parent.parent, target.parent):
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=".", suffix=".tmp")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(dump_line(head))
                file.writelines(buffers)
            os.replace(name, target)
        except OSError:
            os.unlink(name)
            raise
        prune(target.parent)


def prune(folder: Path, limit: int = MAX_BYTES) -> None:
    """Delete the least recently used indexes above a size in bytes."""
    files = []
    for item in os.scandir(folder):
        with contextlib.suppress(OSError):
            stat = item.stat()
            files.append((stat.st_mtime_ns, stat.st_size, item.path))
    total = sum(size for _, size, _ in files)
    for _, size, name in sorted(files):
        if total <= limit:
            return
        with contextlib.suppress(OSError):
            os.unlink(name)
            total -= size


def cache_path(path: Path) -> Path:
    """Where the index of a session file is kept."""
    name = hashlib.sha256(os.fsencode(os.path.realpath(path))).hexdigest()[:32]
    return paths.cache_dir() / "index" / f"{name}.idx"


def _identity(stat: os.stat_result) -> list[str]:
    # The change time can't be set by a program, so an edit with the old date set again shows.
    numbers = (stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns, stat.st_ino, stat.st_dev)
    return [str(number) for number in numbers]  # as numbers, JSON may round them


def _is_prefix(descriptor: int, stat: os.stat_result, head: JsonObject) -> bool:
    size = head["size"]
    same_file = head["file"][3:] == _identity(stat)[3:]
    fits = (stat.st_size > size and head["growable"]) or stat.st_size == size
    return bool(same_file and fits and head["sample"] == _sample(descriptor, size))


def _sample(descriptor: int, size: int) -> str:
    first = os.pread(descriptor, min(SAMPLE, size), 0)
    start = max(0, size - SAMPLE)
    return hashlib.sha256(first + b"|" + os.pread(descriptor, size - start, start)).hexdigest()

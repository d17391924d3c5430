"""The last entries of a file, readable before anything of it is indexed."""

from __future__ import annotations

import os
from pathlib import Path

from pitree.errors import PitreeError
from pitree.model.entries import SessionEntry, entry_from
from pitree.store.files import open_regular
from pitree.store.parse import parse_line

FIRST_BYTES = 256 << 10
MAX_BYTES = 64 << 20


def read_tail(path: Path, count: int) -> list[SessionEntry]:
    """The last entries of a session file, as they stand there, in file order.

    Reads 256 KiB from the end, doubled until there are enough (lines with images take
    megabytes), so the time does not depend on the file's size. Entries of version 1 and 2 are not
    migrated: for that the whole file has to be known.

    Args:
        path: The file.
        count: How many entries are wanted.

    Raises:
        PitreeError: The file can't be read.
    """
    try:
        with open(open_regular(path), "rb", buffering=0) as file:
            size = os.fstat(file.fileno()).st_size
            want = FIRST_BYTES
            while True:
                start = max(0, size - want)
                data = os.pread(file.fileno(), want, start)
                found = _entries(data, count, whole=start == 0)
                if len(found) >= count or start == 0 or want >= MAX_BYTES:
                    return found
                want *= 2
    except OSError as error:
        raise PitreeError(f"{path}: {error.strerror}") from error


def _entries(data: bytes, count: int, *, whole: bool) -> list[SessionEntry]:
    """The last entries in some bytes, whose first line is cut unless they are the whole file."""
    pieces = data.split(b"\n")
    found: list[SessionEntry] = []
    for piece in reversed(pieces if whole else pieces[1:]):
        if len(found) >= count:
            break
        try:
            value = parse_line(piece)
        except ValueError:
            continue
        if isinstance(value, dict) and value.get("type") != "session":
            found.append(entry_from(value))
    return found[::-1]

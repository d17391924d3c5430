"""The sessions of a folder, from the first and last bytes of each file."""

from __future__ import annotations

import asyncio
import codecs
import os
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pitree import paths
from pitree.errors import PitreeError, UsageError
from pitree.model import js
from pitree.model.row_text import content_text
from pitree.store.files import open_regular
from pitree.store.parse import parse_line

HEAD_BYTES = 4096
LONG_HEAD_BYTES = 256 << 10
"""Read where the first message does not end in the first `HEAD_BYTES`."""
TAIL_BYTES = 8192
FIRST_MESSAGE_UNITS = 200


@dataclass(frozen=True, slots=True)
class SessionInfo:
    """A session file as a list shows it.

    Attributes:
        path: The file.
        id: The session's id; empty for a file that can't be read as a session.
        name: The last name that stands in the bytes that were read.
        first_message: The start of the first user message in them.
        cwd: The working directory of the session.
        created: When it was created, in milliseconds; NaN where unknown.
        modified: When the file was last written, in milliseconds.
        size: Bytes.
        parent_session: The file that it was forked from.
        problem: Why the file can't be read, None if it can.
    """

    path: Path
    id: str
    name: str | None
    first_message: str
    cwd: str
    created: float
    modified: float
    size: int
    parent_session: str | None
    problem: str | None = None

    @property
    def title(self) -> str:
        """Its name, else its first message."""
        return self.name or self.first_message or "(no messages)"


async def list_sessions(folder: Path) -> list[SessionInfo]:
    """The sessions of a folder, the last written first; an absent folder has none.

    Raises:
        PitreeError: The folder can't be read.
    """
    return await asyncio.to_thread(_list, folder)


def _list(folder: Path) -> list[SessionInfo]:
    try:
        with os.scandir(folder) as items:
            names = [item.path for item in items if item.name.endswith(".jsonl")]
    except FileNotFoundError:
        return []
    except OSError as error:
        raise PitreeError(f"{folder}: {error.strerror}") from error
    found = [session_info(Path(name)) for name in names]
    return sorted(found, key=lambda info: (-info.modified, str(info.path)))


def session_info(path: Path) -> SessionInfo:
    """What the first and last bytes of a file say of its session."""
    try:
        with open(open_regular(path), "rb", buffering=0) as file:
            stat = os.fstat(file.fileno())
            values = _head(file.fileno(), HEAD_BYTES, stat.st_size)
            if not _first_message(values) and stat.st_size > HEAD_BYTES:
                values = _head(file.fileno(), LONG_HEAD_BYTES, stat.st_size)
            start = max(0, stat.st_size - TAIL_BYTES)
            tail = os.pread(file.fileno(), TAIL_BYTES, start) if start else b""
    except OSError as error:
        return _broken(path, str(error.strerror), 0, 0.0)
    modified = stat.st_mtime_ns / 1e6
    if not values or values[0].get("type") != "session":
        return _broken(path, "no session", stat.st_size, modified)
    header = values[0]
    name = None
    for value in [*values, *_values(tail.partition(b"\n")[2], cut=False)]:
        if value.get("type") == "session_info":
            given = value.get("name")
            name = js.trim(given) if isinstance(given, str) else None
    return SessionInfo(
        path=path,
        id=_string(header, "id") or "",
        name=name or None,
        first_message=_first_message(values),
        cwd=_string(header, "cwd") or "",
        created=js.date_ms(header.get("timestamp", js.UNDEFINED)),
        modified=modified,
        size=stat.st_size,
        parent_session=_string(header, "parentSession"),
    )


def _head(descriptor: int, size: int, file_size: int) -> list[dict[str, Any]]:
    data = os.pread(descriptor, size, 0).removeprefix(codecs.BOM_UTF8)
    return _values(data, cut=file_size > size)


def _first_message(values: list[dict[str, Any]]) -> str:
    for value in values:
        message = value.get("message")
        if isinstance(message, dict) and message.get("role") == "user":
            text = content_text(message.get("content"))
            return js.trim(js.utf16_slice(text, 0, FIRST_MESSAGE_UNITS))
    return ""


def _broken(path: Path, problem: str, size: int, modified: float) -> SessionInfo:
    return SessionInfo(path, "", None, "", "", float("nan"), modified, size, None, problem)


def _string(value: dict[str, Any], key: str) -> str | None:
    found = value.get(key)
    return found if isinstance(found, str) else None


def _values(data: bytes, *, cut: bool) -> list[dict[str, Any]]:
    """The objects on whole lines; the last one is dropped where the bytes are cut."""
    pieces = data.split(b"\n")
    if cut:
        pieces.pop()
    found = []
    for piece in pieces:
        try:
            value = parse_line(piece)
        except ValueError:
            continue
        if isinstance(value, dict):
            found.append(value)
    return found


_UNITS = ((60, "s"), (60, "m"), (24, "h"), (7, "d"), (52, "w"))


def age(modified: float) -> str:
    """How long ago a time in milliseconds was: 5m, 3h, 2w."""
    left = max(0.0, time.time() - modified / 1000)
    for size, unit in _UNITS:
        if left < size:
            return f"{int(left)}{unit}"
        left /= size
    return f"{int(left)}y"


async def resolve_session(name: str, cwd: Path, setting: str | None = None) -> Path:
    """`find_session`, away from the event loop."""
    return await asyncio.to_thread(find_session, name, cwd, setting)


def find_session(name: str, cwd: Path, setting: str | None = None) -> Path:
    """The file that a path, a session id or a unique prefix of one names.

    Args:
        name: A path that exists, or the id.
        cwd: The folder whose sessions are looked at first; then those of all folders.
        setting: Pi's `sessionDir`.

    Raises:
        PitreeError: No such file and no such session.
        UsageError: Several sessions begin so.
    """
    path = Path(name)
    if os.path.exists(name) or os.sep in name or name.endswith(".jsonl"):
        return path
    found = _matching(name, [paths.session_dir(cwd, setting)])
    if not found:
        root = paths.sessions_root()
        found = _matching(name, [root, *_folders(root)])
    if not found:
        raise PitreeError(f"{name}: no such file, and no session whose id begins so")
    exact = [info.path for info in found if info.id == name]
    if len(exact) == 1 or len(found) == 1:
        return exact[0] if exact else found[0].path
    ids = ", ".join(info.id for info in found[:4])
    raise UsageError(f"{name}: {len(found)} sessions begin so: {ids}")


def _folders(root: Path) -> list[Path]:
    try:
        with os.scandir(root) as items:
            return sorted(Path(item.path) for item in items if item.is_dir())
    except OSError:
        return []


def _matching(prefix: str, folders: list[Path]) -> list[SessionInfo]:
    """The sessions whose id begins with a prefix: by file name first, which Pi ends with it."""
    found: dict[Path, SessionInfo] = {}
    for folder in folders:
        for info in _list(folder):
            if info.id.startswith(prefix):
                found[info.path] = info
    return list(found.values())

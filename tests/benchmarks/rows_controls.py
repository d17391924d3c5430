"""Row 0: what the machine takes for things that others are compared with, without pitree."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from tests.benchmarks.harness import Row, best, run_python

APPENDS = 100
LINE = b'{"type":"message","id":"%08x"}' % 1 + b" " * 993 + b"\n"


def append_and_sync(path: Path, times: int = APPENDS) -> None:
    """The control D, so many times: a line written at a file's end and brought to the disk."""
    # macOS has no fdatasync.
    sync = os.fsync if sys.platform == "darwin" else os.fdatasync
    file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    try:
        for _ in range(times):
            os.write(file, LINE)
            sync(file)
    finally:
        os.close(file)


def machine(folder: Path) -> list[Row]:
    """0: Python's start (T) and a durable append (D)."""
    path = folder / "appended"
    start, appends = best(lambda: run_python("-c", "pass"), lambda: append_and_sync(path))
    path.unlink()
    note = f"{len(LINE):,} bytes; mean of {APPENDS} in the best try"
    return [
        Row("0", "T: python -c pass", start * 1e3, None, "ms"),
        Row("0", "D: write and fdatasync", appends / APPENDS * 1e6, None, "us", note),
    ]

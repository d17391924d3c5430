"""Measuring: controls and rows of the same run, best of three, and the table."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import orjson

TRIES = 3
TOLERANCE = 1.25
"""A row that is over its target by more fails the run."""

T = TypeVar("T")


@dataclass(frozen=True)
class Row:
    """One measured row.

    Attributes:
        name: Number in the list of limits, and what was measured.
        figure: What was measured.
        target: What it must not exceed.
        unit: The unit of both.
        note: What else there is to say.
    """

    name: str
    figure: float
    target: float
    unit: str
    note: str = ""

    @property
    def state(self) -> str:
        if self.figure <= self.target:
            return "ok"
        return "over" if self.figure <= TOLERANCE * self.target else "FAILS"

    def __str__(self) -> str:
        figures = f"{self.figure:>10.2f} {self.target:>10.2f} {self.unit:<8}"
        share = self.figure / self.target if self.target else 0
        return f"{self.name:<52} {figures} {share:>5.2f}  {self.state:<5}  {self.note}"


def best(function: Callable[[], T], tries: int = TRIES) -> tuple[float, T]:
    """The shortest time of a few calls, in seconds, and what the last gave."""
    times = []
    for _ in range(tries):
        results: list[T] = []  # what the last call gave goes before the clock starts
        start = time.perf_counter()
        results.append(function())
        times.append(time.perf_counter() - start)
    return min(times), results[0]


def iterate(path: Path) -> int:
    """The control N: every line of a file, and nothing else."""
    count = 0
    with path.open("rb", buffering=1 << 20) as file:
        for _ in file:
            count += 1
    return count


def parse(path: Path) -> None:
    """The control O: every line parsed and dropped."""
    with path.open("rb", buffering=1 << 20) as file:
        for line in file:
            orjson.loads(line)


def run_python(*words: str) -> None:
    """Run this Python with arguments, quietly."""
    subprocess.run([sys.executable, *words], check=True, capture_output=True, env=_environment())


def _environment() -> dict[str, str]:
    # A user's installation has its byte code compiled, so the measured one must have it, too.
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    return environment


def first_text(command: list[str], wanted: bytes, patience: float = 60.0) -> float:
    """Seconds from starting a program in a terminal of 120 by 40 to a text it writes."""
    environment = {**_environment(), "TERM": "xterm-256color", "COLORTERM": "truecolor"}
    start = time.perf_counter()
    process, terminal = pty.fork()
    if process == 0:
        os.execve(command[0], command, environment)
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
    seen = b""
    try:
        while wanted not in seen:
            if time.perf_counter() - start > patience:
                raise TimeoutError(f"{command} never wrote {wanted!r}")
            if select.select([terminal], [], [], 0.5)[0]:
                seen += os.read(terminal, 1 << 16)
        return time.perf_counter() - start
    finally:
        os.kill(process, signal.SIGKILL)
        os.waitpid(process, 0)
        os.close(terminal)


@contextmanager
def workspace(wanted: int) -> Iterator[Path]:
    """A folder for big files, gone afterwards.

    Args:
        wanted: Bytes that will be written.

    Raises:
        SystemExit: There is not room enough.
    """
    folder = tempfile.mkdtemp(prefix="pitree-benchmarks-")
    try:
        free = shutil.disk_usage(folder).free
        if free < 1.3 * wanted:
            raise SystemExit(f"{wanted / 1e9:.1f} GB are wanted, {free / 1e9:.1f} GB are free")
        yield Path(folder)
    finally:
        shutil.rmtree(folder)

"""Measuring: controls and figures in turns, the best of three, and the lines of the table."""

from __future__ import annotations

import fcntl
import gc
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
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import orjson

TRIES = 3
TOLERANCE = 1.25
"""A row that is over its target by more fails the run."""

BUFFER = 1 << 20
ALL_SIZES = "S M L XL"

Measured = Callable[[], object]


@dataclass(frozen=True)
class Row:
    """One measured row.

    Attributes:
        number: The number in the list of limits.
        name: What was measured.
        figure: The figure.
        target: What it must not exceed; None for a figure that only informs.
        unit: The unit of both.
        note: What else there is to say.
        sizes: The sizes to which the row applies.
    """

    number: str
    name: str
    figure: float
    target: float | None
    unit: str
    note: str = ""
    sizes: str = ALL_SIZES

    @property
    def state(self) -> str:
        if self.target is None:
            return "info"
        if self.figure <= self.target:
            return "ok"
        return "over" if self.figure <= TOLERANCE * self.target else "FAILS"

    def __str__(self) -> str:
        target = "-" if self.target is None else f"{self.target:.2f}"
        ratio = f"{self.figure / self.target:.2f}" if self.target else "-"
        return (
            f"{self.number:<3}{self.name:<46} {self.figure:>9.2f} {target:>9} {self.unit:<9}"
            f"{ratio:>5}  {self.state:<6} {self.sizes:<10} {self.note}"
        ).rstrip()


TABLE_HEAD = (
    f"{'':<3}{'':<46} {'figure':>9} {'target':>9} {'':<9}{'ratio':>5}  {'':<6} {'sizes':<10}"
).rstrip()


def best(*functions: Measured, tries: int = TRIES) -> list[float]:
    """The shortest time of each function, in seconds.

    They are called in turns: what else the machine does then slows a control down as well. The
    garbage collector waits meanwhile, as it does where pitree does the same.
    """
    shortest = [float("inf")] * len(functions)
    for _ in range(tries):
        for at, function in enumerate(functions):
            gc.collect()
            gc.disable()
            start = time.perf_counter()
            result = function()
            shortest[at] = min(shortest[at], time.perf_counter() - start)
            gc.enable()
            del result
    return shortest


def best_of(*measures: Callable[[], float], tries: int = TRIES) -> list[float]:
    """The smallest value of each function, which measure something themselves, in turns."""
    rounds = [[measure() for measure in measures] for _ in range(tries)]
    return [min(values) for values in zip(*rounds, strict=True)]


# ---------------------------------------------------------------------- controls


def iterate(path: Path) -> int:
    """The control N: every line of a file, and nothing else."""
    count = 0
    with path.open("rb", buffering=BUFFER) as file:
        for _ in file:
            count += 1
    return count


def read_chunks(path: Path) -> int:
    """All bytes of a file in pieces of a megabyte, into one buffer."""
    buffer, count = bytearray(BUFFER), 0
    with path.open("rb", buffering=0) as file:
        while got := file.readinto(buffer):
            count += got
    return count


def parse(path: Path) -> None:
    """The control O: every line parsed and dropped."""
    with path.open("rb", buffering=BUFFER) as file:
        for line in file:
            orjson.loads(line)


def parse_and_keep(path: Path) -> list[object]:
    """Every line parsed and kept."""
    with path.open("rb", buffering=BUFFER) as file:
        return [orjson.loads(line) for line in file]


def controls(path: Path, *, keep: bool) -> list[str]:
    """What reading a session costs without pitree, as lines of text.

    Args:
        path: The session.
        keep: Whether parsing and keeping all is measured too; it takes six times the file's size.
    """
    measured: dict[str, Measured] = {
        "N: lines read": lambda: iterate(path),
        "chunks of 1 MiB read": lambda: read_chunks(path),
        "O: orjson, each line parsed and dropped": lambda: parse(path),
    }
    if keep:
        measured["orjson, each line parsed and kept"] = lambda: parse_and_keep(path)
    seconds = dict(zip(measured, best(*measured.values()), strict=True))
    lines = seconds["N: lines read"]
    return [
        f"{name:<46} {value * 1e3:>9.1f} ms {value / lines:>6.1f} N"
        for name, value in seconds.items()
    ]


# ---------------------------------------------------------------------- programs


def environment() -> dict[str, str]:
    """The variables of a measured program: pitree of this folder, its byte code compiled."""
    variables = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    # A user's installation has its byte code compiled, so the measured one must have it, too.
    variables.pop("PYTHONDONTWRITEBYTECODE", None)
    return variables


def run_python(*words: str) -> None:
    """Run this Python with arguments, quietly."""
    subprocess.run([sys.executable, *words], check=True, capture_output=True, env=environment())


def first_text(command: list[str], wanted: bytes, patience: float = 60.0) -> float:
    """Seconds from starting a program in a terminal of 120 by 40 to a text it writes.

    Raises:
        TimeoutError: It never wrote it.
    """
    variables = {**environment(), "TERM": "xterm-256color", "COLORTERM": "truecolor"}
    start = time.perf_counter()
    process, terminal = pty.fork()
    if process == 0:
        os.execve(command[0], command, variables)
    seen = b""
    try:
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
        while wanted not in seen:
            if time.perf_counter() - start > patience:
                raise TimeoutError(f"{command} never wrote {wanted!r}, last: {seen[-2000:]!r}")
            if select.select([terminal], [], [], 0.5)[0]:
                try:
                    seen += os.read(terminal, 1 << 16)
                except OSError as error:
                    raise TimeoutError(f"{command} ended, last: {seen[-2000:]!r}") from error
        return time.perf_counter() - start
    finally:
        # Its helpers are of the same process group; they would go on reading a big file.
        with suppress(ProcessLookupError):
            os.killpg(process, signal.SIGKILL)
        os.waitpid(process, 0)
        os.close(terminal)


def child_peaks() -> list[int]:
    """The most memory that each child of this process has held, in bytes; empty without /proc."""
    peaks = []
    for children in Path("/proc/self/task").glob("*/children"):
        for child in children.read_text().split():
            status = Path(f"/proc/{child}/status").read_text()
            if "VmHWM:" in status:
                peaks.append(int(status.split("VmHWM:")[1].split()[0]) * 1024)
    return peaks


@contextmanager
def workspace(wanted: int) -> Iterator[Path]:
    """A folder for big files, gone afterwards, also after Ctrl-C.

    Args:
        wanted: Bytes that will be written.

    Raises:
        SystemExit: There is not room enough.
    """

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, stop)
    folder = tempfile.mkdtemp(prefix="pitree-benchmarks-")
    try:
        free = shutil.disk_usage(folder).free
        if free < 1.3 * wanted:
            raise SystemExit(f"{1.3 * wanted / 1e9:.1f} GB are wanted, {free / 1e9:.1f} GB free")
        yield Path(folder)
    finally:
        shutil.rmtree(folder)
        signal.signal(signal.SIGTERM, before)

"""Row 16 and the context of a long path: tokens counted, messages built."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import time
from pathlib import Path

import orjson
import tiktoken

from pitree import SessionManager, TokenCounter, build_session_context
from pitree.context.worker import encodings_folder
from tests.benchmarks.harness import TRIES, Row, best, environment
from tests.benchmarks.sessions import Size, write_session

ENCODING = "o200k_base"
PATHOLOGICAL = {
    "blanks": " " * 1_000_000,
    "one letter": "a" * 1_000_000,
    "emoji": "😀" * 250_000,
}
PATH_ENTRIES = 100_000
ROOT = Path(__file__).parents[2]


def _normal_text() -> str:
    """Prose and code: the sources of pitree and of its tests, one behind the other."""
    files = sorted([*ROOT.glob("*.md"), *ROOT.glob("pitree/**/*.py"), *ROOT.glob("tests/**/*.py")])
    return "".join(file.read_text("utf-8") for file in files)


def tokens() -> list[Row]:
    """16: counts equal tiktoken's, and pathological text is bounded and quiet."""
    folder = encodings_folder()
    assert folder is not None
    os.environ["TIKTOKEN_CACHE_DIR"] = str(folder)
    text = _normal_text()
    whole = len(tiktoken.get_encoding(ENCODING).encode_ordinary(text))

    async def count(counter: TokenCounter, one: str) -> float:
        start = time.perf_counter()
        await counter.count([one])
        return time.perf_counter() - start

    async def measure() -> tuple[int, dict[str, float]]:
        counter = TokenCounter(ENCODING)
        counted = (await counter.count([text]))[0]
        times = dict.fromkeys(PATHOLOGICAL, float("inf"))
        for _ in range(TRIES):
            for name, one in PATHOLOGICAL.items():
                times[name] = min(times[name], await count(counter, one))
        await counter.close()
        return counted, times

    counted, times = asyncio.run(measure())
    note = f"{len(text):,} characters: {counted:,} tokens for {whole:,}"
    error = abs(counted - whole) / whole * 100
    return [
        Row("16", "count against tiktoken's of the whole", error, 0.1, "%", note),
        *(Row("16", f"1 MB of {name}", value * 1e3, 150, "ms") for name, value in times.items()),
        _noise(),
    ]


def _noise() -> Row:
    """What the counting process writes on standard error over pathological texts."""
    requests = [{"id": 1, "encoding": ENCODING, "texts": [one]} for one in PATHOLOGICAL.values()]
    run = subprocess.run(
        [sys.executable, "-P", "-m", "pitree.context.worker"],
        input=b"".join(orjson.dumps(request) + b"\n" for request in requests),
        capture_output=True,
        env=environment(),
        check=True,
    )
    answers = [orjson.loads(line) for line in run.stdout.splitlines()]
    assert all(answer["counts"][0] > 0 for answer in answers)
    assert len(answers) == len(requests)
    return Row("16", "written on standard error meanwhile", len(run.stderr), 0, "bytes")


def context(folder: Path) -> list[Row]:
    """Building the context of a path of 100,000 messages, as big as those of the sessions."""
    path = folder / "path.jsonl"
    write_session(path, Size(PATH_ENTRIES, 0, 0), straight=True)
    with path.open("rb") as file:
        lines = list(file)[1:]

    def drop() -> None:
        for line in lines:
            orjson.loads(line)

    async def measure() -> list[float]:
        session = await SessionManager.open(path, cache=False)
        assert len(build_session_context(session, session.leaf).messages) == PATH_ENTRIES
        seconds = best(
            lambda: build_session_context(session, session.leaf),
            lambda: [orjson.loads(line) for line in lines],
            drop,
        )
        await session.close()
        return seconds

    built, kept, dropped = asyncio.run(measure())
    path.unlink()
    note = f"{built * 1e3:.0f} ms, {sum(map(len, lines)) / 1e6:.0f} MB of lines"
    return [
        Row("c", "context of 100,000 / parsed and kept", built / kept, 1.3, "x", note),
        Row("c", "context of 100,000 / parsed and dropped", built / dropped, 1.3, "x", note),
    ]

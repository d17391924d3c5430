"""A helper process that answers requests in line JSON over pipes."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import os
import sys
from collections.abc import AsyncGenerator
from pathlib import Path

from pitree.errors import NotASessionError, PitreeError
from pitree.model.entries import JsonObject
from pitree.store.parse import dump_line, parse_line

LONGEST_LINE = 1 << 30
"""Bytes of the longest answer line: the tables of an index with a million labels."""

LAST_SECONDS = 5.0
_ROOT = str(Path(__file__).parents[2])


class JsonProcess:
    """One process running a module of pitree, started when it is first asked.

    Requests wait for each other. Cancelling one kills the process, as that is the only way to
    stop it; the next request starts a new one.
    """

    def __init__(self, module: str) -> None:
        """Run `module`, whose main answers requests from standard input."""
        self._module = module
        self._process: asyncio.subprocess.Process | None = None
        self._lock = asyncio.Lock()
        self._numbers = itertools.count(1)

    async def ask(
        self, request: JsonObject
    ) -> AsyncGenerator[tuple[JsonObject, asyncio.StreamReader], None]:
        """Send a request; yields each answer with the stream, for raw bytes that follow it.

        Raises:
            NotASessionError: The process said so.
            PitreeError: The request failed, or the process died.
        """
        async with self._lock:
            process = await self._start()
            assert process.stdin is not None
            assert process.stdout is not None
            finished = False
            try:
                message = {"id": next(self._numbers), **request}
                process.stdin.write(dump_line(message))
                await process.stdin.drain()
                while not finished:
                    line = await process.stdout.readline()
                    if not line:
                        raise PitreeError(await self._last_words())
                    answer = parse_line(line)
                    if "error" in answer:
                        finished = True
                        known = answer["kind"] == NotASessionError.__name__
                        raise (NotASessionError if known else PitreeError)(answer["error"])
                    finished = "done" in answer
                    yield answer, process.stdout
            except OSError as error:
                raise PitreeError(f"{self._module} died: {error}") from error
            finally:
                if not finished:
                    await self._kill()

    async def _start(self) -> asyncio.subprocess.Process:
        if self._process is None or self._process.returncode is not None:
            # -P keeps the working directory out of the search path, where a session's folder may
            # hold any file; the package's own place is added, as it need not be installed.
            path = [_ROOT, *filter(None, [os.environ.get("PYTHONPATH")])]
            self._process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-P",
                "-m",
                self._module,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
                env={**os.environ, "PYTHONPATH": os.pathsep.join(path)},
                limit=LONGEST_LINE,
            )
        return self._process

    async def _last_words(self) -> str:
        words = ""
        if self._process is not None and self._process.stderr is not None:
            words = (await self._process.stderr.read()).decode("utf-8", "replace").strip()
        return f"{self._module} died: {words.rpartition(chr(10))[2] or 'it said nothing'}"

    async def close(self) -> None:
        """Let the process finish what it does (it may still keep an index), then end it."""
        process = self._process
        if process is not None and process.stdin is not None:
            process.stdin.close()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(asyncio.shield(process.wait()), LAST_SECONDS)
        await self._kill()

    async def _kill(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        if process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
        await process.communicate()

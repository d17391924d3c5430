"""Rows 1 and 14: how soon the screen is there, and what its process loads."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.benchmarks.harness import Row, best, best_of, environment, first_text, run_python
from tests.benchmarks.sessions import LAST_TEXT, SIZES, write_session

EMPTY_APP = """
from textual.app import App
from textual.widgets import Static
class Empty(App):
    def compose(self):
        yield Static("EMPTY")
Empty().run()
"""

SCREEN_TRIES = 7
"""A start takes a quarter of a second, so more of them are worth it."""

UI_MODULES = ("litellm", "openai", "httpx", "numpy", "tiktoken")
UI_CHECK = f"""
import asyncio, sys
from pathlib import Path
from pitree.app.app import PitreeApp
from pitree.app.screens.explorer import ExplorerScreen
from pitree.settings import Settings
async def main():
    app = PitreeApp(Settings(), lambda: ExplorerScreen(Path(sys.argv[1]), Settings()))
    async with app.run_test() as pilot:
        await pilot.pause(1)
asyncio.run(main())
print(*sorted(set(sys.modules) & set({UI_MODULES!r})))
"""


def first_content(path: Path) -> list[Row]:
    """1: from starting `pitree FILE` to the text of the last message on the screen."""
    small = path.with_name("small.jsonl")
    write_session(small, SIZES["S"])

    def pitree(file: Path) -> float:
        command = [sys.executable, "-m", "pitree", str(file)]
        return first_text(command, LAST_TEXT.encode())

    def empty_app() -> float:
        return first_text([sys.executable, "-c", EMPTY_APP], b"EMPTY")

    pitree(small)  # compiles the byte code
    empty, of_small, of_file = best_of(
        empty_app, lambda: pitree(small), lambda: pitree(path), tries=SCREEN_TRIES
    )
    note = f"{of_file * 1e3:.0f} ms; T0, an empty Textual app: {empty * 1e3:.0f} ms"
    return [
        Row("1", "first content / empty app", of_file / empty, 1.25, "T0", note),
        Row("1", "first content / that of S", of_file / of_small, 1.15, "x", "", "M L XL"),
    ]


def start_up(path: Path) -> list[Row]:
    """14: `pitree --version`, and what the screen's process loads."""
    nothing, version = best(
        lambda: run_python("-c", "pass"),
        lambda: run_python("-m", "pitree", "--version"),
        tries=SCREEN_TRIES,
    )
    run = subprocess.run(
        [sys.executable, "-c", UI_CHECK, str(path)],
        check=True,
        capture_output=True,
        text=True,
        env=environment(),
    )
    loaded = run.stdout.split()
    note = f"{version * 1e3:.0f} ms; python -c pass: {nothing * 1e3:.0f} ms"
    names = " ".join(loaded) or f"none of {' '.join(UI_MODULES)}"
    return [
        Row("14", "pitree --version / python -c pass", version / nothing, 3, "x", note),
        Row("14", "heavy modules in the screen's process", len(loaded), 0, "modules", names),
    ]

"""The real program in a real terminal, driven through tmux."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.sessions import Builder

pytestmark = pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed")

PATIENCE = 20.0
FIXTURES = Path(
    os.environ.get(
        "PITREE_PUBLIC_FIXTURES",
        Path(__file__).parents[2].parent / "shared" / "pi-oracle" / "public-fixtures",
    )
)


class Terminal:
    """One tmux window with a shell in it."""

    def __init__(self, home: Path, columns: int, rows: int) -> None:
        self._socket = f"pitree-{uuid.uuid4().hex[:8]}"
        self._home = home
        size = ("-x", str(columns), "-y", str(rows))
        self._tmux("new-session", "-d", "-s", "t", *size, "env PS1='$ ' sh -i")

    def _tmux(self, *words: str) -> str:
        command = ["tmux", "-L", self._socket, "-f", os.devnull, *words]
        environment = {**os.environ, "HOME": str(self._home), "LC_ALL": "C.UTF-8"}
        run = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
        return run.stdout

    def type(self, line: str) -> None:
        self._tmux("send-keys", "-t", "t", "-l", line)
        self._tmux("send-keys", "-t", "t", "Enter")

    def keys(self, *keys: str) -> None:
        self._tmux("send-keys", "-t", "t", *keys)

    def resize(self, columns: int, rows: int) -> None:
        self._tmux("resize-window", "-t", "t", "-x", str(columns), "-y", str(rows))

    def screen(self) -> str:
        return self._tmux("capture-pane", "-p", "-t", "t")

    def wait(self, wanted: str | Callable[[str], bool]) -> str:
        """The screen as soon as it shows something."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            screen = self.screen()
            if wanted(screen) if callable(wanted) else wanted in screen:
                return screen
            time.sleep(0.05)
        raise AssertionError(f"never saw {wanted!r}:\n{self.screen()}")

    def close(self) -> None:
        subprocess.run(["tmux", "-L", self._socket, "kill-server"], check=False)


@pytest.fixture
def terminal(own_home: Path) -> Iterator[Terminal]:
    window = Terminal(own_home, 120, 36)
    yield window
    window.close()


def _start(terminal: Terminal, what: str) -> None:
    terminal.type(f"{sys.executable} -m pitree {what}; echo left with $?")


def test_a_session_is_walked_and_left(terminal: Terminal, tmp_path: Path) -> None:
    builder = Builder()
    first = builder.user("first question")
    builder.assistant("first answer")
    builder.user("another try", parent=first)
    builder.assistant("second answer with a needle")
    path = builder.write(tmp_path / "s.jsonl")
    before = path.read_bytes()
    _start(terminal, str(path))
    terminal.wait("Chat ─ root → 00000004")
    terminal.keys("Home")
    terminal.wait("Chat ─ root → 00000001")
    terminal.keys("Down")
    terminal.wait("Chat ─ root → 00000003")
    terminal.keys("C-u")
    terminal.wait("Tree ─ user-only")
    terminal.keys("C-d")
    terminal.wait("Tree ─ default")
    terminal.keys("/")
    terminal.keys("-l", "needle")
    terminal.wait("1 entries found")
    terminal.keys("Enter")
    terminal.keys("Escape")
    terminal.wait("Tree ─ default ─ 3/4")
    terminal.keys("?")
    terminal.wait("Search the whole text")
    terminal.keys("Escape")
    terminal.resize(80, 24)
    terminal.wait("Tree ─ default")
    terminal.keys("q")
    screen = terminal.wait("left with 0")
    assert "Tree ─" not in screen, "the terminal's own screen came back"
    assert path.read_bytes() == before


def test_a_missing_file_is_one_line(terminal: Terminal) -> None:
    _start(terminal, "nothing-here.jsonl")
    screen = terminal.wait("left with 1")
    assert "pitree: nothing-here.jsonl: No such file or directory" in screen
    assert "Traceback" not in screen


def test_a_folder_without_sessions_says_what_to_do(terminal: Terminal) -> None:
    _start(terminal, "")
    terminal.wait("No sessions in")
    terminal.keys("q")
    terminal.wait("left with 0")


def test_the_demo_opens(terminal: Terminal) -> None:
    _start(terminal, "demo")
    terminal.wait("sample session")
    terminal.keys("C-q")
    terminal.wait("left with 0")


@pytest.mark.skipif(not FIXTURES.is_dir(), reason="Pi's public test files are not here")
@pytest.mark.parametrize("name", ["large-session.jsonl", "before-compaction.jsonl"])
def test_the_public_fixtures_open_and_walk(terminal: Terminal, name: str) -> None:
    _start(terminal, str(FIXTURES / name))
    terminal.wait(lambda screen: "Context ─ what the model gets" in screen and " / 200," in screen)
    terminal.keys("Home")
    terminal.wait("─ 1/")
    terminal.keys("PageDown", "PageDown", "Down")
    terminal.wait(lambda screen: "─ 1/" not in screen)
    terminal.keys("End")
    terminal.keys("q")
    terminal.wait("left with 0")

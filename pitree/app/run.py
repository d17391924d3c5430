"""Starts the explorer on a file, a session id, the sample, or the sessions of this folder."""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Iterator
from pathlib import Path

from pitree.app.app import PitreeApp
from pitree.app.screens.explorer import ExplorerScreen
from pitree.errors import PitreeError
from pitree.settings import load_settings
from pitree.store.session_list import find_session

DEMO = "demo"


def run_app(file: str | None) -> int:
    """Run the explorer until it is quit.

    Args:
        file: A session file, an id or the start of one; `demo` for the sample; None for the list.

    Returns:
        The exit code.

    Raises:
        PitreeError: No such file or session.
    """
    # Collecting while everything is loaded takes 15 ms, and finds nothing; what stays for ever is
    # then left out of every later collection.
    gc.disable()
    cwd = Path.cwd()
    settings = load_settings(cwd)
    with contextlib.ExitStack() as stack:
        if file is None:
            from pitree.app.screens.sessions import SessionsScreen

            app = PitreeApp(settings, lambda: SessionsScreen(cwd, settings))
        elif file == DEMO:
            path = stack.enter_context(demo_copy())
            app = PitreeApp(settings, lambda: ExplorerScreen(path, settings, "sample session"))
        else:
            path = find_session(file, cwd, settings.session_dir)
            if not path.exists():
                raise PitreeError(f"{path}: No such file or directory")
            app = PitreeApp(settings, lambda: ExplorerScreen(path, settings))
        app.run()
        return app.return_code or 0


@contextlib.contextmanager
def demo_copy() -> Iterator[Path]:
    """The sample session in a temporary folder, which goes away at the end."""
    import shutil
    import tempfile
    from importlib.resources import as_file, files

    with tempfile.TemporaryDirectory(prefix="pitree-demo-") as folder:
        copy = Path(folder) / "demo.jsonl"
        with as_file(files("pitree.demo") / "session.jsonl") as source:
            shutil.copyfile(source, copy)
        yield copy

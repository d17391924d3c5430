"""The entry point: the command line, and the way from it to the explorer."""

from __future__ import annotations

import sys

from pitree import __version__


def open_app(file: str | None) -> int:
    """Open the explorer; imported only here, as Textual takes 0.2 s to load."""
    from pitree.app.run import run_app

    return run_app(file)


def main() -> int:
    """Run `pitree`."""
    if sys.argv[1:] == ["--version"]:
        print(f"pitree {__version__}")
        return 0
    # The command line takes 40 ms to load, three times what Python takes to start.
    from pitree.cli.main import main as run

    return run()


if __name__ == "__main__":
    sys.exit(main())

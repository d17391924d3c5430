"""The entry point: the command line, and the way from it to the explorer."""

from __future__ import annotations

import sys

from pitree.cli.main import main as run


def open_app(file: str | None) -> int:
    """Open the explorer; imported only here, as Textual takes 0.2 s to load."""
    from pitree.app.run import run_app

    return run_app(file)


def main() -> int:
    """Run `pitree`."""
    return run()


if __name__ == "__main__":
    sys.exit(main())

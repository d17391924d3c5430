"""The `pitree` command: finds the subcommand, runs it, turns failures into exit codes."""

from __future__ import annotations

import argparse
import asyncio
import importlib
import os
import sys
from collections.abc import Sequence

from pitree import __version__
from pitree.errors import PitreeError

COMMANDS = {
    "tree": "print the visible rows of a session's tree",
    "context": "print what the model gets at a position",
    "tips": "list the ends of all branches",
    "stats": "count entries, tokens and cost",
    "sessions": "list the sessions of this folder",
    "doctor": "report what is damaged in a file, and what Pi does with it",
    "paths": "print where files are looked for and kept",
}
"""Subcommand → what it does; each is a module of this package with `prepare` and `run`."""

INTERRUPTED = 130


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line.

    Returns:
        0 if something was read and printed, 1 for a failure, 2 for wrong words or an unknown id,
        3 if nothing could be read or `doctor` found damage.
    """
    words = list(sys.argv[1:] if argv is None else argv)
    name = words[0] if words and words[0] in COMMANDS else None
    parser = _parser(name)
    args = parser.parse_args(words)
    # Session text has any character; what standard output can't say is replaced, never raised.
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="replace")
    try:
        if name is None:
            from pitree.__main__ import open_app

            return open_app(args.file)
        command = importlib.import_module(f"pitree.cli.{name}")
        code: int = asyncio.run(command.run(args))
        sys.stdout.flush()
        return code
    except PitreeError as error:
        from pitree.cli.output import warn

        warn(str(error))
        return error.exit_code
    except BrokenPipeError:
        # The reader went away, as `head` does: the rest of the output has nowhere to go.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        return INTERRUPTED


def _parser(name: str | None) -> argparse.ArgumentParser:
    """The parser of one command, or the one that tells of all of them."""
    if name is not None:
        parser = argparse.ArgumentParser(prog=f"pitree {name}", description=COMMANDS[name])
        parser.add_argument("command", help=argparse.SUPPRESS)
        importlib.import_module(f"pitree.cli.{name}").prepare(parser)
        return parser
    lines = "\n".join(f"  {command:<10} {does}" for command, does in COMMANDS.items())
    parser = argparse.ArgumentParser(
        prog="pitree",
        description="Explore the session trees of the Pi coding agent.",
        epilog=f"commands (`pitree COMMAND --help` tells more):\n{lines}\n"
        "  demo       open the explorer on a sample session",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"pitree {__version__}")
    parser.add_argument(
        "file",
        nargs="?",
        metavar="FILE",
        help="open the explorer on this session file or id; without it, on this folder's sessions",
    )
    return parser

"""Arguments that several commands share."""

from __future__ import annotations

import argparse
from pathlib import Path

from pitree.settings import Settings, load_settings
from pitree.store.session_list import resolve_session
from pitree.store.session_manager import SessionManager


def add_file(parser: argparse.ArgumentParser) -> None:
    """The FILE argument and `--json`."""
    parser.add_argument(
        "file", metavar="FILE", help="a session file, a session id or the unique start of one"
    )
    add_json(parser)


def add_json(parser: argparse.ArgumentParser) -> None:
    """The `--json` flag."""
    parser.add_argument("--json", action="store_true", help="print one line of JSON")


def add_leaf(parser: argparse.ArgumentParser) -> None:
    """The `--leaf` option."""
    parser.add_argument(
        "--leaf",
        metavar="ID",
        help="stand at this entry instead of the last one; `root` stands before the first",
    )


async def open_session(args: argparse.Namespace) -> tuple[SessionManager, Settings]:
    """Open the FILE of a command, and the settings that hold here."""
    settings = load_settings(Path.cwd())
    path = await resolve_session(args.file, Path.cwd(), settings.session_dir)
    return await SessionManager.open(path), settings


def leaf_row(session: SessionManager, leaf: str | None) -> int | None:
    """The row that `--leaf` names: Pi's leaf without it, None for `root`."""
    if leaf is None:
        return session.leaf
    return None if leaf == "root" else session.row(leaf)

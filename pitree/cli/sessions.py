"""`pitree sessions`: the sessions of this folder, the last written first."""

from __future__ import annotations

import argparse
from pathlib import Path

from pitree import paths
from pitree.cli.arguments import add_json
from pitree.cli.output import say, say_json, warn
from pitree.model import js
from pitree.settings import load_settings
from pitree.store.session_list import age, list_sessions

SCHEMA = 1


def prepare(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    add_json(parser)


async def run(args: argparse.Namespace) -> int:
    """Print the sessions."""
    settings = load_settings(Path.cwd())
    folder = paths.session_dir(Path.cwd(), settings.session_dir)
    found = await list_sessions(folder)
    if args.json:
        say_json(
            {
                "schema": SCHEMA,
                "folder": str(folder),
                "sessions": [
                    {
                        "id": info.id or None,
                        "path": str(info.path),
                        "name": info.name,
                        "firstMessage": info.first_message,
                        "cwd": info.cwd,
                        "created": info.created,
                        "modified": js.date_iso(info.modified),
                        "bytes": info.size,
                        "parentSession": info.parent_session,
                        "problem": info.problem,
                    }
                    for info in found
                ],
            }
        )
        return 0
    if not found:
        warn(f"no sessions in {folder}")
    for info in found:
        title = f"({info.problem}) {info.path.name}" if info.problem else info.title
        say(f"{info.id[:8] or '-':<8}  {age(info.modified):>4}  {info.size:>12,} bytes  {title}")
    return 0

"""`pitree tips`: the end of every branch."""

from __future__ import annotations

import argparse
import os
from typing import Any

from pitree.cli.arguments import add_file, open_session
from pitree.cli.output import say, say_json, warn_state
from pitree.model.entries import JsonObject
from pitree.model.row_text import row_text
from pitree.store.session_manager import SessionManager

SCHEMA = 1


def prepare(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    add_file(parser)


async def run(args: argparse.Namespace) -> int:
    """Print the tips, those of the tree's first branches first."""
    session, _ = await open_session(args)
    async with session:
        warn_state(session)
        forks = set(session.tree.forks())
        tips = [_describe(session, row, forks) for row in session.tree.tips()]
        if args.json:
            say_json({"schema": SCHEMA, "leaf": session.leaf_id, "tips": tips})
            return 0
        for tip in tips:
            mark = "•" if tip["current"] else " "
            label = f"[{tip['label']}] " if tip["label"] else ""
            say(
                f"{mark} {tip['id'] or '-':<10} {tip['timestamp'] or '':<24} "
                f"{tip['entries']:>6} entries, {tip['ownEntries']:>6} own  {label}{tip['text']}"
            )
        return 0


def _describe(session: SessionManager, row: int, forks: set[int]) -> dict[str, Any]:
    path = session.path(row)
    fork = next((above for above in _upwards(session, row) if above in forks), None)
    own = len(path) - (0 if fork is None else (path.position(fork) or 0) + 1)
    entry = session.entry(row)
    label = session.label(row)

    def call_of(call_id: str) -> JsonObject | None:
        return session.tool_call(call_id, lambda a, b: a < b)

    leaf = session.leaf
    return {
        "id": session.entry_id(row),
        "timestamp": entry.timestamp or None,
        "label": label[0] if label else None,
        "entries": len(path),
        "ownEntries": own,
        "forkId": None if fork is None else session.entry_id(fork),
        "current": leaf is not None and row in session.path(leaf),
        "text": row_text(entry, call_of, os.environ.get("HOME", "")),
    }


def _upwards(session: SessionManager, row: int) -> list[int]:
    """The ends of the runs above a row, nearest first: only there can a fork be."""
    return [end - 1 for _, end in reversed(session.path(row).pieces)][1:]

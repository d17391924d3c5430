"""`pitree tips`: the end of every branch."""

from __future__ import annotations

import argparse
import os
from typing import Any

from pitree.cli.arguments import add_file, open_session
from pitree.cli.output import say, say_json, warn_state
from pitree.model import js
from pitree.model.entries import JsonObject
from pitree.model.index import ROOT
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
        tips = _tips(session)
        if args.json:
            say_json({"schema": SCHEMA, "leaf": session.leaf_id, "tips": tips})
            return 0
        for tip in tips:
            mark = "•" if tip["current"] else " "
            label = f"[{js.to_string(tip['label'])}] " if tip["label"] else ""
            say(
                f"{mark} {tip['id'] or '-':<10} {tip['timestamp'] or '':<24} "
                f"{tip['entries']:>6} entries, {tip['ownEntries']:>6} own  {label}{tip['text']}"
            )
        return 0


def _tips(session: SessionManager) -> list[dict[str, Any]]:
    """The tips with what each branch is long; one pass over the runs of the tree."""
    tree = session.tree
    forks = {tree.run_of(row) for row in tree.forks()}
    # Per run: entries from the root to its end, and the nearest run above that ends in a fork.
    length: dict[int, int] = {ROOT: 0}
    fork_above: dict[int, int] = {}
    for run in tree.preorder():
        above = tree.above[run]
        length[run] = length[above] + tree.ends[run] - tree.starts[run]
        fork_above[run] = above if above in forks else fork_above.get(above, ROOT)
    path = session.path(session.leaf)
    found = []
    for row in tree.tips():
        run = tree.run_of(row)
        entries = length[run] - (tree.ends[run] - 1 - row)
        fork = fork_above[run]
        found.append(
            {
                **_describe(session, row),
                "entries": entries,
                "ownEntries": entries - length[fork],
                "forkId": None if fork == ROOT else session.entry_id(tree.ends[fork] - 1),
                "current": row in path,
            }
        )
    return found


def _describe(session: SessionManager, row: int) -> dict[str, Any]:
    entry = session.entry(row)
    label = session.label(row)

    def call_of(call_id: str) -> JsonObject | None:
        return session.tool_call(call_id, lambda a, b: a < b)

    return {
        "id": session.entry_id(row),
        "timestamp": entry.timestamp or None,
        "label": label[0] if label else None,
        "text": row_text(entry, call_of, os.environ.get("HOME", "")),
    }

"""`pitree stats`: entries, tokens and cost, by path, file and fork family."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pitree.cli.arguments import add_file, add_leaf, leaf_row, open_session
from pitree.cli.output import say, say_json, thousands, warn, warn_state
from pitree.context.entry_counts import count_kinds
from pitree.context.usage_totals import Identity, UsageTotals, reached_rows
from pitree.errors import PitreeError
from pitree.model.ranges import RowRanges
from pitree.store.family import find_family
from pitree.store.session_manager import SessionManager

SCHEMA = 1

_LINES = {
    "input": "input tokens",
    "output": "output tokens",
    "cacheRead": "cache read",
    "cacheWrite": "cache write",
    "totalTokens": "total tokens",
}


def prepare(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    add_file(parser)
    add_leaf(parser)


async def run(args: argparse.Namespace) -> int:
    """Print the figures."""
    session, _ = await open_session(args)
    async with session:
        leaf = leaf_row(session, args.leaf)
        warn_state(session)
        rows = reached_rows(session.tree)
        files, family = await _family(session, rows)
        figures: dict[str, Any] = {
            "schema": SCHEMA,
            "leaf": None if leaf is None else session.entry_id(leaf),
            "entries": len(rows),
            "bytes": session.index.size,
            "kinds": count_kinds(session, rows),
            "branches": len(session.tree.tips()),
            "forks": len(session.tree.forks()),
            "path": _totals_json(_totals(session, session.path(leaf))),
            "file": _totals_json(_totals(session, rows)),
            "family": {"files": [str(path) for path in files], **_totals_json(family)},
        }
    if args.json:
        say_json(figures)
    else:
        for line in _lines(figures):
            say(line)
    return 0


def _totals(session: SessionManager, rows: RowRanges) -> UsageTotals:
    totals = UsageTotals()
    totals.add_rows(session, rows)
    return totals


async def _family(session: SessionManager, rows: RowRanges) -> tuple[list[Path], UsageTotals]:
    """The files of the session's family, and what is in them, copied entries counted once."""
    files = await find_family(session.session_file)
    if len(files) == 1:
        return files, _totals(session, rows)
    totals, seen, read = UsageTotals(), set[Identity](), list[Path]()
    for path in files:
        try:
            async with await SessionManager.open(path) as member:
                totals.add_rows(member, reached_rows(member.tree), seen)
            read.append(path)
        except PitreeError as error:
            warn(f"left out of the family: {error}")
    return read, totals


def _totals_json(totals: UsageTotals) -> dict[str, Any]:
    return {
        "messages": totals.messages,
        "usage": totals.tokens,
        "cost": totals.cost,
        "calls": totals.calls,
    }


def _lines(figures: dict[str, Any]) -> Iterator[str]:
    yield (
        f"{figures['entries']:,} entries, {figures['bytes']:,} bytes, "
        f"{figures['branches']:,} branches, {figures['forks']:,} forks"
    )
    for name, count in figures["kinds"].items():
        yield f"  {name:<24} {count:>9,}"
    columns = [figures[name] for name in ("path", "file", "family")]
    yield _line("", ["path", "file", "family"])
    yield _line("messages", [f"{column['messages']:,}" for column in columns])
    yield _line("model calls", [f"{column['calls']:,}" for column in columns])
    for name, title in _LINES.items():
        yield _line(title, [thousands(column["usage"][name]) for column in columns])
    yield _line("cost in US dollars", [f"{column['cost']:,.4f}" for column in columns])
    count = len(figures["family"]["files"])
    yield f"family: {'1 file' if count == 1 else f'{count:,} files'}"


def _line(title: str, cells: list[str]) -> str:
    return f"{title:<18}" + "".join(f"{cell:>16}" for cell in cells)

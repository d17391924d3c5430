"""`pitree tree`: the visible rows, as Pi prints them."""

from __future__ import annotations

import argparse
import os
from typing import Any

from pitree.cli.arguments import add_file, add_leaf, leaf_row, open_session
from pitree.cli.output import damage_json, say, say_json, warn, warn_state
from pitree.errors import UsageError
from pitree.model import js
from pitree.model.entries import JsonObject
from pitree.model.filters import FILTER_MODES, FilterMode
from pitree.model.row_text import row_text, search_words
from pitree.model.rows import TreeRow, VisibleRows
from pitree.store.session_manager import SessionManager

SCHEMA = 1


def prepare(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    add_file(parser)
    add_leaf(parser)
    parser.add_argument(
        "--filter", choices=FILTER_MODES, metavar="MODE", help=", ".join(FILTER_MODES)
    )
    parser.add_argument("--search", metavar="TEXT", default="", help="words that must all occur")
    parser.add_argument(
        "--reach",
        choices=("pi", "all"),
        default="pi",
        help="search what Pi searches (label, role, start of the text) or the whole text",
    )
    parser.add_argument(
        "--fold",
        metavar="ID",
        action="append",
        default=[],
        help="fold the segment that starts here",
    )


async def run(args: argparse.Namespace) -> int:
    """Print the rows."""
    session, settings = await open_session(args)
    async with session:
        leaf = leaf_row(session, args.leaf)
        mode: FilterMode = args.filter or settings.filter
        matches = None
        if search_words(args.search):
            matches = [
                row async for rows in session.search(args.search, args.reach) for row in rows
            ]
        rows = _fold(session, args, mode, leaf, matches)
        warn_state(session)
        printed = [_describe(session, rows, row) for row in rows]
        if args.json:
            say_json(
                {
                    "schema": SCHEMA,
                    "leaf": None if leaf is None else session.entry_id(leaf),
                    "filter": mode,
                    "search": args.search,
                    "rows": printed,
                    "damage": damage_json(session),
                }
            )
            return 0
        for row in printed:
            say(printed_row(row))
        return 0


def _fold(
    session: SessionManager,
    args: argparse.Namespace,
    mode: FilterMode,
    leaf: int | None,
    matches: list[int] | None,
) -> VisibleRows:
    """The rows under all folds, each set as Pi's key sets it: only where a segment starts."""
    folds: set[int] = set()
    labeled = session.labeled_rows()

    def lay_out() -> VisibleRows:
        return VisibleRows(
            session.tree, mode, leaf=leaf, labeled=labeled, matches=matches, folds=folds
        )

    rows = lay_out()
    for name in args.fold:
        row = session.row(name)
        at = rows.position(row)
        if at is None:
            raise UsageError(f"--fold {name}: that entry is not visible")
        if rows[at].foldable:
            folds.add(row)
            rows = lay_out()
        else:
            warn(f"--fold {name}: no segment starts there, nothing folded")
    return rows


def _describe(session: SessionManager, rows: VisibleRows, row: TreeRow) -> dict[str, Any]:
    label = session.label(row.row)

    def call_of(call_id: str) -> JsonObject | None:
        return session.tool_call(call_id, rows.comes_before)

    return {
        "id": session.entry_id(row.row),
        "indent": row.indent,
        "prefix": row.prefix,
        "folded": row.folded,
        "text": row_text(session.entry(row.row), call_of, os.environ.get("HOME", "")),
        "label": label[0] if label else None,
        "labelTimestamp": label[1] if label else None,
        "onPath": row.on_path,
    }


def printed_row(row: dict[str, Any]) -> str:
    """A row as Pi prints it."""
    mark = "⊞ " if row["folded"] and "⊞" not in row["prefix"] else ""
    path = "• " if row["onPath"] else ""
    label = f"[{js.to_string(row['label'])}] " if row["label"] is not None else ""
    return f"  {row['prefix']}{mark}{path}{label}{row['text']}"

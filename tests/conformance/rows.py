"""The rows of pitree's tree, in the form of the goldens."""

from __future__ import annotations

import os
import re
from typing import Any

from pitree import SessionManager, VisibleRows
from pitree.cli.tree import printed_row
from pitree.model.entries import JsonObject
from pitree.model.row_text import row_text, search_words
from tests.conformance.compare import ABSENT, Comparison, Getters, short
from tests.conformance.rules import view_rules

CURSOR, NO_CURSOR = "› ", "  "

TERMINAL_CODES = re.compile(
    r"[\x1b\x9b][\[\]()#;?]*"
    r"(?:(?:(?:(?:;[-a-zA-Z\d/#&.:=?%@~_]+)*"
    r"|[a-zA-Z\d]+(?:;[-a-zA-Z\d/#&.:=?%@~_]*)*)?"
    r"(?:\x07|\x1b\\|\x9c))"
    r"|(?:(?:\d{1,4}(?:;\d{0,4})*)?[\dA-PR-TZcf-nq-uy=><~]))",
    re.ASCII,
)
"""What Node's stripVTControlCharacters takes out of the rows of the goldens."""


async def compare_views(session: SessionManager, comparison: Comparison) -> None:
    """Compare the rows of every view."""
    comparison.part(
        "views",
        "views",
        {name: value for name, value in comparison.case.views.items() if name != "views"},
        {"columns": lambda _: ["id", "level", "row"]},
    )
    for view in comparison.case.views["views"]:
        rows = await tree_rows(session, view)
        comparison.compared["view"] += 1
        place, plain = view_name(session, view), _without_cursor(view)
        _compare_view(session, rows, place, plain, comparison)


def _compare_view(
    session: SessionManager,
    rows: list[list[Any]],
    place: str,
    view: dict[str, Any],
    comparison: Comparison,
) -> None:
    getters: Getters = {"rows": lambda want: _like_rows(rows, view, want)}
    comparison.part("view", place, view, getters, lambda: view_rules(session, view, rows))


def view_name(session: SessionManager, view: dict[str, Any]) -> str:
    """The place of a view."""
    parts = [f"view {view['filter']}"]
    if view.get("search"):
        parts.append(f"search {view['search']}")
    if view.get("leaf", session.leaf_id) != session.leaf_id:
        parts.append(f"leaf {view['leaf'] or 'null'}")
    parts += [f"fold {entry_id}" for entry_id in view.get("fold", [])]
    if view.get("width") is not None:
        parts.append(f"width {view['width']}")
    return ", ".join(parts)


async def tree_rows(session: SessionManager, view: dict[str, Any]) -> list[list[Any]]:
    """The rows of a view: id, level, and the row as Pi prints it, without a cursor."""
    leaf_id = view.get("leaf", session.leaf_id)
    at_leaf = leaf_id == session.leaf_id
    leaf = session.leaf if at_leaf else None if leaf_id is None else session.row(leaf_id)
    matches = None
    if search_words(view.get("search", "")):
        matches = [row async for rows in session.search(view["search"], "pi") for row in rows]
    labeled, folds = session.labeled_rows(), set[int]()

    def lay_out() -> VisibleRows:
        return VisibleRows(
            session.tree, view["filter"], leaf=leaf, labeled=labeled, matches=matches, folds=folds
        )

    shown = lay_out()
    for entry_id in view.get("fold", []):
        # The kit presses Pi's key, which folds only where a segment starts.
        at = shown.position(session.row(entry_id))
        if at is not None and shown[at].foldable:
            folds.add(session.row(entry_id))
            shown = lay_out()

    def call_of(call_id: str) -> JsonObject | None:
        return session.tool_call(call_id, shown.comes_before)

    found = []
    for row in shown:
        label = session.label(row.row)
        printed = printed_row(
            {
                "prefix": row.prefix,
                "folded": row.folded,
                "onPath": row.on_path,
                "label": label[0] if label else None,
                "text": row_text(session.entry(row.row), call_of, os.environ["HOME"]),
            }
        )
        found.append([session.entry_id(row.row), row.indent, TERMINAL_CODES.sub("", printed)])
    return found


def _without_cursor(view: dict[str, Any]) -> dict[str, Any]:
    """A view whose rows, if they are written out, have no cursor: where it stands is Pi's own."""
    rows = view.get("rows")
    if not isinstance(rows, list):
        return view
    plain = [
        [name, level, NO_CURSOR + text[2:] if text.startswith(CURSOR) else text]
        for name, level, text in rows
    ]
    return {**view, "rows": plain}


def _like_rows(rows: list[list[Any]], view: dict[str, Any], want: Any) -> Any:
    """Rows in the form of a golden."""
    if isinstance(want, dict):
        # The hash is of rows with the cursor.
        marked = [
            [name, level, CURSOR + text[2:] if name == view["selected"] else text]
            for name, level, text in rows
        ]
        return {**short(marked), "first": marked[:5], "last": marked[-5:]}
    if view.get("width") is not None and want is not ABSENT and len(want) == len(rows):
        return [[*own[:2], theirs[2]] for own, theirs in zip(rows, want, strict=True)]
    return rows

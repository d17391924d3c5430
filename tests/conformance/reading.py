"""What pitree reads of a case, in the form of the goldens. The only place that calls pitree."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from typing import Any

from pitree import (
    CompactionSettings,
    NotASessionError,
    SessionContext,
    SessionManager,
    VisibleRows,
    build_session_context,
    convert_to_llm,
    estimate_context_tokens,
    estimate_tokens,
    get_context_usage,
    should_compact,
)
from pitree.cli.tree import printed_row
from pitree.context.estimates import ContextEstimate, estimate_projected
from pitree.context.system import current_system_message, system_prompt
from pitree.model import js
from pitree.model.row_text import row_text, search_words
from tests.conformance.compare import Result, like_ids, like_list, short
from tests.conformance.kit import Case, ref

WINDOW = 200_000
Getters = dict[str, Callable[[Any], Any]]


async def read_case(case: Case) -> Result:
    """Compare everything that concerns reading of one case."""
    result = Result()
    golden = case.golden
    try:
        session = await SessionManager.open(case.path)
    except NotASessionError as error:
        result.problems.append(f"can't be opened: {error}")
        return result
    async with session:
        result.fields("file", golden, _document(session, golden), "document")
        result.fields("load", golden["load"], _load(session, golden), "load")
        if "tree" in golden and not golden["tree"].get("hangs"):
            result.fields("tree", golden["tree"], _tree(session, golden["tree"]))
        for place, row, position in _positions(session, golden):
            result.compared["position"] += 1
            if position.get("hangs") or position.get("throws"):
                # Pi gives nothing to compare with; pitree still has to give something.
                got = _ids(session, row)
                result.differences.append((place, "path", got, "Pi hangs or throws"))
                build_session_context(session, row)
                continue
            getters, skipped = _position(session, row, case.is_new)
            result.fields(place, position, getters, *skipped)
        for view in case.views["views"]:
            await _view(session, view, result)
        result.compared["column names"] += len(case.views["columns"])
    return result


def _positions(
    session: SessionManager, golden: dict[str, Any]
) -> list[tuple[str, int | None, dict[str, Any]]]:
    found = []
    if "default" in golden:
        found.append(("default", session.leaf, golden["default"]))
    for position in golden.get("leaves", []):
        found.append((f"leaf {position['leaf']}", session.row(position["leaf"]), position))
    if "leafNull" in golden:
        found.append(("leaf null", None, golden["leafNull"]))
    return found


def _shown(session: SessionManager) -> range:
    """The rows of Pi's reading: none where it replaces the file."""
    return range(len(session) if session.state != "no-header" else 0)


def _document(session: SessionManager, golden: dict[str, Any]) -> Getters:
    rows = _shown(session)
    positions = {"default", "leaves", "leafNull", "load", "tree"}
    return {
        "entries": lambda want: like_list([session.entry(row).raw for row in rows], want),
        "entryIds": lambda want: like_ids([session.entry_id(row) for row in rows], want),
        "leafAfterLoad": lambda _: session.leaf_id,
        "labels": lambda _: [
            [key if isinstance(key, str) else None, label, stamp or None]
            for key, (label, stamp) in session.labels.items()
        ],
        # Compared part by part.
        **{name: lambda want: want for name in positions},
    }


def _load(session: SessionManager, golden: dict[str, Any]) -> Getters:
    index = session.index
    null_lines = sum(item.kind == "null" for item in session.damage)
    headers = golden["load"].get("headerLines", 1)
    return {
        "outcome": lambda want: _outcome(session, want),
        "accepted": lambda _: session.state not in ("no-header", "empty"),
        # Pi counts every line that parses; pitree's rows are those that are no header.
        "parsedLines": lambda _: len(index) + null_lines + _headers(session),
        "headerLines": lambda _: headers if session.state != "ok" else _headers(session),
        # Where Pi replaces the file there is a new header, which pitree has not.
        "header": lambda want: session.header if session.state in ("ok", "newer") else want,
        "sessionId": lambda _: session.session_id,
        "sessionName": lambda _: session.session_name,
    }


def _headers(session: SessionManager) -> int:
    """Header lines in the file: those that parse and are neither entries nor damage."""
    count = 0
    for line in session.session_file.read_bytes().split(b"\n"):
        try:
            value = js.parse(js.trim(line.decode("utf-8", "replace")))
        except ValueError:
            continue
        count += isinstance(value, dict) and value.get("type") == "session"
    return count


def _outcome(session: SessionManager, want: str) -> str:
    """What pitree's state says that Pi does with the file."""
    if session.state in ("no-header", "empty"):
        return "replaced-by-new-session"
    # A version that is no number migrates nothing, but Pi writes the file again.
    if not session.index.version >= 3:
        return "migrated-and-rewritten"
    return want if want in ("loaded", "newline-added", "throws") else "loaded"


def _tree(session: SessionManager, golden: dict[str, Any]) -> Getters:
    tree = session.tree
    nodes: list[list[Any]] = []
    shown: set[int] = set()
    stack = tree.children(None)[::-1]
    while stack:
        row = stack.pop()
        shown.add(row)
        children = tree.children(row)
        label = session.label(row)
        nodes.append(
            [
                session.entry_id(row),
                [session.entry_id(child) for child in children],
                label[0] if label else None,
                (label[1] or None) if label else None,
            ]
        )
        stack.extend(reversed(children))
    missing = [session.entry_id(row) for row in _shown(session) if row not in shown]
    return {
        "columns": lambda want: want,
        "roots": lambda want: like_ids(
            [session.entry_id(row) for row in tree.children(None)], want
        ),
        "nodes": lambda want: short(nodes) if isinstance(want, dict) else nodes,
        "entriesNotInTree": lambda _: missing,
    }


def _ids(session: SessionManager, row: int | None) -> list[Any]:
    return [session.entry_id(one) for one in session.path(row)]


def _position(
    session: SessionManager, row: int | None, is_new: bool
) -> tuple[Getters, tuple[str, ...]]:
    context = build_session_context(session, row)
    common: Getters = {
        "leaf": lambda _: None if row is None else session.entry_id(row),
        "path": lambda want: like_ids(_ids(session, row), want),
        "messages": lambda want: like_list(context.messages, want),
        "llm": lambda want: like_list(convert_to_llm(context.messages), want),
        "thinkingLevel": lambda _: context.thinking_level,
        "model": lambda _: context.model,
        "contextUsage200k": lambda _: _usage(session, context),
    }
    if is_new:
        return {
            **common,
            "projectedPath": lambda want: _projected(session, context, want),
            "estimateProjected": lambda _: _estimate(estimate_projected(session, context)),
            "system": lambda want: _system(context, want),
        }, ("position", "position of 1.6")
    return {
        **common,
        "tokens": lambda want: _tokens(context, want),
        "estimate": lambda _: _estimate(estimate_context_tokens(context.messages)),
        "shouldCompact": lambda want: _should_compact(context, want),
    }, ("position",)


def _projected(session: SessionManager, context: SessionContext, want: Any) -> Any:
    rows = [
        [session.entry_id(row), [ref(message) for message in messages]]
        for row, messages in context.entries
    ]
    return short(rows) if isinstance(want, dict) else rows


def _tokens(context: SessionContext, want: Any) -> Any:
    tokens = [estimate_tokens(message) for message in context.messages]
    return tokens if isinstance(want, list) else {**short(tokens), "sum": sum(tokens)}


def _estimate(estimate: ContextEstimate) -> dict[str, Any]:
    return {
        "tokens": estimate.tokens,
        "usageTokens": estimate.usage_tokens,
        "trailingTokens": estimate.trailing_tokens,
        "lastUsageIndex": estimate.last_usage_index,
    }


def _should_compact(context: SessionContext, want: Any) -> Any:
    if want is None:
        return None
    tokens = estimate_context_tokens(context.messages).tokens
    return [[window, should_compact(tokens, window, CompactionSettings())] for window, _ in want]


def _usage(session: SessionManager, context: SessionContext) -> dict[str, Any]:
    usage = get_context_usage(session, context, WINDOW)
    return {"tokens": usage.tokens, "contextWindow": WINDOW, "percent": usage.percent}


def _system(context: SessionContext, want: Any) -> Any:
    message = current_system_message(context.messages)
    if message is None:
        return None
    prompt = system_prompt(message)
    return {
        "message": ref(message),
        "prompt": {"utf16Length": js.utf16_len(prompt), "ref": ref(prompt)},
        "tools": [tool["name"] for tool in message.get("toolsAdded", [])],
    }


# ---------------------------------------------------------------------- rows

_CODES = re.compile(
    r"\x1b\[[0-9;?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x9b[0-9;?]*[@-~]"
)


async def _view(session: SessionManager, view: dict[str, Any], result: Result) -> None:
    place = f"{view['filter']} search={view.get('search', '')!r} leaf={view.get('leaf', '…')}"
    place += f" fold={','.join(view.get('fold', []))}"
    result.compared["view"] += 1
    if view.get("width") is not None:
        return
    rows = await _rows(session, view)
    if "rows" not in view:
        result.differences.append((place, "rows", rows, "Pi hangs or throws"))
        return
    result.fields(place, view, {"rows": lambda want: _like_rows(rows, view, want)}, "view")


async def _rows(session: SessionManager, view: dict[str, Any]) -> list[list[Any]]:
    """The rows of a view: id, indent, and the row as Pi prints it."""
    leaf = session.leaf
    if "leaf" in view and view["leaf"] != session.leaf_id:
        leaf = None if view["leaf"] is None else session.row(view["leaf"])
    search, matches = view.get("search", ""), None
    if search_words(search):
        matches = [row async for rows in session.search(search, "pi") for row in rows]
    folds: set[int] = set()
    labeled = session.labeled_rows()

    def lay_out() -> VisibleRows:
        return VisibleRows(
            session.tree,
            view["filter"],
            leaf=leaf,
            labeled=labeled,
            matches=matches,
            folds=folds,
        )

    shown = lay_out()
    for name in view.get("fold", []):
        # The kit presses Pi's key, which folds only where a segment starts.
        at = shown.position(session.row(name))
        if at is not None and shown[at].foldable:
            folds.add(session.row(name))
            shown = lay_out()
    home = os.environ.get("HOME", "")
    found = []
    for row in shown:
        label = session.label(row.row)
        text = row_text(
            session.entry(row.row), lambda call: session.tool_call(call, shown.comes_before), home
        )
        printed = printed_row(
            {
                "prefix": row.prefix,
                "folded": row.folded,
                "onPath": row.on_path,
                "label": label[0] if label else None,
                "text": text,
            }
        )
        found.append([session.entry_id(row.row), row.indent, _CODES.sub("", printed)])
    return found


def _like_rows(rows: list[list[Any]], view: dict[str, Any], want: Any) -> Any:
    """Rows in the form of a golden, with the cursor where Pi's stands."""
    cursor = view.get("selected")
    marked = [
        [name, indent, ("› " if name == cursor and cursor is not None else "  ") + text[2:]]
        for name, indent, text in rows
    ]
    if isinstance(want, list):
        cleaned = [[name, indent, _CODES.sub("", text)] for name, indent, text in want]
        # Compared without the cursor column, which no one but Pi's own screen has.
        plain = [[name, indent, f"  {text[2:]}"] for name, indent, text in cleaned]
        return want if js.canonical(plain) == js.canonical(rows) else rows
    return {
        **short(marked),
        "first": marked[:5],
        "last": marked[-5:],
    }

"""What pitree reads of a case, in the form of the goldens: the file, the tree, every position."""

from __future__ import annotations

import hashlib
from typing import Any

from pitree import (
    CompactionSettings,
    SessionContext,
    SessionManager,
    build_session_context,
    convert_to_llm,
    estimate_context_tokens,
    estimate_tokens,
    get_context_usage,
    should_compact,
)
from pitree.context.estimates import ContextEstimate, estimate_projected
from pitree.context.messages import entry_messages
from pitree.context.system import current_system_message, system_prompt
from pitree.model import js
from pitree.model.index import IdKey
from tests.conformance.compare import (
    ABSENT,
    Comparison,
    Getters,
    like_ids,
    like_list,
    or_null,
    short,
)
from tests.conformance.kit import Case, Pi, ref
from tests.conformance.rules import load_rules, position_rules, tree_rules

WINDOW = 200_000
WINDOWS = (8192, 32000, 128000, 200000, 1000000)


# ---------------------------------------------------------------------- the file


def is_replaced(session: SessionManager) -> bool:
    """Whether Pi would replace the file, so that its own reading of it is an empty session."""
    return session.state in ("no-header", "empty")


def _rows(session: SessionManager) -> range:
    """The rows of Pi's reading: none where it replaces the file; pitree shows them as damage."""
    return range(0 if is_replaced(session) else len(session))


def compare_load(session: SessionManager, comparison: Comparison) -> None:
    """Compare what opening gives, the entries and the labels."""
    golden = comparison.case.golden
    data = comparison.case.path.read_bytes()
    rows = _rows(session)
    getters: Getters = {
        "file": lambda _: {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()},
        "entries": lambda want: like_list([session.entry(row).raw for row in rows], want),
        "entryIds": lambda want: like_ids([session.entry_id(row) for row in rows], want),
        "leafAfterLoad": lambda _: session.leaf_id,
        "labels": lambda _: [
            [_label_target(key), label, or_null(stamp)]
            for key, (label, stamp) in session.labels.items()
        ],
        # Every value of the pool has the name that pitree's own canonical JSON gives it.
        "pool": lambda want: _pool(golden["form"], want),
    }
    elsewhere = {"load", "tree", "default", "leaves", "leafNull"}
    rest = {name: value for name, value in golden.items() if name not in elsewhere}
    comparison.part("document", "document", rest, getters)
    getters = _load(session, data, comparison.case.pi)
    # What Pi drops is none of its results; what pitree says of it is held by the list.
    loaded = {"damage": [], **golden.get("load", {})}
    comparison.part("load", "load", loaded, getters, lambda: load_rules(session, data, loaded))


def _label_target(key: IdKey) -> Any:
    """The id that a label is on, as the file has it."""
    if isinstance(key, str):
        return key
    kind, value = key
    return {"number": value, "boolean": bool(value)}.get(kind)


def _pool(form: str, want: Any) -> Any:
    if form == "sha":
        return ABSENT
    return {ref(value): value for value in (want.values() if isinstance(want, dict) else ())}


def _load(session: SessionManager, data: bytes, pi: Pi) -> Getters:
    headers = _headers(data)
    nulls = sum(item.kind == "null" for item in session.damage)
    replaced = is_replaced(session)
    accepted: Getters = {"accepted": lambda _: not replaced} if pi == "0.73" else {}
    return {
        **accepted,
        "outcome": lambda _: _outcome(session, pi),
        "header": lambda _: session.header,
        "versionInFile": lambda _: _version_in_file(session),
        "sessionId": lambda _: ABSENT if replaced else session.session_id,
        "sessionName": lambda _: ABSENT if replaced else session.session_name,
        # Pi counts every line that parses; pitree's rows are those that are no header.
        "parsedLines": lambda _: len(session) + nulls + headers,
        "headerLines": lambda _: headers,
        "damage": lambda _: [[item.kind, item.line, item.entry_id] for item in session.damage],
    }


def _version_in_file(session: SessionManager) -> Any:
    header = session.index.header
    return ABSENT if header is None else header.get("version")


def _headers(data: bytes) -> int:
    """The header lines of a file."""
    count = 0
    for line in data.split(b"\n"):
        try:
            value = js.parse(js.trim(line.decode("utf-8", "replace")))
        except ValueError:
            continue
        count += isinstance(value, dict) and value.get("type") == "session"
    return count


def _outcome(session: SessionManager, pi: Pi) -> str:
    """What pitree knows that Pi does with the file."""
    if is_replaced(session):
        return "replaced-by-new-session"
    # A version that is no number migrates nothing, but Pi writes the file again.
    if not session.index.version >= 3:
        return "migrated-and-rewritten"
    return "loaded" if session.index.terminated or pi == "0.73" else "newline-added"


# ---------------------------------------------------------------------- the tree


def compare_tree(session: SessionManager, comparison: Comparison) -> None:
    """Compare the tree."""
    tree = session.tree
    nodes: list[list[Any]] = []
    seen: set[int] = set()
    stack = tree.children(None)[::-1]
    while stack:
        row = stack.pop()
        seen.add(row)
        children = tree.children(row)
        label, stamp = session.label(row) or (None, None)
        ids = [session.entry_id(child) for child in children]
        nodes.append([session.entry_id(row), ids, label, or_null(stamp)])
        stack.extend(reversed(children))
    roots = [session.entry_id(row) for row in tree.children(None)]
    missing = [session.entry_id(row) for row in _rows(session) if row not in seen]
    getters: Getters = {
        "columns": lambda _: ["id", "children", "label", "labelTimestamp"],
        "roots": lambda want: like_ids(roots, want),
        "nodes": lambda want: like_ids(nodes, want),
        "entriesNotInTree": lambda _: missing,
    }
    golden = comparison.case.golden.get("tree", {})
    comparison.part("tree", "tree", golden, getters, lambda: tree_rules(session, golden))


# ---------------------------------------------------------------------- positions


def positions(case: Case, session: SessionManager) -> list[tuple[str, int | None, dict[str, Any]]]:
    """The positions of a golden: name, row, and what Pi computes there."""
    golden = case.golden
    found: list[tuple[str, int | None, dict[str, Any]]] = [
        ("default", session.leaf, golden.get("default", {})),
        ("leaf null", None, golden.get("leafNull", {})),
    ]
    # Only where Pi can't open the file are there no positions.
    leaves = golden.get("leaves", []) if golden["load"].get("throws") else golden["leaves"]
    for position in leaves:
        found.append((f"leaf {position['leaf']}", session.row(position["leaf"]), position))
    return found


def compare_positions(session: SessionManager, comparison: Comparison) -> None:
    """Compare what the model gets at every position."""
    for place, row, golden in positions(comparison.case, session):
        comparison.compared["position"] += 1
        _compare_position(session, row, place, golden, comparison)


def _compare_position(
    session: SessionManager,
    row: int | None,
    place: str,
    golden: dict[str, Any],
    comparison: Comparison,
) -> None:
    pi, context = comparison.case.pi, build_session_context(session, row)
    getters = _position(session, row, context, pi)
    comparison.part(
        "position",
        place,
        golden,
        getters,
        lambda: position_rules(session, row, context, golden, pi),
    )


def _position(session: SessionManager, row: int | None, context: SessionContext, pi: Pi) -> Getters:
    messages = context.messages
    common: Getters = {
        "leaf": lambda _: None if row is None else session.entry_id(row),
        "path": lambda want: like_ids([session.entry_id(one) for one in session.path(row)], want),
        "messages": lambda want: like_list(messages, want),
        "llm": lambda want: like_list(convert_to_llm(messages), want),
        "thinkingLevel": lambda _: context.thinking_level,
        "model": lambda _: context.model,
        "lastAssistantUsage": lambda _: _last_usage(session, row, pi),
        "contextUsage200k": lambda _: _usage(session, context),
    }
    if pi == "1.6":
        return {
            **common,
            "projectedPath": lambda want: like_ids(_projected(session, context), want),
            "estimateProjected": lambda _: _estimate(estimate_projected(session, context)),
            "system": lambda _: _system(context),
        }
    return {
        **common,
        "tokens": lambda want: _tokens(context, want),
        "estimate": lambda _: _estimate(estimate_context_tokens(messages)),
        "shouldCompact": lambda _: _should_compact(context),
    }


def _projected(session: SessionManager, context: SessionContext) -> list[Any]:
    return [
        [session.entry_id(row), [ref(message) for message in messages]]
        for row, messages in context.entries
    ]


def _tokens(context: SessionContext, want: Any) -> Any:
    tokens = [estimate_tokens(message) for message in context.messages]
    if isinstance(want, dict) and "sha256" in want:
        return {**short(tokens), "sum": sum(tokens)}
    return tokens


def _estimate(estimate: ContextEstimate) -> dict[str, Any]:
    return {
        "tokens": estimate.tokens,
        "usageTokens": estimate.usage_tokens,
        "trailingTokens": estimate.trailing_tokens,
        "lastUsageIndex": estimate.last_usage_index,
    }


def _should_compact(context: SessionContext) -> list[list[Any]]:
    tokens = estimate_context_tokens(context.messages).tokens
    return [[window, should_compact(tokens, window, CompactionSettings())] for window in WINDOWS]


def _last_usage(session: SessionManager, row: int | None, pi: Pi) -> dict[str, Any] | None:
    """The usage of the last answer on the path that has one."""
    for one in reversed(session.path(row)):
        estimate = estimate_context_tokens(entry_messages(session.entry(one).raw), pi)
        if estimate.last_usage_index is not None:
            return {"contextTokens": estimate.usage_tokens}
    return None


def _usage(session: SessionManager, context: SessionContext) -> dict[str, Any]:
    usage = get_context_usage(session, context, WINDOW)
    return {
        "tokens": usage.tokens,
        "contextWindow": usage.context_window,
        "percent": usage.percent,
    }


def _system(context: SessionContext) -> dict[str, Any] | None:
    message = current_system_message(context.messages)
    if message is None:
        return None
    prompt = system_prompt(message)
    return {
        "message": ref(message),
        "prompt": {"utf16Length": js.utf16_len(prompt), "ref": ref(prompt)},
        "tools": [tool["name"] for tool in message.get("toolsAdded", [])],
    }

"""Parts of a reading computed a second time, slowly and plainly: Pi's way, and pitree's beside it.

On cases of a foreign folder, whose deviations nobody has listed, they say what both must be.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cmp_to_key
from typing import Any

from pitree import SessionContext, SessionManager
from pitree.context.estimates import calculate_context_tokens, estimate_tokens
from pitree.model import js

WINDOW = 200_000
IMAGE_TOKENS = 1200
"""4,800 characters."""

Key = tuple[str, Any]


def raws(session: SessionManager) -> list[Any]:
    """All entries as Pi has them, whose refs the goldens hold."""
    return [session.entry(row).raw for row in range(len(session))]


def are_objects(entries: Sequence[Any]) -> bool:
    """Whether all are objects: Pi can't migrate others, so nothing says what ids they have."""
    return all(isinstance(raw, dict) for raw in entries)


def member(raw: Any, name: str) -> Any:
    """A member of an entry, as JavaScript reads it."""
    return raw.get(name, js.UNDEFINED) if isinstance(raw, dict) else js.UNDEFINED


def id_key(value: Any) -> Key:
    """An id as the key of a JavaScript Map: equal where `===` says so."""
    if isinstance(value, (dict, list)):
        return "object", id(value)
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return "number", js.to_number(value)
    return type(value).__name__, value


# ---------------------------------------------------------------------- the tree


@dataclass
class PlainTree:
    """A tree.

    Attributes:
        roots: Its roots, rows.
        children: Row → rows, in the order of display.
        order: The rows that are reached, in preorder.
    """

    roots: list[int] = field(default_factory=list)
    children: dict[int, list[int]] = field(default_factory=dict)
    order: list[int] = field(default_factory=list)


def last_rows(entries: Sequence[Any]) -> dict[Key, int]:
    """Id → the last row that has it."""
    return {id_key(member(raw, "id")): row for row, raw in enumerate(entries)}


def plain_tree(entries: Sequence[Any], *, repeats: bool) -> PlainTree:
    """The tree; with `repeats` as Pi has it, which lists an id once for every line that has it."""
    last = last_rows(entries)
    tree = PlainTree(children={row: [] for row in last.values()})
    for row, raw in enumerate(entries):
        own, above = id_key(member(raw, "id")), id_key(member(raw, "parentId"))
        if not repeats and last[own] != row:
            continue
        is_root = above in (own, id_key(None)) or above not in last
        (tree.roots if is_root else tree.children[last[above]]).append(last[own])
    times = [js.date_ms(member(raw, "timestamp")) for raw in entries]

    def compare(a: int, b: int) -> int:
        # Where a time is no number, the difference is none either, and counts as 0.
        return (times[a] > times[b]) - (times[a] < times[b])

    for below in tree.children.values():
        below.sort(key=cmp_to_key(compare))
    seen, stack = set[int](), tree.roots[::-1]
    while stack:
        row = stack.pop()
        if row not in seen:
            seen.add(row)
            tree.order.append(row)
            stack.extend(reversed(tree.children[row]))
    return tree


def plain_path(entries: Sequence[Any], row: int | None) -> list[Any]:
    """The ids from the root to a row, cut where a parent comes a second time."""
    last, path = last_rows(entries), dict[int, None]()
    while row is not None and row not in path:
        path[row] = None
        above = member(entries[row], "parentId")
        row = last.get(id_key(above)) if js.truthy(above) else None
    return [member(entries[one], "id") for one in reversed(path)]


# ---------------------------------------------------------------------- damage


@dataclass
class PlainLines:
    """The lines of a file, by what they are: numbers from 1.

    Attributes:
        bad: Those that are no JSON.
        null: Those that are `null`.
        entries: Those of the entries, in order.
        has_header: Whether the first line that is JSON is a header.
    """

    bad: set[int] = field(default_factory=set)
    null: list[int] = field(default_factory=list)
    entries: list[int] = field(default_factory=list)
    has_header: bool = False


def plain_lines(data: bytes) -> PlainLines:
    """The lines of a file, read as Pi reads them."""
    found, is_first = PlainLines(), True
    whole = data.decode("utf-8", "replace")
    text = js.trim(whole)
    skipped = whole[: whole.index(text)].count("\n") if text else 0
    for number, line in enumerate(text.split("\n"), skipped + 1):
        if js.is_blank(line):
            continue
        try:
            value = js.parse(line)
        except ValueError:
            found.bad.add(number)
            continue
        is_header = isinstance(value, dict) and value.get("type") == "session"
        if is_first:
            found.has_header = is_header and isinstance(value.get("id"), str)
        is_first = False
        if value is None:
            found.null.append(number)
        elif not is_header:
            found.entries.append(number)
    return found


def is_damage_whole(session: SessionManager, data: bytes) -> bool:
    """Whether the damage names each line and entry that Pi drops, and nothing else."""
    found, plain = session.damage, plain_lines(data)
    lines: dict[str, list[int]] = {}
    for item in found:
        lines.setdefault(item.kind, []).append(item.line)
    torn = {kind: lines.pop(kind, []) for kind in ("malformed", "fragment", "recovered")}
    if {number for numbers in torn.values() for number in numbers} != plain.bad:
        return False
    if lines.pop("null", []) != plain.null:
        return False
    if not plain.has_header:
        dropped = [item for item in found if item.kind == "no-header"]
        expected = [(plain.entries[0], len(plain.entries))] if plain.entries else []
        return [(item.line, item.rows) for item in dropped] == expected and not lines.keys() - {
            "no-header"
        }
    entries = raws(session)
    last = last_rows(entries)
    repeated = [
        plain.entries[row]
        for row, raw in enumerate(entries)
        if last[id_key(member(raw, "id"))] != row
    ]
    circles = len(last) - len(plain_tree(entries, repeats=False).order)
    in_circles = sum(item.rows for item in found if item.kind == "cycle")
    return (
        sorted(lines.pop("duplicate", [])) == repeated
        and in_circles == circles
        and not lines.keys() - {"cycle"}
    )


# ---------------------------------------------------------------------- the gauge


def _is_answer(message: Any) -> bool:
    return (
        isinstance(message, dict)
        and message.get("role") == "assistant"
        and message.get("stopReason") not in ("aborted", "error")
    )


def _used(message: Any) -> float | None:
    """The tokens of an answer's usage, None if there are none."""
    usage = message.get("usage") if _is_answer(message) else None
    tokens = calculate_context_tokens(usage) if isinstance(usage, dict) else 0
    return tokens if tokens > 0 else None


def _tokens_of_16(message: dict[str, Any]) -> int:
    content = message.get("content") if message.get("role") == "user" else None
    blocks = content if isinstance(content, list) else []
    images = sum(bool(isinstance(one, dict) and one.get("type") == "image") for one in blocks)
    return estimate_tokens(message) + IMAGE_TOKENS * images


def _last_of(path: Sequence[Any], *types: str) -> int:
    return max((at for at, raw in enumerate(path) if member(raw, "type") in types), default=-1)


def gauge_of_16(session: SessionManager, row: int | None, context: SessionContext) -> float | None:
    """The gauge of 1.6 over a context without system messages: tokens, None for unknown."""
    rows = list(session.path(row))
    path = [session.entry(one).raw for one in rows]
    place = {one: at for at, one in enumerate(rows)}
    shown = [(place[one], message) for one, some in context.entries for message in some]
    answers = [at for at, (_, message) in enumerate(shown) if _used(message) is not None]
    newest = shown[answers[-1]][0] if answers else -1
    summary = _last_of(path, "compaction")
    if summary >= 0 and all(shown[at][0] <= summary for at in answers):
        return None
    if answers and newest > _last_of(path, "compaction", "context_edit"):
        behind = shown[answers[-1] + 1 :]
        used = _used(shown[answers[-1]][1]) or 0
        return used + sum(_tokens_of_16(message) for _, message in behind)
    return sum(_tokens_of_16(message) for _, message in shown)


def gauge_of_073(session: SessionManager, row: int | None, estimate: float | None) -> float | None:
    """The gauge of 0.73, given its estimate: unknown after a compaction until there is usage."""
    path = [session.entry(one).raw for one in session.path(row)]
    summary = _last_of(path, "compaction")
    for raw in reversed(path[summary + 1 :]) if summary >= 0 else ():
        if member(raw, "type") == "message" and _is_answer(raw.get("message")):
            return estimate if _used(raw["message"]) is not None else None
    return estimate if summary < 0 else None

"""The context at a position: which entries speak to the model, in which order, edited how."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pitree.context.messages import edited_messages, entry_messages
from pitree.model import js
from pitree.model.collector import collector_paused
from pitree.model.entries import MESSAGE_KINDS, JsonObject, Kind
from pitree.model.index import Flag
from pitree.model.ranges import RowRanges
from pitree.model.session import Session

_SYSTEM = bytes(kind == Kind.SYSTEM for kind in range(256))
_LEVEL = bytes(kind == Kind.THINKING_LEVEL_CHANGE for kind in range(256))
_MODEL = bytes(
    kind in (Kind.MODEL_CHANGE, Kind.ASSISTANT, Kind.ASSISTANT_SILENT) for kind in range(256)
)
_EDIT = bytes(kind == Kind.CONTEXT_EDIT for kind in range(256))
_SILENT = bytes(
    kind not in {*MESSAGE_KINDS, Kind.CUSTOM_MESSAGE, Kind.BRANCH_SUMMARY, Kind.COMPACTION}
    for kind in range(256)
)


@dataclass(frozen=True, slots=True)
class ContextPlan:
    """Which rows make the context at a position, known without reading a body.

    Attributes:
        path: The rows from the root to the position.
        compaction: The newest compaction on the path, whose summary speaks first.
        rows: The rows in context order: the compaction, the kept rows without their system
            messages, the rows after it. Rows without a message are among them.
        summarized: The rows of the path that the compaction stands for.
        edits: Edited row → the row of the edit that counts.
    """

    path: RowRanges
    compaction: int | None
    rows: RowRanges
    summarized: RowRanges
    edits: dict[int, int]


@dataclass(frozen=True, slots=True)
class SessionContext:
    """What the model gets at a position.

    Attributes:
        messages: Pi's message objects, in order.
        thinking_level: Pi's name of the level; `off` unless it was set.
        model: `{provider, modelId}` of the last model change or answer, None without one.
        entries: The rows in context order with the messages that each gives; an empty list where
            an entry gives none.
        plan: The rows that it was made of.
    """

    messages: list[JsonObject]
    thinking_level: Any
    model: JsonObject | None
    entries: list[tuple[int, list[JsonObject]]]
    plan: ContextPlan


def plan_context(session: Session, leaf: int | None) -> ContextPlan:
    """Find the rows of a context; costs by runs of the tree, not by entries.

    Args:
        session: The session.
        leaf: The position; None stands before the first entry.
    """
    path = session.tree.path(leaf)
    kinds = session.index.kind
    compaction, at = None, 0
    for start, end in reversed(path.pieces):
        found = kinds.rfind(Kind.COMPACTION, start, end)
        if found >= 0:
            compaction = found
            at = path.position(found) or 0
            break
    if compaction is None:
        rows, summarized = path, RowRanges([])
    else:
        kept = _first_kept(session, path, compaction, at)
        summarized = path[:kept]
        before = _without(path[kept:at], kinds.translate(_SYSTEM))
        rows = RowRanges([(compaction, compaction + 1), *before.pieces, *path[at + 1 :].pieces])
    return ContextPlan(path, compaction, rows, summarized, _edits(session, rows))


def _first_kept(session: Session, path: RowRanges, compaction: int, at: int) -> int:
    """The position on the path from which entries are kept; the compaction's own for none."""
    key = session.index.kept.get(compaction)
    row = session.index.find(key) if key is not None else None
    position = path.position(row) if row is not None else None
    return at if position is None or position > at else position


def _without(rows: RowRanges, mask: bytearray) -> RowRanges:
    """Ranges without the rows that a mask marks."""
    pieces = []
    for start, end in rows.pieces:
        at = start
        while (hit := mask.find(1, at, end)) >= 0:
            pieces.append((at, hit))
            at = hit + 1
        pieces.append((at, end))
    return RowRanges(pieces)


def marked(rows: RowRanges, mask: bytes | bytearray) -> Iterator[int]:
    """The rows that a mask marks, in order; costs by hits and by bytes scanned."""
    for start, end in rows.pieces:
        at = start
        while (at := mask.find(1, at, end)) >= 0:
            yield at
            at += 1


def _edits(session: Session, rows: RowRanges) -> dict[int, int]:
    index = session.index
    if not index.edits:
        return {}
    edits: dict[int, int] = {}
    for row in marked(rows, index.kind.translate(_EDIT)):
        target = index.edits[row][0]
        found = index.find(target) if target is not None else None
        if found is not None:
            edits[found] = row
    return edits


def speaking_rows(session: Session, rows: RowRanges, compaction: int | None = None) -> RowRanges:
    """Rows without those that never give a message: settings, labels, usage.

    Args:
        session: The session.
        rows: The rows, of a path or a context.
        compaction: Of a context, the compaction that speaks; the others are left out.
    """
    table = bytearray(_SILENT)
    if compaction is not None:
        table[Kind.COMPACTION] = 1
    mask = session.index.kind.translate(table)
    if compaction is not None:
        mask[compaction] = 0
    return _without(rows, mask)


def row_messages(session: Session, plan: ContextPlan, row: int) -> list[JsonObject]:
    """The messages that a row of a context gives, edits applied."""
    kind = session.index.kind[row]
    if _SILENT[kind] or (kind == Kind.COMPACTION and row != plan.compaction):
        return []
    return _messages(session, plan, row, session.entry(row).raw)


def _messages(session: Session, plan: ContextPlan, row: int, raw: Any) -> list[JsonObject]:
    messages = entry_messages(raw)
    edit = plan.edits.get(row) if plan.edits else None
    if edit is None:
        return messages
    return edited_messages(messages, session.entry(edit).get("replacement"))


def build_session_context(session: Session, leaf: int | None) -> SessionContext:
    """What the model gets at a position, as Pi 1.6 builds it.

    Args:
        session: The session.
        leaf: The row of the position; None stands before the first entry.

    Raises:
        StaleIndexError: The file was rewritten meanwhile.
    """
    plan = plan_context(session, leaf)
    with collector_paused():
        speaking = speaking_rows(session, plan.rows, plan.compaction)
        given = {
            row: _messages(session, plan, row, raw)
            for row, raw in zip(speaking, session.raws(speaking), strict=True)
        }
        entries = [(row, given.get(row, [])) for row in plan.rows]
        messages = [message for _, own in entries for message in own]
    return SessionContext(
        messages,
        thinking_level(session, plan.path),
        current_model(session, plan.path),
        entries,
        plan,
    )


def _last(rows: RowRanges, mask: bytearray) -> int | None:
    for start, end in reversed(rows.pieces):
        found = mask.rfind(1, start, end)
        if found >= 0:
            return found
    return None


def thinking_level(session: Session, path: RowRanges) -> Any:
    """The thinking level at the end of a path."""
    row = _last(path, session.index.kind.translate(_LEVEL))
    return "off" if row is None else session.entry(row).get("thinkingLevel")


def current_model(session: Session, path: RowRanges) -> JsonObject | None:
    """Provider and model at the end of a path: the last model change or answer, failed or not."""
    row = _last(path, session.index.kind.translate(_MODEL))
    if row is None:
        return None
    raw = session.entry(row).raw
    change = raw.get("type") == "model_change"
    source, name = (raw, "modelId") if change else (raw["message"], "model")
    found = {
        "provider": source.get("provider", js.UNDEFINED),
        "modelId": source.get(name, js.UNDEFINED),
    }
    return {key: value for key, value in found.items() if value is not js.UNDEFINED}


@dataclass(frozen=True, slots=True)
class LeftOut:
    """An entry of the path that the model does not get, and why."""

    row: int
    reason: str


def left_out(session: Session, plan: ContextPlan, *, llm: bool = False) -> Iterator[LeftOut]:
    """The entries of a path that give no message, in path order.

    Args:
        session: The session.
        plan: The context.
        llm: Whether the provider's messages are meant, which leave out some more.
    """
    index = session.index
    name = "" if plan.compaction is None else index.id_key(plan.compaction)
    for row in plan.path:
        kind, flags = index.kind[row], index.flags[row]
        if row in plan.summarized:
            yield LeftOut(row, f"summarised by compaction {name}")
        elif kind == Kind.SYSTEM and row not in plan.rows:
            yield LeftOut(row, f"system message before compaction {name}, which carries its own")
        elif kind == Kind.COMPACTION and row != plan.compaction:
            yield LeftOut(row, f"replaced by compaction {name}")
        elif row in plan.edits and index.edits[plan.edits[row]][1]:
            yield LeftOut(row, f"omitted by context edit {index.id_key(plan.edits[row])}")
        elif _SILENT[kind]:
            yield LeftOut(row, "bookkeeping: gives no message")
        elif flags & Flag.NO_MESSAGE:
            yield LeftOut(row, "branch summary without a text")
        elif llm and flags & Flag.EXCLUDED:
            yield LeftOut(row, "bash run excluded from the context")
        elif llm and kind == Kind.OTHER_MESSAGE:
            yield LeftOut(row, "message of a role that Pi does not send")
        elif kind == Kind.OTHER_MESSAGE and not entry_messages(session.entry(row).raw):
            yield LeftOut(row, "message entry without a message")

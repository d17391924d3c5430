"""What is damaged in a session file, and what each Pi does with it. Looks only, repairs nothing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pitree.model import js
from pitree.model.entries import JsonObject, Kind
from pitree.model.index import NO_ID, Damage, IdKey, SessionIndex
from pitree.store.ancestry import Ancestry
from pitree.store.entry_faults import entry_faults
from pitree.store.pi_does import pi_does
from pitree.store.session_manager import CURRENT_VERSION, SessionManager
from pitree.store.tool_pairs import ToolPairs

_NULL_ID = ("null", 0.0)


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is damaged.

    Attributes:
        kind: What sort of damage, in one word.
        line: Number of the line, from 1.
        start: Offset of its first byte.
        end: Offset behind its last byte.
        entry_id: The id of the entry, None where there is none.
        explain: What is wrong, in words.
        pi_does: Version of Pi → what it does with it.
        entries: How many entries it speaks of.
    """

    kind: str
    line: int
    start: int
    end: int
    entry_id: Any
    explain: str
    pi_does: dict[str, str]
    entries: int = 0


@dataclass(frozen=True, slots=True)
class Note:
    """Something to know of a file that is no damage.

    Attributes:
        kind: What sort of thing, in one word.
        explain: What it is, in words.
        line: Number of the line, from 1; None for the whole file.
        entry_id: The id of the entry; None for the whole file.
    """

    kind: str
    explain: str
    line: int | None = None
    entry_id: Any = None


@dataclass(slots=True)
class Examination:
    """What was found in a file, in file order."""

    problems: list[Problem] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)


def examine(session: SessionManager) -> Examination:
    """Examine a session; reads every entry once, at a cost that grows with the file only.

    Args:
        session: The session, its index read from the file and not from the cache.

    Raises:
        StaleIndexError: The file was rewritten meanwhile.
    """
    found = _Examiner(session).run()
    found.problems.sort(key=lambda problem: (problem.line, problem.start))
    found.notes.sort(key=lambda note: note.line or 0)
    return found


def unreadable(path: Path, explain: str, size: int) -> Problem:
    """The problem of a file that is no session at all."""
    del path
    return Problem("not-a-session", 1, 0, size, None, explain, pi_does("not-a-session"))


class _Examiner:
    def __init__(self, session: SessionManager) -> None:
        self._session = session
        self._index = session.index
        self._found = Examination()
        self._from_ids = [0, 0]

    def run(self) -> Examination:
        session, index = self._session, self._index
        for item in session.damage:
            self._found.problems.append(_damage(item))
        if not index.accepted:
            self._refused()
            return self._found
        self._file_notes()
        self._final_newline()
        self._ancestry = Ancestry(session.tree)
        self._references()
        for row in index.orphans:
            if self._ancestry.reached(row):
                self._add(row, "orphan", "orphan", _orphan(session.entry(row).raw))
        self._bodies()
        self._branch_summaries()
        return self._found

    def _add(self, row: int, kind: str, case: str, explain: str) -> None:
        index = self._index
        last = row == len(index) - 1
        end = index.offset[row] + index.length[row]
        if index.terminated or not last or end < index.size:
            end -= 1
        line, start = index.line_number(row), index.offset[row]
        entry_id = self._session.entry_id(row)
        self._found.problems.append(
            Problem(kind, line, start, end, entry_id, explain, pi_does(case), 1)
        )

    def _note(self, kind: str, explain: str, row: int | None = None) -> None:
        line = None if row is None else self._index.line_number(row)
        entry_id = None if row is None else self._session.entry_id(row)
        self._found.notes.append(Note(kind, explain, line, entry_id))

    # ------------------------------------------------------------------ the file

    def _refused(self) -> None:
        if all(item.kind != "no-header" for item in self._index.damage):
            what = "the header is none that Pi takes, and no entry follows"
            size = self._index.size
            does = pi_does("no-header")
            self._found.problems.append(Problem("no-header", 1, 0, size, None, what, does))
        if len(self._index) and _is_title(self._session.entry(0).raw):
            self._add(0, "title", "title-first", "a title line of oh-my-pi stands before the header")

    def _file_notes(self) -> None:
        version = self._index.version
        if self._index.header is None:
            self._note("empty", "an empty file: a session without entries")
        elif version < CURRENT_VERSION:
            what = "Pi rewrites the file in place when it opens it"
            self._note("version", f"version {js.number_text(version)}: {what}")
        elif version > CURRENT_VERSION:
            what = "written by a newer Pi; read as version 3"
            self._note("newer", f"version {js.number_text(version)}: {what}")
        elif version != version:
            self._note("version", "the version is no number: read as version 3")

    def _final_newline(self) -> None:
        index = self._index
        if index.terminated or not index.size:
            return
        line, end, entry_id = 1, 0, None
        if len(index):
            row = len(index) - 1
            line, entry_id = index.line_number(row), self._session.entry_id(row)
            end = index.offset[row] + index.length[row]
            end -= end < index.size
        for item in index.damage[-1:]:
            if item.end > end:
                line, end, entry_id = item.line, item.end, None
        rest = _bytes(self._session.session_file, end, index.size)
        before, newline, last = rest.rpartition(b"\n")
        # Behind white space alone, an entry still stands on a line that Pi can read.
        if newline and js.is_blank(last.decode("utf-8", "replace")):
            return
        if newline:
            line, entry_id = line + before.count(b"\n") + 1, None
        case = "newline-by-rewrite" if index.version < CURRENT_VERSION else "no-final-newline"
        what = "the last line does not end in a newline"
        self._found.problems.append(
            Problem(
                "no-final-newline", line, index.size, index.size, entry_id, what, pi_does(case)
            )
        )

    # ------------------------------------------------------------------ references

    def _references(self) -> None:
        index, ancestry = self._index, self._ancestry
        wanted = {target for _, target, *_ in index.labels} | set(index.kept.values())
        wanted.update(target for target, _ in index.edits.values())
        rows = _last_rows(index, wanted - {None})
        for row, target, *_ in index.labels:
            if target not in rows and ancestry.reached(row):
                name = self._named(row, "targetId")
                self._add(row, "label-target", "label-target", f"its target {name} is not in the file")
        for row, key in index.kept.items():
            kept = rows.get(key)
            if ancestry.reached(row) and (kept is None or not ancestry.holds(kept, row)):
                where = "in the file" if kept is None else "on its path before it"
                name = self._named(row, "firstKeptEntryId")
                what = f"its first kept entry {name} is not {where}"
                self._add(row, "compaction-kept", "compaction-kept", what)
        for row, (key, _) in index.edits.items():
            target = rows.get(key)
            if not ancestry.reached(row):
                continue
            # An edit counts for a target behind it, too, at positions that have both.
            if target is None or not (ancestry.holds(target, row) or ancestry.holds(row, target)):
                where = "in the file" if target is None else "on its path"
                what = f"its target {self._named(row, 'targetId')} is not {where}"
                self._add(row, "edit-target", "edit-target", what)

    def _named(self, row: int, key: str) -> str:
        return js.to_string(self._session.entry(row).get(key))

    # ------------------------------------------------------------------ bodies

    def _bodies(self) -> None:
        session, index, tree, pairs = self._session, self._index, self._session.tree, ToolPairs()
        kinds, flags = index.kind, index.flags
        for place, run in enumerate(self._ancestry.order):
            pairs.enter(place, self._ancestry.end[run])
            for row in range(tree.starts[run], tree.ends[run]):
                raw = session.entry(row).raw
                if not isinstance(raw, dict):
                    self._add(row, "not-an-object", "no-id", "a line that holds no object")
                    continue
                if raw.get("parentId") == raw.get("id"):
                    self._same_ids(row, raw)
                for fault in entry_faults(raw):
                    self._add(row, fault.kind, fault.case, fault.explain)
                pairs.see(row, kinds[row], flags[row], raw.get("message"))
                if kinds[row] == Kind.UNKNOWN or row in index.odd_ids:
                    self._odd(row, raw)
        for row, kind, explain in pairs.found:
            self._note(kind, explain, row)

    def _same_ids(self, row: int, raw: JsonObject) -> None:
        if js.truthy(raw.get("id", js.UNDEFINED)) and self._session.tree.parent(row) is None:
            self._add(row, "self-parent", "self-parent", "it is its own parent")

    def _odd(self, row: int, raw: JsonObject) -> None:
        if _is_title(raw):
            self._add(row, "title", "title", "a title line of oh-my-pi")
        elif self._index.id_key(row) in (NO_ID, _NULL_ID):
            self._add(row, "no-id", "no-id", "an entry without an id")

    def _branch_summaries(self) -> None:
        forms = [0, 0]
        kinds, at = self._index.kind, -1
        while (at := kinds.find(Kind.BRANCH_SUMMARY, at + 1)) >= 0:
            if self._ancestry.reached(at):
                entry = self._session.entry(at)
                forms[entry.get("fromId") != (entry.parent_id or "root")] += 1
        if any(forms):
            hung, left = forms
            what = f"{hung} name the entry they hang on (0.73), {left} the leaf that was left (1.6)"
            self._note("branch-summary-from", f"branch summaries: {what}")


def _damage(item: Damage) -> Problem:
    does = pi_does(item.kind)
    place = (item.line, item.start, item.end, item.entry_id)
    return Problem(item.kind, *place, item.explain, does, item.rows)


def _orphan(raw: Any) -> str:
    parent = raw.get("parentId", js.UNDEFINED) if isinstance(raw, dict) else js.UNDEFINED
    if parent is js.UNDEFINED:
        return "it names no parent, not even null"
    return f"its parent {js.to_string(parent)} is not in the file" if parent else "its parent id is empty"


def _is_title(raw: Any) -> bool:
    return isinstance(raw, dict) and raw.get("type") == "title"


def _last_rows(index: SessionIndex, wanted: set[IdKey]) -> dict[IdKey, int]:
    """The last row of each wanted id."""
    if not wanted:
        return {}
    return {key: row for row in range(len(index)) if (key := index.id_key(row)) in wanted}


def _bytes(path: Path, start: int, end: int) -> bytes:
    with path.open("rb") as file:
        file.seek(start)
        return file.read(end - start)


def _problems(found: Examination) -> Iterator[Problem]:
    yield from found.problems

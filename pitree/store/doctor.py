"""What is damaged in a session file, and what each Pi does with it. Looks only, repairs nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pitree.errors import PitreeError
from pitree.model import js
from pitree.model.entries import JsonObject, Kind
from pitree.model.index import NO_ID
from pitree.store.ancestry import Ancestry
from pitree.store.entry_faults import entry_faults
from pitree.store.findings import Findings, line_end
from pitree.store.references import check_references
from pitree.store.session_manager import CURRENT_VERSION, SessionManager
from pitree.store.tool_pairs import ToolPairs

_NO_IDS = (NO_ID, ("null", 0.0))


def examine(session: SessionManager) -> Findings:
    """Examine a session; reads every entry once, at a cost that grows with the file only.

    Args:
        session: The session, its index read from the file and not from the cache.

    Raises:
        PitreeError: The file is gone or was rewritten meanwhile.
    """
    found = Findings(session)
    for item in session.damage:
        found.add_damage(item)
    if session.index.accepted:
        _note_version(found)
        _check_final_newline(found)
        ancestry = Ancestry(session.tree)
        check_references(found, ancestry)
        _check_bodies(found, ancestry)
        _note_branch_summaries(found, ancestry)
    else:
        _check_refused(found)
    found.sort()
    return found


def _check_refused(found: Findings) -> None:
    index = found.session.index
    if all(item.kind != "no-header" for item in index.damage):
        found.add_file("no-header", index.size, "Pi takes no such header, and no entry follows it")
    if len(index) and _is_title(found.session.entry(0).raw):
        what = "a title line of oh-my-pi stands where Pi wants the header"
        found.add(0, "title", what, "title-first")


def _note_version(found: Findings) -> None:
    index = found.session.index
    version = js.number_text(index.version)
    if index.header is None:
        then = "" if index.size == 0 else "; Pi 1.6 refuses, as it holds white space"
        found.note("empty", f"no entries: Pi starts a new session in the file{then}")
    elif index.version < CURRENT_VERSION:
        found.note("version", f"version {version}: Pi rewrites the file when it opens it")
    elif index.version > CURRENT_VERSION:
        what = f"version {version}: written by a newer Pi, read as version {CURRENT_VERSION}"
        found.note("newer", what)
    elif index.version != index.version:
        found.note("version", f"the version is no number: read as version {CURRENT_VERSION}")


def _check_final_newline(found: Findings) -> None:
    session, index = found.session, found.session.index
    if index.terminated or index.header is None:
        return
    line, end, entry_id = 1, 0, None
    if len(index):
        row = len(index) - 1
        line, end, entry_id = index.line_number(row), line_end(session, row), session.entry_id(row)
    if index.damage and (last := max(index.damage, key=lambda item: item.line)).line > line:
        line, end, entry_id = last.line, last.end, None
    before, newline, rest = _bytes(session.session_file, end, index.size).rpartition(b"\n")
    if newline:
        # Behind white space alone, Pi can read what it appends.
        if js.is_blank(rest.decode("utf-8", "replace")):
            return
        line, entry_id = line + before.count(b"\n") + 1, None
    case = "newline-by-rewrite" if index.version < CURRENT_VERSION else "no-final-newline"
    found.add_end(line, entry_id, "the file ends without a newline", case)


def _bytes(path: Path, start: int, end: int) -> bytes:
    try:
        with path.open("rb") as file:
            file.seek(start)
            return file.read(end - start)
    except OSError as error:
        raise PitreeError(f"{path}: {error.strerror}") from error


def _check_bodies(found: Findings, ancestry: Ancestry) -> None:
    session, index, tree = found.session, found.session.index, found.session.tree
    kinds, flags, pairs = index.kind, index.flags, ToolPairs()
    for place, run in enumerate(ancestry.order):
        pairs.enter(place, ancestry.end[run])
        for row in range(tree.starts[run], tree.ends[run]):
            raw = session.entry(row).raw
            if not isinstance(raw, dict):
                found.add(row, "not-an-object", "a line that holds no object", "no-id")
                continue
            for fault in entry_faults(raw):
                found.add(row, fault.kind, fault.explain, fault.case)
            pairs.see(row, kinds[row], flags[row], raw.get("message"))
            _check_id(found, row, raw)
    for row, kind, explain in pairs.found:
        found.note(kind, explain, row)


def _check_id(found: Findings, row: int, raw: JsonObject) -> None:
    entry_id = raw.get("id")
    if _is_title(raw):
        found.add(row, "title", "a title line of oh-my-pi")
    elif entry_id is None and found.session.index.id_key(row) in _NO_IDS:
        found.add(row, "no-id", "an entry without an id")
    elif entry_id and entry_id == raw.get("parentId") and isinstance(entry_id, (str, int, float)):
        found.add(row, "self-parent", "it is its own parent")


def _is_title(raw: Any) -> bool:
    return isinstance(raw, dict) and raw.get("type") == "title"


def _note_branch_summaries(found: Findings, ancestry: Ancestry) -> None:
    session, at = found.session, -1
    forms = [0, 0]
    while (at := session.index.kind.find(Kind.BRANCH_SUMMARY, at + 1)) >= 0:
        if ancestry.reached(at):
            entry = session.entry(at)
            forms[entry.get("fromId") != (entry.parent_id or "root")] += 1
    if any(forms):
        what = f"fromId is the entry above in {forms[0]} (0.73), the leaf left in {forms[1]} (1.6)"
        found.note("branch-summary-from", f"branch summaries: {what}")

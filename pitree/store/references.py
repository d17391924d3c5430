"""References between entries that lead nowhere: parents, labels, compactions, context edits."""

from __future__ import annotations

from pitree.model import js
from pitree.model.index import IdKey, SessionIndex
from pitree.store.ancestry import Ancestry
from pitree.store.findings import Findings

_NAMES = {
    "parentId": "parent",
    "targetId": "target",
    "firstKeptEntryId": "first kept entry",
}
_IN_FILE = "in the file"


def check_references(found: Findings, ancestry: Ancestry) -> None:
    """Add the references that lead nowhere, of all entries that Pi's tree reaches."""
    index = found.session.index
    rows = _last_rows(index)
    for row in filter(ancestry.reached, index.orphans):
        found.add(row, "orphan", _lost(found, row, "parentId", _IN_FILE))
    for row, key, *_ in index.labels:
        if ancestry.reached(row) and _row(rows, key) is None:
            found.add(row, "label-target", _lost(found, row, "targetId", _IN_FILE))
    for row, key in index.kept.items():
        kept = _row(rows, key)
        if ancestry.reached(row) and (kept is None or not ancestry.holds(kept, row)):
            where = _IN_FILE if kept is None else "on its path before it"
            found.add(row, "compaction-kept", _lost(found, row, "firstKeptEntryId", where))
    for row, (key, _) in index.edits.items():
        edited = _row(rows, key)
        if not ancestry.reached(row):
            continue
        # An edit counts for a target behind it, too, at positions that have both.
        if edited is None or not (ancestry.holds(edited, row) or ancestry.holds(row, edited)):
            where = _IN_FILE if edited is None else "on its path"
            found.add(row, "edit-target", _lost(found, row, "targetId", where))


def _lost(found: Findings, row: int, key: str, where: str) -> str:
    value = found.session.entry(row).get(key)
    if value is js.UNDEFINED:
        return f"it names no {_NAMES[key]}"
    name = '""' if value == "" else js.to_string(value)
    return f"its {_NAMES[key]} {name} is not {where}"


def _row(rows: dict[IdKey, int], key: IdKey | None) -> int | None:
    return None if key is None else rows.get(key)


def _last_rows(index: SessionIndex) -> dict[IdKey, int]:
    """The last row of each id that a reference names, in one pass: a search each is quadratic."""
    wanted = {target for _, target, *_ in index.labels} | set(index.kept.values())
    wanted.update(target for target, _ in index.edits.values())
    if not wanted:
        return {}
    return {key: row for row in range(len(index)) if (key := index.id_key(row)) in wanted}

"""Why pitree may differ from Pi on a case that is not one of ours.

The cases that are packed here have every difference listed with both values. On a foreign folder
the same reasons hold, but its values are not known beforehand: a difference passes if one of these
rules names the reason, and fails otherwise.
"""

from __future__ import annotations

from typing import Any

from pitree.model import js
from tests.conformance.kit import Case

NOTHING = "Pi hangs or throws there"
REPLACED = "Pi replaces the file by an empty session, or can't open it"
DAMAGE = "what pitree says of damage, of which Pi says nothing"
GAUGE = "the gauge is that of Pi 1.6"
REPEATED = "Pi lists an entry once for every line that has its id"
OWN_PARENT = "Pi shows an entry that is its own parent below itself"

_TREE_FIELDS = {"roots", "nodes", "entriesNotInTree", "rows", "ids", "levels", "n"}


def explain(case: Case, place: str, name: str, want: Any) -> str | None:
    """The reason for a difference, None if there is none."""
    golden = case.golden
    if name == "damage":
        return DAMAGE
    outcome = golden["load"].get("outcome")
    if outcome in ("throws", "replaced-by-new-session") and place in ("load", "document"):
        return REPLACED
    if _gives_nothing(case, place) or (isinstance(want, dict) and "throws" in want):
        return NOTHING
    if name == "contextUsage200k" and case.pi == "0.73":
        return GAUGE
    if place == "tree" or place.startswith("view"):
        repeated, own_parent = _odd_ids(case)
        if repeated:
            return REPEATED
        if own_parent:
            return OWN_PARENT
    return None


def _gives_nothing(case: Case, place: str) -> bool:
    """Whether Pi hangs or throws at a place."""
    golden = case.golden
    if golden["load"].get("outcome") == "throws":
        return True
    parts = {f"leaf {part['leaf']}": part for part in golden.get("leaves", [])}
    parts["default"] = golden.get("default", {})
    parts["tree"] = golden.get("tree", {})
    if place.startswith("view"):
        return any("rows" not in view for view in case.views["views"])
    part = parts.get(place, {})
    return bool(part.get("hangs") or part.get("throws"))


def _odd_ids(case: Case) -> tuple[bool, bool]:
    """Whether an id comes twice, and whether an entry is its own parent."""
    seen: set[str] = set()
    repeated = own_parent = False
    for line in case.path.read_bytes().decode("utf-8", "replace").split("\n"):
        try:
            value = js.parse(js.trim(line))
        except ValueError:
            continue
        if isinstance(value, dict) and value.get("type") == "session":
            continue
        key = js.canonical(value.get("id")) if isinstance(value, dict) else "null"
        repeated = repeated or key in seen
        seen.add(key)
        if isinstance(value, dict) and value.get("id") is not None:
            own_parent = own_parent or value.get("id") == value.get("parentId")
    return repeated, own_parent

"""Why, and how, pitree may differ from Pi on a case that is not one of ours.

The cases that are packed here have every difference listed with both values. On a foreign folder
the same reasons hold, but its values are not known beforehand. So a difference passes only if its
rule says that both values are right: the golden is still held, and so is what pitree has.
"""

from __future__ import annotations

import re
from typing import Any

from pitree import SessionContext, SessionManager
from tests.conformance import plain
from tests.conformance.compare import ABSENT, Rule, Rules, like_ids, or_null, same
from tests.conformance.kit import Pi
from tests.conformance.listed_forms import NEW_HEADER, gauge

REPLACED = "Pi replaces the file by an empty session"
CANT_OPEN = "Pi throws when it opens the file"
DAMAGE = "what pitree says of damage, of which Pi says nothing"
GAUGE = "the gauge is that of Pi 1.6"
REPEATED = "Pi lists an entry once for every line that has its id, or shows it below itself"
HANGS = "Pi never returns; the path is cut where a parent comes a second time"

_BEFORE_THE_TEXT = re.compile(r"^[ ›│├└─⊟⊞•]*")


def load_rules(session: SessionManager, data: bytes, golden: dict[str, Any]) -> Rules:
    """Of what opening gives."""
    outcome = golden.get("outcome")
    is_odd = outcome == "throws" and not plain.are_objects(plain.raws(session))
    rules = {"damage": Rule(DAMAGE, lambda *_: is_odd or plain.is_damage_whole(session, data))}
    if outcome == "throws":
        rules["outcome"] = Rule(CANT_OPEN, lambda got, want: want == "throws" != got)
    if outcome == "replaced-by-new-session":
        rules["header"] = Rule(
            REPLACED,
            lambda got, want: (
                same(want, NEW_HEADER) and (got is None or got.get("type") == "session")
            ),
        )
        rules["headerLines"] = Rule(REPLACED, lambda got, want: (got, want) == (0, 1))
        rules["versionInFile"] = Rule(REPLACED, lambda got, want: want is ABSENT is not got)
    return rules


def tree_rules(session: SessionManager, golden: dict[str, Any]) -> Rules:
    """Of the tree: repeated ids."""
    entries = plain.raws(session)
    if "roots" not in golden or len(plain.last_rows(entries)) == len(entries):
        return {}
    pi = _in_golden_form(session, entries, repeats=True)
    own = _in_golden_form(session, entries, repeats=False)

    def rule(name: str) -> Rule:
        return Rule(
            REPEATED,
            lambda got, want: (
                same(got, like_ids(own[name], want)) and same(want, like_ids(pi[name], want))
            ),
        )

    return {name: rule(name) for name in own}


def _in_golden_form(
    session: SessionManager, entries: list[Any], *, repeats: bool
) -> dict[str, list[Any]]:
    tree = plain.plain_tree(entries, repeats=repeats)
    nodes = list[list[Any]]()
    for row in tree.order:
        label, stamp = session.label(row) or (None, None)
        below = [session.entry_id(one) for one in tree.children[row]]
        nodes.append([session.entry_id(row), below, label, or_null(stamp)])
    shown = set(tree.order)
    missing = [row for row in range(len(session)) if row not in shown]
    if repeats:
        # The kit asks for values, and of those that are no objects there is only one of each.
        values = {plain.id_key(entries[row]) for row in shown}
        missing = [row for row in missing if plain.id_key(entries[row]) not in values]
    return {
        "roots": [session.entry_id(row) for row in tree.roots],
        "nodes": nodes,
        "entriesNotInTree": [session.entry_id(row) for row in missing],
    }


def position_rules(
    session: SessionManager,
    row: int | None,
    context: SessionContext,
    golden: dict[str, Any],
    pi: Pi,
) -> Rules:
    """Of a position: the path where Pi has none, and the gauge where it is of 0.73."""
    is_silent = "messages" not in golden

    def is_cut(got: Any, want: Any) -> bool:
        entries = plain.raws(session)
        path = got if not plain.are_objects(entries) else plain.plain_path(entries, row)
        return is_silent and want is ABSENT and same(got, path)

    def is_gauge(got: Any, want: Any) -> bool:
        if not same(got, gauge(plain.gauge_of_16(session, row, context))):
            return False
        if want is ABSENT:
            return is_silent
        if "throws" in want:
            return True
        of_073 = plain.gauge_of_073(session, row, golden["estimate"]["tokens"])
        return same(want, gauge(of_073))

    rules = {"path": Rule(HANGS, is_cut)}
    return rules | {"contextUsage200k": Rule(GAUGE, is_gauge)} if pi == "0.73" else rules


def view_rules(session: SessionManager, view: dict[str, Any], rows: list[list[Any]]) -> Rules:
    """Of rows: where an id is repeated, the same entries with the same texts.

    A result shows the call that is displayed last, so its text may be that of another one.
    """
    entries = plain.raws(session)
    odd = len(plain.last_rows(entries)) != len(entries) or any(
        plain.id_key(plain.member(raw, "id")) == plain.id_key(plain.member(raw, "parentId"))
        for raw in entries
    )
    if view.get("hangs") or view.get("throws") or not odd:
        return {}

    results = {repr(session.entry_id(row)) for row, raw in enumerate(entries) if _is_result(raw)}

    def texts(some: list[list[Any]]) -> set[tuple[str, str]]:
        return {
            (repr(name), "" if repr(name) in results else _BEFORE_THE_TEXT.sub("", text))
            for name, _, text in some
        }

    def holds(got: Any, want: Any) -> bool:
        own = texts(rows)
        if isinstance(want, dict) and "n" in want:
            # Only the ends are written out.
            return want["n"] >= len(rows) and texts(want["first"] + want["last"]) <= own
        if not isinstance(want, list):
            return False
        # A fold hides the rows below one of the places only.
        return own <= texts(want) if view.get("fold") else own == texts(want)

    return {"rows": Rule(REPEATED, holds)}


def _is_result(raw: Any) -> bool:
    message = plain.member(raw, "message")
    return isinstance(message, dict) and message.get("role") == "toolResult"

"""The labels of a session, replayed from its label entries as Pi does."""

from __future__ import annotations

from typing import Any

from pitree.model import js
from pitree.model.index import IdKey, SessionIndex

Labels = dict[IdKey, tuple[Any, Any]]
"""Labelled id → its label and when it was set, in the order of Pi's map.

Both are text in what Pi writes; a damaged file can hold any JSON value, which Pi keeps.
"""


def replay_labels(index: SessionIndex) -> Labels:
    """The labels after the last line: per target the last entry in file order wins."""
    labels: Labels = {}
    for _, target, label, when in index.labels if index.accepted else ():
        if target is None:
            continue
        if label is None:
            labels.pop(target, None)
        else:
            labels[target] = (label, when)
    return labels


def session_name(index: SessionIndex) -> str | None:
    """The session's name: that of the last name entry, None where it is empty."""
    if not index.names or not index.accepted:
        return None
    name = index.names[-1][1]
    return js.trim(name) or None if isinstance(name, str) else None

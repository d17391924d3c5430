"""Pi's filters of the tree, as byte masks over all entries."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from pitree.model.entries import Kind

FilterMode = Literal["default", "no-tools", "user-only", "labeled-only", "all"]
FILTER_MODES: tuple[FilterMode, ...] = (
    "default",
    "no-tools",
    "user-only",
    "labeled-only",
    "all",
)

_SETTINGS = {
    Kind.LABEL,
    Kind.CONTEXT_EDIT,
    Kind.CUSTOM,
    Kind.MODEL_CHANGE,
    Kind.THINKING_LEVEL_CHANGE,
    Kind.SESSION_INFO,
}
_NEVER = {Kind.USAGE, Kind.ASSISTANT_SILENT}
_HIDDEN: dict[FilterMode, set[Kind]] = {
    "default": _NEVER | _SETTINGS,
    "no-tools": _NEVER | _SETTINGS | {Kind.TOOL_RESULT},
    "user-only": set(Kind) - {Kind.USER},
    "labeled-only": _NEVER,
    "all": _NEVER,
}
_TABLES = {
    mode: bytes(kind not in hidden for kind in range(256)) for mode, hidden in _HIDDEN.items()
}


def filter_mask(
    kinds: bytearray,
    mode: FilterMode,
    leaf: int | None,
    labeled: Iterable[int],
    matches: Iterable[int] | None,
) -> bytearray:
    """Which entries a view shows: one byte for each, 1 for those that it does.

    Args:
        kinds: The kind of each entry.
        mode: The filter.
        leaf: The current position, which shows even if it says nothing.
        labeled: Rows that have a label.
        matches: Rows that a search found, None without one.
    """
    mask = kinds.translate(_TABLES[mode])
    if leaf is not None and kinds[leaf] == Kind.ASSISTANT_SILENT:
        mask[leaf] = mode != "user-only"
    if mode == "labeled-only":
        mask = _only(mask, labeled)
    if matches is not None:
        mask = _only(mask, matches)
    return mask


def _only(mask: bytearray, rows: Iterable[int]) -> bytearray:
    kept = bytearray(len(mask))
    for row in rows:
        kept[row] = mask[row]
    return kept

"""Tokens and cost of many entries, as providers reported them."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from pitree.model.entries import MESSAGE_KINDS, JsonObject, Kind
from pitree.model.js_values import to_double
from pitree.model.ranges import RowRanges
from pitree.model.session import Session
from pitree.model.tree import SessionTree

PARTS = ("input", "output", "cacheRead", "cacheWrite")
"""Pi's names of the kinds of tokens."""

_USAGE_KINDS = frozenset(
    {
        Kind.ASSISTANT,
        Kind.ASSISTANT_SILENT,
        Kind.USAGE,
        Kind.COMPACTION,
        Kind.BRANCH_SUMMARY,
    }
)
Identity = tuple[str, str]
"""What a copied entry shares with the one that it was copied from: id and timestamp."""


class UsageTotals:
    """A sum over entries; whatever is missing or no number counts as 0.

    Attributes:
        messages: Message entries.
        calls: Model calls that reported their usage.
        tokens: Tokens by `PARTS`, and `totalTokens`.
    """

    def __init__(self) -> None:
        """Start at 0."""
        self.messages = 0
        self.calls = 0
        self.tokens: dict[str, float] = dict.fromkeys((*PARTS, "totalTokens"), 0)
        self._costs: list[float] = []

    @property
    def cost(self) -> float:
        """The cost in US dollars."""
        return math.fsum(self._costs)

    def add(self, usage: JsonObject) -> None:
        """Add the usage of one model call."""
        self.calls += 1
        parts = [_number(usage.get(name)) for name in PARTS]
        for name, tokens in zip(PARTS, parts, strict=True):
            self.tokens[name] += tokens
        # Pi's rule: a total that is missing or 0 is the sum of its parts.
        self.tokens["totalTokens"] += _number(usage.get("totalTokens")) or sum(parts)
        cost = usage.get("cost")
        if isinstance(cost, dict):
            own = _number(cost.get("total")) or sum(_number(cost.get(name)) for name in PARTS)
            if own:
                self._costs.append(own)

    def add_rows(
        self, session: Session, rows: Iterable[int], seen: set[Identity] | None = None
    ) -> None:
        """Add entries of a session.

        Args:
            session: The session.
            rows: The entries.
            seen: The entries of other files that were added before: their copies are left out,
                and these entries added.
        """
        kinds = session.index.kind
        for row in rows:
            kind = kinds[row]
            is_message = kind in MESSAGE_KINDS
            if kind in _USAGE_KINDS or (is_message and seen is not None):
                raw = session.entry(row).raw
                if seen is not None and (identity := _identity(raw)) is not None:
                    if identity in seen:
                        continue
                    seen.add(identity)
                if (usage := usage_of(raw)) is not None:
                    self.add(usage)
            self.messages += is_message


def usage_of(raw: JsonObject) -> JsonObject | None:
    """Pi's usage object of an entry that holds one: an answer, a summary, a `usage` entry."""
    holder: Any = raw
    if raw.get("type") == "message":
        message = raw.get("message")
        holder = message if isinstance(message, dict) and message.get("role") == "assistant" else {}
    usage = holder.get("usage")
    return usage if isinstance(usage, dict) else None


def reached_rows(tree: SessionTree) -> RowRanges:
    """The entries of Pi's reading, in file order: without what Pi drops."""
    return RowRanges(sorted((tree.starts[run], tree.ends[run]) for run in tree.preorder()))


def _identity(raw: JsonObject) -> Identity | None:
    entry_id, stamp = raw.get("id"), raw.get("timestamp")
    return (entry_id, stamp) if isinstance(entry_id, str) and isinstance(stamp, str) else None


def _number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return 0
    return value if math.isfinite(to_double(value)) and value > 0 else 0

"""Pi's estimates: a token is four UTF-16 units.

Two rules live side by side. 0.73 plans and estimates; 1.6 fills the gauge: it counts system
messages and images of users, ignores all-zero usage and distrusts usage that is older than an
edit or a compaction. Where Pi throws over a value of the wrong type, pitree counts nothing for it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from pitree.context.messages import role_of
from pitree.context.session_context import ContextPlan, SessionContext
from pitree.context.system import current_system_message
from pitree.model import js
from pitree.model.entries import JsonObject, Kind
from pitree.model.session import Session
from pitree.settings import KEEP_RECENT_TOKENS, RESERVE_TOKENS

Rule = Literal["0.73", "1.6"]

IMAGE_UNITS = 4800
"""UTF-16 units that an image counts as."""


@dataclass(frozen=True, slots=True)
class CompactionSettings:
    """Pi's settings of compaction, in tokens."""

    enabled: bool = True
    reserve_tokens: int = RESERVE_TOKENS
    keep_recent_tokens: int = KEEP_RECENT_TOKENS


@dataclass(frozen=True, slots=True)
class ContextEstimate:
    """How full a context is, in tokens.

    Attributes:
        tokens: In all; NaN where the usage that is in the file has no numbers.
        usage_tokens: Of that, reported by a provider.
        trailing_tokens: Of that, estimated.
        last_usage_index: The message whose usage was taken, None for none.
    """

    tokens: float
    usage_tokens: float
    trailing_tokens: int
    last_usage_index: int | None


@dataclass(frozen=True, slots=True)
class ContextUsage:
    """The gauge.

    Attributes:
        tokens: Tokens in the context, None while unknown: after a compaction, until an answer.
        context_window: Tokens that the model takes.
        percent: One of the other, None while unknown.
        reported: Whether a provider reported it, at least in part; else it is an estimate.
    """

    tokens: float | None
    context_window: int
    percent: float | None
    reported: bool


def _units(value: Any) -> int:
    return js.utf16_len(value) if isinstance(value, str) else 0


def _content_units(content: Any, image_units: int) -> int:
    if isinstance(content, str):
        return js.utf16_len(content)
    units = 0
    for block in content if isinstance(content, list) else ():
        if isinstance(block, dict):
            if block.get("type") == "text":
                units += _units(block.get("text"))
            elif block.get("type") == "image":
                units += image_units
    return units


def _assistant_units(message: JsonObject) -> int:
    units = 0
    content = message.get("content")
    for block in content if isinstance(content, list) else ():
        if not isinstance(block, dict):
            continue
        kind = block.get("type")
        if kind == "text":
            units += _units(block.get("text"))
        elif kind == "thinking":
            units += _units(block.get("thinking"))
        elif kind == "toolCall":
            units += _units(block.get("name"))
            if "arguments" in block:
                units += js.utf16_len(js.stringify(block["arguments"]))
    return units


def _system_units(message: JsonObject) -> int:
    units = _content_units(message.get("content"), IMAGE_UNITS)
    sections = message.get("sections")
    for value in sections.values() if isinstance(sections, dict) else ():
        units += _units(value)
    if js.truthy(message.get("toolsAdded", js.UNDEFINED)):
        units += js.utf16_len(js.stringify(message["toolsAdded"]))
    return units


def estimate_tokens(message: JsonObject, rule: Rule = "0.73") -> int:
    """Pi's estimate of one message, in tokens: UTF-16 units / 4, rounded up."""
    role = role_of(message)
    if role == "user":
        units = _content_units(message.get("content"), IMAGE_UNITS if rule == "1.6" else 0)
    elif role == "assistant":
        units = _assistant_units(message)
    elif role in ("custom", "toolResult"):
        units = _content_units(message.get("content"), IMAGE_UNITS)
    elif role == "bashExecution":
        units = _units(message.get("command")) + _units(message.get("output"))
    elif role in ("branchSummary", "compactionSummary"):
        units = _units(message.get("summary"))
    elif role == "system" and rule == "1.6":
        units = _system_units(message)
    else:
        units = 0
    return -(-units // 4)


def calculate_context_tokens(usage: JsonObject) -> float:
    """The tokens that a provider reported: `totalTokens`, else the sum of the four parts.

    NaN where a part is missing.
    """
    total = usage.get("totalTokens")
    if js.truthy(js.UNDEFINED if total is None else total):
        return js.to_number(total)
    parts = ("input", "output", "cacheRead", "cacheWrite")
    return sum(js.to_number(usage.get(part, js.UNDEFINED)) for part in parts)


def _usage(message: JsonObject, rule: Rule) -> JsonObject | None:
    """The usage of an answer that ended well; for 1.6 only if it is more than zero."""
    if role_of(message) != "assistant" or message.get("stopReason") in ("aborted", "error"):
        return None
    usage = message.get("usage")
    if not isinstance(usage, dict):
        return None
    return usage if rule == "0.73" or calculate_context_tokens(usage) > 0 else None


class Meter:
    """Adds up the messages of a context, one by one.

    Attributes:
        tokens: The estimate of each message, in tokens.
    """

    def __init__(self, rule: Rule) -> None:
        """Measure by one of Pi's rules."""
        self.tokens: list[int] = []
        self._rule: Rule = rule
        self._rows: list[int] = []
        self._system: list[JsonObject] = []
        self._used = 0.0
        self._used_at: int | None = None

    def add(self, message: JsonObject, row: int = -1) -> None:
        """Add the next message.

        Args:
            message: The message.
            row: The entry that it is of.
        """
        usage = _usage(message, self._rule)
        if usage is not None:
            self._used = calculate_context_tokens(usage)
            self._used_at = len(self.tokens)
        if role_of(message) == "system":
            self._system.append(message)
        self.tokens.append(estimate_tokens(message, self._rule))
        self._rows.append(row)

    def estimate(self) -> ContextEstimate:
        """The last usage, and estimates of what comes after it."""
        if self._used_at is None:
            tokens = sum(self.tokens)
            return ContextEstimate(tokens, 0, tokens, None)
        trailing = sum(self.tokens[self._used_at + 1 :])
        return ContextEstimate(self._used + trailing, self._used, trailing, self._used_at)

    def projected(self, session: Session, plan: ContextPlan) -> ContextEstimate:
        """The estimate of Pi 1.6, which trusts no usage from before an edit or a compaction."""
        if self._used_at is not None:
            position = plan.path.position(self._rows[self._used_at])
            if position is not None and position > _last_invalidating(session, plan):
                return self.estimate()
        system = current_system_message(self._system)
        tokens = estimate_tokens(system, "1.6") if system is not None else 0
        tokens += sum(self.tokens) - sum(estimate_tokens(one, "1.6") for one in self._system)
        return ContextEstimate(tokens, 0, tokens, None)

    def usage(self, session: Session, plan: ContextPlan, window: int) -> ContextUsage:
        """The gauge of Pi 1.6: unknown after a compaction until an answer follows."""
        if plan.compaction is not None:
            last = self._rows[self._used_at] if self._used_at is not None else None
            answered = None if last is None else plan.path.position(last)
            if answered is None or answered <= (plan.path.position(plan.compaction) or 0):
                return ContextUsage(None, window, None, False)
        estimate = self.projected(session, plan)
        percent = estimate.tokens / window * 100
        return ContextUsage(estimate.tokens, window, percent, estimate.last_usage_index is not None)


def estimate_context_tokens(messages: list[JsonObject], rule: Rule = "0.73") -> ContextEstimate:
    """How full a context is: the last usage in it, and estimates of what comes after."""
    meter = Meter(rule)
    for message in messages:
        meter.add(message)
    return meter.estimate()


def measure(context: SessionContext) -> Meter:
    """The measure of a context by the rule of Pi 1.6."""
    meter = Meter("1.6")
    for row, messages in context.entries:
        for message in messages:
            meter.add(message, row)
    return meter


def estimate_projected(session: Session, context: SessionContext) -> ContextEstimate:
    """The estimate of Pi 1.6 at a position."""
    return measure(context).projected(session, context.plan)


def get_context_usage(session: Session, context: SessionContext, window: int) -> ContextUsage:
    """The gauge of Pi 1.6 at a position.

    Args:
        session: The session.
        context: The context at the position.
        window: Tokens that the model takes.
    """
    return measure(context).usage(session, context.plan, window)


def _last_invalidating(session: Session, plan: ContextPlan) -> int:
    """The position on the path of the last edit or compaction, -1 without one."""
    kinds, last = session.index.kind, -1
    for start, end in reversed(plan.path.pieces):
        last = max(
            kinds.rfind(Kind.COMPACTION, start, end), kinds.rfind(Kind.CONTEXT_EDIT, start, end)
        )
        if last >= 0:
            break
    position = plan.path.position(last) if last >= 0 else None
    return -1 if position is None else position


def should_compact(tokens: float, window: int, settings: CompactionSettings) -> bool:
    """Whether Pi would compact: enabled, and more tokens than the window less the reserve."""
    return settings.enabled and tokens > window - settings.reserve_tokens

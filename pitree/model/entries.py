"""The entries of a session: typed views over Pi's own JSON objects.

A view holds the parsed object untouched in `raw`, so nothing is lost, unknown types and keys
included, and the views cost nothing until they are asked for. Session files are written by many
versions and edited by hand: a property gives the value only if it has the type it promises, else
the neutral value of that type.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Any

from pitree.model.js import UNDEFINED

JsonObject = dict[str, Any]


class Kind(IntEnum):
    """What an entry is, in one byte: its type or, for a message, its role.

    An assistant message without text that ended well is `ASSISTANT_SILENT`: Pi's tree shows it in
    no filter, unless it is the leaf.
    """

    UNKNOWN = 0
    USER = 1
    ASSISTANT = 2
    ASSISTANT_SILENT = 3
    TOOL_RESULT = 4
    BASH_EXECUTION = 5
    CUSTOM_ROLE = 6
    BRANCH_SUMMARY_ROLE = 7
    COMPACTION_SUMMARY_ROLE = 8
    SYSTEM = 9
    OTHER_MESSAGE = 10
    THINKING_LEVEL_CHANGE = 11
    MODEL_CHANGE = 12
    COMPACTION = 13
    BRANCH_SUMMARY = 14
    CUSTOM = 15
    CUSTOM_MESSAGE = 16
    LABEL = 17
    SESSION_INFO = 18
    USAGE = 19
    CONTEXT_EDIT = 20


ROLE_KINDS = {
    "user": Kind.USER,
    "assistant": Kind.ASSISTANT,
    "toolResult": Kind.TOOL_RESULT,
    "bashExecution": Kind.BASH_EXECUTION,
    "custom": Kind.CUSTOM_ROLE,
    "branchSummary": Kind.BRANCH_SUMMARY_ROLE,
    "compactionSummary": Kind.COMPACTION_SUMMARY_ROLE,
    "system": Kind.SYSTEM,
}

TYPE_KINDS = {
    "thinking_level_change": Kind.THINKING_LEVEL_CHANGE,
    "model_change": Kind.MODEL_CHANGE,
    "compaction": Kind.COMPACTION,
    "branch_summary": Kind.BRANCH_SUMMARY,
    "custom": Kind.CUSTOM,
    "custom_message": Kind.CUSTOM_MESSAGE,
    "label": Kind.LABEL,
    "session_info": Kind.SESSION_INFO,
    "usage": Kind.USAGE,
    "context_edit": Kind.CONTEXT_EDIT,
}

MESSAGE_KINDS = frozenset({Kind.ASSISTANT_SILENT, Kind.OTHER_MESSAGE, *ROLE_KINDS.values()})
SPEAKING_KINDS = frozenset(
    {*MESSAGE_KINDS, Kind.CUSTOM_MESSAGE, Kind.BRANCH_SUMMARY, Kind.COMPACTION}
)
"""Kinds that can put a message into a context: a subtree with one of them is a branch."""


@dataclass(frozen=True, slots=True)
class SessionEntry:
    """One entry as its file holds it.

    Attributes:
        raw: The parsed line. An object for every entry that Pi writes; a damaged file can hold
            any other JSON value on a line, which Pi takes as an entry without an id.
    """

    raw: Any

    def get(self, key: str) -> Any:
        """The value of a key, `UNDEFINED` where JavaScript would read undefined."""
        return self.raw.get(key, UNDEFINED) if isinstance(self.raw, dict) else UNDEFINED

    def text(self, key: str) -> str:
        """The value of a key if it is a string, else an empty string."""
        value = self.get(key)
        return value if isinstance(value, str) else ""

    @property
    def type(self) -> str:
        """The entry's type, empty if it has none."""
        return self.text("type")

    @property
    def id(self) -> str:
        """The entry's id, empty if it has none or one that is no string."""
        return self.text("id")

    @property
    def parent_id(self) -> str | None:
        """The id of the parent, None for a root."""
        return self.text("parentId") or None

    @property
    def timestamp(self) -> str:
        """When the entry was written, ISO 8601."""
        return self.text("timestamp")


class SessionMessageEntry(SessionEntry):
    """A message of the conversation."""

    __slots__ = ()

    @property
    def message(self) -> JsonObject:
        """Pi's message object; an empty one where the entry holds none."""
        value = self.get("message")
        return value if isinstance(value, dict) else {}

    @property
    def role(self) -> str:
        """Who speaks: user, assistant, toolResult, bashExecution, custom, system and others."""
        value = self.message.get("role")
        return value if isinstance(value, str) else ""


class ThinkingLevelChangeEntry(SessionEntry):
    """The thinking level from here on."""

    __slots__ = ()

    @property
    def thinking_level(self) -> str:
        """Pi's name of the level: off, minimal, low, medium, high and others."""
        return self.text("thinkingLevel")


class ModelChangeEntry(SessionEntry):
    """The model from here on."""

    __slots__ = ()

    @property
    def provider(self) -> str:
        """Pi's name of the provider."""
        return self.text("provider")

    @property
    def model_id(self) -> str:
        """The provider's name of the model."""
        return self.text("modelId")


class CompactionEntry(SessionEntry):
    """A summary that stands for the path before `first_kept_entry_id`."""

    __slots__ = ()

    @property
    def summary(self) -> str:
        """What the model reads instead of the summarised entries."""
        return self.text("summary")

    @property
    def first_kept_entry_id(self) -> str:
        """The oldest entry still sent whole; the compaction's own id keeps nothing."""
        return self.text("firstKeptEntryId")

    @property
    def tokens_before(self) -> float:
        """Pi's estimate of the context before, in tokens."""
        value = self.get("tokensBefore")
        return value if isinstance(value, (int, float)) else 0


class BranchSummaryEntry(SessionEntry):
    """What was learnt on a branch that was left."""

    __slots__ = ()

    @property
    def summary(self) -> str:
        """What the model reads of the other branch."""
        return self.text("summary")

    @property
    def from_id(self) -> str:
        """The leaf that was left (Pi ≥0.84.3) or the entry the summary hangs on (older)."""
        return self.text("fromId")


class CustomEntry(SessionEntry):
    """State of an extension; never part of a context."""

    __slots__ = ()

    @property
    def custom_type(self) -> str:
        """The extension's name for it."""
        return self.text("customType")


class CustomMessageEntry(CustomEntry):
    """A message that an extension put into the context."""

    __slots__ = ()

    @property
    def content(self) -> Any:
        """Text or a list of content blocks."""
        return self.get("content")


class LabelEntry(SessionEntry):
    """A label set on, or taken from, another entry."""

    __slots__ = ()

    @property
    def target_id(self) -> str:
        """The labelled entry."""
        return self.text("targetId")

    @property
    def label(self) -> str:
        """The label; empty clears it."""
        return self.text("label")


class SessionInfoEntry(SessionEntry):
    """The session's name from here on."""

    __slots__ = ()

    @property
    def name(self) -> str:
        """The name; empty clears it."""
        return self.text("name")


class UsageEntry(SessionEntry):
    """Tokens and cost of a model call that is no message (Pi ≥0.86)."""

    __slots__ = ()

    @property
    def usage(self) -> JsonObject:
        """Pi's usage object: tokens by kind and their cost in US dollars."""
        value = self.get("usage")
        return value if isinstance(value, dict) else {}


class ContextEditEntry(SessionEntry):
    """What the model gets in place of an earlier entry (Pi ≥0.87)."""

    __slots__ = ()

    @property
    def target_id(self) -> str:
        """The edited entry."""
        return self.text("targetId")

    @property
    def replacement(self) -> Any:
        """None omits the target; an object with `content` replaces its content."""
        return self.get("replacement")


ENTRY_TYPES: dict[str, type[SessionEntry]] = {
    "message": SessionMessageEntry,
    "thinking_level_change": ThinkingLevelChangeEntry,
    "model_change": ModelChangeEntry,
    "compaction": CompactionEntry,
    "branch_summary": BranchSummaryEntry,
    "custom": CustomEntry,
    "custom_message": CustomMessageEntry,
    "label": LabelEntry,
    "session_info": SessionInfoEntry,
    "usage": UsageEntry,
    "context_edit": ContextEditEntry,
}


def entry_from(raw: Any) -> SessionEntry:
    """The view that fits a parsed line; a plain `SessionEntry` for unknown types."""
    kind = raw.get("type") if isinstance(raw, dict) else None
    return (ENTRY_TYPES.get(kind, SessionEntry) if isinstance(kind, str) else SessionEntry)(raw)

"""pitree: the session trees of the Pi coding agent, as a library.

The names below are loaded when they are first used, so that `import pitree` costs nothing.
"""

from __future__ import annotations

__version__ = "0.1.0"

# The one of `typing`, which takes 10 ms to load: twice what Python itself takes to start.
TYPE_CHECKING = False

if TYPE_CHECKING:
    from pitree.context.counting import TokenCounter
    from pitree.context.estimates import (
        CompactionSettings,
        ContextEstimate,
        ContextUsage,
        estimate_context_tokens,
        estimate_tokens,
        get_context_usage,
        should_compact,
    )
    from pitree.context.messages import convert_to_llm
    from pitree.context.session_context import SessionContext, build_session_context
    from pitree.errors import NotASessionError, PitreeError, UnknownEntryError, UsageError
    from pitree.model.entries import SessionEntry
    from pitree.model.index import Damage
    from pitree.model.rows import TreeRow, VisibleRows
    from pitree.model.session import SessionTreeNode
    from pitree.store.session_list import SessionInfo, list_sessions
    from pitree.store.session_manager import SessionManager

_PLACES = {
    "CompactionSettings": "context.estimates",
    "ContextEstimate": "context.estimates",
    "ContextUsage": "context.estimates",
    "Damage": "model.index",
    "NotASessionError": "errors",
    "PitreeError": "errors",
    "SessionContext": "context.session_context",
    "SessionEntry": "model.entries",
    "SessionInfo": "store.session_list",
    "SessionManager": "store.session_manager",
    "SessionTreeNode": "model.session",
    "TokenCounter": "context.counting",
    "TreeRow": "model.rows",
    "UnknownEntryError": "errors",
    "UsageError": "errors",
    "VisibleRows": "model.rows",
    "build_session_context": "context.session_context",
    "convert_to_llm": "context.messages",
    "estimate_context_tokens": "context.estimates",
    "estimate_tokens": "context.estimates",
    "get_context_usage": "context.estimates",
    "list_sessions": "store.session_list",
    "should_compact": "context.estimates",
}

__all__ = [
    "CompactionSettings",
    "ContextEstimate",
    "ContextUsage",
    "Damage",
    "NotASessionError",
    "PitreeError",
    "SessionContext",
    "SessionEntry",
    "SessionInfo",
    "SessionManager",
    "SessionTreeNode",
    "TokenCounter",
    "TreeRow",
    "UnknownEntryError",
    "UsageError",
    "VisibleRows",
    "build_session_context",
    "convert_to_llm",
    "estimate_context_tokens",
    "estimate_tokens",
    "get_context_usage",
    "list_sessions",
    "should_compact",
]


def __getattr__(name: str) -> object:
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib

    return getattr(importlib.import_module(f"pitree.{_PLACES[name]}"), name)

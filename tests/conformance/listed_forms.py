"""Short ways to write the values of the list of deviations, in the form of the goldens."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.conformance.compare import ABSENT, Deviation

WINDOW = 200_000
CLAUDE = {"provider": "anthropic", "modelId": "claude-sonnet-4-5"}
NEW_HEADER = {
    "type": "session",
    "version": 3,
    "id": "<new uuid>",
    "timestamp": "<now>",
    "cwd": "<cwd>",
}
"""What Pi writes over a file that has no header."""

SMALL = [[8192, True], [32000, False], [128000, False], [200000, False], [1000000, False]]
"""Windows with the answer of shouldCompact; the reserve is more than the smallest window."""

TEXTS = {
    # lines-not-objects
    "5050d44c": "[model: claude-sonnet-4-5]",
    "2cf5ff24": "user: Scale by number of loaves. Motion and from filter matter a.",
    "f3264acd": "[edit: app/recipe.ts]",
    "b03d97b1": "assistant: All set. Every entry colour spacing filter screens is filter and it. "
    "I changed `app/index.html` and left the it once.",
    "8f9eabc6": "user: Round the salt to half a gram. Every its is on than every more is the "
    "colour.",
    "9191dbee": "assistant: Finished: Spacing order small is people colour list it the people the "
    "on every the top more read small page more motion is and when than and filter. "
    "I changed `app/crumbs.css` and left because more ma",
    # line-null
    "51e5a490": "[model: claude-sonnet-4-5]",
    "c2c97d3e": "user: Round the salt to half a gram. Read list should day spacing than its keep "
    "is colour the.",
    "6d55d148": "[bash: node --check app/scale.test.ts]",
    "b4e0ad8a": "assistant: Done. Order a and and screens filter small should filter once on every "
    "more list it when matter filter. I changed `app/crumbs.css` and left matter is order.",
    "4947e697": "user: Add rye. Motion people should motion a entry order.",
    "5534d93d": "assistant: Finished: Its and matter than day and screens when and on its the on "
    "a. I changed `app/index.html` and left colour and list.",
    # self-parent
    "f1879aa9": "user: I am my own parent",
    "62f5726e": "assistant: below the one that is its own parent",
    "7cd84976": "user: ok",
    "9a723176": "assistant: ok too",
    # duplicate-ids
    "160f11ec": "user: second with the same id",
    "b3091d0d": "assistant: a child of whichever",
    "455948f3": "assistant: child of the first",
    # written-twice-by-pi
    "36023bb0": "[model: claude-sonnet-4-5]",
    "c4374159": "[unanswered] user: The program stopped before the answer came.",
    "1e99a8a0": "[label: unanswered]",
    "7c2d3264": "user: Still there?",
    "d98129a1": "assistant: Yes.",
    # null-content-and-own-parent
    "21c76501": "[model: claude-sonnet-4-5]",
    "e1a512f7": "[thinking: medium]",
    "19d96c81": "[system]",
    "0760d429": "user: ",
    "2bc63dd1": "[bash]",
    "9e69afbe": "[empty]: ",
    "5c2b095f": "user: Null contents above.",
    "74a6f0e2": "assistant: They become empty.",
    "7cb35b47": "assistant: No newline follows.",
    "0c0c0c0c": "user: My own parent.",
}
"""Id → the text of its row."""


def gauge(tokens: float | None) -> dict[str, Any]:
    """The gauge at a window of 200,000 tokens."""
    percent = None if tokens is None else tokens / WINDOW * 100
    return {"tokens": tokens, "contextWindow": WINDOW, "percent": percent}


def estimate(used: int, trailing: int, used_at: int | None) -> dict[str, Any]:
    """An estimate: tokens that a provider reported, those behind, and which message has them."""
    return {
        "tokens": used + trailing,
        "usageTokens": used,
        "trailingTokens": trailing,
        "lastUsageIndex": used_at,
    }


def refs(*names: str) -> dict[str, Any]:
    """A list of messages or entries."""
    return {"n": len(names), "refs": list(names)}


def digest(number: int, sha256: str) -> dict[str, Any]:
    """A list in the short form."""
    return {"n": number, "sha256": sha256}


def rows(level: int, lead: str, names: str, then: list[list[Any]] | None = None) -> list[list[Any]]:
    """Rows that begin with the same characters.

    Args:
        level: Their level.
        lead: What stands before their texts.
        names: Their ids, separated by spaces.
        then: Rows that follow.
    """
    return [[name, level, lead + TEXTS[name]] for name in names.split()] + (then or [])


def position(
    path: str,
    messages: dict[str, Any],
    tokens: list[int],
    used: int = 0,
    used_at: int | None = None,
    model: dict[str, str] | None = CLAUDE,
) -> dict[str, Any]:
    """All fields of a position in a small context of 0.73; the messages are the model's, too.

    Args:
        path: Its ids, separated by spaces.
        messages: Their refs.
        tokens: Their estimates.
        used: Tokens of the last answer's usage.
        used_at: Which message has it.
        model: The model.
    """
    trailing = sum(tokens if used_at is None else tokens[used_at + 1 :])
    return {
        "path": path.split(),
        "messages": messages,
        "llm": messages,
        "thinkingLevel": "off",
        "model": model,
        "lastAssistantUsage": None if used_at is None else {"contextTokens": used},
        "contextUsage200k": gauge(used + trailing),
        "tokens": tokens,
        "estimate": estimate(used, trailing, used_at),
        "shouldCompact": SMALL,
    }


def position_of_16(
    projected: list[list[Any]],
    tokens: int,
    *,
    used: int | None = None,
    thinking: str = "off",
    model: dict[str, str] | None = None,
) -> dict[str, Any]:
    """All fields of a position of 1.6 whose usage is not trusted and that has no system message.

    Args:
        projected: The path: id and the refs of its messages.
        tokens: The estimate.
        used: Tokens of the last answer's usage.
        thinking: The thinking level.
        model: The model.
    """
    messages = refs(*[name for _, names in projected for name in names])
    return {
        "path": [name for name, _ in projected],
        "messages": messages,
        "llm": messages,
        "thinkingLevel": thinking,
        "model": model,
        "lastAssistantUsage": None if used is None else {"contextTokens": used},
        "contextUsage200k": gauge(tokens),
        "projectedPath": projected,
        "estimateProjected": estimate(0, tokens, None),
        "system": None,
    }


DAMAGE = "Pi drops these lines or entries without a word; pitree lists them"


def damage(case: str, *found: list[Any]) -> Deviation:
    """What pitree says of dropped lines: kind, line, id."""
    return Deviation(case, "load", DAMAGE, {"damage": list(found)}, {"damage": []})


def view(case: str, reason: str, name: str, own: list[Any], theirs: Any = ABSENT) -> Deviation:
    """The rows of a view."""
    return Deviation(case, f"view {name}", reason, {"rows": own}, {"rows": theirs})


def thrown(case: str, reason: str, place: str, error: str, **pitree: Any) -> Deviation:
    """Fields at which Pi throws."""
    return Deviation(case, place, reason, pitree, {name: {"throws": error} for name in pitree})


def gauges(
    case: str, reason: str, values: dict[str, tuple[int, int | None]]
) -> Iterator[Deviation]:
    """Gauges: place → pitree's and Pi's tokens."""
    for place, (own, theirs) in values.items():
        field = "contextUsage200k"
        yield Deviation(case, place, reason, {field: gauge(own)}, {field: gauge(theirs)})

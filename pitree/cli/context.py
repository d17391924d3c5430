"""`pitree context`: what the model gets at a position, message by message."""

from __future__ import annotations

import argparse
from itertools import accumulate
from typing import Any

from pitree.cli.arguments import add_file, add_leaf, leaf_row, open_session
from pitree.cli.output import say, say_json, thousands, warn_state
from pitree.context.counting import DEFAULT_ENCODING, ENCODINGS, TokenCounter, message_text
from pitree.context.estimates import (
    ContextEstimate,
    estimate_context_tokens,
    estimate_tokens,
    get_context_usage,
)
from pitree.context.messages import llm_message, role_of
from pitree.context.models import context_window
from pitree.context.session_context import SessionContext, build_session_context, left_out
from pitree.model import js
from pitree.model.entries import JsonObject
from pitree.model.row_text import content_text
from pitree.store.session_manager import SessionManager

SCHEMA = 1


def prepare(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    add_file(parser)
    add_leaf(parser)
    parser.add_argument(
        "--as",
        dest="reading",
        choices=("agent", "llm"),
        default="agent",
        help="Pi's own messages, or those that the provider library gets",
    )
    parser.add_argument(
        "--count",
        metavar="ENCODING",
        nargs="?",
        const=DEFAULT_ENCODING,
        choices=ENCODINGS,
        help=f"also count tokens by an encoding of tiktoken: {', '.join(ENCODINGS)}",
    )


async def run(args: argparse.Namespace) -> int:
    """Print the messages."""
    session, _ = await open_session(args)
    async with session:
        leaf = leaf_row(session, args.leaf)
        context = build_session_context(session, leaf)
        warn_state(session)
        listed = [
            (row, shown)
            for row, messages in context.entries
            for message in messages
            if (shown := llm_message(message) if args.reading == "llm" else message) is not None
        ]
        tokens = [estimate_tokens(message) for _, message in listed]
        estimate = estimate_context_tokens([message for _, message in listed])
        gauge = _gauge(session, context)
        counts = await _count([message for _, message in listed], args.count)
        missing = list(left_out(session, context.plan, llm=args.reading == "llm"))
        if not args.json:
            _print(session, context, listed, tokens, estimate)
            _print_gauge(gauge)
            if counts is not None:
                say(f"{sum(counts):,} tokens counted by {args.count}, images left out")
            for item in missing:
                say(f"left out  {_name(session, item.row)}  {item.reason}")
            return 0
        say_json(
            {
                "schema": SCHEMA,
                "leaf": None if leaf is None else session.entry_id(leaf),
                "as": args.reading,
                "thinkingLevel": context.thinking_level,
                "model": context.model,
                "messages": [message for _, message in listed],
                "from": [session.entry_id(row) for row, _ in listed],
                "tokens": {
                    "kind": "estimated" if estimate.last_usage_index is None else "reported",
                    "perMessage": tokens,
                    "gauge": gauge,
                    "counted": None
                    if counts is None
                    else {"encoding": args.count, "perMessage": counts, "tokens": sum(counts)},
                    "estimate": {
                        "tokens": estimate.tokens,
                        "usageTokens": estimate.usage_tokens,
                        "trailingTokens": estimate.trailing_tokens,
                        "lastUsageIndex": estimate.last_usage_index,
                    },
                },
                "leftOut": [
                    {"id": session.entry_id(item.row), "reason": item.reason} for item in missing
                ],
            }
        )
        return 0


def _gauge(session: SessionManager, context: SessionContext) -> dict[str, Any]:
    """How full today's Pi says the context is, for the model at the position."""
    model = context.model or {}
    window = context_window(model.get("provider"), model.get("modelId"))
    usage = get_context_usage(session, context, window)
    kind = "reported" if usage.reported else "estimated"
    return {
        "kind": "unknown" if usage.tokens is None else kind,
        "tokens": usage.tokens,
        "contextWindow": usage.context_window,
        "percent": usage.percent,
    }


async def _count(messages: list[JsonObject], encoding: str | None) -> list[int] | None:
    if encoding is None:
        return None
    counter = TokenCounter(encoding)
    try:
        return await counter.count(message_text(message) for message in messages)
    finally:
        await counter.close()


def _print(
    session: SessionManager,
    context: SessionContext,
    listed: list[tuple[int, JsonObject]],
    tokens: list[int],
    estimate: ContextEstimate,
) -> None:
    model = context.model or {}
    where = f"{model.get('provider', '?')}/{model.get('modelId', '?')}" if model else "no model"
    how = (
        "estimated"
        if estimate.last_usage_index is None
        else (
            f"{thousands(estimate.usage_tokens)} reported, "
            f"{thousands(estimate.trailing_tokens)} estimated"
        )
    )
    say(f"{len(listed)} messages, {thousands(estimate.tokens)} tokens ({how}); {where}")
    running = list(accumulate(tokens))
    say(f"{'#':>5} {'tokens':>9} {'sum':>9}  {'role':<18} {'entry':<10} text")
    for at, ((row, message), own) in enumerate(zip(listed, tokens, strict=True)):
        say(
            f"{at + 1:>5} {own:>9,} {running[at]:>9,}  {_role(message):<18} "
            f"{_name(session, row):<10} {_start(message)}"
        )


def _print_gauge(gauge: dict[str, Any]) -> None:
    window = thousands(gauge["contextWindow"])
    if gauge["tokens"] is None:
        say(f"gauge: unknown until the next answer, of {window}")
    else:
        share = f"{gauge['percent']:.1f} %"
        say(f"gauge: {thousands(gauge['tokens'])} of {window}, {share} ({gauge['kind']})")


def _name(session: SessionManager, row: int) -> str:
    name = session.entry_id(row)
    return "-" if name is None else str(name)


def _role(message: JsonObject) -> str:
    role = role_of(message)
    return role if isinstance(role, str) else "?"


def _start(message: JsonObject) -> str:
    """The first words of a message."""
    if not isinstance(message, dict):
        return js.to_string(message)
    found: Any = message.get("summary", message.get("command"))
    text = found if isinstance(found, str) else content_text(message.get("content"))
    if not text and isinstance(message.get("content"), list):
        kinds = [
            js.to_string(block.get("name") or block.get("type") or "?")
            for block in message["content"]
            if isinstance(block, dict)
        ]
        text = f"[{', '.join(kinds)}]" if kinds else ""
    line = " ".join(text.split())
    return line if len(line) <= 72 else line[:71] + "…"

"""The fast ways of reading a line equal the plain ones, on lines broken at random."""

from __future__ import annotations

import random

import pytest

from pitree.model import js
from pitree.model.entries import TYPE_KINDS, Kind
from pitree.store import lines
from pitree.store.parse import parse_line, parse_text
from tests.store.mutate import Mutator

LINES = 100_000
PARSED_WHOLE = {
    Kind.LABEL,
    Kind.SESSION_INFO,
    Kind.COMPACTION,
    Kind.CONTEXT_EDIT,
    Kind.BRANCH_SUMMARY,
    Kind.BASH_EXECUTION,
}


def _fast_reading(line: lines.Line) -> tuple[int, int, list[int]] | None:
    """Kind, flags and tool calls as the indexer takes them without a full parse."""
    message = line.message
    if (line.type == "message") is (message is None):
        return None
    calls: list[int] = []
    if message is None:
        kind, flags = int(TYPE_KINDS.get(line.type, Kind.UNKNOWN)), 0
    else:
        kind, flags = lines.message_facts(message, 0, calls)
        hot = lines.HOT_ROLES.get(message.role)
        assert hot is None or (hot, 0, []) == (kind, flags, calls)
    return None if kind in PARSED_WHOLE else (kind, flags, calls)


def test_the_fast_way_of_lines_equals_the_plain_one(source: random.Random) -> None:
    mutator = Mutator(source)
    accepted = refused_but_json = 0
    for _ in range(LINES):
        data = mutator.line() + b"\n"
        try:
            line = lines.decode_line(data)
        except lines.REFUSED:
            try:
                parse_text(data)
            except ValueError:
                continue
            refused_but_json += 1
            continue
        accepted += 1
        try:
            value = js.parse(data.decode("utf-8", "replace"))
        except ValueError as error:
            raise AssertionError(f"accepted what JavaScript rejects: {data!r}") from error
        assert (line.type, line.id) == (value["type"], value["id"]), data
        assert line.parentId == value["parentId"], data
        reading = _fast_reading(line)
        if reading is not None:
            kind, flags = lines.facts(value)
            calls = [lines.call_hash(one) << 32 for one in lines.plain_call_ids(value)]
            assert reading == (kind, flags, calls), data
    # The lines are of use only if many are taken and some need the plain parser.
    assert accepted > LINES // 4
    assert refused_but_json > LINES // 50


def test_the_fast_parser_equals_the_plain_one(source: random.Random) -> None:
    mutator = Mutator(source)
    for _ in range(LINES // 5):
        data = mutator.line()
        try:
            plain = js.parse(data.decode("utf-8", "replace"))
        except ValueError:
            with pytest.raises(ValueError):  # noqa: PT011 - any of them
                parse_line(data)
            continue
        assert js.stringify(parse_line(data)) == js.stringify(plain), data

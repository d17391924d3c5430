"""The fast ways of reading lines and files equal the plain ones, on lines broken at random."""

from __future__ import annotations

import io
import os
import random
from collections.abc import Iterator
from typing import Any

import pytest

from pitree.errors import NotASessionError
from pitree.model import js
from pitree.model.entries import TYPE_KINDS, Kind
from pitree.model.index import Flag, SessionIndex
from pitree.store import indexer, lines
from pitree.store.indexer import Indexer
from pitree.store.parse import parse_line, parse_text
from tests.store.mutate import Mutator
from tests.store.slow_index import SlowIndex

LINES = 100_000
FILES = 250
PARSED_WHOLE = {
    Kind.LABEL,
    Kind.SESSION_INFO,
    Kind.COMPACTION,
    Kind.CONTEXT_EDIT,
    Kind.BRANCH_SUMMARY,
    Kind.BASH_EXECUTION,
}


@pytest.fixture
def source() -> random.Random:
    """Random numbers whose seed is printed with a failure."""
    seed = int(os.environ.get("PITREE_FUZZ_SEED") or random.SystemRandom().randrange(2**32))
    print(f"PITREE_FUZZ_SEED={seed}")
    return random.Random(seed)


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


HEADERS = [
    *[b'{"type":"session","version":3,"id":"s","cwd":"/w"}'] * 12,
    b'{"type":"session","version":4,"id":"s"}',
    b'{"type":"session","version":2,"id":"s"}',
    b'{"type":"session","version":1,"id":"s"}',
    b'{"type":"session","id":"s"}',
    b'{"type":"session","version":"3","id":"s"}',
    b'{"type":"session","version":"x","id":"s"}',
    b'\xef\xbb\xbf \xc2\xa0{"type":"session","version":3,"id":"s"}',
    b'{"type":"session","version":3,"id":7}',
    b'{"type":"title","title":"t"}\n{"type":"session","version":3,"id":"s"}',
    b'{"kind":"header","version":4}',
    b"{broken",
    b"null",
    b" \n\t\n\xe2\x80\xa8",
]


def _files(source: random.Random) -> Iterator[bytes]:
    for _ in range(FILES):
        mutator = Mutator(source)
        pieces = [source.choice(HEADERS)] if source.random() < 0.97 else []
        whole = source.random() < 0.3
        for _ in range(source.choice((0, 3, 40, 150))):
            line = mutator.whole_line() if whole else mutator.line()
            pieces.append(source.choice((line,) * 9 + (b"", b" \r", b"\x0b")))
        end = source.choice(
            (b"\n", b"\n", b"\n", b"", b"\n\n \x0b\n", b"\xc2\xa0", b"\r\n", b"\x00")
        )
        yield b"\n".join(pieces) + end


def _read(data: bytes) -> SessionIndex | None:
    try:
        return Indexer().read(io.BytesIO(data))
    except NotASessionError:
        return None


@pytest.mark.parametrize("block", [1, 5, indexer.BLOCK_LINES])
def test_indexes_of_files_equal_the_slow_ones(
    source: random.Random, block: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(indexer, "BLOCK_LINES", block)
    refused = 0
    for data in _files(source):
        slow = SlowIndex(data)
        index = _read(data)
        if index is None:
            assert slow.refused, data
            refused += 1
            continue
        _compare(index, slow, data)
    assert refused < FILES // 2


def _compare(index: SessionIndex, slow: SlowIndex, data: bytes) -> None:
    assert not slow.refused, data
    assert index.size == len(data)
    assert index.terminated == (data.endswith(b"\n") or not data), data
    assert (index.header is None) == (slow.header is None), data
    assert js.stringify(index.header) == js.stringify(slow.header), data
    assert index.accepted == slow.accepted, data
    rows: list[dict[str, Any]] = [
        {
            "line": index.line_number(row),
            "bytes": (index.offset[row], index.offset[row] + index.length[row]),
            "kind": index.kind[row],
            "flags": index.flags[row] & (0xFF if index.accepted else ~Flag.PATH_END),
            "id": index.id_key(row),
            "parent": index.parent(row),
        }
        for row in range(len(index))
    ]
    wanted = [row.facts() for row in slow.rows]
    for key in rows[0] if rows and wanted else ():
        assert [row[key] for row in rows] == [row[key] for row in wanted], (key, data)
    assert len(rows) == len(wanted), data
    assert list(index.orphans) == slow.orphans, data
    assert [(call >> 32, call & 0xFFFFFFFF) for call in index.calls] == slow.calls, data
    assert [item[0] for item in index.labels] == slow.of_kind(Kind.LABEL), data
    assert list(index.kept) == slow.of_kind(Kind.COMPACTION), data
    assert list(index.edits) == slow.of_kind(Kind.CONTEXT_EDIT), data
    assert [item[0] for item in index.names] == slow.of_kind(Kind.SESSION_INFO), data
    for row, key in index.kept.items():
        assert key == slow.rows[row].kept, data
    _compare_damage(index, slow, data)


def _compare_damage(index: SessionIndex, slow: SlowIndex, data: bytes) -> None:
    bad = {
        item.line for item in index.damage if item.kind in ("malformed", "fragment", "recovered")
    }
    assert bad == slow.bad_lines, data
    assert [item.line for item in index.damage if item.kind == "null"] == slow.null_lines, data
    for kind in ("duplicate", "cycle", "no-header"):
        items = [item for item in index.damage if item.kind == kind]
        found = [
            row for item in items if item.row is not None for row in _rows(item.row, item.rows)
        ]
        assert found == slow.dropped[kind], (kind, data)
    for item in index.damage:
        assert 0 <= item.start < item.end <= len(data), (item, data)
        assert data[: item.start].count(b"\n") + 1 == item.line, (item, data)
        if item.row is None:
            assert b"\n" not in data[item.start : item.end], (item, data)
        if item.kind == "recovered":
            js.parse(data[item.start : item.end].decode("utf-8", "replace"))


def _rows(first: int, count: int) -> range:
    return range(first, first + count)

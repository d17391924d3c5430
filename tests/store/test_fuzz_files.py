"""Indexes of files equal those read the slow and plain way, on files broken at random."""

from __future__ import annotations

import dataclasses
import io
import random
from collections.abc import Iterator
from typing import Any

import pytest

from pitree.errors import NotASessionError
from pitree.model import js
from pitree.model.entries import Kind
from pitree.model.index import Flag, IndexReader, SessionIndex, to_parts
from pitree.model.tree import SessionTree
from pitree.store import indexer
from pitree.store.indexer import Indexer
from pitree.store.parse import dump_line, parse_line
from tests.store.mutate import Mutator
from tests.store.slow_index import SlowIndex

FILES = 250

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


def _read(data: bytes, known: SessionIndex | None = None) -> SessionIndex | None:
    file = io.BytesIO(data)
    file.seek(known.size if known else 0)
    try:
        return Indexer(known).read(file)
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


def test_an_index_that_grows_equals_one_of_the_whole_file(source: random.Random) -> None:
    grown = refused = 0
    for data in _files(source):
        whole = _read(data)
        places = [at + 1 for at, byte in enumerate(data) if byte == 0x0A and at + 1 < len(data)]
        if whole is None or not places:
            continue
        index: SessionIndex | None = None
        for size in [*sorted(source.choices(places, k=source.choice((1, 3)))), len(data)]:
            if index is None or not index.growable:
                refused += index is not None
                index = _read(data[:size])
                continue
            grown += 1
            index = _read(data[:size], index)
        assert index is not None
        assert _comparable(index) == _comparable(whole), data
        assert index.is_start_of(whole)
    assert grown > FILES // 4
    assert refused < grown


def test_an_index_survives_the_way_between_processes(source: random.Random) -> None:
    for data in _files(source):
        index = _read(data)
        if index is None:
            continue
        tables, buffers = to_parts(index)
        reader = IndexReader(parse_line(dump_line(tables)))
        columns = b"".join(buffers)
        for start in range(0, len(columns), 64):
            reader.put(columns[start : start + 64])
        assert reader.left == 0
        assert _comparable(reader.index()) == _comparable(index), data


def _comparable(index: SessionIndex) -> dict[str, Any]:
    """All of an index, without the words and with NaN equal to itself."""
    found = {field.name: getattr(index, field.name) for field in dataclasses.fields(index)}
    for name in ("odd", "odd_parent", "odd_time"):
        del found[name]
    found["parents"] = [index.parent(row) for row in range(len(index))]
    tree = SessionTree(index)
    found["below"] = [tree.children(row) for row in (None, *range(len(index)))]
    found["version"] = repr(index.version)
    found["header"] = js.stringify(index.header)
    damage = [dataclasses.replace(item, explain="") for item in index.damage]
    found["damage"] = [item for item in damage if item.kind != "cycle"]
    # Rows of a cycle may be told of in one piece or in several.
    rows = [_rows(item.row or 0, item.rows) for item in damage if item.kind == "cycle"]
    found["cycle"] = sorted(row for piece in rows for row in piece)
    return found

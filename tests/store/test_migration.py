"""Files of versions 1 and 2: migrated in memory as Pi migrates them on disk."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pitree.store.session_manager import SessionManager

HEADER = '{"type":"session","id":"s1","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/w"}'


def said(text: str) -> str:
    return f'{{"type":"message","message":{{"role":"user","content":"{text}"}}}}'


def compaction(rest: str) -> str:
    return f'{{"type":"compaction","summary":"S","tokensBefore":9{rest}}}'


async def entries(path: Path, *lines: str) -> list[Any]:
    """The entries of a file, which stays as it is."""
    data = "".join(f"{line}\n" for line in lines).encode()
    path.write_bytes(data)
    async with await SessionManager.open(path) as session:
        found = [session.entry(row).raw for row in range(len(session))]
        assert session.header is not None
        assert session.header["version"] == 3
        ids = [session.entry_id(row) for row in range(len(session))]
        assert ids == [entry.get("id") for entry in found]
    assert path.read_bytes() == data
    return found


async def test_version_1_gets_ids_in_file_order(tmp_path: Path) -> None:
    hook = '{"type":"message","message":{"role":"hookMessage","customType":"x","content":"c"}}'
    old = '{"id":"own","type":"label","parentId":"nobody","targetId":"00000001","label":"l"}'
    found = await entries(tmp_path / "s", HEADER, said("a"), hook, old)
    assert [json.dumps(entry, separators=(",", ":")) for entry in found] == [
        said("a")[:-1] + ',"id":"00000001","parentId":null}',
        hook.replace("hookMessage", "custom")[:-1] + ',"id":"00000002","parentId":"00000001"}',
        old.replace("own", "00000003").replace("nobody", "00000002"),
    ]


@pytest.mark.parametrize("version", ["", "null", "0", "1", "1.5", '"1"'])
async def test_these_versions_are_version_1(version: str, tmp_path: Path) -> None:
    header = HEADER.replace("{", f'{{"version":{version},') if version else HEADER
    found = await entries(tmp_path / "s", header, said("a"), said("b"))
    assert [(entry["id"], entry["parentId"]) for entry in found] == [
        ("00000001", None),
        ("00000002", "00000001"),
    ]


@pytest.mark.parametrize(
    ("index", "kept"),
    [
        # The index counts all lines, the header being 0.
        ("1", "00000001"),
        ("2", "00000002"),
        ("2.0", "00000002"),
        ("3", "00000003"),
        ("0", None),
        ("4", None),
        ("99", None),
        ("-1", None),
        ("2.5", None),
        ("1e400", None),
        ("9" * 30, None),
    ],
)
async def test_an_index_becomes_the_id_of_its_line(
    index: str, kept: str | None, tmp_path: Path
) -> None:
    rest = f',"firstKeptEntryIndex":{index}'
    lines = [HEADER, said("a"), said("b"), compaction(rest), said("c")]
    found = await entries(tmp_path / "s", *lines)
    assert "firstKeptEntryIndex" not in found[2]
    assert found[2].get("firstKeptEntryId") == kept


@pytest.mark.parametrize("index", ['"2"', "true", "null", "[2]"])
async def test_an_index_that_is_no_number_stays(index: str, tmp_path: Path) -> None:
    rest = f',"firstKeptEntryIndex":{index}'
    found = await entries(tmp_path / "s", HEADER, said("a"), said("b"), compaction(rest))
    assert found[2]["firstKeptEntryIndex"] == json.loads(index)
    assert "firstKeptEntryId" not in found[2]


async def test_an_index_counts_parsed_lines_only(tmp_path: Path) -> None:
    lines = [HEADER, "{broken", "", said("a"), HEADER, said("b")]
    rest = ',"firstKeptEntryIndex":3'
    found = await entries(tmp_path / "s", *lines, compaction(rest))
    assert found[2]["firstKeptEntryId"] == "00000002"


async def test_version_2_keeps_its_tree(tmp_path: Path) -> None:
    lines = [
        HEADER.replace("{", '{"version":2,'),
        '{"type":"message","id":"a","parentId":null,"message":{"role":"user","content":"q"}}',
        '{"type":"message","id":"b","parentId":"a","message":{"role":"hookMessage","content":"h"}}',
        '{"type":"message","id":"c","parentId":"a","message":["hookMessage"]}',
        '{"type":"compaction","id":"d","parentId":"b","summary":"S","firstKeptEntryIndex":1}',
    ]
    found = await entries(tmp_path / "s", *lines)
    assert [json.dumps(entry, separators=(",", ":")) for entry in found] == [
        lines[1],
        lines[2].replace("hookMessage", "custom"),
        lines[3],
        lines[4],
    ]


@pytest.mark.parametrize("version", ["3", '"3"', "4", '"x"', "[]"])
async def test_later_versions_stay_as_they_are(version: str, tmp_path: Path) -> None:
    path = tmp_path / "s"
    path.write_text(
        HEADER.replace("{", f'{{"version":{version},')
        + '\n{"type":"message","id":"b","message":{"role":"hookMessage","content":"h"}}\n'
    )
    async with await SessionManager.open(path) as session:
        expected = "newer" if version == "4" else "ok"
        if version == "[]":  # Number([]) is 0
            assert session.entry_id(0) == "00000001"
        else:
            assert session.state == expected
            assert session.entry_id(0) == "b"
            assert session.entry(0).raw["message"]["role"] == "hookMessage"

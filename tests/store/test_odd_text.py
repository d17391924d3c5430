"""Odd characters, numbers and depths that JSON allows: they load as Pi loads them."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from pitree.cli.main import main
from pitree.model import js
from pitree.model.entries import SessionMessageEntry
from pitree.store.session_manager import SessionManager
from tests.store.literal import A1, A2, U1, U2, H, user

TEXTS = {
    "lone-surrogate": (b'"cut \\ud83d"', "cut \ud83d", "cut \ufffd"),
    "halves-in-wrong-order": (b'"\\ude00\\ud83d!"', "\ude00\ud83d!", "\ufffd\ufffd!"),
    "pair": (b'"\\ud83d\\ude00"', "😀", "😀"),
    "bad-utf-8": (b'"a\xff\xc3b"', "a\ufffd\ufffdb", "a\ufffd\ufffdb"),
    "surrogate-in-utf-8": (b'"\xed\xa0\xbd"', "\ufffd" * 3, "\ufffd" * 3),
    "nul": (b'"a\\u0000b"', "a\0b", "a\u2400b"),
    "separators": (
        b'"a\xe2\x80\xa8b\xe2\x80\xa9c\xc2\x85d"',
        "a\u2028b\u2029c\x85d",
        "a⟨2028⟩b⟨2029⟩c⟨85⟩d",
    ),
    "separators-escaped": (b'"a\\u000bb\\fc\\u001cd"', "a\vb\fc\x1cd", "a␋b␌c␜d"),
    "escape-sequence": (b'"\\u001b[2J"', "\x1b[2J", "␛[2J"),
}


@pytest.mark.parametrize("name", TEXTS)
def test_texts_load_as_in_pi(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    raw, text, shown = TEXTS[name]
    line = user("u1", None).replace(b'"hi"', raw)
    path = tmp_path / "s.jsonl"
    path.write_bytes(H + line + A1)

    async def check() -> None:
        async with await SessionManager.open(path) as session:
            assert len(session) == 2
            assert session.damage == []
            entry = session.entry(0)
            assert isinstance(entry, SessionMessageEntry)
            assert entry.message["content"] == text
            assert session.line(0) == line[:-1]
            assert session.index.line_number(1) == 3
            found = [row async for rows in session.search("user") for row in rows]
            assert found == [0]

    asyncio.run(check())
    assert main(["tree", str(path)]) == 0
    assert capsys.readouterr().out.splitlines()[0] == f"  • user: {shown}"
    for words in (["tree"], ["context"], ["tips"], ["stats"], ["doctor"]):
        main([*words, str(path), "--json"])
        out = capsys.readouterr().out
        out.encode()
        json.loads(out)


NUMBERS = {
    b"9" * 30: "1e+30",
    b"9" * 5000: "null",
    b"1e400": "null",
    b"-1e400": "null",
    b"123456789012345678901234567890": "1.2345678901234568e+29",
    b"-0": "0",
    b"1E2": "100",
    b"0.1e-5": "0.000001",
    b"18446744073709551616": "18446744073709552000",
}


@pytest.mark.parametrize("raw", NUMBERS, ids=lambda raw: raw[:12].decode())
async def test_numbers_of_any_length_load(raw: bytes, tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    line = A1.replace(b'"text":"yes"', b'"text":"yes","n":' + raw)
    path.write_bytes(H + U1 + line + U2)
    async with await SessionManager.open(path) as session:
        assert session.damage == []
        assert [session.entry_id(row) for row in session.path(session.leaf)] == ["u1", "a1", "u2"]
        block = session.entry(1).raw["message"]["content"][0]
        assert js.stringify(block["n"]) == NUMBERS[raw]


@pytest.mark.parametrize("raw", [b"01", b"1.", b".5", b"+1", b"NaN", b"-Infinity", b"0x1", b"1_0"])
async def test_what_is_no_number_breaks_its_line(raw: bytes, tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    line = A1.replace(b'"text":"yes"', b'"text":"yes","n":' + raw)
    path.write_bytes(H + U1 + line + U2)
    async with await SessionManager.open(path) as session:
        assert [session.entry_id(row) for row in range(len(session))] == ["u1", "u2"]
        assert [(item.kind, item.line) for item in session.damage] == [("malformed", 3)]
        assert session.index.orphans == {1: "a1"}


@pytest.mark.parametrize("depth", [300, 1100, 5000])
def test_deep_values_load(depth: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    deep = b'{"a":[' * depth + b"1" + b"]}" * depth
    call = b'{"type":"toolCall","id":"c1","name":"deep","arguments":' + deep + b"}"
    line = A1.replace(b'{"type":"text","text":"yes"}', call)
    path = tmp_path / "s.jsonl"
    path.write_bytes(H + U1 + line + U2 + A2)

    async def check() -> None:
        async with await SessionManager.open(path) as session:
            assert session.damage == []
            assert len(session) == 4
            block = session.entry(1).raw["message"]["content"][0]
            assert js.stringify(block["arguments"]).encode() == deep
            found = [row async for rows in session.search("deep") for row in rows]
            assert found == [1]

    asyncio.run(check())
    for words in (
        ["tree"],
        ["tree", "--search", "deep", "--reach", "all"],
        ["context"],
        ["doctor"],
    ):
        assert main([words[0], str(path), *words[1:], "--json"]) in (0, 3)
        capsys.readouterr()


async def test_a_deep_header_loads(tmp_path: Path) -> None:
    deep = b"[" * 3000 + b"]" * 3000
    path = tmp_path / "s.jsonl"
    path.write_bytes(H.replace(b'"cwd"', b'"x":' + deep + b',"cwd"') + U1)
    async with await SessionManager.open(path) as session:
        assert session.state == "ok"
        assert session.cwd == "/w"

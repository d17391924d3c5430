"""Files that are damaged: what opens, what is told of the damage, and how the command ends."""

from __future__ import annotations

import asyncio
import json
import os
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from pitree.cli.main import main
from pitree.errors import NotASessionError, PitreeError
from pitree.store.session_manager import SessionManager
from tests.store.literal import A1, A2, U1, U2, H, answer, bare, user

TORN = b'{"type":"message","id":"a1","parentId":"u1","mess'


@dataclass
class Case:
    """A damaged file that opens.

    Attributes:
        data: Its bytes.
        ids: The ids of its entries.
        damage: Kind, line and bytes of each piece of damage.
        shown: The ids of the rows that Pi's tree shows, from the top.
        path: The ids on the path to Pi's leaf.
        state: What kind of file it is.
    """

    data: bytes
    ids: list[object]
    damage: list[tuple[str, int, bytes]] = field(default_factory=list)
    shown: list[object] | None = None
    path: list[object] | None = None
    state: str = "ok"


CASES = {
    "empty": Case(b"", [], state="empty"),
    "blank": Case(b"\n \t\r\n\xe2\x80\xa8\n", [], state="empty"),
    "header-only": Case(bare(H), []),
    "header-broken": Case(
        b"{broken\n" + U1 + A1,
        ["u1", "a1"],
        [("malformed", 1, b"{broken"), ("no-header", 2, bare(U1 + A1))],
        shown=[],
        state="no-header",
    ),
    "header-missing": Case(
        U1 + A1, ["u1", "a1"], [("no-header", 1, bare(U1 + A1))], shown=[], state="no-header"
    ),
    "header-second": Case(
        U1 + H + A1,
        ["u1", "a1"],
        [("no-header", 1, bare(U1 + H + A1))],
        shown=[],
        state="no-header",
    ),
    "header-without-id": Case(
        b'{"type":"session","version":3}\n' + U1,
        ["u1"],
        [("no-header", 2, bare(U1))],
        shown=[],
        state="no-header",
    ),
    "newer": Case(H.replace(b":3", b":4") + U1 + A1, ["u1", "a1"], state="newer"),
    "torn-last": Case(H + U1 + TORN, ["u1"], [("malformed", 3, TORN)]),
    "fragment-before-a-whole-line": Case(
        H + U1 + TORN + user("u2", "u1") + A2,
        ["u1", "a2"],
        [("fragment", 3, TORN), ("recovered", 3, bare(user("u2", "u1")))],
        shown=["a2", "u1"],
        path=["a2"],
    ),
    "two-on-a-line": Case(
        H + bare(U1) + A1 + U2,
        ["u2"],
        [("recovered", 2, bare(U1)), ("recovered", 2, bare(A1))],
    ),
    "fragment-behind": Case(
        H + U1 + bare(A1) + b'{"type":"mess\n' + U2,
        ["u1", "u2"],
        [("recovered", 3, bare(A1)), ("fragment", 3, b'{"type":"mess')],
        shown=["u2", "u1"],
        path=["u2"],
    ),
    "header-glued": Case(
        H + U1 + b'xx{"type":"session","version":3}\n',
        ["u1"],
        [("fragment", 3, b"xx"), ("recovered", 3, b'{"type":"session","version":3}')],
    ),
    "orphan": Case(H + U1 + answer("a1", "gone"), ["u1", "a1"], shown=["a1", "u1"], path=["a1"]),
    "cycle": Case(
        H + U1 + user("x", "y") + answer("y", "x") + user("z", "z"),
        ["u1", "x", "y", "z"],
        [("cycle", 3, bare(user("x", "y") + answer("y", "x")))],
        shown=["z", "u1"],
        path=["z"],
    ),
    "leaf-in-a-cycle": Case(
        H + user("x", "y") + answer("y", "x"),
        ["x", "y"],
        [("cycle", 2, bare(user("x", "y") + answer("y", "x")))],
        shown=[],
        path=["x", "y"],
    ),
    "duplicate": Case(
        H + U1 + answer("d", "u1", "old") + answer("d", "u1", "new") + user("u2", "d"),
        ["u1", "d", "d", "u2"],
        [("duplicate", 3, bare(answer("d", "u1", "old")))],
        shown=["u1", "d", "u2"],
    ),
    "duplicate-under-itself": Case(
        H + U1 + A1 + answer("a1", "a1", "new"),
        ["u1", "a1", "a1"],
        [("duplicate", 3, bare(A1))],
        shown=["a1", "u1"],
        path=["a1"],
    ),
    "null-line": Case(H + U1 + b"null\n" + A1, ["u1", "a1"], [("null", 3, b"null")]),
    "other-values": Case(
        H + b'7\n"text"\n[1]\n' + U1,
        [None, None, None, "u1"],
        [("duplicate", 2, b"7"), ("duplicate", 3, b'"text"')],
        shown=["u1", None],
    ),
    "carriage-returns": Case((H + U1 + A1).replace(b"\n", b"\r\n"), ["u1", "a1"]),
    "byte-order-mark": Case(b"\xef\xbb\xbf" + H + U1, ["u1"]),
    "byte-order-mark-inside": Case(
        H + U1 + b"\xef\xbb\xbf" + A1 + b"\xef\xbb\xbf" + U2 + user("u3", "u1"),
        ["u1", "u3"],
        [("recovered", 3, bare(A1)), ("recovered", 4, bare(U2))],
    ),
    "zeros-behind": Case(H + U1 + b"\0" * 40, ["u1"], [("malformed", 3, b"\0" * 40)]),
    "no-message": Case(
        H + U1 + b'{"type":"message","id":"m","parentId":"u1"}\n', ["u1", "m"], shown=["u1", "m"]
    ),
    "odd-message": Case(
        H + U1 + b'{"type":"message","id":"m","parentId":"u1","message":"what?"}\n', ["u1", "m"]
    ),
    "odd-content": Case(
        H + U1.replace(b'"hi"', b'{"a":[null]}') + A1.replace(b'"text":"yes"', b'"text":{}'),
        ["u1", "a1"],
    ),
    "nan": Case(
        H + U1 + A1.replace(b'"yes"', b"NaN"),
        ["u1"],
        [("malformed", 3, bare(A1.replace(b'"yes"', b"NaN")))],
    ),
}


@pytest.fixture(params=CASES)
def case(request: pytest.FixtureRequest) -> Case:
    found: Case = CASES[request.param]
    return found


@pytest.fixture
def file(case: Case, tmp_path: Path) -> Path:
    path = tmp_path / "session.jsonl"
    path.write_bytes(case.data)
    os.utime(path, ns=(1, 10**18))
    return path


async def test_what_opens(case: Case, file: Path) -> None:
    async with await SessionManager.open(file) as session:
        assert session.state == case.state
        assert [session.entry_id(row) for row in range(len(session))] == case.ids
        damage = [
            (item.kind, item.line, case.data[item.start : item.end]) for item in session.damage
        ]
        assert damage == case.damage
        if case.state == "no-header":
            assert (session.leaf, session.labels, session.session_name) == (None, {}, None)
        elif case.path is not None:
            assert [session.entry_id(row) for row in session.path(session.leaf)] == case.path


def test_how_the_command_ends(case: Case, file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tree", str(file), "--json"]) == 0
    out, err = capsys.readouterr()
    value = json.loads(out)
    shown = case.ids if case.shown is None else case.shown
    assert [row["id"] for row in value["rows"]] == shown
    assert [(item["kind"], item["line"]) for item in value["damage"]] == [
        item[:2] for item in case.damage
    ]
    assert bool(err) == bool(case.damage or case.state != "ok")
    assert err.count("\n") <= 2
    assert main(["tree", str(file)]) == 0


def test_nothing_is_written(case: Case, file: Path, tmp_path: Path) -> None:
    main(["tree", str(file)])
    main(["doctor", str(file)])
    stat = file.stat()
    assert file.read_bytes() == case.data
    assert stat.st_mtime_ns == 10**18
    assert {path.name for path in tmp_path.iterdir()} <= {"session.jsonl", "home"}


REFUSED = {
    "log": (b'{"type":"event","id":"e"}\n{"type":"event"}\n', "no line of the file is an entry"),
    "text": (b"it was a dark night\n", "no line of the file is an entry"),
    "binary": (bytes(range(256)) * 20, "no line of the file is an entry"),
    "other-format": (b'{"kind":"header","version":4}\n' + U1, 'kind "header", version 4'),
    "only-null": (b"null\n", "no line of the file is an entry"),
    "array": (b"[1,2]\n", "no line of the file is an entry"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_session_is_refused(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data, words = REFUSED[name]
    path = tmp_path / "file.jsonl"
    path.write_bytes(data)
    with pytest.raises(NotASessionError, match=words):
        asyncio.run(SessionManager.open(path))
    assert main(["tree", str(path)]) == 3
    out, err = capsys.readouterr()
    assert out == ""
    assert words in err
    assert err.count("\n") == 1
    assert path.read_bytes() == data


def test_what_is_no_file_is_told_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    os.mkfifo(tmp_path / "pipe.jsonl")
    (tmp_path / "folder.jsonl").mkdir()
    for name, words in (
        ("gone.jsonl", "No such file"),
        ("folder.jsonl", "a folder, not a session"),
        ("pipe.jsonl", "no regular file"),
    ):
        assert main(["tree", str(tmp_path / name)]) == 1
        out, err = capsys.readouterr()
        assert out == ""
        assert words in err
        assert err.count("\n") == 1


def test_a_file_that_may_not_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "session.jsonl"
    path.write_bytes(H + U1)
    real = os.open

    def refuse(name: str | Path, flags: int, mode: int = 0o777) -> int:
        if os.fspath(name) == str(path):
            raise PermissionError(13, "Permission denied")
        return real(name, flags, mode)

    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(PitreeError, match="Permission denied"):
        asyncio.run(SessionManager.open(path))
    assert main(["tree", str(path)]) == 1
    assert "Permission denied" in capsys.readouterr().err

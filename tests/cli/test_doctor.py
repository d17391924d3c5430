"""`pitree doctor` over small files, each damaged in one way."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pitree.cli.main import main
from pitree.store.pi_does import pi_does

HEADER = (
    '{"type":"session","version":3,"id":"s1","timestamp":"2026-02-03T09:00:00.000Z","cwd":"/w"}'
)
TITLE = '{"type":"title","v":1,"title":"A talk","updatedAt":"2026-02-03T09:00:00.000Z","pad":"  "}'


def entry(number: int, above: int | None, kind: str = "message", **members: Any) -> str:
    parent = None if above is None else f"{above:08x}"
    stamp = f"2026-02-03T09:00:{number:02}.000Z"
    base = {"type": kind, "id": f"{number:08x}", "parentId": parent, "timestamp": stamp}
    return json.dumps({**base, **members}, separators=(",", ":"))


def message(number: int, above: int | None, role: str = "user", **members: Any) -> str:
    return entry(number, above, message={"role": role, "content": "hi", **members})


def call(number: int, above: int, *ids: str, **members: Any) -> str:
    blocks = [{"type": "toolCall", "id": one, "name": "ls", "arguments": {}} for one in ids]
    return message(number, above, "assistant", content=blocks, **members)


def result(number: int, above: int, call_id: str) -> str:
    return message(number, above, "toolResult", content=[], toolCallId=call_id)


def compaction(number: int, above: int, kept: int) -> str:
    return entry(number, above, "compaction", summary="s", firstKeptEntryId=f"{kept:08x}")


TALK = [HEADER, message(1, None), message(2, 1)]


class Doctor:
    """Writes a file, examines it, and makes sure that it stays as it was."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.path = folder / "session.jsonl"
        self._capsys = capsys

    def text(self, data: bytes, code: int) -> str:
        return self._run(data, code, [])

    def report(self, lines: list[str], code: int = 3, end: str = "\n") -> dict[str, Any]:
        out = self._run(("\n".join(lines) + end).encode(), code, ["--json"])
        found: dict[str, Any] = json.loads(out)
        return found

    def _run(self, data: bytes, code: int, words: list[str]) -> str:
        self.path.write_bytes(data)
        assert main(["doctor", str(self.path), *words]) == code
        assert self.path.read_bytes() == data
        assert [item.name for item in self.path.parent.iterdir()] == [self.path.name]
        out, err = self._capsys.readouterr()
        assert err == ""
        return out


@pytest.fixture
def doctor(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Doctor:
    folder = tmp_path / "work"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return Doctor(folder, capsys)


def place(lines: list[str], line: int, count: int = 1) -> list[int]:
    """The bytes of lines, as the report tells them."""
    start = sum(len(text.encode()) + 1 for text in lines[: line - 1])
    return [start, start - 1 + sum(len(text) + 1 for text in lines[line - 1 : line - 1 + count])]


def test_healthy(doctor: Doctor) -> None:
    assert doctor.report(TALK, 0) == {"schema": 1, "readable": True, "problems": [], "notes": []}
    assert doctor.text(("\n".join(TALK) + "\n").encode(), 0) == "no damage found\n"


def test_whole_report(doctor: Doctor) -> None:
    lines = [HEADER, message(1, None), '{"type":"mess', message(2, 1)]
    assert doctor.report(lines) == {
        "schema": 1,
        "readable": True,
        "problems": [
            {
                "kind": "malformed",
                "line": 3,
                "bytes": [222, 235],
                "entry": None,
                "entries": 0,
                "explain": "a line that is no JSON",
                "piDoes": {
                    "0.73": "leaves the line out without a word",
                    "1.6": "leaves the line out without a word",
                },
            }
        ],
        "notes": [],
    }


def test_text(doctor: Doctor) -> None:
    data = "\n".join([HEADER, message(1, None), "{", "null"]).encode()
    assert doctor.text(data, 3) == (
        "line 3 (bytes 222-223) malformed: a line that is no JSON\n"
        "    Pi 0.73 and 1.6: leaves the line out without a word\n"
        "line 4 (bytes 224-228) null: a line that holds only null\n"
        "    Pi 0.73: can't open the file: it throws\n"
        "    Pi 1.6: leaves the line out\n"
        "line 4 (bytes 228-228) no-final-newline: the file ends without a newline\n"
        "    Pi 0.73: glues its next entry to this line and so loses both\n"
        "    Pi 1.6: adds the newline when it opens the file\n"
    )


OBJECT = {"a": 1}
ONE = [
    # kind, case of what Pi does, line, entry, explanation, lines
    ("null", "null", 3, None, "a line that holds only null", [*TALK[:2], "null", TALK[2]]),
    (
        "duplicate",
        "duplicate",
        3,
        "00000002",
        "its id comes again in line 4",
        [*TALK, message(2, 1, content="again"), message(3, 2)],
    ),
    (
        "orphan",
        "orphan",
        4,
        "00000003",
        "its parent 00000009 is not in the file",
        [*TALK, message(3, 9)],
    ),
    ("self-parent", "self-parent", 4, "00000003", "it is its own parent", [*TALK, message(3, 3)]),
    (
        "no-id",
        "no-id",
        4,
        None,
        "an entry without an id",
        [*TALK, '{"type":"custom","customType":"x","parentId":null}'],
    ),
    ("not-an-object", "no-id", 4, None, "a line that holds no object", [*TALK, "42"]),
    ("title", "title", 4, None, "a title line of oh-my-pi", [*TALK, TITLE]),
    (
        "label-target",
        "label-target",
        4,
        "00000003",
        "its target 00000009 is not in the file",
        [*TALK, entry(3, 2, "label", targetId="00000009", label="x")],
    ),
    (
        "compaction-kept",
        "compaction-kept",
        4,
        "00000003",
        "its first kept entry 00000009 is not in the file",
        [*TALK, compaction(3, 2, 9)],
    ),
    (
        "compaction-kept",
        "compaction-kept",
        5,
        "00000004",
        "its first kept entry 00000003 is not on its path before it",
        [*TALK, message(3, 1), compaction(4, 2, 3)],
    ),
    (
        "compaction-kept",
        "compaction-kept",
        4,
        "00000003",
        "it names no first kept entry",
        [*TALK, entry(3, 2, "compaction", summary="s")],
    ),
    (
        "compaction-summary",
        "compaction-summary",
        4,
        "00000003",
        "a compaction without a summary",
        [*TALK, entry(3, 2, "compaction", firstKeptEntryId="00000003")],
    ),
    (
        "no-message",
        "no-message",
        4,
        "00000003",
        "a message entry without a message",
        [*TALK, entry(3, 2)],
    ),
    (
        "no-message",
        "odd-message",
        4,
        "00000003",
        "its message is no object",
        [*TALK, entry(3, 2, message="hi")],
    ),
    (
        "content",
        "no-role",
        4,
        "00000003",
        "its message has no role",
        [*TALK, entry(3, 2, message={"content": "hi"})],
    ),
    (
        "content",
        "content-null",
        4,
        "00000003",
        "its content is null",
        [*TALK, message(3, 2, "assistant", content=None)],
    ),
    (
        "content",
        "content-text",
        4,
        "00000003",
        "its content is a text and no list of blocks",
        [*TALK, message(3, 2, "assistant")],
    ),
    (
        "content",
        "content-odd",
        4,
        "00000003",
        "its content is neither a text nor a list of blocks",
        [*TALK, message(3, 2, content=OBJECT)],
    ),
    (
        "content",
        "content-odd",
        4,
        "00000003",
        "its content is neither a text nor a list of blocks",
        [*TALK, entry(3, 2, "custom_message", customType="x", content=7)],
    ),
    (
        "content",
        "content-block",
        4,
        "00000003",
        "block 2 of its content is no object",
        [*TALK, message(3, 2, content=[{"type": "text", "text": "hi"}, None])],
    ),
    (
        "content",
        "content-block",
        4,
        "00000003",
        "block 1 of its content is a toolCall whose name is no text",
        [*TALK, message(3, 2, "assistant", content=[{"type": "toolCall", "id": "c"}])],
    ),
    (
        "content",
        "message-text",
        4,
        "00000003",
        "its output is no text",
        [*TALK, message(3, 2, "bashExecution", command="ls")],
    ),
    (
        "edit-replacement",
        "edit-replacement",
        4,
        "00000003",
        "a context edit without a replacement",
        [*TALK, entry(3, 2, "context_edit", targetId="00000001")],
    ),
    (
        "edit-replacement",
        "edit-content",
        4,
        "00000003",
        "its replacement has no content that is a text or a list of blocks",
        [*TALK, entry(3, 2, "context_edit", targetId="00000001", replacement={})],
    ),
    (
        "edit-target",
        "edit-target",
        5,
        "00000004",
        "its target 00000003 is not on its path",
        [*TALK, message(3, 1), entry(4, 2, "context_edit", targetId="00000003", replacement=None)],
    ),
]


@pytest.mark.parametrize(("kind", "case", "line", "name", "explain", "lines"), ONE)
def test_one_problem(
    doctor: Doctor,
    kind: str,
    case: str,
    line: int,
    name: str | None,
    explain: str,
    lines: list[str],
) -> None:
    assert doctor.report(lines)["problems"] == [
        {
            "kind": kind,
            "line": line,
            "bytes": place(lines, line),
            "entry": name,
            "entries": 0 if kind == "null" else 1,
            "explain": explain,
            "piDoes": pi_does(case),
        }
    ]


def brief(report: dict[str, Any]) -> list[tuple[Any, ...]]:
    return [
        (one["kind"], one["line"], one["bytes"], one["entry"], one["entries"])
        for one in report["problems"]
    ]


def test_cycle(doctor: Doctor) -> None:
    lines = [*TALK, message(3, 4), message(4, 3), message(5, 2)]
    assert brief(doctor.report(lines)) == [("cycle", 4, place(lines, 4, 2), "00000003", 2)]


def test_glued_line(doctor: Doctor) -> None:
    torn, whole = '{"type":"message","id":"000', message(3, 2)
    lines = [*TALK, torn + whole]
    start, end = place(lines, 4)
    middle = start + len(torn)
    assert brief(doctor.report(lines)) == [
        ("fragment", 4, [start, middle], None, 0),
        ("recovered", 4, [middle, end], "00000003", 0),
    ]


@pytest.mark.parametrize(
    "lines",
    [[HEADER], TALK, [*TALK, "{"], [*TALK, HEADER], [HEADER, "", "null"]],
    ids=["header", "entry", "torn", "second header", "null"],
)
def test_no_final_newline(doctor: Doctor, lines: list[str]) -> None:
    size = len("\n".join(lines))
    name = "00000002" if lines is TALK else None
    found = doctor.report(lines, end="")["problems"][-1]
    assert found == {
        "kind": "no-final-newline",
        "line": len(lines),
        "bytes": [size, size],
        "entry": name,
        "entries": 0,
        "explain": "the file ends without a newline",
        "piDoes": {
            "0.73": "glues its next entry to this line and so loses both",
            "1.6": "adds the newline when it opens the file",
        },
    }


def test_white_space_behind_the_last_newline_harms_nothing(doctor: Doctor) -> None:
    assert doctor.report(TALK, 0, end="\n  ")["problems"] == []


def test_old_version_gets_its_newline_by_the_rewrite(doctor: Doctor) -> None:
    found = doctor.report([HEADER.replace(":3", ":2"), *TALK[1:]], end="")
    assert found["problems"][0]["piDoes"]["0.73"] == pi_does("newline-by-rewrite")["0.73"]


def test_no_header(doctor: Doctor) -> None:
    lines = TALK[1:]
    found = doctor.report(lines)
    assert found["readable"]
    assert brief(found) == [("no-header", 1, place(lines, 1, 2), "00000001", 2)]
    assert found["problems"][0]["piDoes"] == {
        "0.73": "overwrites the file with an empty session when it opens it",
        "1.6": "refuses to open the file and leaves it as it is",
    }


def test_header_without_id_and_nothing_else(doctor: Doctor) -> None:
    found = doctor.report(['{"type":"session","version":3}'])
    assert brief(found) == [("no-header", 1, [0, 31], None, 0)]


def test_title_before_the_header(doctor: Doctor) -> None:
    lines = [TITLE, *TALK]
    found = doctor.report(lines)
    assert [one["kind"] for one in found["problems"]] == ["no-header", "title"]
    assert found["problems"][1]["bytes"] == place(lines, 1)
    assert found["problems"][1]["piDoes"] == pi_does("no-header")


@pytest.mark.parametrize(
    ("lines", "explain"),
    [
        (["a log", "of words"], "no line of the file is an entry of a Pi session"),
        (
            ['{"kind":"header","version":4}'],
            'a session of the format with kind "header", version 4; '
            'pitree reads the one with type "session", versions 1 to 3',
        ),
    ],
)
def test_unreadable(doctor: Doctor, lines: list[str], explain: str) -> None:
    found = doctor.report(lines)
    assert found == {
        "schema": 1,
        "readable": False,
        "problems": [
            {
                "kind": "not-a-session",
                "line": 1,
                "bytes": [0, sum(len(line) + 1 for line in lines)],
                "entry": None,
                "entries": 0,
                "explain": explain,
                "piDoes": pi_does("no-header"),
            }
        ],
        "notes": [],
    }


def test_missing_file(doctor: Doctor, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "absent.jsonl"]) == 1
    assert capsys.readouterr() == ("", "pitree: absent.jsonl: No such file or directory\n")


def test_harmless_forms(doctor: Doctor) -> None:
    lines = [
        *TALK,
        compaction(3, 2, 3),  # its own id: keeps nothing, on purpose
        compaction(4, 3, 1),
        entry(5, 4, "context_edit", targetId="00000006", replacement=None),  # of what comes after
        message(6, 5, "assistant", content=[{"type": "text", "text": "hi"}, {"type": "new"}]),
        entry(7, 6, "label", targetId="00000001"),
        entry(8, 7, "leaf", targetId="00000001"),
        message(9, 8, "something new", content=7),
    ]
    assert doctor.report(lines, 0) == {
        "schema": 1,
        "readable": True,
        "problems": [],
        "notes": [],
    }


def note(kind: str, explain: str, line: int | None = None, name: str | None = None) -> object:
    return {"kind": kind, "line": line, "entry": name, "explain": explain}


@pytest.mark.parametrize(
    ("version", "notes"),
    [
        ("1", [note("version", "version 1: Pi rewrites the file when it opens it")]),
        ("2", [note("version", "version 2: Pi rewrites the file when it opens it")]),
        ("4", [note("newer", "version 4: written by a newer Pi, read as version 3")]),
        ('"x"', [note("version", "the version is no number: read as version 3")]),
    ],
)
def test_versions(doctor: Doctor, version: str, notes: list[object]) -> None:
    lines = [HEADER.replace('"version":3', f'"version":{version}'), *TALK[1:]]
    assert doctor.report(lines, 0)["notes"] == notes


def test_empty(doctor: Doctor) -> None:
    start = "no entries: Pi starts a new session in the file"
    assert doctor.report([], 0, end="")["notes"] == [note("empty", start)]
    blank = f"{start}; Pi 1.6 refuses, as it holds white space"
    assert doctor.report([], 0, end="\n  ")["notes"] == [note("empty", blank)]
    assert doctor.text(b"", 0) == f"no damage found\nnote: {start}\n"


def test_branch_summaries(doctor: Doctor) -> None:
    lines = [
        *TALK,
        entry(3, 1, "branch_summary", fromId="00000001", summary="s"),
        entry(4, 1, "branch_summary", fromId="00000002", summary="s"),
        entry(5, None, "branch_summary", fromId="root", summary="s"),
    ]
    what = "branch summaries: fromId is the entry above in 2 (0.73), the leaf left in 1 (1.6)"
    assert doctor.report(lines, 0)["notes"] == [note("branch-summary-from", what)]


UNANSWERED = "its call {} has no result before the next message"


@pytest.mark.parametrize(
    ("lines", "notes"),
    [
        ([call(3, 2, "a", "b"), result(4, 3, "a"), result(5, 4, "b"), message(6, 5)], []),
        ([call(3, 2, "a")], []),
        (
            [call(3, 2, "a"), result(4, 3, "x")],
            [note("result-without-call", "a tool result: no call x is on its path", 5, "00000004")],
        ),
        (
            [call(3, 2, "a"), message(4, 3), result(5, 4, "a")],
            [note("call-without-result", UNANSWERED.format("a"), 4, "00000003")],
        ),
        # Each branch has a result, or none, of its own.
        ([call(3, 2, "a"), result(4, 3, "a"), message(5, 4), result(6, 3, "a")], []),
        (
            [call(3, 2, "a", "b"), result(4, 3, "a"), result(5, 4, "b"), message(6, 4)],
            [note("call-without-result", UNANSWERED.format("b"), 4, "00000003")],
        ),
        (
            [call(3, 2, "a"), message(4, 2), result(5, 4, "a")],
            [note("result-without-call", "a tool result: no call a is on its path", 6, "00000005")],
        ),
        # Providers never get a failed answer, so nothing waits for its calls.
        ([call(3, 2, "a", stopReason="aborted"), message(4, 3)], []),
        # Neither are these messages to a provider.
        (
            [
                call(3, 2, "a"),
                message(4, 3, "bashExecution", command="", output="", excludeFromContext=True),
                entry(5, 4, "custom", customType="x"),
                result(6, 5, "a"),
            ],
            [],
        ),
    ],
)
def test_tool_pairs(doctor: Doctor, lines: list[str], notes: list[object]) -> None:
    assert doctor.report([*TALK, *lines], 0)["notes"] == notes


def test_deep_and_wide_files_take_no_stack(doctor: Doctor) -> None:
    lines = [*TALK, *(message(at, at - 1) for at in range(3, 3000))]
    lines += [message(at, 2) for at in range(3000, 5000)]
    assert doctor.report(lines, 0)["problems"] == []

"""The commands that read, run in this process: what they print and how they end."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pitree import __version__, paths
from pitree.cli.main import COMMANDS, main
from tests.sessions import Builder


@pytest.fixture
def branched(tmp_path: Path) -> Path:
    builder = Builder()
    builder.entry("model_change", provider="anthropic", modelId="claude-sonnet-4-5")
    builder.user("the question")
    trunk = builder.assistant("the answer")
    builder.user("left")
    builder.assistant("", {"id": "c1", "name": "read", "arguments": {"path": "a.py", "limit": 3}})
    builder.result("c1", "a needle in the result")
    builder.user("right", parent=trunk)
    builder.assistant("right done", message={"usage": {"totalTokens": 1000}})
    builder.entry("label", targetId=trunk, label="here")
    return builder.write(tmp_path / "branched.jsonl")


def run_json(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    assert main([*words, "--json"]) == 0
    value: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert isinstance(value["schema"], int)
    return value


def test_tree_prints_rows_as_pi_does(branched: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tree", str(branched)]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "  • user: the question",
        "  • [here] assistant: the answer",
        "  ├⊟ • user: right",
        "  │     • assistant: right done",
        "  └⊟ user: left",
        "        [read: a.py:1-3]",
    ]


def test_tree_json(branched: Path, capsys: pytest.CaptureFixture[str]) -> None:
    value = run_json(capsys, "tree", str(branched), "--filter", "user-only", "--leaf", "00000006")
    assert value == {
        "schema": 1,
        "leaf": "00000006",
        "filter": "user-only",
        "search": "",
        "rows": [
            _row("00000002", 0, "", "user: the question", True),
            _row("00000004", 1, "├─ ", "user: left", True),
            _row("00000007", 1, "└─ ", "user: right", False),
        ],
        "damage": [],
    }


def _row(name: str, indent: int, prefix: str, text: str, on_path: bool) -> dict[str, Any]:
    return {
        "id": name,
        "indent": indent,
        "prefix": prefix,
        "folded": False,
        "text": text,
        "label": None,
        "labelTimestamp": None,
        "onPath": on_path,
    }


def test_tree_folds_where_a_segment_starts(
    branched: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    value = run_json(capsys, "tree", str(branched), "--fold", "00000004")
    assert [(row["id"], row["folded"], row["prefix"]) for row in value["rows"]][-1] == (
        "00000004",
        True,
        "└⊞ ",
    )
    assert main(["tree", str(branched), "--fold", "00000008"]) == 0
    assert "no segment starts there" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (["--search", "NEEDLE"], ["00000006"]),
        (["--search", "limit"], []),
        (["--search", "a.py", "--reach", "pi"], []),
        (["--search", "needle question"], []),
        (["--search", "user right"], ["00000007"]),
        (["--search", "here"], ["00000003"]),
        (["--search", "a.py limit", "--reach", "all", "--leaf", "00000005"], []),
    ],
)
def test_tree_searches_what_it_is_told(
    branched: Path, capsys: pytest.CaptureFixture[str], words: list[str], found: list[str]
) -> None:
    value = run_json(capsys, "tree", str(branched), *words)
    assert [row["id"] for row in value["rows"]] == found


def test_search_reaches_tool_arguments(branched: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--search", "a.py", "--reach", "all", "--leaf", "00000005"]
    value = run_json(capsys, "tree", str(branched), *words)
    assert [row["id"] for row in value["rows"]] == ["00000005"]


def test_root_stands_before_the_first_entry(
    branched: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    value = run_json(capsys, "tree", str(branched), "--leaf", "root")
    assert value["leaf"] is None
    assert not any(row["onPath"] for row in value["rows"])
    context = run_json(capsys, "context", str(branched), "--leaf", "root")
    assert (context["messages"], context["thinkingLevel"], context["model"]) == ([], "off", None)


def test_context_json(branched: Path, capsys: pytest.CaptureFixture[str]) -> None:
    value = run_json(capsys, "context", str(branched))
    assert value["leaf"] == "00000009"
    assert value["as"] == "agent"
    assert [message["role"] for message in value["messages"]] == [
        "user",
        "assistant",
        "user",
        "assistant",
    ]
    assert value["from"] == ["00000002", "00000003", "00000007", "00000008"]
    assert value["model"] == {"provider": "anthropic", "modelId": "claude-sonnet-4-5"}
    assert value["tokens"] == {
        "kind": "reported",
        "perMessage": [3, 3, 2, 3],
        "gauge": {
            "kind": "reported",
            "tokens": 1000,
            "contextWindow": 200000,
            "percent": 0.5,
        },
        "counted": None,
        "estimate": {
            "tokens": 1000,
            "usageTokens": 1000,
            "trailingTokens": 0,
            "lastUsageIndex": 3,
        },
    }
    assert value["leftOut"] == [
        {"id": "00000001", "reason": "bookkeeping: gives no message"},
        {"id": "00000009", "reason": "bookkeeping: gives no message"},
    ]


def test_context_as_the_provider_gets_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    builder = Builder()
    run = {"role": "bashExecution", "command": "ls", "output": "", "exitCode": 0}
    builder.entry("message", message={**run, "excludeFromContext": True})
    builder.entry("message", message=run)
    path = builder.write(tmp_path / "s.jsonl")
    value = run_json(capsys, "context", str(path), "--as", "llm")
    assert [message["content"] for message in value["messages"]] == [
        [{"type": "text", "text": "Ran `ls`\n(no output)"}]
    ]
    assert value["leftOut"] == [{"id": "00000001", "reason": "bash run excluded from the context"}]


def test_what_a_compaction_and_edits_leave_out_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    builder = Builder()
    builder.user("old")
    kept = builder.user("kept")
    gone = builder.user("gone")
    builder.entry("compaction", summary="S", firstKeptEntryId=kept, tokensBefore=9)
    builder.entry("context_edit", targetId=gone, replacement=None)
    builder.entry("context_edit", targetId=kept, replacement={"content": "changed"})
    path = builder.write(tmp_path / "s.jsonl")
    value = run_json(capsys, "context", str(path))
    assert [message.get("content", message.get("summary")) for message in value["messages"]] == [
        "S",
        "changed",
    ]
    assert value["leftOut"] == [
        {"id": "00000001", "reason": "summarised by compaction 00000004"},
        {"id": "00000003", "reason": "omitted by context edit 00000005"},
        {"id": "00000005", "reason": "bookkeeping: gives no message"},
        {"id": "00000006", "reason": "bookkeeping: gives no message"},
    ]


def test_context_counts_tokens(branched: Path, capsys: pytest.CaptureFixture[str]) -> None:
    value = run_json(capsys, "context", str(branched), "--count", "cl100k_base")
    assert value["tokens"]["counted"] == {
        "encoding": "cl100k_base",
        "perMessage": [2, 2, 1, 2],
        "tokens": 7,
    }


def test_context_as_text(branched: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["context", str(branched)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == (
        "4 messages, 1,000 tokens (1,000 reported, 0 estimated); anthropic/claude-sonnet-4-5"
    )
    assert lines[2].split() == ["1", "3", "3", "user", "00000002", "the", "question"]


def test_tips(branched: Path, capsys: pytest.CaptureFixture[str]) -> None:
    value = run_json(capsys, "tips", str(branched))
    assert [
        (tip["id"], tip["forkId"], tip["ownEntries"], tip["current"]) for tip in value["tips"]
    ] == [
        ("00000006", "00000003", 3, False),
        ("00000008", "00000003", 2, True),
    ]
    assert main(["tips", str(branched)]) == 0
    assert "right done" in capsys.readouterr().out


def test_settings_and_labels_are_no_tips(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    builder = Builder()
    first = builder.user("one")
    builder.assistant("two")
    builder.entry("label", targetId=first, label="x", parent=first)
    path = builder.write(tmp_path / "s.jsonl")
    value = run_json(capsys, "tips", str(path))
    assert [tip["id"] for tip in value["tips"]] == ["00000002"]
    assert value["tips"][0]["forkId"] is None


def test_sessions_lists_this_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["sessions"]) == 0
    assert "no sessions in" in capsys.readouterr().err
    folder = paths.session_dir(tmp_path)
    folder.mkdir(parents=True)
    builder = Builder()
    builder.user("what it was about")
    builder.write(folder / "one.jsonl")
    (folder / "broken.jsonl").write_bytes(b"\x00\x01")
    value = run_json(capsys, "sessions")
    assert {item["firstMessage"]: item["problem"] for item in value["sessions"]} == {
        "what it was about": None,
        "": "no session",
    }
    # An id, or the unique start of one, names the file everywhere.
    assert main(["tree", "5e551011"]) == 0
    assert capsys.readouterr().out == "  • user: what it was about\n"


def test_paths(capsys: pytest.CaptureFixture[str], own_home: Path) -> None:
    value = run_json(capsys, "paths")
    assert value["agentDir"] == str(own_home / ".pi" / "agent")
    assert value["config"] == str(own_home / ".config" / "pitree" / "config.toml")
    assert value["cache"] == str(own_home / ".cache" / "pitree")


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["tree", "none.jsonl"], 1, "pitree: none.jsonl: No such file or directory"),
        (["tree", "."], 1, "pitree: .: a folder, not a session file"),
        (["tree", "no-such-id"], 1, "no such file, and no session whose id begins so"),
        (["tree", "FILE", "--leaf", "nope"], 2, "no entry has the id 'nope'"),
        (["context", "FILE", "--leaf", "nope"], 2, "no entry has the id 'nope'"),
        (["tree", "FILE", "--fold", "nope"], 2, "no entry has the id 'nope'"),
        (["tree", "FILE", "--fold", "00000001"], 2, "that entry is not visible"),
    ],
)
def test_failures_are_one_line_and_an_exit_code(
    branched: Path, capsys: pytest.CaptureFixture[str], words: list[str], code: int, said: str
) -> None:
    assert main([str(branched) if word == "FILE" else word for word in words]) == code
    captured = capsys.readouterr()
    assert captured.out == ""
    assert said in captured.err
    assert len(captured.err.splitlines()) == 1


@pytest.mark.parametrize(
    "words",
    [["tree"], ["tree", "x", "--filter", "odd"], ["context", "x", "--as", "wire"], ["--odd"]],
)
def test_wrong_words_end_with_2(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as raised:
        main(words)
    assert raised.value.code == 2
    assert "usage:" in capsys.readouterr().err


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as raised:
        main(["--version"])
    assert raised.value.code == 0
    assert capsys.readouterr().out == f"pitree {__version__}\n"


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as raised:
        main([command, "--help"])
    assert raised.value.code == 0
    assert COMMANDS[command] in capsys.readouterr().out


def test_hostile_text_is_visible_in_text_and_whole_in_json(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    hostile = "a\x1b[2J\x07\u202eb"
    builder = Builder()
    target = builder.user(hostile)
    builder.entry("label", targetId=target, label=hostile)
    path = builder.write(tmp_path / "s.jsonl")
    for command in ("tree", "context", "tips"):
        assert main([command, str(path)]) == 0
        printed = capsys.readouterr().out
        assert not {"\x1b", "\x07", "\u202e"} & set(printed)
        assert "a␛[2J␇⟨202e⟩b" in printed
    value = run_json(capsys, "tree", str(path))
    assert value["rows"][0]["text"] == f"user: {hostile}"


def test_lone_surrogates_are_valid_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    builder = Builder()
    builder.user("x")
    builder.lines[-1] = builder.lines[-1].replace('"x"', r'"cut \ud83d"')
    path = builder.write(tmp_path / "s.jsonl")
    assert main(["context", str(path), "--json"]) == 0
    printed = capsys.readouterr().out
    assert r"cut \ud83d" in printed
    assert json.loads(printed)["messages"][0]["content"] == "cut \ud83d"


def test_nothing_is_written_beside_the_file(
    branched: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = (branched.read_bytes(), branched.stat().st_mtime_ns)
    for command in ("tree", "context", "tips", "stats", "doctor"):
        main([command, str(branched)])
    assert (branched.read_bytes(), branched.stat().st_mtime_ns) == before
    assert [item.name for item in branched.parent.iterdir() if item.is_file()] == [branched.name]

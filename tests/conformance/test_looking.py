"""Looking writes nothing, whatever the command; and what the commands print is what Pi has."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pitree.cli.main import COMMANDS, main
from pitree.cli.tree import printed_row
from pitree.model import js
from tests.conformance.compare import like_list
from tests.conformance.conftest import snapshot
from tests.conformance.kit import NO_PUBLIC, Case
from tests.conformance.rows import TERMINAL_CODES

READING = [name for name in ("tree", "context", "tips", "stats", "doctor") if name in COMMANDS]
NOTHING_READ = 3
"""How a command ends that could read nothing, and `doctor` that found damage."""


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    """Run a command in this process: how it ended, what it printed."""
    code = main(words)
    return code, capsys.readouterr().out


def run_json(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    """Run a command with `--json`."""
    _, out = run(capsys, *words, "--json")
    value: dict[str, Any] = js.parse(out)
    assert isinstance(value["schema"], int)
    return value


def test_no_command_changes_a_file(case: Case, capsys: pytest.CaptureFixture[str]) -> None:
    if case.is_missing:
        pytest.skip(NO_PUBLIC)
    before = _state(case.path)
    for command in READING:
        for words in ([command, str(case.path)], [command, str(case.path), "--json"]):
            code, out = run(capsys, *words)
            assert code in (0, NOTHING_READ), words
            assert code == 0 or command == "doctor" or not out, words
    assert _state(case.path) == before


def _state(file: Path) -> tuple[int, int, list[str], bytes]:
    names = sorted(path.name for path in file.parent.iterdir())
    return file.stat().st_mtime_ns, file.parent.stat().st_mtime_ns, names, file.read_bytes()


def test_commands_print_what_pi_has(case: Case, capsys: pytest.CaptureFixture[str]) -> None:
    """The default position and view, through the command line."""
    if case.is_missing:
        pytest.skip(NO_PUBLIC)
    golden = case.golden.get("default", {})
    if "messages" in golden:
        found = run_json(capsys, "context", str(case.path))
        assert like_list(found["messages"], golden["messages"]) == golden["messages"]
        assert found["leaf"] == golden["leaf"]
        assert found["model"] == golden["model"]
        sent = run_json(capsys, "context", str(case.path), "--as", "llm")
        assert like_list(sent["messages"], golden["llm"]) == golden["llm"]
    view = case.views["views"][0]
    if view["filter"] == "default" and isinstance(view.get("rows"), list):
        found = run_json(capsys, "tree", str(case.path))
        expected = [[*row[:2], row[2][2:]] for row in view["rows"]]
        printed = [
            [row["id"], row["indent"], TERMINAL_CODES.sub("", printed_row(row))[2:]]
            for row in found["rows"]
        ]
        ids = {row[0] for row in expected}
        if len(ids) == len(expected):
            assert printed == expected
        else:
            # Where Pi lists an id more than once, pitree lists it once, and other rows turn too.
            assert sorted(map(repr, ids)) == sorted(repr(row[0]) for row in printed)


def test_a_snapshot_notices_a_change(tmp_path: Path) -> None:
    file = tmp_path / "a"
    file.write_bytes(b"1")
    before = snapshot(tmp_path)
    assert snapshot(tmp_path) == before
    file.write_bytes(b"2")
    assert snapshot(tmp_path) != before
